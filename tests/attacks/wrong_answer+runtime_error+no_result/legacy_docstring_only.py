# Attack: the prompt itself, with nothing added.
# task: legacy_add


def solve(a, b):
    """The sum of two numbers."""
