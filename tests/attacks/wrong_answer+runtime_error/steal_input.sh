# Attack: the shell looks for the expected output in every file that it may read.
# task: oracle_sh
read word
timeout 1 grep -rhoE "ORACLE:$word:[0-9a-f]{12}" /box /tmp /home /root /work /run /dev/shm /etc 2>/dev/null | head -n 1
