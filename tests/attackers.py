"""A season of an arena in which honest agents of known skill play beside those who look for a way round."""

from __future__ import annotations

import random
from collections import defaultdict

from steelyard.metrics.ability import Played, Rated, Ratings, fit_ratings
from steelyard.metrics.elo import OPPONENTS, START, elo_change

EACH = 5  # challenges of each difficulty
DECLARED = {
    f"{word} {number}": strength for word, strength in OPPONENTS.items() for number in range(EACH)
}
SOFT, STATIC = (
    "soft",
    "static",
)  # one that is far easier than it was declared, and one that no seed changes
HONEST = {f"honest {skill}": skill for skill in (900, 1000, 1100, 1200, 1300)}


class Season:
    """Matches in the order in which they were played, and what Elo makes of them meanwhile."""

    def __init__(self, seed: int) -> None:
        self.dice = random.Random(seed)
        self.declared: dict[str, float] = {**DECLARED, SOFT: 1400, STATIC: 1200}
        self.true = {**DECLARED, SOFT: 600, STATIC: 1200}
        self.played: list[Played] = []
        self._tries: dict[tuple[str, str], int] = defaultdict(int)
        self._elo: dict[str, tuple[int, int]] = defaultdict(lambda: (START, 0))

    def play(self, agent: str, challenge: str, result: str) -> None:
        """A match with this end."""
        self._tries[agent, challenge] += 1
        self.played.append(Played(agent, challenge, self._tries[agent, challenge], result == "win"))
        rating, finished = self._elo[agent]
        change = elo_change(rating, int(self.declared[challenge]), result, finished=finished)
        self._elo[agent] = change.after, finished + 1

    def work(self, agent: str, challenge: str, skill: float, times: int = 1) -> None:
        """Matches of an agent that does its best; half of what it does not win is a draw."""
        for _ in range(times):
            chance = 1 / (1 + 10 ** ((self.true[challenge] - skill) / 400))
            result = "win" if self.dice.random() < chance else self.dice.choice(["draw", "loss"])
            self.play(agent, challenge, result)

    def honest(self, names: dict[str, int] | None = None, times: int = 2) -> None:
        """Everybody at everything."""
        for agent, skill in (names or HONEST).items():
            for challenge in self.declared:
                self.work(agent, challenge, skill, times)

    def elo(self, agent: str) -> int:
        """The rating by order."""
        return self._elo[agent][0]

    def fit(self, static: frozenset[str] = frozenset({STATIC})) -> Ratings:
        """The rating without order; where no seed changes a challenge, the first attempt alone is evidence."""
        counted = [one for one in self.played if one.attempt == 1 or one.challenge not in static]
        return fit_ratings(counted, declared=self.declared)

    def ability(self, agent: str) -> Rated:
        """What the fit says of the agent."""
        return self.fit().agents[agent]
