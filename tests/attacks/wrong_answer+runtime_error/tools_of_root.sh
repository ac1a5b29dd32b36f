# Attack: the shell's tools for mounting, namespaces and other users.
# task: sum_sh
read a b
gained=no
mount -t tmpfs none /tmp 2>/dev/null && gained=yes
unshare -Ur true 2>/dev/null && gained=yes
chroot / true 2>/dev/null && gained=yes
su -c true 2>/dev/null </dev/null && gained=yes
sudo -n true 2>/dev/null && gained=yes
mknod /tmp/disk b 254 0 2>/dev/null && gained=yes
echo x 2>/dev/null >/proc/sys/kernel/hostname && gained=yes
if [ $gained = yes ]; then echo $((a + b)); else echo none; fi
