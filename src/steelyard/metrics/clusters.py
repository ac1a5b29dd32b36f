"""An interval for the mean of samples that share something, a problem or a passage: they are no independent evidence."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Iterator, Mapping
from fractions import Fraction
from statistics import NormalDist
from typing import Any

from steelyard.metrics.intervals import (
    ROUNDING,
    Interval,
    mean_interval,
    score_bounds,
    wilson_interval,
)
from steelyard.metrics.student import t_between, t_quantile
from steelyard.metrics.whole import exact_mean, exact_sum, listed, share

# Chosen by measured coverage over many worlds; benchmarks/coverage.py prints it, and decision 0012 has the reasons.
_BY_CHANCE = (
    0.45  # how much closer than chance clusters may lie together before that counts as chance too
)
_ONE_PIECE = 0.4  # the odds, before anything is seen, that clusters are of one piece
_DOUBT = 0.25  # how far the quantile goes towards Student's, times what falls with the correlation
_INWARD = 0.15  # by how many of its errors the correlation is taken larger for the bound nearer to one half
_NOTHING = (
    1e-9  # a correlation that is not told from none; its fourth root would make rounding count
)
_GRADES_DOUBT = 0.3  # how far it goes for grades, whose correlation is not asked


class Clusters:
    """The sums that a clustered interval needs; they stream, one cluster after the other.

    >>> clusters = Clusters()
    >>> clusters.add(4, Fraction(3))
    >>> clusters.add(4, Fraction(1))
    >>> clusters.interval().value
    0.5
    """

    __slots__ = ("_binary", "_sizes")

    def __init__(self) -> None:
        # For each size: how many clusters have it, their sums, and the squares of these. Whole numbers as long as all
        # sums are: they add up many times faster.
        self._sizes: dict[int, tuple[int, int | Fraction, int | Fraction]] = {}
        self._binary = True

    @classmethod
    def of_sums(
        cls, sizes: Mapping[int, tuple[int, int | Fraction, int | Fraction]], *, binary: bool = True
    ) -> Clusters:
        """From the sums over clusters: size -> how many, their sums, the squares of these; and whether all are 0 or 1."""
        made = cls()
        made._sizes.update(sizes)
        made._binary = binary
        return made

    @property
    def count(self) -> int:
        """How many clusters there are."""
        return sum(many for many, _, _ in self._sizes.values())

    def add(self, size: int, total: int | Fraction, *, binary: bool = True) -> None:
        """Take in a cluster: how many of its samples have a value, the sum of these, and whether all are 0 or 1."""
        if size == 0:
            return
        many, sums, squares = self._sizes.get(size, (0, 0, 0))
        self._sizes[size] = many + 1, sums + total, squares + total * total
        self._binary = self._binary and binary

    def interval(self, confidence: float = 0.95) -> Interval | None:
        """The mean over all samples with an interval that knows of the clusters; fewer than two have none.

        It is Wilson's, with as many samples as the clustered ones are worth: for zeros and ones by how alike they are,
        for other values by the cluster-robust error. The quantile moves from the normal's towards Student's. There is
        room for a kind of cluster that was not drawn, and the bounds are never wider than if each cluster were one sample.
        """
        confidence = share("confidence", confidence)
        if self.count < 2:
            return None
        n = sum(size * many for size, (many, _, _) in self._sizes.items())
        mean = Fraction(sum(sums for _, sums, _ in self._sizes.values())) / n
        lower, upper = self._bounds(n, mean, confidence)
        value = float(mean)
        return Interval(
            value=value,
            lower=min(lower, value),
            upper=max(upper, value),
            n=n,
            method="clustered",
            confidence=confidence,
        )

    def _bounds(self, n: int, mean: Fraction, confidence: float) -> tuple[float, float]:
        value, normal = min(max(float(mean), 0.0), 1.0), NormalDist().inv_cdf(0.5 + confidence / 2)
        if n == self.count:
            return (
                score_bounds(value, n, normal)
                if self._binary
                else self._students(n, mean, confidence)
            )
        lower, upper = (self._zeros_and_ones if self._binary else self._graded)(n, mean, confidence)
        alone = float(self._worth_of_clusters(n))
        unseen, widest = _unseen(alone, confidence), score_bounds(value, alone, normal)
        return max(min(lower, 1 - unseen), widest[0]), min(max(upper, unseen), widest[1])

    def _worth_of_clusters(self, n: int) -> Fraction:
        """As many samples all are worth where a cluster is no more than one: their number, if they are equally large."""
        return Fraction(
            n * n, sum(size * size * many for size, (many, _, _) in self._sizes.items())
        )

    def _zeros_and_ones(self, n: int, mean: Fraction, confidence: float) -> tuple[float, float]:
        """Wilson's bounds with as many samples as these are worth: by how alike those of one cluster are."""
        alone, value = float(self._worth_of_clusters(n)), float(mean)
        normal, found = NormalDist().inv_cdf(0.5 + confidence / 2), self._correlation(n, mean)
        alike, part = min(1.0, found) if found > _NOTHING else 0.0, 1 - alone / n
        # That is itself an estimate, from so many clusters. Once all samples of a cluster are the same each cluster is one
        # sample, and nothing is left to doubt.
        telling = self._telling(alike)
        doubt = _DOUBT * part * alike**0.25 * (1 - alike) ** 4
        wide = t_between(0.5 + confidence / 2, max(1.0, telling - 1)) if doubt else normal
        # Where too few of the rarer clusters were drawn, the mean lies too near to 0 or 1 and the correlation is too small,
        # both at once: the truth lies inward, where the correlation is larger.
        inward = found + _INWARD * part * math.sqrt(alike * (1 - alike) / telling) * abs(
            1 - 2 * value
        )
        below, above = (inward, found) if value > 0.5 else (found, inward)
        quantile = normal + (wide - normal) * doubt
        lower, _ = score_bounds(value, _worth(n, alone, below), quantile)
        return lower, score_bounds(value, _worth(n, alone, above), quantile)[1]

    def _graded(self, n: int, mean: Fraction, confidence: float) -> tuple[float, float]:
        """Wilson's bounds with as many zeros and ones as would have that error; how alike grades are is not asked."""
        alone, error, value = (
            float(self._worth_of_clusters(n)),
            self._error(n, mean),
            min(max(float(mean), 0.0), 1.0),
        )
        normal = NormalDist().inv_cdf(0.5 + confidence / 2)
        if error <= ROUNDING / n:
            return score_bounds(value, alone, normal)
        wide = t_quantile(0.5 + confidence / 2, max(1, round(alone) - 1))
        size = max(alone, float(mean * (1 - mean) / error))
        return score_bounds(value, size, normal + (wide - normal) * _GRADES_DOUBT * (1 - alone / n))

    def _correlation(self, n: int, mean: Fraction) -> float:
        """How alike samples of one cluster are: what clusters differ by, beside what they would by chance and at most.

        A cluster of m samples weighs m√m: by m, as in the analysis of variance, many small ones drown what a large one has to
        say; by m², as in the cluster-robust error, the largest speak alone. Equally large ones come to the same either way.
        Where all samples are the same nothing can be known, and it is taken as 1: each cluster counts once. So the lower
        bound of all right may lie below that of one wrong.
        """
        if mean in {0, 1}:
            return 1.0
        apart, by_chance, at_most, whole = 0.0, 0.0, 0.0, mean.denominator**2
        error, largest = (
            1 / n,
            float(1 / self._worth_of_clusters(n)),
        )  # of the mean, over the variance of a sample
        for size, many, spread in self._spreads(mean):
            apart += float(spread / whole) / math.sqrt(size)
            by_chance += many * size**1.5 * ((1 - 2 * size / n) / size + error)
            at_most += many * size**1.5 * (1 - 2 * size / n + largest)
        seen = apart / float(mean * (1 - mean))
        return (seen * (1 - error) - by_chance) / (at_most - by_chance + seen * (largest - error))

    def _telling(self, alike: float) -> float:
        """How many equally large clusters would tell as surely by how much clusters differ: large ones among small are few."""
        weights = [
            (many, size * (1 + (size - 1) * alike)) for size, (many, _, _) in self._sizes.items()
        ]
        return float(
            sum(many * each for many, each in weights) ** 2
            / sum(many * each * each for many, each in weights)
        )

    def _spreads(self, mean: Fraction) -> Iterator[tuple[int, int, int | Fraction]]:
        """For each size: how many clusters have it, and the squares of what their sums differ by from what is expected.

        Times the squared denominator of the mean, so that whole numbers stay whole.
        """
        top, bottom = mean.numerator, mean.denominator
        for size, (many, sums, squares) in self._sizes.items():
            yield (
                size,
                many,
                bottom * bottom * squares
                - 2 * top * bottom * size * sums
                + (top * size) ** 2 * many,
            )

    def _error(self, n: int, mean: Fraction) -> Fraction:
        """The square of the cluster-robust standard error of the mean."""
        spread = sum((each for _, _, each in self._spreads(mean)), Fraction(0))
        return spread * Fraction(self.count, self.count - 1) / (n * mean.denominator) ** 2

    def _students(self, n: int, mean: Fraction, confidence: float) -> tuple[float, float]:
        """The bounds of values that each stand alone, as ``mean_interval`` has them."""
        error, quantile = self._error(n, mean), t_quantile(0.5 + confidence / 2, n - 1)
        if error <= ROUNDING / n:
            return score_bounds(
                min(max(float(mean), 0.0), 1.0), n, NormalDist().inv_cdf(0.5 + confidence / 2)
            )
        reach = quantile * math.sqrt(error)
        return max(0.0, float(mean) - reach), min(1.0, float(mean) + reach)


