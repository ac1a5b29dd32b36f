# Attack: a shell that traps everything.
# task: sum_sh
trap '' HUP INT QUIT TERM ALRM USR1 USR2 PIPE TSTP
while :; do sleep 1; done
