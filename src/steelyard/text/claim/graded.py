"""A verdict beside each name: ticks, boxes, "| Perth | incorrect |", "Perth -> no", "Perth (60%), Hobart (40%)".

What is struck out, left unticked beside a ticked one or less likely than another is not the answer of the text.
"""

from __future__ import annotations

import re

from steelyard.text.late import late
from steelyard.text.normal import normalise

_YES, _NO = "✓✔✅☑●◉", "✗✘✕❌☐○◯"
_SIGN = rf"(?:\[[ xX✓✔]?\]|\([ xX]\)|[{_YES}{_NO}])"
_MAY_TICK = late(rf"[{_YES}{_NO}]|\[[ xX]?\]|\([ xX]\)")
_TICK_BEFORE = late(
    rf"(?:^|[\n,;])[ \t]*(?:[-*•+]|\d{{1,2}}[.)])?[ \t]*(?P<sign>{_SIGN})[ \t]*(?P<name>[^\n,;\[({_YES}{_NO}]{{1,60}})"
)
_TICK_AFTER = late(
    rf"(?P<name>[^\n,;\[({_YES}{_NO}]{{2,60}}?)[ \t:–—-]*\(?(?P<sign>[✓✔✅✗✘✕❌])\)?"
)
_RIGHT = r"(?:correct|right|accepted|chosen|selected|yes|true)"
_WRONG = r"(?:incorrect|wrong|rejected|ruled out|eliminated|excluded|discarded|dismissed|not correct|not right|no|false)"
_MAY_BE_WRONG = late(rf"[|:>→–—=-][ \t*_]*{_WRONG}[ \t*_.|]*(?:\n|\Z)", re.IGNORECASE)
_ROW = late(
    rf"\|?(?P<name>[^\n]+)\|[ \t*_]*(?:(?P<right>{_RIGHT})|{_WRONG})[ \t*_.]*\|?", re.IGNORECASE
)
_LINE = late(
    rf"[ \t]*(?:[-*•+]|\d{{1,2}}[.)])?[ \t]*(?P<name>[^:\n|]{{1,60}}?)[ \t]*(?::|->|=|[→–—]|[ ]-[ ])[ \t*_]*"
    rf"(?:(?P<right>{_RIGHT})|{_WRONG})[ \t*_.]*",
    re.IGNORECASE,
)
# A "no" under "Rings?" is a property, and may be what is asked for.
_OF_THE_ANSWER = late(
    r"verdict|correct|answer|status|result|right|match|decision|chosen|conclusion|accept|fit",
    re.IGNORECASE,
)
_PLAIN_NO = late(r"[|:>→=–—-][ \t*_]*(?:no|false)[ \t*_.|]*$", re.IGNORECASE | re.MULTILINE)
_CHANCE = r"(?P<p>\d{1,3}(?:\.\d+)?)[ ]?%"
_WEIGHED = late(
    rf"(?P<name>[^\d%:()]{{2,40}}?)[ ]*[:(=–—-]?[ ]*(?:{_CHANCE}|(?P<f>[01]?\.\d+))[ ]*\)?"
    r"|(?P<q>\d{1,3}(?:\.\d+)?)[ ]?%(?:[ ](?:sure|certain|confident|chance|likely))?(?:[ ](?:of|that|it['’]s|it is|for)){0,2}"
    r"[ :]+(?P<of>[^\d%:()]{2,40})"
)
_POINT = late(r"\.\d")
_BETWEEN = late(r"[,;\n]|[ ]and[ ]")
_LONGEST = 3000


def may_be_graded(text: str) -> bool:
    """A cheap look: whether a tick, a verdict at the end of a line or a probability may stand beside a name."""
    if ("%" in text and text.count("%") > 1) or ("0." in text and text.count("0.") > 1):
        return True
    if ("[" in text or "(" in text or not text.isascii()) and _MAY_TICK.search(text):
        return True
    if "\n" not in text or not (
        ":" in text or "|" in text or "-" in text or "=" in text or not text.isascii()
    ):
        return False
    return _MAY_BE_WRONG.search(text) is not None


