# Attack: the program closes its own output and error first.
# task: sum
import os

os.close(1)
os.close(2)
os._exit(0)
