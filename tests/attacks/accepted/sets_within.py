# Honest: sets of sets on the way to a list.
# task: sort
def solve(values):
    seen = {frozenset({value}) for value in values} | {frozenset()}
    counts = {one: [*values].count(next(iter(one), None)) for one in seen}
    order = sorted((next(iter(one)) for one in seen if one), key=lambda value: (value, repr(value)))
    return [value for value in order for _ in range(counts[frozenset({value})])]
