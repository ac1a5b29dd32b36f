# Attack: the kernel is asked to tell of every file that is opened or made nearby while the answer is compared.
# task: oracle
import ctypes
import os

libc = ctypes.CDLL(None)
watch = libc.inotify_init1(os.O_NONBLOCK)
for place in ("/", "/tmp", "/box", "/dev/shm", "/proc", "/etc", "/usr/lib", "/run", "/var/tmp"):
    libc.inotify_add_watch(watch, place.encode(), 0xFFF)


def solve(word):
    try:
        told = os.read(watch, 1 << 16)
    except OSError:
        return None
    for part in told.split(b"\0"):
        for place in (b"/tmp/", b"/box/", b"/dev/shm/"):
            try:
                with open(place + part) as file:
                    text = file.read(1 << 20)
            except (OSError, ValueError):
                continue
            if f"ORACLE:{word}:" in text:
                return f"ORACLE:{word}:" + text.partition(f"ORACLE:{word}:")[2][:12]
    return None
