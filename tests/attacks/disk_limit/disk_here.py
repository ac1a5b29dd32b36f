# Attack: a file in the program's own folder that is larger than allowed.
# task: add


def solve(a, b):
    with open("big", "wb") as file:
        for _ in range(64):
            file.write(b"x" * (1 << 20))
    return a + b
