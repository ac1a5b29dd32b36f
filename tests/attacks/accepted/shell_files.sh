# Honest: a shell script with files and a child.
# task: sum_sh
read a b
echo "$a + $b" > /tmp/sum
set -- $(cat /tmp/sum)
(sleep 0.05; echo $(($1 + $3))) &
wait
