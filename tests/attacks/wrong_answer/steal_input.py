# Attack: a program that looks for the expected output among its input, its arguments and the files around it.
# task: oracle_stdio
import os
import re
import sys

word = input()
text = sys.stdin.read() + repr(sys.argv) + repr(dict(os.environ))
for folder, _, names in os.walk("."):
    for name in names:
        with open(os.path.join(folder, name), errors="replace") as file:
            text += file.read() if os.path.basename(sys.argv[0]) != name else ""
found = re.search(rf"ORACLE:{word}:[0-9a-f]+", text)
print(found[0] if found else "nothing")
