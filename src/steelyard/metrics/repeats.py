"""What several attempts at one problem say: the best of k, the vote of k, and the mean by number of attempt."""

from __future__ import annotations

import math
import numbers
from collections.abc import Callable, Hashable, Iterable, Sequence
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from typing import Any, TypeVar

import msgspec
from msgspec import UNSET

from steelyard.metrics.clusters import default_interval
from steelyard.metrics.intervals import Interval, bootstrap_ci
from steelyard.metrics.tables import Table
from steelyard.metrics.whole import listed, whole
from steelyard.values.normal import normal_form
from steelyard.values.quantities import exact_number

T = TypeVar("T")


def best_of_k(values: Sequence[float], k: int) -> float:
    """The expected highest value of k attempts, drawn from these without putting one back; exact, rounded once.

    For zeros and ones it is pass@k.

    >>> best_of_k([0.25, 0.5, 1], 2) == (0.5 + 1 + 1) / 3
    True
    >>> best_of_k([0, 0, 1, 1], 2)
    0.8333333333333334
    """
    values = listed("values", values)
    k = _drawn(len(values), k)
    exact = tuple(sorted(_exact(place, value) for place, value in enumerate(values)))
    return _best(exact, k)


@lru_cache(maxsize=4096)
def _best(values: tuple[int | Fraction, ...], k: int) -> float:
    """The value at each place is the highest in as many draws as the places below it can fill."""
    total = sum(value * math.comb(place, k - 1) for place, value in enumerate(values))
    return float(Fraction(total) / math.comb(len(values), k))


def majority_at_k(answers: Sequence[Any], values: Sequence[float], k: int) -> float:
    """What the vote of k attempts is worth, averaged over all ways to draw k of them; exact, rounded once.

    The answer that most of the k give wins, and earns what it is worth; answers that tie share the win. Answers are the
    same that are equal as numbers or, as text, in their normal form; a float is the number that it is printed as. None is
    no answer and casts no vote; where nobody votes, the vote is worth nothing.

    >>> majority_at_k(["4", "4.0", "5"], [1, 1, 0], 3)
    1.0
    >>> majority_at_k(["4", "4.0", "5"], [1, 1, 0], 1) == 2 / 3
    True
    """
    answers, values = listed("answers", answers), listed("values", values)
    if len(answers) != len(values):
        raise ValueError(
            f"there are {len(answers)} answers and {len(values)} values; each answer needs one"
        )
    k = _drawn(len(values), k)
    groups: dict[Hashable, list[int | Fraction]] = {}
    for place, (answer, value) in enumerate(zip(answers, values, strict=True)):
        groups.setdefault(vote(answer), []).append(_exact(place, value))
    silent = len(groups.pop(None, ()))
    said = sorted((len(group), _mean(group)) for group in groups.values())
    return _vote_worth(tuple(said), silent, k)


def vote(answer: Any) -> Hashable:
    """What an answer counts as in a vote; None where there is none.

    >>> vote("1/2") == vote("0.50"), vote(" Paris. ") == vote("paris"), vote("A") == vote("B"), vote("")
    (True, True, False, None)
    """
    if answer is None or answer is UNSET:
        return None
    if isinstance(answer, str):
        number = exact_number(answer)
        if number is not None:
            return "number", number[0]
        return normal_form(answer) or answer.strip() or None
    if isinstance(answer, (int, Fraction)) and not isinstance(answer, bool):
        return "number", answer
    if isinstance(answer, (numbers.Real, Decimal)) and not isinstance(answer, bool):
        return vote(str(answer))  # 0.1 is meant, and not the binary number next to it
    try:
        plain = msgspec.to_builtins(answer, str_keys=True, order="deterministic", enc_hook=str)
        return "value", msgspec.json.encode(plain, order="deterministic")
    except (
        TypeError,
        ValueError,
        RecursionError,
    ):  # no JSON: then the same where it prints the same
        return "print", repr(answer)


@lru_cache(maxsize=4096)
def _vote_worth(groups: tuple[tuple[int, int | Fraction], ...], silent: int, k: int) -> float:
    """The mean over all draws, by the number of votes that the winner has."""
    n = silent + sum(count for count, _ in groups)
    most = max((count for count, _ in groups), default=0)
    total = sum(
        (_with_most(groups, silent, k, votes) for votes in range(1, min(most, k) + 1)), Fraction(0)
    )
    return float(total / math.comb(n, k))


