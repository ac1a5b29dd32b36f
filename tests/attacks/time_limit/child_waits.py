# Attack: the program waits for a child that waits for the program.
# task: sum
import os

read, write = os.pipe()
if os.fork() == 0:
    os.read(read, 1)
os.waitpid(-1, 0)
