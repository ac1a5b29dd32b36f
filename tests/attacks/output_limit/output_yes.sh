# Attack: yes.
# task: sum_sh
yes & yes 1>&2
