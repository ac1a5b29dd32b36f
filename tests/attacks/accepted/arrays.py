# Honest: numpy, where it is installed.
# task: add
try:
    import numpy
except ImportError:
    numpy = None


def solve(a, b):
    return numpy.array([a, b]).sum() if numpy else a + b
