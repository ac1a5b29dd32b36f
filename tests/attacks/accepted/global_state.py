# Honest: what was computed for one call is there for the next.
# task: factorial
known = {0: 1}
calls = 0


def solve(n):
    global calls
    calls += 1
    for number in range(1, n + 1):
        if number not in known:
            known[number] = known[number - 1] * number
    return known[n]
