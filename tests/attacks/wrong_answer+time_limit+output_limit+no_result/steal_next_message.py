# Attack: the messages that come after this call are read ahead from the worker's channel.
# task: oracle
import gc
import re
import threading

taken = []


def listen(channel):
    for _ in range(2):
        taken.append(repr(channel.receive()))


def solve(word):
    for thing in gc.get_objects():
        if "hannel" in type(thing).__name__ and hasattr(type(thing), "receive"):
            reader = threading.Thread(target=listen, args=[thing], daemon=True)
            reader.start()
            reader.join(0.2)
    found = re.search(rf"ORACLE:{word}:[0-9a-f]+", " ".join(taken))
    return found and found[0]