def _worth(n: int, alone: float, alike: float) -> float:
    """As many independent samples as these are worth where those of one cluster are so much alike.

    Clusters that differ less than chance would have it are worth a little more than single samples. How little they can
    differ by chance alone depends on how many there are.
    """
    least = 1 - _BY_CHANCE * math.sqrt(2 / max(1.0, alone - 1))
    return n / min(max(1 + (n / alone - 1) * alike, least), n / alone)


def _unseen(count: float, confidence: float) -> float:
    """How large the share of a kind of cluster may be of which none was drawn.

    Right answers in every cluster may mean that all are right as often as it seems, or that each cluster is of one piece and
    none of the wrong ones was drawn. In the second case, and before anything was seen every share as likely as any
    other, the share x of what was not drawn is above u with a chance of (1 - u) ** (count + 1).

    >>> round(_unseen(10, 0.95), 3), round(_unseen(100, 0.95), 3)
    (0.223, 0.027)
    """
    tail = min(1.0, (1 - confidence) / 2 / _ONE_PIECE)
    return float(-math.expm1(math.log(tail) / (count + 1)))


class NamedClusters:
    """Samples that come in any order, each with the name of its cluster; in memory are the sums of each cluster.

    A sample whose cluster is None stands alone.
    """

    __slots__ = ("_alone", "_sums")

    def __init__(self) -> None:
        self._sums: dict[Hashable, tuple[int, int | Fraction, bool]] = {}
        self._alone = 0

    def add(self, name: Hashable, values: Iterable[float]) -> None:
        """Take in the values of samples of one cluster."""
        if name is None:
            for value in values:
                self._alone += 1
                self.add((NamedClusters, self._alone), [value])
            return
        size, total, binary = self._sums.get(name, (0, 0, True))
        for value in values:
            exact = int(value) if value in {0, 1} else Fraction(value)
            size, total, binary = size + 1, total + exact, binary and isinstance(exact, int)
        self._sums[name] = size, total, binary

    def sums(self) -> Clusters:
        """The clusters without their names."""
        found = Clusters()
        for size, total, binary in self._sums.values():
            found.add(size, total, binary=binary)
        return found

    def interval(self, confidence: float = 0.95) -> Interval | None:
        """The mean over all samples with an interval that knows of the clusters; fewer than two have none."""
        return self.sums().interval(confidence)


