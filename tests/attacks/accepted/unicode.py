# Honest: letters of many scripts, in the source too.
# task: greet
# runs: always
größe = "Grüße"


def solve(name):
    return f"{größe}, {name} ☕"
