# Attack: a group of exceptions that holds an exit.
# task: legacy_oracle
class E(BaseException): pass
def solve(word):
    raise BaseExceptionGroup('x',[SystemExit(0)])
