# Attack: disks, memory, the kernel's log, terminals.
# task: add
# runs: always
import glob
import os


def solve(a, b):
    names = ("mem", "kmem", "port", "kmsg", "kvm", "fuse", "loop-control", "vsock", "vhost-vsock", "console", "tty0", "sda")
    for path in [f"/dev/{name}" for name in names] + glob.glob("/dev/vd*") + glob.glob("/dev/nvme*") + glob.glob("/dev/loop*"):
        for mode in (os.O_RDONLY, os.O_WRONLY):
            try:
                os.close(os.open(path, mode | os.O_NONBLOCK))
            except OSError:
                continue
            return a + b
    return None
