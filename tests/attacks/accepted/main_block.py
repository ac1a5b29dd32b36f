# Honest: a program with a main block, whose function is what is asked for.
# task: add


def solve(a, b):
    return a + b


if __name__ == "__main__":
    print(solve(int(input()), int(input())))
