"""The joint fit: against scipy, and by its laws."""

from __future__ import annotations

import math
import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import integrate, optimize

from steelyard.metrics.ability import (
    CENTRE,
    MOST_WEIGHT,
    SCALE,
    Played,
    Ratings,
    Tried,
    fit_ratings,
    fit_tried,
)

PRECISION = 1 / 1.5**2
DECLARED = {"c0": 800.0, "c1": 1000.0, "c2": 1400.0}


def world(agents: int, challenges: int, matches: int, seed: int = 1) -> list[Played]:
    """Matches of agents whose chances follow the model."""
    dice = random.Random(seed)
    ability = [dice.gauss(0, 1.2) for _ in range(agents)]
    difficulty = [dice.gauss(0, 1) for _ in range(challenges)]
    tries: dict[tuple[int, int], int] = {}
    played = []
    for _ in range(matches):
        a, c = dice.randrange(agents), dice.randrange(challenges)
        tries[a, c] = tries.get((a, c), 0) + 1
        won = dice.random() < 1 / (1 + math.exp(difficulty[c] - ability[a]))
        played.append(Played(f"a{a}", f"c{c}", tries[a, c], won))
    return played


def sums(played: list[Played]) -> dict[tuple[str, str], tuple[float, float]]:
    """Weight and won weight of each pair, by the words of the module's first page."""
    found: dict[tuple[str, str], tuple[float, float]] = {}
    for match in played:
        key = str(match.agent), str(match.challenge)
        weight, won = found.get(key, (0.0, 0.0))
        found[key] = weight + 1 / match.attempt, won + match.won / match.attempt
    return {
        key: (min(weight, MOST_WEIGHT), won / weight * min(weight, MOST_WEIGHT))
        for key, (weight, won) in found.items()
    }


class Independent:
    """The negative logarithm of the posterior, written down plainly."""

    def __init__(self, played: list[Played], declared: dict[str, float]) -> None:
        self.pairs = sums(played)
        self.agents = sorted({agent for agent, _ in self.pairs})
        self.challenges = sorted({challenge for _, challenge in self.pairs})
        self.centre = np.array(
            [(declared.get(name, CENTRE) - CENTRE) / SCALE for name in self.challenges]
        )

    def value(self, x: np.ndarray) -> float:
        ability = dict(zip(self.agents, x, strict=False))
        difficulty = dict(zip(self.challenges, x[len(self.agents) :], strict=True))
        total = PRECISION / 2 * float(np.sum(x[: len(self.agents)] ** 2))
        total += PRECISION / 2 * float(np.sum((x[len(self.agents) :] - self.centre) ** 2))
        for (agent, challenge), (weight, won) in self.pairs.items():
            gap = ability[agent] - difficulty[challenge]
            total += won * np.logaddexp(0, -gap) + (weight - won) * np.logaddexp(0, gap)
        return float(total)

    def hessian(self, x: np.ndarray) -> np.ndarray:
        step, size = 1e-3, len(x)
        unit = np.eye(size) * step
        found = np.empty((size, size))
        for i in range(size):
            for j in range(size):
                corners = [
                    self.value(x + s * unit[i] + t * unit[j])
                    for s, t in ((1, 1), (1, -1), (-1, 1), (-1, -1))
                ]
                found[i, j] = (corners[0] - corners[1] - corners[2] + corners[3]) / (4 * step**2)
        return found


@pytest.fixture(scope="module")
def compared() -> tuple[Independent, np.ndarray, Ratings]:
    """A world in which everybody has won something, fitted by both."""
    played = [*world(6, 3, 60), *(Played(f"a{n}", "c0", 40, True) for n in range(6))]
    theirs = Independent(played, DECLARED)
    start = np.zeros(len(theirs.agents) + len(theirs.challenges))
    best = optimize.minimize(theirs.value, start, method="BFGS", options={"gtol": 1e-9}).x
    return theirs, best, fit_ratings(played, declared=DECLARED)


