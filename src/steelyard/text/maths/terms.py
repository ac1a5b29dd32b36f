"""The nodes of an expression's tree, put into the one order in which equal ones are equal."""

from __future__ import annotations

from collections.abc import Hashable
from fractions import Fraction

_ONE = Fraction(1)
_FALLING = {">": "<", "≥": "≤"}


def group(node: Hashable) -> Hashable:
    """What stands in brackets; they matter only beside a name, where f(2) is not 2f."""
    return ("group", node)


def bare(node: Hashable) -> Hashable:
    """The node without brackets around the whole of it.

    >>> bare(group(group("x")))
    'x'
    """
    while isinstance(node, tuple) and node[0] == "group":
        node = node[1]
    return node


def negate(node: Hashable) -> Hashable:
    """The node times -1.

    >>> negate(Fraction(2)), negate(negate("x"))
    (Fraction(-2, 1), 'x')
    """
    if isinstance(node, Fraction):
        return -node
    if isinstance(node, tuple) and node[0] == "product":
        _, coefficient, over, under = node
        return _product(-coefficient, over, under)
    return _product(-_ONE, (node,), ())


def divide(over: Hashable, under: Hashable) -> Hashable:
    """The quotient; of two numbers, its value."""
    return multiply([over], [under])


def multiply(over: list[Hashable], under: list[Hashable]) -> Hashable:
    """The product of the factors; one number above and one below become its coefficient.

    >>> multiply([Fraction(3), "π"], [Fraction(4)]) == multiply([divide(Fraction(3), Fraction(4)), "π"], [])
    True
    """
    if len(over) == 1 and not under:
        return over[0]
    coefficient, tops, bottoms = _spread(over, under)
    numbers = [factor for factor in tops if isinstance(factor, Fraction)]
    divisors = [factor for factor in bottoms if isinstance(factor, Fraction)]
    # Several numbers stay as they stand: 5/6/2024 is a date, and 2·3 is not yet 6.
    if len(numbers) <= 1 and len(divisors) <= 1 and 0 not in divisors and " " not in tops:
        for number in numbers:
            coefficient *= number
        for divisor in divisors:
            coefficient /= divisor
        tops = [factor for factor in tops if not isinstance(factor, Fraction)]
        bottoms = [factor for factor in bottoms if not isinstance(factor, Fraction)]
    return _product(coefficient, tuple(tops), tuple(bottoms))


def _spread(
    over: list[Hashable], under: list[Hashable]
) -> tuple[Fraction, list[Hashable], list[Hashable]]:
    """The factors with quotients and signs among them opened: (3/4)π is 3π/4."""
    coefficient = _ONE
    tops: list[Hashable] = []
    bottoms = list(under)
    for factor in over:
        if isinstance(factor, tuple) and factor[0] == "product":
            coefficient *= factor[1]
            tops += factor[2]
            bottoms += factor[3]
        else:
            tops.append(factor)
    return coefficient, tops, bottoms


def _product(
    coefficient: Fraction, over: tuple[Hashable, ...], under: tuple[Hashable, ...]
) -> Hashable:
    if not over and not under:
        return coefficient
    if coefficient == 1 and len(over) == 1 and not under:
        return over[0]
    return ("product", coefficient, over, under)


def add(terms: list[Hashable]) -> Hashable:
    """The sum, in one order; what reads like a date or a code keeps its own.

    >>> add(["x", Fraction(1)]) == add([Fraction(1), "x"])
    True
    """
    return ("sum", *(terms if _hyphened(terms) else sorted(terms, key=repr)))


def _hyphened(terms: list[Hashable]) -> bool:
    """2024-05-06 and A-C-B: three or more simple things with a hyphen between them."""
    if len(terms) < 3:
        return False
    parts = [terms[0], *map(negate, terms[1:])]
    return all(
        isinstance(part, str) or (isinstance(part, Fraction) and part >= 0) for part in parts
    )


def relate(chain: list[Hashable]) -> Hashable:
    """Things with relations between them; 5 > x is x < 5."""
    signs = chain[1::2]
    if signs and all(sign in _FALLING for sign in signs):
        return (
            "relation",
            *(_FALLING.get(str(part), part) if part in signs else part for part in chain[::-1]),
        )
    return chain[0] if len(chain) == 1 else ("relation", *chain)


def unite(chain: list[Hashable]) -> Hashable:
    """Sets with ∪, ∩ or ∖ between them; the order counts only where the signs differ."""
    signs = set(chain[1::2])
    if len(signs) == 1 and "∖" not in signs:
        return (*signs, *sorted(chain[::2], key=repr))
    return chain[0] if len(chain) == 1 else ("sets", *chain)
