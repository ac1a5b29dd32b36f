# Attack: an object that equals everything.
# task: add
# runs: always


class Yes:
    def __eq__(self, other):
        return True

    def __ne__(self, other):
        return False

    def __hash__(self):
        return 0


def solve(a, b):
    return Yes()
