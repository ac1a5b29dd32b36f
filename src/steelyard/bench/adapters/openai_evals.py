"""Any eval of the OpenAI evals registry that is scored by matching: ``openai-evals:NAME``."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

from steelyard.bench.adapters.evals_match import fuzzy, includes, json_equal, match
from steelyard.bench.adapters.evals_registry import Entry, Registry, find_registry
from steelyard.bench.conversation import Conversation
from steelyard.bench.datasets import Dataset
from steelyard.bench.definition import Benchmark, make_benchmark
from steelyard.bench.row_files import file_dataset
from steelyard.bench.rows import Row
from steelyard.errors import DataError, SpecError
from steelyard.registry import Registered, nearest
from steelyard.score import Score
from steelyard.version import __version__

#: The classes that can be run here, by their last name, and what scores as they do.
CLASSES: dict[str, Callable[..., Score]] = {
    "Match": match,
    "Includes": includes,
    "FuzzyMatch": fuzzy,
    "JsonMatch": json_equal,
}
_HOME = "evals.elsuite.basic."


def load_eval(name: str) -> Benchmark:
    """The eval of that name; ``NAME?registry=FOLDER`` takes it from a registry of one's own."""
    name, _, query = name.partition("?")
    options = dict(parse_qsl(query, keep_blank_values=True))
    if strange := set(options) - {"registry"}:
        raise SpecError(
            f"there is no option {min(strange)!r}{nearest(min(strange), ['registry'])}", path=name
        )
    registry = Registry(Path(options["registry"]) if "registry" in options else find_registry())
    entry = registry.get(name)
    cls = _class(entry)
    params = {"ignore_case": entry.args.get("ignore_case") is True} if cls == "Includes" else {}
    scorer = Registered(
        name=f"openai-evals.{cls}",
        fn=CLASSES[cls],
        version=__version__,
        summary="",
        needs="nothing",
    )
    rows = Dataset(str(_samples(registry, entry)), lambda: _rows(registry, entry, cls), unit="line")
    return make_benchmark(
        f"openai-evals:{entry.name}",
        rows,
        Conversation("input", may_be_empty=True),
        scorer,
        target_field="ideal",
        params=params,
        description=entry.description,
    )


def _class(entry: Entry) -> str:
    module, _, cls = entry.cls.partition(":")
    if cls not in CLASSES or not module.startswith(_HOME):
        raise SpecError(
            f"is scored by {entry.cls}; here run those by {', '.join(CLASSES)}", path=entry.name
        )
    return cls


def _samples(registry: Registry, entry: Entry) -> Path:
    return registry.sample_file(entry.args.get("samples_jsonl"), entry)


def _rows(registry: Registry, entry: Entry, cls: str) -> Iterator[Row]:
    examples = _examples(registry, entry)
    data = file_dataset(_samples(registry, entry))
    for row in data.read():
        try:
            yield Row(
                row.place,
                {"input": _input(row.columns, examples), "ideal": _ideal(row.columns, cls)},
            )
        except DataError as wrong:
            raise data.wrong(row, wrong.message) from None


def _input(columns: Mapping[str, Any], examples: list[Any]) -> Any:
    if "input" not in columns:
        raise DataError("the sample has no 'input'")
    given = columns["input"]
    if not examples:
        return given
    if not isinstance(given, list):
        raise DataError("input: examples can only be put into a list of messages")
    return [*given[:-1], *examples, *given[-1:]]


def _ideal(columns: Mapping[str, Any], cls: str) -> str | list[str]:
    given = columns.get("ideal")
    listed: list[Any] = given if isinstance(given, list) else [given]
    if not listed or not all(isinstance(item, str) for item in listed):
        raise DataError("ideal: a text or a list of texts is needed")
    if cls == "JsonMatch":
        _check_json(listed)
    return listed if isinstance(given, list) else str(listed[0])


def _check_json(listed: list[str]) -> None:
    import json

    for item in listed:
        try:
            json.loads(item)
        except ValueError as wrong:
            raise DataError(f"ideal: not JSON: {wrong}") from None


def _examples(registry: Registry, entry: Entry) -> list[Any]:
    """The messages of the examples that are shown before each question."""
    count = entry.args.get("num_few_shot") or 0
    if not count:
        return []
    data = file_dataset(registry.sample_file(entry.args.get("few_shot_jsonl"), entry))
    found: list[Any] = []
    for row in data.rows[:count]:
        shown = row.columns.get("sample")
        if not isinstance(shown, list):
            raise data.wrong(row, "sample: a list of messages is needed")
        found += shown
    return found
