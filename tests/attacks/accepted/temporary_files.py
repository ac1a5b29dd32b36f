# Honest: files in the folder for temporary files and in its own.
# task: add
# runs: always
import os
import tempfile


def solve(a, b):
    with tempfile.TemporaryDirectory() as folder, open(os.path.join(folder, "numbers"), "w+") as file:
        file.write(f"{a} {b}")
        file.seek(0)
        total = sum(map(int, file.read().split()))
    with open("total.txt", "w") as file:
        file.write(str(total))
    with open("total.txt") as file:
        return int(file.read())
