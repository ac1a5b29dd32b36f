"""The remark with which the line of an answer goes on: "Paris. It is the capital of France.", "Canberra – the capital"."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable
from fractions import Fraction

from steelyard.text.grammar import any_of, words
from steelyard.text.late import late
from steelyard.text.number.measure import SPELLED
from steelyard.text.number.read import read_number
from steelyard.text.wrap import Span, unwrap, unwrapped

#: What follows the answer in its line counts as a second thought if it holds one of these.
SECOND_THOUGHT = late(
    r"\d|\\|\$|n['’]t\b|\b(?:no|not|or|nor|but|wait|actually|wrong|incorrect|instead|however|sorry|mistake|false"
    r"|unless|correction|hmm|maybe|perhaps|rather)\b",
    re.IGNORECASE,
)
_STOP = late(r"[.!](?P<closed>[*_\"”’)]{0,3})\s+")
# The full stop of an initial or an abbreviation ends a sentence only where another plainly begins.
_ABBREVIATED = late(rf"(?<![^\W_])(?:[^\W\d_]|{any_of('abbreviations')})\Z", re.IGNORECASE)
# What tells a fact of the answer, or how it was found.
_OPENS = late(
    rf"[*_\"“(]{{0,3}}(?:{any_of('begins a remark')}|(?:we|i)[ ]{any_of('finds an answer')})(?=[ ])",
    re.IGNORECASE,
)
_FOUND = late(rf"\b(?:We|I)[ ]{any_of('finds an answer')}\b")
_ITS = late(r"(?:Its|His|Her|Their)[ ]")
_SPEAKER = late(r"\b(?:I|[Mm]y|[Mm]e|[Ww]e|[Oo]ur|[Uu]s|[Yy]ou|[Yy]our)\b")
_OTHERWISE = late(rf"[?:]|n['’]t\b|\b(?:{any_of('takes an answer back')})\b", re.IGNORECASE)
_DENIES = late(r"\b(?:no|not|never|cannot|nothing|none|false)\b", re.IGNORECASE)
# A name that may be another answer: not in "the capital of France".
_NAME = late(
    r"(?P<led>\b(?:of|in|by|from|on|at|to)[ ](?:the[ ])?)?(?P<name>[^\W\d_a-z][\w'’-]*(?:[ ][^\W\d_a-z][\w'’-]*)*)"
)
_EQUATION = late(
    r"(?P<one>\d{1,9})[ ]?(?P<sign>[-+−*×·/÷])[ ]?(?P<two>\d{1,9})(?![\d^])(?:[ ]?=[ ]?(?P<three>\d{1,12}))?"
)
_FIGURE = late(rf"\d|\b(?:half|twice|double|zero|{'|'.join(SPELLED)})\b", re.IGNORECASE)
_WORDY = late(r"(?<!\\)(?<![^\W\d_])[^\W\d_]{2,}")
_SMALL = frozenset(words("small in names")) | {
    "and",
    "in",
    "on",
    "at",
    "to",
    "for",
    "with",
    "by",
    "an",
}
_PRONOUNS = frozenset(("i", "he", "she", "it", "they", "we", "you"))
_OF_THINGS = ("It ", "Its ", "It's ", "This ")
_TRUTH = frozenset(("yes", "no", "true", "false"))
_DASH = late(r"[ \t](?:–|—|--?)[ \t]")
_APPOSITION = late(
    r"(?:the|an?)(?:[ ](?!(?:one|that|which|who|where|and|or)\b)[a-z][a-z'’-]{1,20}){1,5}?"
    r"(?:[ ](?:of|in|on|from|by|at|to|for)(?:[ ](?!(?:that|which|who|where|and|or)\b)[\w'’-]{1,30}){1,5})?[.!]?"
)
# "Canberra, not Sydney", "45 (not 44)": what it is not.
_NOT_ANOTHER = late(
    r"(?:,[ ]|[ ](?:[–—]|--?)[ ]|[ ](?P<open>\())(?:and[ ])?not[ ][*_$\"“]{0,3}(?=[^\W_a-z])[^,;:.()\n]{1,40}(?(open)\))[.!]?\Z"
)
_FAR = 400
_WORDS = 6


def before_remark(shown: str, span: Span, *, may_count: bool = False) -> Span | None:
    """The place of the answer before the remark that its line ends with, if that takes nothing back and offers nothing.

    Where the line ``may_count`` the items of a list, "3. The area is 7" is no 3.

    >>> text = "Dr. Watson. He tells the story."
    >>> text[slice(*before_remark(text, (0, 31)))], before_remark("Paris. Or maybe Lyon.", (0, 21))
    ('Dr. Watson', None)
    """
    start, end = span
    if "not " in shown and (other := _NOT_ANOTHER.search(shown, start + 1, end)):
        head = shown[start : other.start()]
        return (
            None
            if _DENIES.search(head) or _OTHERWISE.search(head)
            else _unwrapped(shown, start, other.start())
        )
    for stop in _STOP.finditer(shown, start, min(end, start + _FAR)):
        if end - start > 4 and _ends(shown, start, stop):
            head, rest = shown[start : stop.start()], shown[stop.end() : end]
            if not (_adds(head, rest, may_count, stop[0][0]) or _only_closes(head, rest)):
                return None
            return _unwrapped(shown, start, stop.end("closed"))
    if not ("–" in shown or "—" in shown or " -" in shown):
        return None
    dash = _DASH.search(shown, start + 1, min(end, start + _FAR))
    if dash is None or not _is_apposed(shown[start : dash.start()], shown[dash.end() : end]):
        return None
    return _unwrapped(shown, start, dash.start())


def _unwrapped(shown: str, start: int, end: int) -> Span | None:
    start, end = unwrap(shown, (start, end))
    return (start, end) if start < end else None


def _ends(shown: str, start: int, stop: re.Match[str]) -> bool:
    """Whether a sentence ends there, and not an abbreviation: not in "J. K. Rowling", but in "Vitamin C. It is healthy."."""
    if stop[0][0] == "!" or not _ABBREVIATED.search(
        shown, max(start, stop.start() - 8), stop.start()
    ):
        return True
    alone = shown[start : stop.start()].strip(' *_"“').lower() in _TRUTH
    return alone or _OPENS.match(shown, stop.end()) is not None


def _only_closes(head: str, rest: str) -> bool:
    """Whether a piece of mathematics or a number stands before the stop, and nothing behind it that could bear on it."""
    if not (_delimited(head) or read_number(unwrapped(head)) is not None):
        return False
    return not (SECOND_THOUGHT.search(rest) or _OTHERWISE.search(rest))


def _delimited(text: str) -> bool:
    r"""Whether the whole is one piece of mathematics between dollar signs or in \(…\)."""
    inner = text[1:-1]
    return len(text) > 2 and (
        (text[0] == text[-1] == "$" and "$" not in inner)
        or (text[:2] == r"\(" and text[-2:] == r"\)" and r"\(" not in inner)
    )


def _adds(head: str, rest: str, may_count: bool, mark: str) -> bool:
    """Whether the rest is of whole sentences that tell a fact of the answer and leave it as it is."""
    bare = unwrapped(head)
    figure = not _WORDY.search(bare) or read_number(bare) is not None
    if figure and (may_count or mark == "!"):
        return False
    pair = (
        bare.count(" ") == 1 and bare[:1].isupper() and rest.startswith(_OF_THINGS)
    )  # "Blue whale. It is the largest."
    if not (
        _is_answer(bare, figure) or (pair and bare.split()[0].lower() not in _PRONOUNS)
    ) or _OTHERWISE.search(rest):
        return False
    truth = bare.lower() in _TRUTH
    if _DENIES.search(rest) and bare.lower() not in {"no", "false"}:
        return False
    if figure and not _leads_to(bare, rest):
        return False
    return all(_tells(said, bare, truth) for said in _STOP.split(rest)[::2] if said.strip())


def _is_answer(bare: str, figure: bool) -> bool:
    """Whether it is a name, a number or a formula, and no sentence of which the next is the other half."""
    dash = _DASH.search(bare)
    if dash and _is_apposed(bare[: dash.start()], bare[dash.end() :]):
        return True
    said = bare.split()
    if figure or len(said) <= 1:
        return bool(said)
    if len(said) > _WORDS or said[0].lower() in _PRONOUNS:
        return False
    if all(not word[0].islower() or word in _SMALL for word in said):
        return True
    return len(said) <= 3 and (said[0].lower() in {"the", "a", "an"} or said[0][0].isdecimal())


def _is_apposed(head: str, rest: str) -> bool:
    """Whether a name is followed by nothing but what it is: "Canberra – the capital"; "7 - the root" is a difference."""
    said = unwrapped(head).split()
    if not (
        0 < len(said) <= _WORDS
        and said[0][0].isupper()
        and all(word[0].isupper() or word in _SMALL for word in said)
    ):
        return False
    return _APPOSITION.fullmatch(rest.strip()) is not None and not (
        _OTHERWISE.search(rest) or _DENIES.search(rest)
    )


def _tells(said: str, bare: str, truth: bool) -> bool:
    """Whether the sentence speaks of the answer, or of how it was found, and names nothing else that may be one."""
    if not (_OPENS.match(said) or (truth and said[:1].isupper() and " " in said.strip())):
        return False
    if _SPEAKER.search(_FOUND.sub("", said)):
        return False
    if _ITS.match(said):
        return True
    first = len(said.split(maxsplit=1)[0])
    return all(name["led"] or name["name"] in bare for name in _NAME.finditer(said, first))


def _leads_to(bare: str, rest: str) -> bool:
    """Whether no number stands in the rest but in an equation that gives the answer: "42. This follows from 6 × 7."."""
    number = read_number(bare)

    def given(found: re.Match[str]) -> str:
        result = (
            _OPERATIONS[found["sign"]](Fraction(found["one"]), Fraction(found["two"]))
            if int(found["two"])
            else None
        )
        same = (
            number is not None
            and result == number
            and (not found["three"] or Fraction(found["three"]) == result)
        )
        return "" if same else found[0]

    again = rf"(?<![\w.,]){re.escape(bare)}(?![\w,^]|\.\d)"
    return _FIGURE.search(re.sub(again, "", _EQUATION.sub(given, rest))) is None


_OPERATIONS: dict[str, Callable[[Fraction, Fraction], Fraction]] = {
    **dict.fromkeys("*×·", operator.mul),
    **dict.fromkeys("-−", operator.sub),
    **dict.fromkeys("/÷", operator.truediv),
    "+": operator.add,
}
