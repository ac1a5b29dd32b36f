# Attack: the shell fills the disk and then prints the right answer.
# task: sum_sh
set -e
head -c 64000000 /dev/zero > /tmp/big
read a b
echo $((a + b))
