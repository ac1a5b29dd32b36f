# Attack: source text that is nested too deeply for the parser.
# task: add


def solve(a, b):
    return eval("(" * 100_000 + ")" * 100_000)
