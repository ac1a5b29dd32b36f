"""Recorded answers for the benchmark, generated from a seed, each with its right verdict.

``scoring_data.toml`` holds the words and the forms of responses; this module fills them in. Every
target is one that its scorer can read, half of the rows are right, and the eight rules decide every
row. A row has one of these shapes: *marked* (the response ends in a mark and a value), *prose*
(sentences without a mark), *long* (both, with 4,000 characters around them), and for exact_match
also *pages* (the target has 4,000 characters as well).
"""

from __future__ import annotations

import random
import tomllib
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

TABLE = tomllib.loads(Path(__file__).with_name("scoring_data.toml").read_text("utf-8"))
SHAPES = ("marked", "prose", "long", "pages")
LONG_SHAPES = ("long", "pages")
FILLER = "{filler}"
LETTERS = "ABCD"
LONG_CHARACTERS = 4000
SENTENCE_CHARACTERS = 75
SENTENCES_A_PARAGRAPH = 8
# Of the wrong rows so many have the answer in them, and the rules do not accept it.
REFUSED = defaultdict(lambda: 0.2, exact_match=0.6)
POOL = 2000


class Row(NamedTuple):
    """A response, its target, and whether the response is right."""

    response: str
    target: str
    right: bool
    metadata: dict[str, Any] | None = None


class Values(NamedTuple):
    """A target, the same value in another form, and another value of the same kind."""

    answer: str
    same: str
    other: str


