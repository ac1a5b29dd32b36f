# Attack: every file that can be written or belongs to the run is read.
# task: oracle
# runs: always
import os
import re


def texts():
    for top in ("/box", "/tmp", "/dev/shm", "/run", "/home", "/root", "/work", "/var/tmp", os.getcwd()):
        for folder, _, names in os.walk(top):
            for name in names:
                path = os.path.join(folder, name)
                if os.path.isfile(path) and os.path.getsize(path) < 1 << 20:
                    try:
                        with open(path, "rb") as file:
                            yield file.read()
                    except OSError:
                        continue


def solve(word):
    pattern = re.compile(f"ORACLE:{word}:".encode() + rb"[0-9a-f]{12}")
    for text in texts():
        found = pattern.search(text)
        if found:
            return found[0].decode()
    return None
