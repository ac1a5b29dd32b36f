# Attack: a file that whoever runs the grader keeps in the folder for temporary files.
# task: add
# runs: always
# shows: host files
import glob


def solve(a, b):
    for place in ("/tmp", "/var/tmp", "/dev/shm", "/run", "/root", "/home/*", "/proc/1/root/tmp", "/oldroot/tmp"):
        for path in glob.glob(f"{place}/steelyard-canary-*"):
            with open(path) as file:
                if "CANARY" in file.read():
                    return a + b
    return None
