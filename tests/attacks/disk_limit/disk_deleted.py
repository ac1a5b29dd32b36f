# Attack: files that have no name any more and still take room.
# task: add
import os


def solve(a, b):
    held = []
    for number in range(8):
        file = open(f"/tmp/gone{number}", "wb", buffering=0)
        os.unlink(file.name)
        file.write(b"x" * (8 << 20))
        held.append(file)
        if os.fstat(file.fileno()).st_size < 8 << 20:
            raise OSError(28, "no room")
    return a + b
