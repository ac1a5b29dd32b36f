# Attack: the flood comes while the program is loaded.
# task: add
for _ in range(5_000_000):
    print("loading")


def solve(a, b):
    return a + b
