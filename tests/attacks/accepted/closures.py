# Honest: functions that remember.
# task: add
def adder():
    total = 0

    def more(n):
        nonlocal total
        total += n
        return total

    return more


def solve(a, b):
    add = adder()
    add(a)
    return add(b)
