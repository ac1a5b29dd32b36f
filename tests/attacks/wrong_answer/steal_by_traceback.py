# Attack: an error is raised on purpose, and its way up is searched.
# task: oracle
import re
import sys

kept = []
sys.excepthook = lambda *parts: kept.append(parts)


def solve(word):
    try:
        raise ValueError
    except ValueError as error:
        trace = error.__traceback__
        frame, text = trace.tb_frame, ""
        while frame:
            text += repr(frame.f_locals) + repr(frame.f_code.co_consts)
            frame = frame.f_back
    found = re.search(rf"ORACLE:{word}:[0-9a-f]+", text + repr(kept))
    return found and found[0]