def _with_most(
    groups: tuple[tuple[int, int | Fraction], ...], silent: int, k: int, votes: int
) -> int | Fraction:
    """What all draws together are worth in which the winner, or each of those that tie, has so many votes.

    Group after group: for each number of attempts drawn so far and of groups that have so many votes, in how many ways
    that can be, and what those groups are worth, summed over the ways.
    """
    ways = {
        (drawn, 0): (math.comb(silent, drawn), Fraction(0)) for drawn in range(min(silent, k) + 1)
    }
    for count, value in groups:
        found: dict[tuple[int, int], tuple[int, Fraction]] = {}
        for (drawn, tied), (many, worth) in ways.items():
            for taken in range(min(count, votes, k - drawn) + 1):
                wins, times = taken == votes, math.comb(count, taken)
                key = drawn + taken, tied + wins
                before = found.get(key, (0, Fraction(0)))
                more = worth + many * value if wins else worth
                found[key] = before[0] + many * times, before[1] + more * times
        ways = found
    return sum(
        (worth / tied for (drawn, tied), (_, worth) in ways.items() if drawn == k and tied),
        Fraction(0),
    )


class CurvePoint(msgspec.Struct, frozen=True, kw_only=True):
    """The mean of one attempt over all problems; the first attempt is number 1."""

    attempt: int
    n_samples: int
    n_unscored: int
    interval: Interval | None


def learning_curve(
    problems: Iterable[Sequence[float | None]],
    *,
    clusters: Iterable[Hashable] | None = None,
    confidence: float = 0.95,
) -> Table[CurvePoint]:
    """The mean over problems of the first attempts, of the second, and so on, each with its interval.

    A problem is the values of its attempts in their order; None stands for one without a score. ``clusters`` names what
    problems share.

    >>> [f"{point.attempt}: {point.interval:.2f}" for point in learning_curve([[0, 1], [0, 1], [1, 1]])]
    ['1: 0.33 [0.06, 0.79]', '2: 1.00 [0.44, 1.00]']
    """
    rows = [
        listed(f"problem {place}", row) for place, row in enumerate(listed("problems", problems))
    ]
    if not rows:
        raise ValueError("there are no problems; a curve needs at least one")
    names = [None] * len(rows) if clusters is None else listed("clusters", clusters)
    if len(names) != len(rows):
        raise ValueError(
            f"there are {len(rows)} problems and {len(names)} clusters; each problem needs one"
        )
    return Table(_point(place, rows, names, confidence) for place in range(max(map(len, rows))))


def _point(
    place: int, rows: Sequence[Sequence[float | None]], names: Sequence[Hashable], confidence: float
) -> CurvePoint:
    here = [(row[place], name) for row, name in zip(rows, names, strict=True) if len(row) > place]
    scored = [(value, name) for value, name in here if value is not None]
    interval = None
    if scored:
        interval = default_interval(
            [value for value, _ in scored], [name for _, name in scored], confidence
        )
    return CurvePoint(
        attempt=place + 1,
        n_samples=len(here),
        n_unscored=len(here) - len(scored),
        interval=interval,
    )


def over_problems(
    problems: Iterable[T],
    statistic: Callable[[T], float | None],
    *,
    clusters: Iterable[Hashable] | None = None,
    confidence: float = 0.95,
    resamples: int = 0,
    seed: int = 0,
) -> Interval:
    """The mean over problems of a number that each of them gives, with its interval over problems.

    A problem whose number is None is left out, and ``n`` counts the others. With ``resamples`` it is the bootstrap over
    problems, which knows of no clusters.

    >>> from steelyard.metrics import pass_at_k
    >>> f"{over_problems([3, 8, 0, 5], lambda right: pass_at_k(8, right, 2)):.3f}"
    '0.634 [0.000, 1.000]'
    """
    if resamples and clusters is not None:
        raise ValueError(
            "the bootstrap over problems knows of no clusters; leave out one of the two"
        )
    rows = listed("problems", problems)
    names = [None] * len(rows) if clusters is None else listed("clusters", clusters)
    if len(names) != len(rows):
        raise ValueError(
            f"there are {len(rows)} problems and {len(names)} clusters; each problem needs one"
        )
    found = [
        (value, name)
        for row, name in zip(rows, names, strict=True)
        if (value := statistic(row)) is not None
    ]
    if not found:
        raise ValueError("there is no problem that has the number; an interval needs at least one")
    values = [value for value, _ in found]
    if resamples:
        return bootstrap_ci(values, confidence, resamples=resamples, seed=seed)
    return default_interval(values, [name for _, name in found], confidence)


def _drawn(n: int, given: Any) -> int:
    k = whole("k", given)
    if n < 1:
        raise ValueError("there are no attempts; at least one is needed")
    if not 1 <= k <= n:
        raise ValueError(f"k is {k}; between 1 and n = {n} attempts can be drawn")
    return k


def _exact(place: int, value: Any) -> int | Fraction:
    try:
        number = math.nan if value is None or isinstance(value, (str, bytes)) else float(value)
    except (TypeError, ValueError, OverflowError):
        number = math.nan
    if not 0 <= number <= 1:
        raise ValueError(f"value {place} is {value!r}; a number in 0..1 is needed")
    return int(number) if number in {0.0, 1.0} else Fraction(number)


def _mean(values: Sequence[int | Fraction]) -> int | Fraction:
    mean = Fraction(sum(values)) / len(values)
    return int(mean) if mean in {0, 1} else mean
