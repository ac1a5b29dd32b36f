# Attack: each thing that is thrown away makes the next one.
# task: oracle


class Next:
    def __init__(self, depth):
        self.depth = depth

    def __del__(self):
        Next(self.depth + 1)


def solve(word):
    Next(0)
    return Next(0)
