# Attack: each place stays below the limit, the three together do not.
# task: add
# only: bubblewrap


def solve(a, b):
    for place in ("/tmp/a", "/dev/shm/b", "c"):
        with open(place, "wb") as file:
            file.write(b"x" * (12 << 20))
    return a + b
