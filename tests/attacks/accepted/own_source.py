# Honest: it reads its own source.
# task: sum
import sys

with open(sys.argv[0], encoding="utf-8") as file:
    assert "reads its own source" in file.read()
print(sum(map(int, input().split())))
