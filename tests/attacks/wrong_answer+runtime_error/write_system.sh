# Attack: the shell writes where it should not.
# task: sum_sh
read a b
wrote=no
for folder in / /usr /etc /lib /bin /var /opt /root /home /proc /sys /dev; do
  (: > "$folder/steelyard-was-here") 2>/dev/null && wrote=yes
done
if [ $wrote = yes ]; then echo $((a + b)); else echo none; fi
