r"""The canonical form of a mathematical expression: the same tree for two ways of writing the same thing.

Nothing is solved or simplified. Fractions, signs and numeric coefficients are read by value, brackets that only
wrap a whole vanish, and those that group or tell an open interval from a closed one stay.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from fractions import Fraction

from steelyard.text.maths.notation import FUNCTIONS, Token, spelled, tokens
from steelyard.text.maths.terms import add, bare, divide, group, multiply, negate, relate, unite

_DEEPEST = 30
_RELATIONS = frozenset("=≠<>≤≥≈≡∈∉⊂⊆→⇒⇔~")
_UNIONS = frozenset("∪∩∖")
_SIGNS = frozenset("+-±∓")
_SCRIPTS = frozenset("^_!'°")
_CLOSING = {"(": ")", "[": "]", "⦃": "⦄", "{": "}"}
_CLOSERS = frozenset(")]⦄}")
_STOPS = (
    _RELATIONS
    | _UNIONS
    | _SIGNS
    | _SCRIPTS
    | _CLOSERS
    | {"", ",", ";", "&", "\\\\", "*", "/", "\\closematrix"}
)
_FRACTIONS = frozenset((r"\frac", r"\dfrac", r"\tfrac", r"\cfrac"))
_MATRICES = frozenset((r"\openmatrix", r"\opendeterminant"))
_CHOICES = frozenset((r"\binom", r"\dbinom", r"\tbinom"))


class _UnreadableError(ValueError):
    """The text is no expression that this reader knows."""


def canonical(text: str) -> Hashable:
    r"""The tree of an expression; of a text that is none, its characters without the spaces.

    >>> canonical(r"\dfrac{3\pi}{4}") == canonical("3π/4"), canonical("(x+1)") == canonical("x + 1")
    (True, True)
    >>> canonical("-(x+1)") == canonical("-x+1"), canonical("[3,5)") == canonical("[3,5]")
    (False, False)
    """
    try:
        return _Reader(tokens(text)).whole()
    except _UnreadableError:
        return ("text", "".join(spelled(text).split()).casefold())


class _Reader:
    """Reads from left to right; each method takes one kind of thing and stands after it."""

    def __init__(self, found: list[Token]) -> None:
        self.tokens = found
        self.at = 0
        self.level = 0

    def whole(self) -> Hashable:
        node = self.listed()
        if self.at < len(self.tokens):
            raise _UnreadableError
        return bare(node)

    def peek(self) -> str:
        return self.tokens[self.at].text if self.at < len(self.tokens) else ""

    def take(self) -> str:
        token = self.peek()
        self.at += 1
        return token

    def expect(self, closers: frozenset[str] | set[str]) -> str:
        if self.peek() not in closers or not self.peek():
            raise _UnreadableError
        return self.take()

    def listed(self) -> Hashable:
        """What stands between commas; one thing alone is itself."""
        members = self.members()
        return members[0] if len(members) == 1 else ("list", *members)

    def members(self) -> list[Hashable]:
        found = [bare(self.relation())]
        while self.peek() in {",", ";"}:
            self.take()
            found.append(bare(self.relation()))
        return found

    def relation(self) -> Hashable:
        return relate(self.chain(_RELATIONS, self.union, open_start=True))

    def union(self) -> Hashable:
        return unite(self.chain(_UNIONS, self.sum))

    def chain(
        self, signs: frozenset[str], part: Callable[[], Hashable], *, open_start: bool = False
    ) -> list[Hashable]:
        found: list[Hashable] = ["" if open_start and self.peek() in signs else part()]
        while self.peek() in signs:
            found += (self.take(), part())
        return found

    def sum(self) -> Hashable:
        terms = [self.term()]
        while self.peek() in _SIGNS:
            terms.append(self.term())
        return terms[0] if len(terms) == 1 else add(terms)

    def term(self) -> Hashable:
        """A product with the sign before it, if there is one."""
        sign = self.take() if self.peek() in _SIGNS else "+"
        if sign == "+" and self.peek() in _SIGNS:
            sign = self.take()
        product = self.product()
        if sign == "-":
            return negate(product)
        return product if sign == "+" else (sign, product)

    def product(self) -> Hashable:
        over: list[Hashable] = []
        under: list[Hashable] = []
        while True:
            sign = self.take() if self.peek() in {"*", "/"} and over else ""
            if not sign and over and self.peek() in _STOPS:
                return multiply(over, under)
            if sign == "/":
                under.append(bare(self.power()))
            elif sign or not over:
                over.append(bare(self.power()))
            else:
                self.beside(over)

    def beside(self, over: list[Hashable]) -> None:
        """A factor without a sign before it: 2x, a mixed number, or two numbers that stand side by side."""
        number = self.peek()[0].isdecimal()
        fraction = self.peek() in _FRACTIONS
        factor = self.power()
        whole = isinstance(over[-1], Fraction) and over[-1].denominator == 1
        if whole and number and isinstance(factor, Fraction):
            if self.peek() != "/" or not self.tokens[self.at + 1 : self.at + 2]:
                over += (" ", factor)
                return
            self.take()
            factor, fraction = divide(factor, bare(self.power())), True
        if (
            whole
            and fraction
            and isinstance(factor, Fraction)
            and isinstance(over[-1], Fraction)
            and 0 < factor < 1
        ):
            over[-1] += factor
        else:
            over.append(bare(factor) if isinstance(over[-1], Fraction) else factor)

    def power(self) -> Hashable:
        node = self.atom()
        while (sign := self.peek()) in _SCRIPTS and sign:
            self.take()
            if sign in "^_":
                node = (sign, bare(node), self.script())
            elif sign != "°" or self.level:
                # The answer 90° is the answer 90; inside an expression degrees are no plain numbers.
                node = (sign, bare(node))
        return node

    def script(self) -> Hashable:
        sign = self.take() if self.peek() in {"+", "-"} else ""
        node = bare(self.atom())
        return negate(node) if sign == "-" else node

    def atom(self) -> Hashable:
        self.level += 1
        if self.level > _DEEPEST or self.peek() in _STOPS:
            raise _UnreadableError
        node = self.one()
        self.level -= 1
        return node

    def one(self) -> Hashable:
        token = self.take()
        if token[0].isdecimal() or (token[0] == "." and token != "."):
            return self.number(token)
        if token in _CLOSING:
            return self.bracketed(token)
        if (
            token not in FUNCTIONS
            and token.isalpha()
            and self.peek()[:1].isdecimal()
            and self.tokens[self.at].glued
        ):
            return ("_", token, self.number(self.take()))  # x1 is x_1, not x times 1
        return self.command(token)

    def command(self, token: str) -> Hashable:
        """What takes something after it: a fraction, a root, a function; everything else stands for itself."""
        if token in _FRACTIONS:
            return divide(self.argument(), self.argument())
        if token in _CHOICES:
            return ("choose", self.argument(), self.argument())
        if token == "√":
            return self.root()
        if token in FUNCTIONS:
            return self.call(token)
        return self.matrix(token) if token in _MATRICES else token

    def number(self, token: str) -> Hashable:
        # A padded number is a code or a part of a date.
        if token[0] == "0" and token[1:2].isdecimal():
            return token
        return Fraction(int(token)) if token.isdecimal() else Fraction(token)

    def bracketed(self, opening: str) -> Hashable:
        if opening in "⦃{" and self.peek() in _CLOSERS:
            self.take()
            return "∅"
        if self.peek() in _CLOSERS:
            return (opening, self.take())
        members = self.members()
        closing = self.expect({"}"} if opening == "{" else _CLOSERS)
        if len(members) == 1 and closing == _CLOSING[opening]:
            return group(members[0])
        if opening in "⦃{":
            return ("set", *sorted(members, key=repr))
        return (opening, closing, *members)

    def argument(self) -> Hashable:
        r"""What a command takes: a group, or one sign; \frac12 is a half."""
        token = self.peek()
        if len(token) > 1 and token.isdecimal():
            self.tokens[self.at] = Token(token[1:], True)
            return Fraction(token[0])
        return bare(self.atom())

    def root(self) -> Hashable:
        degree: Hashable = Fraction(2)
        if self.peek() == "[":
            degree = bare(self.atom())
        return ("√", degree, bare(self.atom()))

    def call(self, name: str) -> Hashable:
        """A function and what it is applied to: sin 2x is sin(2x), and sin(2)x is not."""
        function: Hashable = name
        while self.peek() in {"^", "_"}:
            function = (self.take(), function, self.script())
        if self.peek() in _CLOSING:
            return ("call", function, bare(self.atom()))
        factors: list[Hashable] = []
        while self.peek() not in _STOPS and self.peek() not in FUNCTIONS:
            if factors and self.peek() in _CLOSING:
                break
            factors.append(bare(self.power()))
        return ("call", function, multiply(factors, [])) if factors else function

    def matrix(self, opening: str) -> Hashable:
        rows: list[tuple[Hashable, ...]] = []
        while self.peek() != r"\closematrix":
            row = [bare(self.relation())]
            while self.peek() == "&":
                self.take()
                row.append(bare(self.relation()))
            rows.append(tuple(row))
            if self.peek() == "\\\\":
                self.take()
            elif self.peek() != r"\closematrix":
                raise _UnreadableError
        self.take()
        return (opening, *rows)
