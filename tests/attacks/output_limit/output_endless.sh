# Attack: a shell that copies zeros for ever.
# task: sum_sh
cat /dev/zero