def test_the_mode_is_that_of_a_general_optimiser(
    compared: tuple[Independent, np.ndarray, Ratings],
) -> None:
    theirs, best, ours = compared
    values = [ours.agents[name].value for name in theirs.agents]
    values += [ours.challenges[name].value for name in theirs.challenges]
    assert values == pytest.approx(CENTRE + SCALE * best, abs=0.01)


def test_the_spread_of_difficulties_is_that_of_the_numerical_hessian(
    compared: tuple[Independent, np.ndarray, Ratings],
) -> None:
    theirs, best, ours = compared
    spreads = np.sqrt(np.diag(np.linalg.inv(theirs.hessian(best))))[len(theirs.agents) :]
    for name, spread in zip(theirs.challenges, spreads, strict=True):
        rated = ours.challenges[name]
        assert rated.upper - rated.value == pytest.approx(1.959964 * SCALE * spread, rel=1e-4)
        assert rated.value - rated.lower == pytest.approx(1.959964 * SCALE * spread, rel=1e-4)


def test_the_bounds_of_an_ability_are_quantiles_and_what_the_difficulties_are_unsure_by(
    compared: tuple[Independent, np.ndarray, Ratings],
) -> None:
    theirs, best, ours = compared
    hessian = theirs.hessian(best)
    together = np.linalg.inv(hessian)
    difficulty = dict(zip(theirs.challenges, best[len(theirs.agents) :], strict=True))
    for place, agent in enumerate(theirs.agents):
        own = [
            (difficulty[challenge], *both)
            for (who, challenge), both in theirs.pairs.items()
            if who == agent
        ]
        more = 1.959964 * math.sqrt(together[place, place] - 1 / hessian[place, place])
        low, high = quantile(own, 0.025), quantile(own, 0.975)
        rated = ours.agents[agent]
        assert rated.value - rated.lower == pytest.approx(
            SCALE * math.hypot(best[place] - low, more), rel=2e-3
        )
        assert rated.upper - rated.value == pytest.approx(
            SCALE * math.hypot(high - best[place], more), rel=2e-3
        )


def quantile(own: list[tuple[float, float, float]], share: float) -> float:
    """Of the posterior of an ability at challenges of known difficulty, by numerical integration."""

    def density(x: float) -> float:
        heights = (
            won * (x - difficulty) - weight * float(np.logaddexp(0, x - difficulty))
            for difficulty, weight, won in own
        )
        return math.exp(-PRECISION / 2 * x * x + sum(heights))

    whole = integrate.quad(density, -12, 12, points=[0.0])[0]
    return float(
        optimize.brentq(lambda x: integrate.quad(density, -12, x)[0] / whole - share, -10, 10)
    )


MATCHES = st.lists(
    st.tuples(
        st.sampled_from(["a0", "a1", "a2", "a3"]),
        st.sampled_from(["c0", "c1", "c2"]),
        st.booleans(),
    ),
    min_size=1,
    max_size=25,
)


def numbered(given_: list[tuple[str, str, bool]]) -> list[Played]:
    tries: dict[tuple[str, str], int] = {}
    found = []
    for agent, challenge, won in given_:
        tries[agent, challenge] = tries.get((agent, challenge), 0) + 1
        found.append(Played(agent, challenge, tries[agent, challenge], won))
    return found


@given(MATCHES, st.randoms(use_true_random=False))
@settings(max_examples=60)
def test_the_order_of_the_matches_does_not_matter(
    matches: list[tuple[str, str, bool]], dice: random.Random
) -> None:
    played = numbered(matches)
    shuffled = dice.sample(played, len(played))
    assert fit_ratings(played, declared=DECLARED) == fit_ratings(shuffled, declared=DECLARED)


@given(MATCHES, st.sampled_from(["c0", "c1", "c2"]))
@settings(max_examples=150)
def test_a_match_that_was_not_won_never_pays(matches: list[tuple[str, str, bool]], at: str) -> None:
    before = fit_ratings(numbered(matches), declared=DECLARED).agents.get("a0")
    after = fit_ratings(numbered([*matches, ("a0", at, False)]), declared=DECLARED).agents["a0"]
    if before is not None:
        assert after.lower <= before.lower + 1e-6
        assert after.value <= before.value + 1e-6


