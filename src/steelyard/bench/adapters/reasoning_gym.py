"""Any generator of reasoning-gym, seeded: ``reasoning-gym:NAME?seed=1&size=100``.

Its own scorer gives the number, since many of its problems have several right answers and ours knows one of them. Ours is
told beside it, and a run counts where the two differ. Where its own gives full marks to nonsense, ours gives the number.
"""

from __future__ import annotations

import dataclasses
import functools
import json
import re
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import parse_qsl

from steelyard.bench.adapters.humaneval import FOLDER
from steelyard.bench.adapters.screen import evaluates, is_plain
from steelyard.bench.datasets import Dataset
from steelyard.bench.definition import Benchmark, make_benchmark
from steelyard.bench.rows import Row
from steelyard.errors import DataError, SpecError
from steelyard.foreign import caught, told
from steelyard.lift import plain
from steelyard.reading.code_blocks import code_blocks
from steelyard.reading.cuts import cut
from steelyard.reading.lines import LINES, find_answer
from steelyard.reading.rules import read
from steelyard.registry import Registered, nearest
from steelyard.score import Score, full, zero
from steelyard.scoring.types import ScorerInput
from steelyard.values.formulas import same_value
from steelyard.version import __version__

_INSTALL = (
    "the generators of reasoning-gym are not installed: pip install 'steelyard[reasoning-gym]'"
)
_TAGGED = re.compile(r"<answer>(.*?)</answer>", re.DOTALL | re.IGNORECASE)
# Brackets, and the underscores of an empty board, directly before an answer.
_OPENED = re.compile(r"(?:[\[({]|_ | )+\Z")
_DEFAULTS = {"seed": 1, "size": 100}
_MOST = 1_000_000
_NONSENSE = "no answer at all"


def load_generator(name: str) -> Benchmark:
    """The problems that a generator makes from a seed; other options are those of the generator itself."""
    name, _, query = name.partition("?")
    options = {
        **_DEFAULTS,
        **{key: _value(text) for key, text in parse_qsl(query, keep_blank_values=True)},
    }
    gym = _package()
    generator = _generator(gym, name, options)
    entries, failed = caught(lambda: [generator[index] for index in range(len(generator))])
    if failed is not None:
        raise (
            failed
            if isinstance(failed, KeyboardInterrupt)
            else SpecError(f"the generator failed: {told(failed)}", path=name)
        )
    score = functools.partial(_score, generator if _is_sound(generator, entries) else None, entries)
    scorer = Registered(
        name="reasoning-gym",
        fn=score,
        summary="",
        version=f"{__version__}+{_version()}",
        needs="nothing",
    )
    shown = "&".join(f"{key}={options[key]}" for key in options)
    rows = Dataset(f"reasoning-gym:{name}?{shown}", lambda: _rows(generator, entries), unit="item")
    return make_benchmark(
        f"reasoning-gym:{name}?{shown}",
        rows,
        "{question}",
        scorer,
        target_field="answer",
        category_field="category",
        system_prompt="reasoning_gym.txt",
        base=FOLDER,
    )


def _package() -> Any:
    try:
        import reasoning_gym
    except ImportError:
        raise DataError(_INSTALL) from None
    return reasoning_gym


def _version() -> str:
    from importlib import metadata

    return metadata.version("reasoning-gym")


def _generator(gym: Any, name: str, options: Mapping[str, Any]) -> Any:
    known: Mapping[str, Any] = gym.factory.DATASETS
    if name not in known:
        hint = (
            nearest(name, known)
            or f"; there are {len(known)}, such as {', '.join(sorted(known)[:5])}"
        )
        raise SpecError(f"there is no generator {name[:100]!r}{hint}", path="reasoning-gym")
    for key in ("seed", "size"):
        if type(options[key]) is not int or not 0 <= options[key] <= _MOST:
            raise SpecError(f"must be a whole number from 0, not {options[key]!r}", path=key)
    fields = [field.name for field in dataclasses.fields(known[name][1])]
    for key in options:
        if key not in fields:
            raise SpecError(f"the generator has no option {key!r}{nearest(key, fields)}", path=name)
    made, failed = caught(functools.partial(gym.create_dataset, name, **options))
    if isinstance(failed, KeyboardInterrupt):
        raise failed
    if failed is not None:
        raise SpecError(f"the generator cannot be made: {told(failed)}", path=name)
    return made


def _value(text: str) -> Any:
    """An option as JSON where it is some: 3, true, [1, 2]; else the text."""
    try:
        return json.loads(text)
    except ValueError:
        return text


