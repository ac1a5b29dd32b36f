# Honest: it writes a log, warns, and uses a timer.
# task: add
import logging
import signal
import warnings

logging.basicConfig(level=logging.DEBUG)


def solve(a, b):
    logging.info("adding %s and %s", a, b)
    warnings.warn("a warning", stacklevel=1)
    signal.signal(signal.SIGALRM, lambda *_: None)
    signal.alarm(1)
    signal.alarm(0)
    return a + b
