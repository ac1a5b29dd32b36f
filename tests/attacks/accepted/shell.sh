# Honest: a shell script with a pipe and a loop.
# task: sum_sh
# runs: always
read a b
echo "$a $b" | tr ' ' '\n' | {
  total=0
  while read -r number; do total=$((total + number)); done
  echo "$total"
}