def _rows(generator: Any, entries: Sequence[Mapping[str, Any]]) -> list[Row]:
    # Where many answers are right, there may be none to show.
    return [
        Row(
            index + 1,
            plain(
                {
                    "id": str(index),
                    "question": entry["question"],
                    "answer": "" if entry["answer"] is None else entry["answer"],
                    "category": generator.category,
                    "entry": index,
                }
            ),
        )
        for index, entry in enumerate(entries)
    ]


def _is_sound(generator: Any, entries: Sequence[dict[str, Any]]) -> bool:
    """Whether the generator's own scorer knows nonsense when it sees it."""
    if evaluates(generator.score_answer) and not is_plain(_NONSENSE):
        return True  # it is never shown any
    given = [caught(generator.score_answer, _NONSENSE, entry) for entry in entries[:3]]
    for _, failed in given:
        if isinstance(failed, KeyboardInterrupt):
            raise failed
    return not any(value is not None and float(value) >= 1 for value, _ in given)


def _score(generator: Any, entries: Sequence[dict[str, Any]], sample: ScorerInput) -> Score:
    """The generator's own number for the answer in the response, with what our comparison gives beside it."""
    entry = entries[sample.metadata["entry"]]
    known = None if entry["answer"] is None else str(entry["answer"])
    answer, span = read_answer(sample.response, known)
    if not answer:
        return zero("there is no answer in the response", extracted=None)
    same = known is not None and same_value(answer, known)
    check = {"ours": float(same)}
    read: dict[str, Any] = {"extracted": answer, "span": span, "detail": {"cross_check": check}}
    if generator is None:
        return (
            full("it is the generator's answer", **read)
            if same
            else zero(f"expected {sample.target!r}", **read)
        )
    if evaluates(generator.score_answer) and not is_plain(answer) and answer != entry["answer"]:
        return zero("the answer is no plain value or formula", **read)
    value, failed = caught(generator.score_answer, answer, entry)
    if isinstance(failed, KeyboardInterrupt):
        raise failed
    if failed is not None:  # it reads the right answer, so what it cannot read is none
        check["theirs"] = 0.0
        return zero(f"the generator cannot read the answer: {told(failed)}", **read)
    number = check["theirs"] = min(max(float(value), 0.0), 1.0)
    return Score(
        value=number,
        correct=number == 1,
        reason=f"the generator's own scorer gives {number:g}",
        **read,
    )


def read_answer(response: str, known: str | None) -> tuple[str, tuple[int, int] | None]:
    """The answer between the last tags, else the whole response or the answer line, with its place.

    ``known`` is the generator's own answer: where it has several lines, a whole paragraph is read.

    >>> read_answer("2 or 3? <answer> 3 </answer>", "3")
    ('3', (17, 18))
    >>> read_answer("Answer:\\n1 2\\n3 4\\n\\nThat is all.", "1 2\\n4 3")
    ('1 2\\n3 4', (8, 15))
    """
    text = cut(response)
    tagged = [found.span(1) for found in _TAGGED.finditer(text) if found[1].strip()]
    if tagged:
        return _stripped(text, *tagged[-1])
    if known is not None and text.strip() == known.strip():
        return _stripped(text, 0, len(text))
    if known is not None and "\n" in known.strip():
        return _stripped(text, *_paragraph(text))
    found = find_answer(response)
    if found is None:
        return "", None
    # Wrappers are a part of the answer where the generator's own has them: "[4]", a final stop.
    if known:
        first, last = max(0, found.span[1] - len(known)), found.span[0]
        start = text.find(known, first, last + len(known))
        if start >= 0:
            return known, (start, start + len(known))
    return found.value, found.span


def _paragraph(text: str) -> tuple[int, int]:
    """Where the paragraph after the last mark is, or the last fenced block, or the last paragraph."""
    marked = read(text, LINES)
    blocks = [block.span for block in code_blocks(text) if block.stage != "whole"]
    if marked.mark and marked.span is not None:
        start, end = marked.span
        fenced = next((span for span in blocks if span[0] <= start < span[1]), None)
        return fenced or (_unwrapped_start(text, start), _paragraph_end(text, end))
    if blocks:
        return blocks[-1]
    end = len(text.rstrip())
    return text.rfind("\n\n", 0, end) + 1, end


def _unwrapped_start(text: str, start: int) -> int:
    """Where the paragraph begins: marks that wrap its first line alone are a part of the answer."""
    line = text.rfind("\n", 0, start) + 1
    if not text[line:start].strip(" [({_"):
        return line
    return line + len(_OPENED.sub("", text[line:start]))


def _paragraph_end(text: str, start: int) -> int:
    end = text.find("\n\n", start)
    return len(text) if end < 0 else end


def _stripped(text: str, start: int, end: int) -> tuple[str, tuple[int, int]]:
    """The text of a span without outer line ends and spaces, and its place."""
    found = text[start:end]
    start += len(found) - len(found.lstrip())
    return found.strip(), (start, start + len(found.strip()))
