"""What an agent downloads must not hold what it is asked for.

Parts of an answer may well stand in a workspace: whoever looks for a culprit finds the name there. So a short text is
nothing, a longer one is a warning, and an error is what nobody would have to look for: the truth as it is, a list or an
object of the answer as it is, or a text that makes up most of a file.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from steelyard.arena.generation import Workspace
from steelyard.arena.trial import Fault, Level, Trial
from steelyard.spec.compared import attempted

_LEAST = 24  # characters: shorter ones may be there by chance
_MOST_OF_A_FILE = 0.5


def workspace_is_clean(trial: Trial) -> Iterator[Fault]:
    """No file of a workspace gives the truth or the answer away; what is in it with many seeds is told once."""
    found: dict[tuple[str, str], Fault] = {}
    for seed, made in trial.made.items():
        for name, what, level in _leaks(trial, seed, made):
            said = f"holds {what} (seed {seed})"
            found.setdefault(
                (name, what), Fault(gate="leaks", path=name, message=said, level=level)
            )
    yield from found.values()


def _leaks(trial: Trial, seed: int, made: Workspace) -> Iterator[tuple[str, str, Level]]:
    secrets = [("the ground truth", form, "error") for form in _encoded(made.truth)]
    secrets += _secrets(trial.answer(seed), _handed_out(trial))
    for name, content in made.files.items():
        text = content.decode("utf-8", "replace")
        for what, secret, level in secrets:
            if secret in text:
                most = len(secret) >= _MOST_OF_A_FILE * len(text)
                yield name, what, "error" if level == "error" or most else "warning"


Secret = tuple[str, str, str]  # what it is, its text, and whether that alone is an error


def _handed_out(trial: Trial) -> frozenset[str]:
    """The fields in which an agent repeats ids that it was given."""
    spec = trial.challenge.spec
    listed = attempted(spec)
    return frozenset(str(d.field) for d in spec.dimensions if d.ground_truth_field in listed)


def _secrets(answer: Any, handed_out: frozenset[str]) -> Iterator[Secret]:
    if isinstance(answer, Mapping):
        for name, value in answer.items():
            if name not in handed_out:
                yield from _of_value(str(name), value)


def _of_value(path: str, value: Any) -> Iterator[Secret]:
    if isinstance(value, str) and len(value.strip()) >= _LEAST:
        yield f"the text of {path!r} of the answer", value.strip(), "text"
    if isinstance(value, (Mapping, list)) and len(value) > 1:
        yield from ((f"{path!r} of the answer", form, "error") for form in _spelled(value))
    if isinstance(value, Mapping):
        for name, inner in value.items():
            yield from _of_value(f"{path}.{name}", inner)


def _spelled(value: Any) -> list[str]:
    """The value as it may be written down."""
    forms = [
        json.dumps(value, ensure_ascii=False),
        json.dumps(value, ensure_ascii=False, separators=(",", ":")),
        json.dumps(value, ensure_ascii=False, indent=2),
        repr(value),
    ]
    if isinstance(value, list) and all(isinstance(item, (str, int)) for item in value):
        forms += [mark.join(map(str, value)) for mark in ("\n", ", ", ",")]
    return [form for form in dict.fromkeys(forms) if len(form) >= _LEAST]


def _encoded(truth: Any) -> list[str]:
    if not truth:
        return []
    plain = msgspec.json.encode(truth)
    spelled = [*_spelled(truth), base64.b64encode(plain).decode(), plain.hex()]
    return [form for form in spelled if len(form) >= _LEAST]
