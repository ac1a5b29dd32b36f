# Attack: inside the call, replies for other calls are sent, and this one twice.
# task: add
import gc
import json


def solve(a, b):
    for thing in gc.get_objects():
        if "hannel" in type(thing).__name__ and hasattr(type(thing), "send"):
            for call in (-1, 0, 1, 1, 2, 3, 99, None, True, "1", 1.0, 10**30):
                thing.send(json.dumps({"done": call, "value": {"passed": True}, "args": []}).encode())
    return None