def graded(text: str, right: tuple[str, ...]) -> bool | None:
    """True if the text is a list that ticks a right answer, False if it has one only where it is struck out, else None.

    >>> graded("[ ] Perth\\n[x] Hobart", ("perth",)), graded("[ ] Perth\\n[x] Hobart", ("hobart",))
    (False, True)
    >>> graded("Perth 60%, Hobart 40%", ("hobart",)), graded("Perth, 60% of it", ("perth",))
    (False, None)
    """
    if len(text) > _LONGEST or not may_be_graded(text):
        return None
    if likely := _weighed(text):
        most = max(weight for _, weight in likely)
        best = [name for name, weight in likely if weight == most]
        held = any(_holds(name, right) for name, _ in likely)
        return False if held and not all(_holds(name, right) for name in best) else None
    found, whole = _ticked(text) or _judged(text) or ((), False)
    kept = [name for name, good in found if good]
    struck = [name for name, good in found if not good]
    if not kept or not struck:
        return None
    if any(_holds(name, right) for name in kept):
        return True if whole and not any(_holds(name, right) for name in struck) else None
    mentions = sum(_holds(name, right) for name in struck)
    # What is said elsewhere in the text may still claim it.
    return False if mentions and normalise(text).count(right[0]) == mentions else None


def _holds(name: str, right: tuple[str, ...]) -> bool:
    said = f" {normalise(name)} "
    return any(f" {answer} " in said for answer in right)


def _weighed(text: str) -> list[tuple[str, float]]:
    """The names of a text that gives each of them a probability, and nothing else."""
    if "%" not in text and _POINT.search(text) is None:
        return []
    if "|" in text and (table := _weighed_table(text)):
        text = table
    pieces = [piece.strip(" .*_-•") for piece in _BETWEEN.split(text)]
    rows = [_WEIGHED.fullmatch(piece) for piece in pieces if piece]
    if len(rows) < 2 or not all(rows):
        return []
    found = [
        (
            row["name"] or row["of"],
            float(row["f"]) * 100 if row["f"] else float(row["p"] or row["q"]),
        )
        for row in rows
        if row
    ]
    return found if sum(weight for _, weight in found) <= 101 else []


def _weighed_table(text: str) -> str:
    """The rows of a table of names and probabilities as lines, without its head; nothing where it is another table."""
    lines = [line.strip(" \t|") for line in text.strip().split("\n")]
    if len(lines) < 4 or lines[1].strip("-|: \t") or not all("|" in line for line in lines):
        return ""
    return "\n".join(line.replace("|", ":", 1) for line in lines[2:])


def _ticked(text: str) -> tuple[list[tuple[str, bool]], bool] | None:
    """The names with a tick or a box beside each, and whether the text is nothing else."""
    if not _MAY_TICK.search(text):
        return None
    rows = list(_TICK_BEFORE.finditer(text))
    if len(rows) < 2:
        rows = list(_TICK_AFTER.finditer(text))
    if len(rows) < 2:
        return None
    whole = len(text) - sum(row.end() - row.start() for row in rows) < 3
    if any(row["sign"] in _CIRCLES for row in rows) and not (whole and _may_choose(rows)):
        return None
    return [(row["name"], _SIGN_OF_NO.search(row["sign"]) is None) for row in rows], whole


def _may_choose(rows: list[re.Match[str]]) -> bool:
    """Whether circles are there to be filled, and are no bullets of two levels: one is full, and all stand before short names."""
    full = sum(row["sign"] in "●◉" for row in rows)
    indents = {row.start("sign") - row.string.rfind("\n", 0, row.start("sign")) for row in rows}
    return (
        full == 1
        and len(indents) == 1
        and not any(":" in row["name"] or len(row["name"].split()) > 4 for row in rows)
    )


_CIRCLES = "○◯●◉"
_SIGN_OF_NO = late(rf"[{_NO}]|\A[\[(] ?[\])]")


def _judged(text: str) -> tuple[list[tuple[str, bool]], bool] | None:
    """The names of the rows or lines that end with a verdict, and whether the text is nothing else."""
    if not _MAY_BE_WRONG.search(text):
        return None
    lines = [line for line in text.split("\n") if line.strip()]
    table = "|" in text
    rows = [
        row for row in ((_ROW if table else _LINE).fullmatch(line.strip()) for line in lines) if row
    ]
    if len(rows) < 2:
        return None
    if _PLAIN_NO.search(text) and not (
        _asks_for_answer(text) if table else len(rows) == len(lines)
    ):
        return None
    return [(row["name"], row["right"] is not None) for row in rows], len(rows) == len(lines)


def _asks_for_answer(table: str) -> bool:
    """Whether the head of the last column says that it tells what is right."""
    head = next(line for line in table.split("\n") if "|" in line)
    return _OF_THE_ANSWER.search(head.strip(" \t|").rsplit("|", 1)[-1]) is not None
