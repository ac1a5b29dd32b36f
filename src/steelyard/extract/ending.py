r"""An answer with which a response plainly ends, behind a mark that opens a line or a plain sentence.

Whatever stands before such a mark bears on it neither as a denial nor as a condition, a question or a quotation, and nothing
follows that could take it back. So it is read at once, and comes to what the whole reading comes to: most responses end so.
"""

from __future__ import annotations

from decimal import Decimal
from itertools import product

from steelyard.extract.found import Found
from steelyard.text.late import late
from steelyard.text.number.numeral import PLAIN
from steelyard.text.number.read import Number
from steelyard.text.visible import visible

_SO = ("", "So ", "So, ", "Thus ", "Thus, ", "Hence ", "Hence, ", "Therefore ", "Therefore, ")
_KINDS = ("", "correct ", "final ")
# What may stand between the beginning of a line or a sentence and the mark.
_LEADS = frozenset(
    (
        "",
        "Final ",
        *(f"{so}{the}{kind}" for so, the, kind in product(_SO, ("the ", "The "), _KINDS)),
    )
)
_CONCLUDES = frozenset(
    f"{so} the {kind}" for so, kind in product(("so", "thus", "hence", "therefore"), _KINDS)
)
_BOX_LEADS = frozenset(so for so in _SO if so)
_MARK = r"[Aa]nswer(?:[ ]is:?|\*{0,2}:)"
_LETTER = late(rf"{_MARK}(?P<open>[ *(]{{0,5}})(?P<said>[A-Z])(?P<close>[)*.]{{0,4}}\s{{0,3}})\Z")
_NUMBER = late(
    rf"(?:(?P<box>\\boxed\{{)|{_MARK}[ *]{{0,4}}|####[ ])(?P<said>[−-]?{PLAIN.pattern.removeprefix('-?')})"
    r"(?(box)\}[.]?|[*]{0,2}[.]?[*]{0,2})\s{0,3}\Z"
)
_OR = ("or", "or else", "maybe", "perhaps", "possibly", "alternatively", "conceivably")
_CLOSES = frozenset(("", ".", "**", ").", ")", "**.", ".**", ")**"))
_WORDS = late(r"[Aa]nswer\*{0,2}:[ *]{0,4}(?P<said>(?!_)\w+(?:[ ]\w+){0,9}\.?)\s{0,3}\Z")


def ending_letter(text: str) -> Found | None:
    """The letter with which a response ends, in whatever range it lies.

    >>> ending_letter("Both ends of the beam were weighed.\\nAnswer: B")
    Found(value='B', span=(44, 45), stage='mark')
    >>> ending_letter("If it rains, the answer is B") is None
    True
    """
    return _letter(text, _marked(text))


def concluding_letter(text: str) -> Found | None:
    """The letter with which the last clause of a response concludes, where the response corrects nothing.

    >>> concluding_letter("It was weighed at both ends, so the answer is B.")
    Found(value='B', span=(46, 47), stage='mark')
    """
    at = text.find("nswer") - 1
    comma = text.rfind(", ", 0, max(0, at))
    if comma < 0 or text[comma + 2 : at] not in _CONCLUDES or text.find("nswer", at + 6) >= 0:
        return None
    return _letter(text, at)


def _letter(text: str, at: int) -> Found | None:
    """The letter behind the mark there, if the response ends with it."""
    found = _LETTER.match(text, at) if at >= 0 else None
    if found is None or found["close"].rstrip() not in _CLOSES or _runs_on(text):
        return None
    return Found(found["said"], found.span("said"), "mark")


def ending_number(text: str) -> tuple[Number, str] | None:
    r"""The plain number with which a response ends, and the stage that finds it.

    >>> ending_number("7 crates of 6. So \\boxed{42}.")
    (Number(value=Decimal('42'), span=(25, 27)), 'boxed')
    """
    if (box := text.find("\\")) >= 0:
        at = _opened(text, box, _BOX_LEADS) if text.find("\\", box + 1) < 0 else -1
    elif (hashes := text.rfind("####")) >= 0:
        at = hashes if text[hashes - 1 : hashes] in {"", "\n"} else -1
    else:
        at = _marked(text)
    found = _NUMBER.match(text, at) if at >= 0 else None
    if found is None or _runs_on(text):
        return None
    value = Decimal(found["said"].replace(",", "").replace("−", "-"))
    return Number(value, found.span("said")), "boxed" if found["box"] else "mark"


def ending_words(text: str) -> tuple[int, int] | None:
    """Where the plain words stand with which a response ends after "Answer:", and in which nothing can be corrected.

    >>> text = "Perth is the larger one.\\nAnswer: Canberra"
    >>> text[slice(*ending_words(text))]
    'Canberra'
    """
    at = _marked(text)
    found = _WORDS.match(text, at) if at >= 0 else None
    if found is None or _runs_on(text) or _has_key(text):
        return None
    return found.span("said")


def _has_key(text: str) -> bool:
    """Whether the key may be named to which an answer is held: "(accepted answers: Canberra)"."""
    if "ccept" in text or "xpected" in text or "eference" in text or "ruth" in text:
        return True
    return "correct" in text and ("correct_" in text or "(correct" in text or "[correct" in text)


def _marked(text: str) -> int:
    """Where the last mark begins with "answer", if it is plainly led up to; else -1."""
    at = text.rfind("nswer") - 1
    return _opened(text, at, _LEADS) if at >= 0 else -1


def _opened(text: str, at: int, leads: frozenset[str]) -> int:
    """The place itself, if nothing but a plain lead stands between it and the beginning of its line or sentence; else -1."""
    stop = text.rfind(". ", 0, at)
    start = max(text.rfind("\n", 0, at) + 1, stop + 2 if stop >= 0 else 0)
    if text[start:at].lstrip("*") not in leads:
        return -1
    above = text[max(0, start - 24) : start].rstrip(" \n,:(*_").lower()
    return -1 if above.endswith(_OR) else at  # another answer is offered in the lines above


def _runs_on(text: str) -> bool:
    """Whether the response may hold what is not said to the reader, or go on into another question."""
    return "<" in text or ">" in text or "~~" in text or visible(text) is not text
