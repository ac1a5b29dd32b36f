# Attack: an audit hook hears of whatever the process opens, imports, compiles or marshals.
# task: oracle
import sys

seen = []
sys.addaudithook(lambda event, args: seen.append(repr(args)[:2000]))


def solve(word):
    at = " ".join(seen).partition(f"ORACLE:{word}:")
    return at[1] + at[2][:12]