def default_interval(
    values: Iterable[float], clusters: Iterable[Hashable] | None = None, confidence: float = 0.95
) -> Interval:
    """The mean of values in 0..1 with the interval that reports show.

    Without clusters, or with one sample in each, it is Wilson's for zeros and ones and Student's for other values; with
    clusters (the problem that attempts share, the passage that questions share) it is clustered. One value, or one
    cluster, has no interval.

    >>> f"{default_interval([1, 1, 0, 1]):.3f}"
    '0.750 [0.301, 0.954]'
    >>> f"{default_interval([1, 1, 0, 0], clusters=['a', 'a', 'b', 'b']):.3f}"
    '0.500 [0.095, 0.905]'
    """
    found = [_in_range(place, value) for place, value in enumerate(listed("values", values))]
    if not found:
        raise ValueError("there are no values; an interval needs at least one")
    if clusters is None:
        return _alone(found, confidence)
    names = _names(clusters)
    if len(names) != len(found):
        raise ValueError(
            f"there are {len(found)} values and {len(names)} clusters; each value needs one"
        )
    if len({name for name in names if name is not None}) + names.count(None) == len(names):
        return _alone(found, confidence)
    named = NamedClusters()
    for name, value in zip(names, found, strict=True):
        named.add(name, [value])
    interval = named.interval(confidence)
    if interval is not None:
        return interval
    mean = exact_mean(found)
    return Interval(
        value=mean, lower=None, upper=None, n=len(found), method="clustered", confidence=confidence
    )


def _names(clusters: Iterable[Hashable]) -> list[Hashable]:
    names = listed("clusters", clusters)
    for place, name in enumerate(names):
        try:
            hash(name)
        except TypeError:
            raise ValueError(
                f"cluster {place} is {name!r}; a name is needed, a text or a number"
            ) from None
    return names


def _alone(values: list[float], confidence: float) -> Interval:
    if len(values) > 1 and all(value in {0.0, 1.0} for value in values):
        return wilson_interval(int(sum(values)), len(values), confidence)
    return mean_interval(
        len(values), exact_sum(values), math.fsum(value * value for value in values), confidence
    )


def _in_range(place: int, value: Any) -> float:
    try:
        number = math.nan if isinstance(value, (str, bytes)) or value is None else float(value)
    except (TypeError, ValueError, OverflowError):
        number = math.nan
    if not 0 <= number <= 1:
        raise ValueError(f"value {place} is {value!r}; a number in 0..1 is needed")
    return number