class Generator:
    """Generates rows for one scorer; the same seed gives the same rows."""

    def __init__(self, scorer: str, shape: str, seed: int) -> None:
        """Read the forms of a scorer and fill in the sentences that its rows share."""
        self.scorer, self.is_long = scorer, shape in LONG_SHAPES
        self.dice = random.Random(f"{scorer} {shape} {seed}")
        tables = [
            TABLE[name][scorer] for name in ("marked", "prose") if self.is_long or name == shape
        ]
        self.given, self.refused = (
            [form for table in tables for form in table[key] if shape != "long" or FILLER in form]
            for key in ("given", "refused")
        )
        sentences = TABLE["sentences"]
        counted = sentences["counted"] if scorer == "numeric_match" else []
        self.sentences = self._pool(sentences["plain"] + counted)
        self.titles = self._pool(sentences["titles"])
        self.places = [place.title() for place in self._pool(["{adjective} {place} {noun}"])]
        values: dict[str, Callable[[], Values]] = {
            "exact_match": self._some_pages if shape == "pages" else self._some_titles,
            "multichoice_regex": self._some_letters,
            "answer_line": self._some_lines,
            "numeric_match": self._some_numbers,
            "fuzzy_match": self._some_places,
        }
        self.values = values[scorer]

    def row(self) -> Row:
        """Return one row."""
        answer, same, other = self.values()
        right = self.dice.random() < 0.5
        refused = not right and self.dice.random() < REFUSED[self.scorer]
        form = self._pick(self.refused if refused else self.given)
        response = form.format(
            answer=answer,
            value=same if right else other,
            other=other if right or refused else answer,
            filler=self._filler(),
        )
        return Row(response, answer, right, self._metadata(answer))

    def _pick(self, choices: list[str]) -> str:
        """Return one of them, three times as fast as ``random.choice``."""
        return choices[int(self.dice.random() * len(choices))]

    def _pool(self, templates: list[str]) -> list[str]:
        """Return texts that rows share."""
        return [self._fill(self._pick(templates)) for _ in range(POOL)]

    def _fill(self, template: str) -> str:
        """Fill words into a sentence."""
        words = {name: self._pick(choices) for name, choices in TABLE["words"].items()}
        second = {f"{name}2": self._pick(choices) for name, choices in TABLE["words"].items()}
        numbers = {"n": self.dice.randint(2, 900), "m": self.dice.randint(2, 90)}
        return template.format(**words, **second, **numbers)

    def _filler(self) -> str:
        """Return a sentence; in long rows many, in paragraphs."""
        if not self.is_long:
            return self._pick(self.sentences)
        chosen = self.dice.choices(self.sentences, k=LONG_CHARACTERS // SENTENCE_CHARACTERS)
        starts = range(0, len(chosen), SENTENCES_A_PARAGRAPH)
        return "\n\n".join(" ".join(chosen[n : n + SENTENCES_A_PARAGRAPH]) for n in starts)

    def _some_pages(self) -> Values:
        """Return a text of 4,000 characters, without its commas, and with another word."""
        answer = self._filler()
        words = answer.split(" ")
        words[self.dice.randrange(len(words))] = "elsewhere"
        return Values(answer, answer.replace(",", ""), " ".join(words))

    def _some_titles(self) -> Values:
        """Return titles; like the places there are so many that few targets occur twice."""
        title = f"{self._pick(self.titles)}, volume {self.dice.randint(2, 2000)}"
        words = title.split(" ")
        words[-1 - self.dice.randrange(3)] = self._pick(["seldom", "twice", "unseen"])
        return Values(title, title.replace("the ", "The ").replace(",", ""), " ".join(words))

    def _some_letters(self) -> Values:
        answer, other = self.dice.sample(LETTERS, 2)
        return Values(answer, answer, other)

    def _some_lines(self) -> Values:
        return self._some_numbers() if self.dice.random() < 0.5 else self._some_places()

    def _some_numbers(self) -> Values:
        """Return numbers with decimals, grouping commas, a Unicode minus, or as they are."""
        value, cents = self.dice.randint(-2000, 400_000), self.dice.randint(1, 99)
        other = value + self.dice.choice((-100, -10, -1, 1, 10, 1000))
        forms = (
            Values(f"{value}.{cents:02}", f"{value:,}.{cents:02}", f"{other}.{cents:02}"),
            Values(f"{value}", f"{value}.0", f"{other}"),
            Values(f"{value:,}", f"{value}", f"{other:,}"),
            Values(f"{-abs(value)}", f"−{abs(value)}", f"{abs(value) + 1}"),
            Values(f"{value}", f"{value:,}", f"{other}"),
        )
        return forms[self.dice.randrange(len(forms))]

    def _some_places(self) -> Values:
        answer, other = self._place(), self._place()
        while other in answer or answer in other:
            other = self._place()
        return Values(answer, answer.lower() if self.dice.random() < 0.3 else answer, other)

    def _place(self) -> str:
        return f"{self._pick(self.places)} {self._pick(TABLE['words']['noun']).title()}"

    def _metadata(self, answer: str) -> dict[str, Any] | None:
        """Return several accepted answers for every fifth row of fuzzy_match."""
        if self.scorer != "fuzzy_match" or self.dice.random() > 0.2:
            return None
        return {"correct_answers": [answer, f"{answer} Station"]}


def shapes_of(scorer: str) -> tuple[str, ...]:
    """Return the shapes that the rows of a scorer may have."""
    return SHAPES if scorer == "exact_match" else SHAPES[:-1]


def rows(scorer: str, shape: str, count: int, seed: int = 1) -> Iterator[Row]:
    """Generate rows for a scorer.

    >>> [row.target in "ABCD" for row in rows("multichoice_regex", "marked", 3)]
    [True, True, True]
    """
    generator = Generator(scorer, shape, seed)
    return (generator.row() for _ in range(count))


def write_rows(path: Path, generated: Iterator[Row]) -> bytes:
    """Write rows as JSON lines; return their verdicts, a byte each: 1 where the row is right."""
    encode = msgspec.json.encode
    truth = bytearray()
    with path.open("wb") as out:
        for number, (response, target, right, metadata) in enumerate(generated, 1):
            row: dict[str, Any] = {"id": number, "response": response, "target": target}
            if metadata is not None:
                row["metadata"] = metadata
            out.write(encode(row) + b"\n")
            truth += b"1" if right else b"0"
    return bytes(truth)
