"""One Score for everything: a scorer's verdict, a primitive's points, a total, a checklist.

The attempt's fault is a zero with a reason; our own fault is a Score without a value.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from decimal import Context, Decimal
from fractions import Fraction
from numbers import Integral, Real
from typing import Any, Literal, cast

import msgspec
from msgspec import UNSET
from msgspec.structs import force_setattr

from steelyard.evidence import held, is_truth
from steelyard.evidence import writable as writable
from steelyard.foreign import shown

Status = Literal["scored", "pending", "unscored"]
# The caller's own decimal context must not round our numbers.
_SHIFT = Context(prec=28, Emax=999, Emin=-999, traps=[])


class Readable:
    """Lets a struct that has ``keys`` and ``__getitem__`` be read as a mapping, and be compared with one."""

    __slots__ = ()

    def keys(self) -> list[str]:
        """The keys of the mapping."""
        raise NotImplementedError

    def __getitem__(self, key: str) -> Any:
        raise NotImplementedError

    def get(self, key: str, default: Any = None) -> Any:
        """What ``self[key]`` gives, or the default."""
        try:
            return self[key]
        except KeyError:
            return default

    def items(self) -> list[tuple[str, Any]]:
        """The items of the mapping."""
        return [(key, self[key]) for key in self.keys()]

    def values(self) -> list[Any]:
        """The values of the mapping."""
        return [self[key] for key in self.keys()]

    def __iter__(self) -> Iterator[str]:
        return iter(self.keys())

    def __len__(self) -> int:
        return len(self.keys())

    def __contains__(self, key: object) -> bool:
        return key in self.keys()

    def __bool__(self) -> bool:
        return True

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Readable):
            return type(other) is type(self) and _fields(self) == _fields(other)
        return dict(self.items()) == other if isinstance(other, Mapping) else NotImplemented

    __hash__ = None  # type: ignore[assignment]


def _fields(struct: Any) -> tuple[Any, ...]:
    return msgspec.structs.astuple(struct)


class Score(
    Readable,
    msgspec.Struct,
    frozen=True,
    kw_only=True,
    omit_defaults=True,
    repr_omit_defaults=True,
    eq=False,
):
    """A number between 0 and 1, or None, with the reason for it.

    It also reads as the mapping that scorer functions traditionally return:

    >>> score = zero("expected 'B'", extracted="C", span=(8, 9))
    >>> score["correct"], score["extracted"], dict(score)
    (False, 'C', {'correct': False, 'extracted': 'C'})
    """

    value: float | None
    correct: bool = cast(bool, UNSET)  # by default, whether the value is 1
    extracted: Any = UNSET
    span: tuple[int, int] | None = None
    reason: str = ""
    parts: tuple[Part, ...] = ()
    detail: dict[str, Any] = {}
    pending: bool = False

    def __post_init__(self) -> None:
        # To set a field takes longer than all these questions: what is plain already is left as it is.
        if (value := self.value) is not None and (
            type(value) is not float or not 0.0 <= value <= 1.0
        ):
            value = _value(value)
            force_setattr(self, "value", value)
        if (correct := self.correct) is not False and (correct is not True or value is None):
            correct = value == 1 if correct is UNSET else _correct(correct, value)  # type: ignore[comparison-overlap]
            force_setattr(self, "correct", correct)
        if (
            (extracted := self.extracted) is not UNSET
            and not (type(extracted) is str and extracted.isascii())
            and (form := held(extracted, "extracted")) is not extracted
        ):
            force_setattr(self, "extracted", form)
        if ((told := self.detail) or told is None) and (
            type(told) is not dict or held(told, "detail") is not told
        ):
            force_setattr(self, "detail", _detail(told))
        if type(reason := self.reason) is not str or not reason.isascii():
            force_setattr(self, "reason", writable(shown(reason)))

    @property
    def points(self) -> float | None:
        """The value on 0..1000, shifted as a decimal so that 0.69 is 690 and not 689.9999."""
        return (
            None
            if self.value is None
            else float(Decimal(repr(float(self.value))).scaleb(3, _SHIFT))
        )

    @property
    def status(self) -> Status:
        """Exactly one of scored, pending (a judge has still to speak) and unscored (our fault)."""
        if self.value is not None:
            return "scored"
        return "pending" if self.pending else "unscored"

    def keys(self) -> list[str]:
        """The keys of the traditional mapping: correct, extracted where something is extracted, needs_judge."""
        names = ["correct"]
        if self.extracted is not UNSET:
            names.append("extracted")
        if self.pending:
            names.append("needs_judge")
        return names

    def __getitem__(self, key: str) -> Any:
        if key == "needs_judge":
            return self.pending
        if key in _READABLE and (found := getattr(self, key)) is not UNSET:
            return found
        raise KeyError(key)

    def __hash__(self) -> int:  # type: ignore[override]
        return hash((self.value, self.correct, self.reason, self.span))


class Part(msgspec.Struct, frozen=True, kw_only=True):
    """A named, weighted Score inside another one."""

    name: str
    score: Score
    weight: float = 1.0


def _value(given: Any) -> float:
    """A number of any type as a float; a ValueError for what is no number between 0 and 1."""
    try:
        if (isinstance(given, (Real, Decimal)) or is_truth(given)) and 0 <= given <= 1:
            return float(given)
    except ArithmeticError:  # Decimal("NaN") is not compared
        pass
    raise ValueError(f"a score's value is 0..1 or None, not {shown(given)}")


def _correct(given: Any, value: object) -> bool:
    if not is_truth(given) and not isinstance(given, Integral):
        raise ValueError(f"a score is correct or not, True or False, not {shown(given)}")
    if given and value is None:
        raise ValueError("a score without a value cannot be correct")
    return bool(given)


def _detail(given: Any) -> dict[str, Any]:
    if given is not None and not isinstance(given, Mapping):
        raise ValueError(f"a score's detail is a dict, not {shown(given)}")
    found: dict[str, Any] = held(dict(given or {}), "detail")
    return found


_READABLE = frozenset(Score.__struct_fields__) | {"points", "status"}


def full(
    reason: str = "",
    *,
    extracted: Any = UNSET,
    span: tuple[int, int] | None = None,
    detail: dict[str, Any] | None = None,
) -> Score:
    """Full marks.

    >>> full().points
    1000.0
    """
    return Score(
        value=1.0, correct=True, reason=reason, extracted=extracted, span=span, detail=detail or {}
    )


def zero(
    reason: str,
    *,
    extracted: Any = UNSET,
    span: tuple[int, int] | None = None,
    detail: dict[str, Any] | None = None,
) -> Score:
    """Nothing earned, by the attempt's own fault; the reason is for a reader.

    >>> zero("no number was found", extracted=None).correct
    False
    """
    return Score(
        value=0.0, correct=False, reason=reason, extracted=extracted, span=span, detail=detail or {}
    )


def graded(
    value: Fraction | float, reason: str = "", *, detail: dict[str, Any] | None = None
) -> Score:
    """A value between nothing and full marks; correct only when it is 1 as a float.

    >>> graded(Fraction(1, 4)).points
    250.0
    """
    number = float(value)
    return Score(value=number, correct=number == 1, reason=reason, detail=detail or {})


def unscored(reason: str, *, extracted: Any = UNSET, detail: dict[str, Any] | None = None) -> Score:
    """No number, by our own fault: never averaged, always counted and shown.

    >>> unscored("the judge did not answer").status
    'unscored'
    """
    return Score(value=None, correct=False, reason=reason, extracted=extracted, detail=detail or {})


def pending(reason: str = "waits for the judge") -> Score:
    """No number yet: a judge has still to speak.

    >>> dict(pending())
    {'correct': False, 'needs_judge': True}
    """
    return Score(value=None, correct=False, reason=reason, pending=True)


def exact(number: int | float | Decimal | Fraction) -> Fraction:
    """The number as the decimal that was written: 0.1 is one tenth.

    >>> exact(0.1) + exact(0.2) == exact(0.3)
    True
    """
    return Fraction(repr(float(number))) if isinstance(number, float) else Fraction(number)


def weigh(parts: Iterable[Part], reason: str = "") -> Score:
    """The weighted mean of the parts; a part without a value leaves the whole without one.

    >>> weigh([Part(name="a", score=full(), weight=0.25), Part(name="b", score=zero("no"), weight=0.75)]).value
    0.25
    """
    named = tuple(parts)
    if not named:
        raise ValueError("nothing to weigh: there are no parts")
    for part in named:
        if part.score.value is None:
            why = f"{part.name}: {part.score.reason}"
            return Score(
                value=None, correct=False, reason=why, parts=named, pending=part.score.pending
            )
    weights = [exact(part.weight) for part in named]
    if min(weights) < 0 or not any(weights):
        raise ValueError("weights must not be negative, and not all be zero")
    earned = sum(
        exact(part.score.value or 0) * weight for part, weight in zip(named, weights, strict=True)
    )
    mean = float(Fraction(earned) / sum(weights))
    return Score(value=mean, correct=mean == 1, reason=reason, parts=named)
