"""Write docs/reference/ from the registries: each thing with its parameters and its example.

    python scripts/build_reference.py           write the pages
    python scripts/build_reference.py --check   exit 1 if a page is not what would be written

The examples are those of the docstrings, with the imports they need; the tests run the pages.
"""

from __future__ import annotations

import ast
import doctest
import importlib
import inspect
import sys
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any, Literal, get_args, get_origin

from steelyard.reference import FUZZY
from steelyard.registry import EXTRACTORS, PRIMITIVES, SCORERS, Registered, Registry

FOLDER = Path(__file__).parent.parent / "docs" / "reference"
REGISTRIES = {
    "primitives": PRIMITIVES,
    "scorers": SCORERS,
    "extractors": EXTRACTORS,
    "fuzzy": FUZZY,
}
ABOUT = {
    "primitives": """
A primitive compares a field of a submission with a field of the ground truth and gives a Score.
In a spec it serves a dimension: `"primitive": "NAME"`, with its parameters beside it.
""",
    "scorers": """
A scorer takes a sample (a response, its target and metadata) and gives a Score.
On the command line it is `steelyard score --scorer NAME`, with `--param name=value` for its parameters.
""",
    "extractors": """
An extractor reads a value out of a text: what was found, where it stands, and by which rule, or None.
""",
    "fuzzy": """
A fuzzy metric says whether an entry means the same as a `<fuzzy>` reference.
On the command line it is `steelyard reference score --fuzzy NAME`; see the [guide](../guide/reference.md).
""",
}
GUIDE = FOLDER.parent / "guide" / "scorers.md"
# The table of marks stands between these lines of the guide.
MARKS = (
    "<!-- marks: written by scripts/build_reference.py from reading/marks.tsv -->",
    "<!-- end of marks -->",
)
KINDS = {
    "key": "a JSON key before the value",
    "tag": "a tag around the value",
    "box": "a LaTeX command around the value",
    "hash": "before a value that ends its line",
    "label": "a mark with a colon or as a heading; with a verb, the phrase",
    "verb": 'after a label: "the answer is"',
    "head": "may stand before a label",
    "option": "may stand between a mark and a letter",
    "before": "without a mark, before the letter",
    "behind": "without a mark, after the letter",
    "negator": "denies a mark or a mention",
    "contraction": "denies a mention",
    "condition": "before a mark that does not count",
    "correction": "starts a sentence that replaces the answer",
    "end": "ends the response",
    "task": "starts a new task",
    "reasoning": "tags around reasoning",
    "particle": "may follow a Korean word",
}
NOTE = "<!-- Written by scripts/build_reference.py: run `make reference`. -->"


def page(title: str) -> str:
    """The whole page of one registry."""
    registry = REGISTRIES[title]
    own = [thing for thing in registry if thing.fn.__module__.startswith("steelyard.")]
    head = f"# {title.capitalize()}\n\n{NOTE}\n{ABOUT[title]}"
    return "\n".join([head, *(section(thing, registry) for thing in own)])


def section(thing: Registered, registry: Registry) -> str:
    """One thing: its call, its words, its parameters, its example."""
    words, examples = split_docstring(inspect.getdoc(thing.fn) or "")
    parts = [f"## {thing.name}", f"`{call_of(thing)}`", words, *parameters(thing)]
    if examples:
        shown = "\n".join([*imports_of(examples, thing, registry), *lines_of(examples)])
        parts.append(f"```python\n{shown}\n```")
    return "\n\n".join(part for part in parts if part) + "\n"


def call_of(thing: Registered) -> str:
    """The call as a reader writes it: no types, and no trace."""
    found = inspect.signature(thing.fn)
    kept = [
        parameter.replace(annotation=inspect.Parameter.empty)
        for name, parameter in found.parameters.items()
        if name != "trace"
    ]
    return f"{thing.fn.__name__}{inspect.Signature(kept)}"


