"""What lint found in a folder of references, for the terminal."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from steelyard.report.terminal import printable

if TYPE_CHECKING:
    from steelyard.batch.reference import ReferenceLint
    from steelyard.batch.reference.lint import Level

_LEVELS: tuple[Level, ...] = ("error", "warning", "note")
_LONGEST = 500


def lint_lines(report: ReferenceLint) -> Iterator[str]:
    """The counts, then each finding with its file, its question, the reason and the fix."""
    told = [
        f"{count} {level}{'s' * (count > 1)}" for level in _LEVELS if (count := report.count(level))
    ]
    files = f"{report.files} reference{'s' * (report.files != 1)}, {report.questions} questions"
    yield f"{printable(report.folder)}: {files}: {', '.join(told) or 'clean'}"
    for finding in report.findings:
        question = f"{_shown(finding.question)}: " if finding.question else ""
        yield f"{finding.level:9} {_shown(finding.file)}: {question}{_shown(finding.reason)}"
        if finding.fix:
            yield f"          fix: {_shown(finding.fix)}"


def _shown(text: str) -> str:
    cut = text if len(text) <= _LONGEST else f"{text[:_LONGEST]}… ({len(text)} characters)"
    return printable(cut)
