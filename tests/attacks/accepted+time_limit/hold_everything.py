# Attack: a program that runs for a while beside another and holds a file, a socket and a process; the answer is right.
# task: add
import os
import socket
import time

line = socket.socket(socket.AF_UNIX)
line.bind("\0steelyard-beside")
line.listen()
for folder in ("/tmp", "/dev/shm", "."):
    with open(os.path.join(folder, "steelyard-beside"), "w") as file:
        file.write("here")


def solve(a, b):
    time.sleep(0.4)
    return a + b
