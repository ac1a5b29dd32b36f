"""What a grading looks like on a terminal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TextIO

from steelyard.report.terminal import bar, number, printable, printing, table

if TYPE_CHECKING:
    from steelyard.grading.record import Graded
    from steelyard.sandbox.selftest import Probe

_MOST_TESTS = 50
_MOST_LINES = 10
_COLOURS = {"accepted": "bold green", "sandbox_error": "bold yellow"}


def show_graded(graded: Graded, *, file: TextIO) -> None:
    """The verdict, a line a test, the first lines of standard error, and what held the program."""
    from rich.text import Text

    with printing(file) as out:
        verdict = Text(graded.verdict, style=_COLOURS.get(graded.verdict, "bold red"))
        out.print(verdict, Text(f" {printable(graded.reason)}"), sep=" ", soft_wrap=True)
        out.print()
        out.print(
            table(
                (
                    ("test", False),
                    ("verdict", False),
                    ("value", True),
                    ("time", True),
                    ("why", False),
                ),
                _test_rows(graded),
            )
        )
        out.print()
        out.print(table((("", False), ("", False)), _facts(graded)))
        for title, text in (("standard output", graded.stdout), ("standard error", graded.stderr)):
            if text.strip() and (title == "standard error" or graded.verdict != "accepted"):
                out.print()
                out.print(title, style="bold")
                out.print(Text("\n".join(_first_lines(text)), style="dim"), soft_wrap=True)


def _test_rows(graded: Graded) -> list[tuple[str, ...]]:
    rows: list[tuple[str, ...]]
    rows = [
        (test.name, test.verdict, number(test.value, 2), _seconds(test.wall_s), test.reason)
        for test in graded.tests[:_MOST_TESTS]
    ]
    if len(graded.tests) > _MOST_TESTS:
        rows.append((f"… and {len(graded.tests) - _MOST_TESTS} more", "", "", "", ""))
    return rows


def _seconds(value: float | None) -> str:
    return "" if value is None else f"{value:.3f} s"


def _facts(graded: Graded) -> list[tuple[str, str]]:
    accepted = sum(test.verdict == "accepted" for test in graded.tests)
    rows = [
        ("value", f"{number(graded.value)}  {bar(graded.value)}"),
        ("accepted / tests", f"{accepted} / {len(graded.tests)}"),
        ("time", _seconds(graded.wall_s)),
    ]
    peak = graded.peak_memory
    rows.append(("memory", "not measured" if peak is None else f"{peak / 2**20:.1f} MB"))
    return [*rows, ("sandbox", sandbox_words(graded.sandbox))]


def sandbox_words(described: Mapping[str, Any]) -> str:
    """The sandbox in a few words; that there was none is said first.

    Why there are no control groups is left to the record and to `code check`.

    >>> sandbox_words({"backend": "bubblewrap", "unsafe": False, "cgroups": True, "python": "3.11"})
    'bubblewrap (cgroups, python 3.11)'
    >>> sandbox_words({"backend": "bubblewrap", "sampled": ["memory_mb", "pids"], "not_kept": ["cpus"]})
    'bubblewrap (sampled memory_mb and pids, not kept cpus)'
    """
    more = [
        name if value is True else f"{name.replace('_', ' ')} {_listed(value)}"
        for name, value in described.items()
        if value and name not in {"backend", "unsafe", "without_cgroups"}
    ]
    words = f"{described.get('backend')}" + (f" ({', '.join(more)})" if more else "")
    return f"UNSAFE: {words}" if described.get("unsafe") else words


def _listed(value: object) -> str:
    return " and ".join(map(str, value)) if isinstance(value, list) else str(value)


def _first_lines(text: str) -> list[str]:
    lines = text.splitlines()
    return [*lines[:_MOST_LINES], "…"] if len(lines) > _MOST_LINES else lines


def show_counts(verdicts: Counter[str], sandbox: Mapping[str, Any], *, file: TextIO) -> None:
    """How often each verdict was given; what is unscored is in no share."""
    total = verdicts.total()
    scored = total - verdicts["sandbox_error"]
    share = verdicts["accepted"] / scored if scored else None
    with printing(file) as out:
        out.print(
            table(
                (("", False), ("", False)),
                [
                    ("accepted", f"{verdicts['accepted']:,} / {scored:,}  {bar(share)}"),
                    ("graded / total", f"{scored:,} / {total:,}"),
                    ("sandbox", sandbox_words(sandbox)),
                ],
            )
        )
        out.print()
        out.print(
            table(
                (("verdict", False), ("programs", True)),
                [(name, f"{count:,}") for name, count in verdicts.most_common()],
            )
        )


def show_probes(probes: list[Probe], sandbox: Mapping[str, Any], *, file: TextIO) -> None:
    """A line a wall that was tried."""
    with printing(file) as out:
        rows = [("held" if probe.held else "OPEN", probe.name) for probe in probes]
        out.print(table((("", False), ("", False)), rows))
        out.print()
        missing = sandbox.get("without_cgroups")
        words = sandbox_words(sandbox) + (f": {missing}" if missing else "")
        out.print(f"sandbox  {printable(words)}", soft_wrap=True)
