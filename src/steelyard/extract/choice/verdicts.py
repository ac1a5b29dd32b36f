"""The letter that a walk through the options calls right: "A) Incorrect: … B) Correct: …"."""

from __future__ import annotations

import re

from steelyard.extract.choice.letters import Patterns
from steelyard.extract.found import Found
from steelyard.text.late import late

_MOST_OPTIONS = 40
# A verdict begins what is said of an option, or a part of it: "B) Paris – Yes, …", "B. Paris (correct)".
_VERDICT = late(
    r"(?:^|[-–—:.(\[;,→←|>\n]|(?<=[✅✔✓☑❌✗✘✖]))[ \t*_]{0,6}(?:(?:so|and|but|thus|hence),?[ ])?"
    r"(?:(?:this|that|it)(?:[ ](?:one|option|choice|statement|answer))?(?:[ ](?:is|seems|looks|appears)|['’]s)[ ](?:to[ ]be[ ])?"
    r"|option[ ]\w[ ]is[ ])?(?:(?:the|a|an|also|clearly|definitely|indeed|therefore|actually|most|only)[ ]){0,3}"
    r"(?:(?P<right>正确|正確|correct|right|true|yes|valid|accurate|best|(?:fits|matches)(?:[ ]best|[ ]the[ ]description)?)"
    r"|(?P<wrong>错误|錯誤|不正确|incorrect"
    r"|not\b|wrong|false|no|invalid|inaccurate|untrue|eliminated?|ruled[ ]out|unlikely|isn['’]?t"
    r"|doesn['’]?t|does[ ]not|cannot))"
    r"(?![\w'’-]|[ ](?:atri|ventric|hand|angle|side|triangle|away|north|south|east|west|wing)|[ ]\d)"
    r"|(?P<tick>[✅✔✓☑]|(?:<-+|←|⟵|⇐|<=)[ ]?(?:this(?:[ ]one)?|(?:my[ ]|the[ ])?(?:answer|choice|pick))\b)|(?P<cross>[❌✗✘✖])",
    re.IGNORECASE,
)
_LINE = (
    r"^[ \t#>\-•\d.|]*(?:(?i:option|choice|statement|answer)[ \t]+)?({one})"
    r"(?:[ \t]?[.:)\-–—,|][ \t]*|[ \t]{{2,}}|[ \t]*$|[ \t]+(?=is\b))"
)
_PARAGRAPH = late(r"\n[ \t]*\n")
# "This is true only if there was duress."
_IF = late(
    r"(?:[ ](?!because\b|since\b|as\b|for\b|in\b)[\w'’-]+){0,3}[ ](?:only[ ](?:if|when|where|for)"
    r"|(?:if(?![ ]and[ ]only)|when|unless|provided))\b",
    re.IGNORECASE,
)
_TAKES_BACK = late(r"\b(?:but|however|although|though)\b", re.IGNORECASE)


_UNDECIDED = late(
    r"\b(?:can(?:not|['’]t)|unable to|not sure|unsure|do(?:n['’]t| not) know|hard to|depends|decide)\b",
    re.IGNORECASE,
)


def verdict(shown: str, plain: str, use: Patterns) -> Found | None:
    """The one option that is called right in a list of at least two, where each option begins a line."""
    if "\n" not in plain:
        return None
    lines = re.compile(_LINE.format(one=use.one.pattern), re.MULTILINE)
    options = [m for m, _ in zip(lines.finditer(plain), range(_MOST_OPTIONS), strict=False)]
    if len({m[1] for m in options}) < 2 or _UNDECIDED.search(shown, 0, options[0].start()):
        return None
    ends = [
        _end_of(shown, m.end(), n)
        for m, n in zip(options, [*(m.start() for m in options[1:]), len(plain)], strict=True)
    ]
    said = _all_told(
        shown, [(option.end(), end) for option, end in zip(options, ends, strict=True)]
    )
    right = [option for option, told in zip(options, said, strict=True) if told]
    others = [told for option, told in zip(options, said, strict=True) if option not in right]
    if (
        len({m[1] for m in right}) != 1
        or _UNDECIDED.search(shown, ends[-1])
        or _also(shown, right[0])
    ):
        return None
    # Options that are only copied out may be called so: "A) Right", "A. Yes, because …".
    place = options.index(right[0])
    if _opens(shown, options[place].end(), ends[place]) and (len(others) < 2 or None in others):
        return None
    return Found(right[0][1], right[0].span(1), "verdict")


def _also(shown: str, option: re.Match[str]) -> bool:
    """Whether the option is called right besides another one: "This is also true"."""
    found = _VERDICT.search(shown, option.end())
    return found is not None and " also " in f" {found[0]} "


def _end_of(shown: str, start: int, end: int) -> int:
    """Where what is said of an option ends: at the next one, or at a blank line."""
    paragraph = _PARAGRAPH.search(shown, start, end)
    return paragraph.start() if paragraph and shown[start : paragraph.start()].strip() else end


def _opens(shown: str, start: int, end: int) -> bool:
    """Whether the verdict is the first thing that is said of the option, or the option itself."""
    found = _VERDICT.search(shown[start:end])
    return (
        found is not None
        and not shown[start : start + found.start()].strip(" *_\t")
        and not found["tick"]
    )


def _all_told(shown: str, places: list[tuple[int, int]]) -> list[bool | None]:
    """What is said of each option; a condition, "true when heated", leaves it right where all the others are called wrong."""
    said = [_told(shown, *place) for place in places]
    if said.count(None) == 1 and True not in said and len(said) > 2:
        alone = said.index(None)
        said[alone] = _told(shown, *places[alone], under_condition=True)
    return said


def _told(shown: str, start: int, end: int, *, under_condition: bool = False) -> bool | None:
    """Whether what is said of an option calls it right; None where it says neither, or takes it back, or sets a condition."""
    found = _VERDICT.search(shown[start:end])
    if found is None or _is_answer_text(found):
        return None
    if found["wrong"] or found["cross"]:
        return False
    if found["right"] and (condition := _IF.match(shown, start + found.end(), end)):
        return True if under_condition and "only" not in condition[0].lower() else None
    back = _TAKES_BACK.search(shown, start + found.end(), min(end, start + found.end() + 40))
    return None if back else True


def _is_answer_text(found: re.Match[str]) -> bool:
    """ "Yes, because …" and "No, …" at the beginning are texts of options, as often as verdicts."""
    return found.start() == 0 and (found["right"] or found["wrong"] or "").lower() in {
        "yes",
        "no",
        "best",
        "not",
    }