@given(MATCHES, st.data())
@settings(max_examples=150)
def test_to_win_what_was_not_won_always_pays(
    matches: list[tuple[str, str, bool]], data: st.DataObject
) -> None:
    lost = [place for place, match in enumerate(matches) if not match[2]]
    if not lost:
        return
    place = data.draw(st.sampled_from(lost))
    agent, challenge, _ = matches[place]
    won = [*matches[:place], (agent, challenge, True), *matches[place + 1 :]]
    before, after = (
        fit_ratings(numbered(one), declared=DECLARED).agents[agent] for one in (matches, won)
    )
    assert after.lower >= before.lower
    assert after.value >= before.value


@given(MATCHES)
@settings(max_examples=60)
def test_every_interval_holds_its_value(matches: list[tuple[str, str, bool]]) -> None:
    for rated in (side for sides in fit_ratings(numbered(matches)) for side in sides.values()):
        assert rated.lower < rated.value < rated.upper
        assert all(math.isfinite(number) for number in rated)


def test_who_never_won_moves_no_difficulty() -> None:
    honest = numbered([("a0", "c0", True), ("a0", "c1", False), ("a1", "c1", True)])
    crowd = [Played(f"nobody {n}", "c1", 1, False) for n in range(500)]
    before, after = fit_ratings(honest).challenges, fit_ratings([*honest, *crowd]).challenges
    assert [after[name] for name in before] == [pytest.approx(rated) for rated in before.values()]
    assert fit_ratings(crowd).challenges["c1"].value == pytest.approx(1000)


def test_a_challenge_is_as_hard_as_declared_until_matches_say_otherwise() -> None:
    once = [Played("a", "easy", 1, True), Played("b", "hard", 1, True)]
    fit = fit_ratings(once, declared={"easy": 800, "hard": 1400})
    assert fit.agents["b"].lower > fit.agents["a"].lower
    many = [Played(f"p{n}", "hard", 1, True) for n in range(200)]
    assert (
        fit_ratings([*once, *many], declared={"easy": 800, "hard": 1400}).challenges["hard"].value
        < 1000
    )


def test_attempts_count_less_and_less() -> None:
    one = fit_ratings([Played("a", "c", 1, True)]).agents["a"]
    two = fit_ratings([Played("a", "c", k, True) for k in range(1, 3)]).agents["a"]
    thousand = fit_ratings([Played("a", "c", k, True) for k in range(1, 1001)]).agents["a"]
    million = fit_tried([Tried("a", "c", 14.0, 14.0)]).agents["a"]
    assert one.lower < two.lower < thousand.lower
    assert million == pytest.approx(thousand)


def test_nobody_played_and_impossible_arguments() -> None:
    assert fit_ratings([]) == ({}, {})
    with pytest.raises(ValueError, match="number 1"):
        fit_ratings([Played("a", "c", 0, True)])
    with pytest.raises(ValueError, match="confidence"):
        fit_ratings([Played("a", "c", 1, True)], confidence=1.5)


def test_intervals_hold_what_they_promise_in_a_world_that_follows_the_model() -> None:
    missed = total = 0
    for seed in range(40):
        dice = random.Random(seed)
        ability = {f"a{n}": dice.gauss(0, 1.5) for n in range(60)}
        difficulty = {f"c{n}": dice.gauss(0, 1.5) for n in range(12)}
        chances = {
            (a, c): 1 / (1 + math.exp(difficulty[c] - ability[a]))
            for a in ability
            for c in difficulty
        }
        fitted = fit_ratings(
            [Played(a, c, 1, dice.random() < chance) for (a, c), chance in chances.items()]
        )
        for name, rated in fitted.agents.items():
            missed += not rated.lower <= CENTRE + SCALE * ability[str(name)] <= rated.upper
            total += 1
    assert 0.03 < missed / total < 0.08
