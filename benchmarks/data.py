"""Recorded answers, made up: varied, seeded, and with the verdict that each of them deserves.

``scoring_data.toml`` holds the words and the shapes; this module fills them in. *Ordinary* answers are said as models say
them that were told how to answer, *natural* ones in sentences of all kinds, with reasons after them and without a mark;
*hard* ones are wrapped, withdrawn, hedged and hostile, *long* ones are hard with pages around them.
Beside each file of rows stands one with the extension ``.truth``: a byte a row, 1 where the answer is right.
"""

from __future__ import annotations

import hashlib
import random
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

HERE = Path(__file__).parent
SHAPES = HERE / "scoring_data.toml"
LETTERS = "ABCD"
LONG_CHARACTERS = 4000
HOSTILE = 0.05  # of all rows, so one wrong row in ten
POOL = 5000  # sentences that rows share

Slots = dict[str, str]


class Recorded(NamedTuple):
    """A file of rows and the verdicts that they deserve."""

    rows: Path
    truth: Path


class Made(NamedTuple):
    """One row."""

    response: str
    target: str
    right: bool
    metadata: dict[str, Any] | None = None


class Writer:
    """Makes rows for one scorer; the same seed gives the same rows."""

    def __init__(self, scorer: str, *, kind: str, seed: int) -> None:
        self.long, self.hard = kind == "long", kind in {"hard", "long"}
        self.dice = random.Random(f"{scorer} {kind} {seed}")
        source = tomllib.loads(SHAPES.read_text(encoding="utf-8"))
        self.words: dict[str, list[str]] = source["words"]
        self.shapes: dict[str, list[str]] = source["scorers"][scorer]
        if not self.hard:
            self.shapes |= source[kind][scorer]
        kinds = source["sentences"]
        counted = kinds["counted"] if scorer == "numeric_match" else []
        self.pool = [self.fill(self.dice.choice(kinds["plain"] + counted)) for _ in range(POOL)]
        self.places = [self.fill("{place} {noun}").title() for _ in range(POOL)]
        self.slots: Callable[[], Slots] = getattr(self, f"_{scorer}")
        self.scorer = scorer

    def pick(self, choices: list[str]) -> str:
        """One of them, three times as fast as ``choice`` and fair enough for this."""
        return choices[int(self.dice.random() * len(choices))]

    def fill(self, template: str) -> str:
        """The template with words in its slots."""
        pick, words = self.pick, self.words
        named = {name: pick(choices) for name, choices in words.items()}
        second = {
            f"{name}2": pick(words[name]) for name in ("adjective", "noun", "place", "person")
        }
        return template.format(
            **named, **second, n=self.dice.randint(2, 900), m=self.dice.randint(2, 90)
        )

    def row(self) -> Made:
        """One row: half of them right, and some of the wrong ones hostile."""
        chance = self.dice.random()
        hostile = HOSTILE if self.hard else 0
        kind = "right" if chance < 0.5 else "hostile" if chance < 0.5 + hostile else "wrong"
        slots = self.slots()
        whole = self.long and self.scorer == "exact_match" and self.dice.random() < 0.5
        if whole:
            slots = self._page()
        shape = self._shape(kind, whole)
        response = shape.format(filler=self._filler(), letters="A, B, C, D", **slots)
        return Made(response, slots["answer"], kind == "right", self._metadata(slots))

    def _shape(self, kind: str, whole: bool) -> str:
        """A shape; a long row needs one with pages in it, unless the answer itself is pages long."""
        while True:
            shape = self.pick(self.shapes[kind])
            if not self.long or kind == "hostile" or ("{filler}" in shape) is not whole:
                return shape

    def _filler(self) -> str:
        if not self.long:
            return self.pick(self.pool)
        return " ".join(self.dice.choices(self.pool, k=LONG_CHARACTERS // 75))

    def _page(self) -> Slots:
        text = self._filler()
        words = text.split(" ")
        words[self.dice.randrange(len(words))] = "elsewhere"
        return {"answer": text, "same": text, "other": " ".join(words), "upper": text.upper()}

    def _exact_match(self) -> Slots:
        title = self.fill(self.pick(self.shapes["titles"]))
        words = title.split(" ")
        words[-1 - self.dice.randrange(3)] = self.dice.choice(("seldom", "twice", "unseen"))
        return {
            "answer": title,
            "same": title.replace("the ", "The ").replace(",", ""),
            "other": " ".join(words),
            "upper": title.upper(),
        }

    def _multichoice_regex(self) -> Slots:
        answer, other = self.dice.sample(LETTERS, 2)
        return {"answer": answer, "other": other, "same": answer, "upper": answer}

    def _answer_line(self) -> Slots:
        if self.dice.random() < 0.5:
            return self._numeric_match()
        answer, other = self.pick(self.places), self.pick(self.places)
        while other == answer:
            other = self.pick(self.places)
        same = answer.lower() if self.dice.random() < 0.3 else answer
        return {"answer": answer, "other": other, "same": same, "upper": answer.upper()}

    def _numeric_match(self) -> Slots:
        dice = self.dice
        value, cents = dice.randint(-2000, 400_000), dice.randint(1, 99)
        other = value + dice.choice((-100, -10, -1, 1, 10, 1000))
        style = dice.randrange(5)
        if style == 0:
            return _numbers(f"{value}.{cents:02}", f"{value:,}.{cents:02}", f"{other}.{cents:02}")
        if style == 1:
            return _numbers(str(value), f"{value}.0", str(other))
        if style == 2:
            return _numbers(f"{value:,}", str(value), f"{other:,}")
        if style == 3:
            return _numbers(str(-abs(value)), f"−{abs(value)}", str(abs(value) + 1))
        return _numbers(str(value), f"{value:,}", str(other))

    def _fuzzy_match(self) -> Slots:
        answer, other = self.pick(self.places), self.pick(self.places)
        while other in answer or answer in other:
            other = self.pick(self.places)
        return {"answer": answer, "other": other, "same": answer.lower(), "upper": answer.upper()}

    def _metadata(self, slots: Slots) -> dict[str, Any] | None:
        if self.scorer != "fuzzy_match" or self.dice.random() > 0.2:
            return None
        return {"correct_answers": [slots["answer"], slots["answer"] + " Station"]}


def _numbers(answer: str, same: str, other: str) -> Slots:
    return {"answer": answer, "same": same, "other": other, "upper": answer}


def rows(scorer: str, count: int, *, kind: str = "hard", seed: int = 1) -> Iterator[Made]:
    """So many rows for the scorer, of a kind: ordinary, natural, hard or long."""
    writer = Writer(scorer, kind=kind, seed=seed)
    return (writer.row() for _ in range(count))


def recorded(
    folder: Path, scorer: str, count: int, *, kind: str = "hard", seed: int = 1
) -> Recorded:
    """The file of rows in the folder, made there unless it is there already."""
    made_by = hashlib.sha256(Path(__file__).read_bytes() + SHAPES.read_bytes()).hexdigest()[:8]
    path = folder / f"{scorer}-{kind}-{count}-{seed}-{made_by}.jsonl"
    found = Recorded(path, path.with_suffix(".truth"))
    if not path.exists():
        folder.mkdir(parents=True, exist_ok=True)
        half_done = path.with_suffix(".part")
        found.truth.write_bytes(_write(half_done, rows(scorer, count, kind=kind, seed=seed)))
        half_done.rename(path)
    return found


def _write(path: Path, made: Iterator[Made]) -> bytes:
    """Write the rows; the bytes of their verdicts."""
    encode = msgspec.json.encode
    truth = bytearray()
    with path.open("wb") as out:
        for number, (response, target, right, metadata) in enumerate(made, 1):
            row = {"id": number, "response": response, "target": target}
            out.write(encode(row if metadata is None else row | {"metadata": metadata}) + b"\n")
            truth.append(ord("1") if right else ord("0"))
    return bytes(truth)