def parameters(thing: Registered) -> Iterator[str]:
    """A table of what can be set."""
    known = inspect.unwrap(thing.fn).__globals__
    rows = [
        f"| `{name}` | {type_of(p, known)} | {default_of(p)} |" for name, p in thing.params.items()
    ]
    if rows:
        yield "\n".join(["| parameter | type | default |", "|---|---|---|", *rows])


def type_of(parameter: inspect.Parameter, known: dict[str, Any]) -> str:
    """The type as written, or the values where there are only some."""
    if parameter.annotation is parameter.empty:
        return "any"
    text = str(parameter.annotation)
    if get_origin(known.get(text)) is Literal:
        return " or ".join(f"`{value!r}`" for value in get_args(known[text]))
    return f"`{text}`".replace("|", "\\|")


def default_of(parameter: inspect.Parameter) -> str:
    if parameter.default is parameter.empty:
        return "must be given"
    return f"`{parameter.default!r}`".replace("|", "\\|")


def split_docstring(text: str) -> tuple[str, list[doctest.Example]]:
    """The words without the examples, and the examples."""
    parsed = doctest.DocTestParser().parse(text)
    words = "".join(piece for piece in parsed if isinstance(piece, str)).strip().replace("``", "`")
    return words, [piece for piece in parsed if isinstance(piece, doctest.Example)]


def lines_of(examples: list[doctest.Example]) -> Iterator[str]:
    for example in examples:
        first, *rest = example.source.rstrip("\n").split("\n")
        yield f">>> {first}"
        yield from (f"... {line}".rstrip() for line in rest)
        if example.want:
            yield example.want.rstrip("\n")


def imports_of(examples: list[doctest.Example], thing: Registered, registry: Registry) -> list[str]:
    """The imports that make the example run outside its module, each name from its most public home."""
    known = inspect.unwrap(thing.fn).__globals__
    tree = ast.parse("".join(example.source for example in examples))
    used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and node.id in known}
    homes: dict[str, list[str]] = {}
    for name in sorted(used):
        homes.setdefault(home_of(name, known[name], registry), []).append(name)
    return [f">>> from {home} import {', '.join(names)}" for home, names in sorted(homes.items())]


def home_of(name: str, value: Any, registry: Registry) -> str:
    for module in ("steelyard", registry.home):
        if getattr(importlib.import_module(module), name, None) is value:
            return module
    return str(value.__module__)


def marks_table() -> str:
    """Return the table of marks, one line for each kind."""
    texts: dict[str, list[str]] = {}
    for line in (files("steelyard.reading") / "marks.tsv").read_text("utf-8").splitlines():
        if line and not line.startswith("#"):
            kind, _, text = line.split("\t")
            texts.setdefault(kind, []).append(f"`{text}`")
    rows = [f"| {kind} | {KINDS[kind]} | {' '.join(found)} |" for kind, found in texts.items()]
    return "\n".join(["| kind | what it does | texts |", "|---|---|---|", *rows])


def with_marks(text: str) -> str:
    """Return the guide with the table of marks as it should be."""
    head, _, rest = text.partition(MARKS[0])
    return f"{head}{MARKS[0]}\n{marks_table()}\n{MARKS[1]}{rest.partition(MARKS[1])[2]}"


def main() -> int:
    """Write or check the pages; the exit code."""
    check, stale = "--check" in sys.argv[1:], []
    pages = {FOLDER / f"{title}.md": page(title) for title in REGISTRIES}
    pages[GUIDE] = with_marks(GUIDE.read_text(encoding="utf-8"))
    for path, text in pages.items():
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            stale.append(path.name)
            if not check:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text, encoding="utf-8")
    if stale:
        print(f"{'out of date, run `make reference`' if check else 'written'}: {', '.join(stale)}")
    return int(check and bool(stale))


if __name__ == "__main__":
    sys.exit(main())
