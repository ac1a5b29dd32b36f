# Attack: the same in a shell.
# task: sum_sh
# trusts: exit code
exit 0
