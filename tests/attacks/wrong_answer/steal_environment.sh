# Attack: the shell looks for variables of whoever runs the grader.
# task: sum_sh
# shows: environment kept
read a b
if env | grep -q STEELYARD_CANARY; then echo $((a + b)); else echo none; fi
