"""The letter that a walk through the options calls right: "A) Incorrect: … B) Correct: …"."""

from __future__ import annotations

import re

from steelyard.extract.found import Found
from steelyard.extract.letters import Patterns
from steelyard.text.late import late

_MOST_OPTIONS = 40
# A verdict begins what is said of an option, or a part of it: "B) Paris – Yes, …", "B. Paris (correct)".
_VERDICT = late(
    r"(?:^|[-–—:.(\[;,→|>\n*]|(?<=[✅✔✓☑❌✗✘✖]))[ \t*_]*(?:(?:so|and|but|thus|hence),?[ ])?"
    r"(?:(?:this|that|it)(?:[ ](?:one|option|choice|statement|answer))?(?:[ ](?:is|seems|looks|appears)|['’]s)[ ](?:to[ ]be[ ])?"
    r"|option[ ]\w[ ]is[ ])?(?:(?:the|a|an|also|clearly|definitely|indeed|therefore|actually|most|only)[ ]){0,3}"
    r"(?:(?P<right>correct|right|true|yes|valid|accurate|best|(?:fits|matches)(?:[ ]best|[ ]the[ ]description)?)"
    r"|(?P<wrong>incorrect|not\b|wrong|false|no|invalid|inaccurate|untrue|eliminated?|ruled[ ]out|unlikely|isn['’]?t"
    r"|doesn['’]?t|does[ ]not|cannot))"
    r"(?![\w'’-]|[ ](?:atri|ventric|hand|angle|side|triangle|away|north|south|east|west|wing)|[ ]\d)"
    r"|(?P<tick>[✅✔✓☑])|(?P<cross>[❌✗✘✖])",
    re.IGNORECASE,
)
_LINE = (
    r"^[ \t#>\-•\d.|]*(?:(?i:option|choice|statement|answer)[ \t]+)?({one})"
    r"(?:[ \t]?[.:)\-–—,|][ \t]*|[ \t]{{2,}}|[ \t]*$|[ \t]+(?=is\b))"
)
_PARAGRAPH = late(r"\n[ \t]*\n")
_TAKES_BACK = late(r"\b(?:but|however|although|though)\b", re.IGNORECASE)


def verdict(shown: str, plain: str, use: Patterns) -> Found | None:
    """The one option that is called right in a list of at least two, where each option begins a line."""
    if "\n" not in plain:
        return None
    lines = re.compile(_LINE.format(one=use.one.pattern), re.MULTILINE)
    options = [m for m, _ in zip(lines.finditer(plain), range(_MOST_OPTIONS), strict=False)]
    if len({m[1] for m in options}) < 2:
        return None
    ends = [*(m.start() for m in options[1:]), len(plain)]
    right = [option for option, end in zip(options, ends, strict=True) if _is_right(shown, option.end(), end)]
    if len({m[1] for m in right}) != 1:
        return None
    return Found(right[0][1], right[0].span(1), "verdict")


def _is_right(shown: str, start: int, end: int) -> bool:
    """Whether what is said of an option there calls it right, and does not take that back."""
    paragraph = _PARAGRAPH.search(shown, start, end)
    stop = paragraph.start() if paragraph and shown[start : paragraph.start()].strip() else end
    found = _VERDICT.search(shown[start:stop])
    if found is None or found["wrong"] or found["cross"]:
        return False
    return _TAKES_BACK.search(shown, start + found.end(), min(stop, start + found.end() + 40)) is None
