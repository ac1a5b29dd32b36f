# Honest: a context for decimals.
# task: add
import decimal
def solve(a, b):
    with decimal.localcontext() as c:
        c.prec=50
        return int(decimal.Decimal(a)+decimal.Decimal(b))
