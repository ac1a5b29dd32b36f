# Attack: the shell's tools are tried on the network.
# task: sum_sh
read a b
reached=no
for tool in "curl -sm 1 http://192.0.2.1" "wget -qT 1 -t 1 -O - http://127.0.0.1:47811" "ping -c1 -W1 127.0.0.1"; do
  $tool >/dev/null 2>&1 && [ "${tool%% *}" != ping ] && reached=yes
done
if [ $reached = yes ]; then echo $((a + b)); else echo none; fi
