"""Whether a text claims something that it mentions: not where it is denied, withdrawn, or one of several.

The text is brought into normal form with the ends of its clauses kept as marks; then only what stands within a
few words of each mention is looked at, so the work is linear whatever the text.

>>> claims("The capital is Canberra.", "canberra"), claims("It is not Canberra.", "canberra")
(True, False)
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator

from steelyard.text.claim import around, beside
from steelyard.text.claim.candidates import left_undecided
from steelyard.text.claim.closing import closes_open
from steelyard.text.claim.enumeration import enumerated
from steelyard.text.claim.families import SUSPECT, family
from steelyard.text.claim.graded import graded, may_be_graded
from steelyard.text.claim.marked import MARK, NAMED, SLASH, with_marks
from steelyard.text.claim.truth import DECIDED, overruled
from steelyard.text.late import late
from steelyard.text.normal import ARTICLES, normalise

_SUSPECT_LETTERS = late(
    "[不没沒未非或还また❌か错錯誤]|ない|なく|なか|ません|也可|也[许許]|要[么麼]|もしく|ไม่ใช่|หรือ|あるい|아[니닙]"
    "|間違|틀|오답"
)
UNSPACED = late(
    r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]"
)
_FIRST_OPTION = frozenset(("A)", "A.", "A:", "(A", "a)", "a.", "(a", "1.", "1)", "(1"))
_OF_TWO = late(r"Of [^.!?\n]{1,80} and ")  # Of Sydney and Perth, I'd pick Perth.
_HANGUL = late(r"[\uac00-\ud7a3]")
_MOST_PLACES = 50
_BULLET = late(r"\n[ \t]*(?:[-*•+]|\d{1,2}[.)]|\(?[B-Hb-h][.):])[ \t]")
_ITEM = late(r"[ \t]*(?:[-*•+]|\d{1,2}[.)]|\(?[A-Ha-h][.):])[ \t]+\S+(?:[ ]\S+){0,2}\s*")
# The one item that is called right: "2. Hobart – correct", "- Joseph Swan ✅"
_TICKED = late(r"[✅✔✓☑]|[-–—:(][ ]*(?:correct|right|yes)\b[ ).]*$", re.IGNORECASE)
# "- Capital: Paris" tells what it is; "- Option A: Paris" does not.
_LABELLED = late(
    r"[ \t]*(?:[-*•+]|\d{1,2}[.)])[ \t]+\**(?!(?:option|choice|answer|candidate)\b)"
    r"[^\W\d]{2,20}(?:[ ]\w{1,15})?\**:",
    re.IGNORECASE,
)
# "Isaac Newton, English physicist, astronomer, and alchemist": one name and what he was, no list of names.
_APPOSED = late(
    r"[A-Z][\w.'’-]+(?: [A-Z][\w.'’-]+){1,3}(?:, (?:[A-Z][\w-]+ )?[a-z][\w-]{2,20}(?: [a-z][\w-]{2,20})?){1,4}"
    r",? and [a-z][\w-]{2,20}(?: [a-z][\w-]{2,20})?\.?"
)
# "A) Paris B) Lyon": options in one line, and nothing else.
_OPTIONS = late(
    r"\s*(?:(?:[Oo]ptions|[Cc]hoices|[Cc]andidates):[ ])?"
    r"\(?[Aa1][).:][ ]\S+(?:[ ]\S+){0,2}?(?:[ ,;]{1,2}\(?[B-Hb-h2-8][).:][ ]\S+(?:[ ]\S+){0,2}?){1,7}\s*"
)

# "Johann Sebastian ", "Jan van ", "Dr. Martin Luther "
_FORENAMES = late(
    r"(?<![\w'’-])(?:[^\W\d_a-zß-ÿ][\w.'’-]*[ ](?:(?:de|da|di|du|del|van|von|der|den|la|le|al|bin)[ ]){0,2}){1,4}$"
)


def contains(got: str, want: str) -> bool:
    """Whether the normal form ``want`` occurs in ``got``, as whole words where the script separates words.

    >>> contains("in canberra", "canberra"), contains("100", "1"), contains("首都是北京", "北京")
    (True, False, True)
    """
    return next(places(got, want), None) is not None


def places(got: str, want: str) -> Iterator[int]:
    """Where the normal form ``want`` occurs in the normal form ``got``, and is not part of an expression."""
    at = got.find(want)
    while want and at >= 0:
        if _is_place(got, at, at + len(want)):
            yield at
        at = got.find(want, at + 1)


def _is_place(got: str, at: int, end: int) -> bool:
    if not (_edge(got, at) and (_edge(got, end) or _particle(got, end))):
        return False
    return not _in_expression(got, at, end)


def claims(
    text: str, want: str, *, normal: str | None = None, others: tuple[str, ...] = ()
) -> bool:
    """Whether the text, where it has ``want`` (a normal form), claims it.

    ``others`` are further right answers: "NYC or New York" offers nothing wrong when both are right.
    """
    return judged(text, want, normalise(text) if normal is None else normal, others) is True


def judged(text: str, want: str, normal: str, others: tuple[str, ...] = ()) -> bool | None:
    """True if it claims it, False if it has it not or denies it, None if it only offers it."""
    last = _last_place(normal, want)
    if last is None:
        return False
    if normal == want:
        return True
    if (items := enumerated(text)) and not _all_hold(items, (want, *others)):
        return False
    if want not in DECIDED and (said := graded(text, (want, *others))) is not None:
        return said
    if want not in DECIDED and not _is_suspect(text, normal, last, last + len(want)):
        return True
    if ("\n" in text or text[:2] in _FIRST_OPTION or "s: " in text[:12]) and _is_bare_list(
        text, (want, *others)
    ):
        return False
    if " and " in text and normal.startswith(want) and _APPOSED.fullmatch(text.strip()):
        return True
    marked = with_marks(text, want, others)
    return (
        False
        if want in DECIDED and overruled(marked, want)
        else _decided(text, marked, normal, (want, *others))
    )


def _decided(text: str, marked: str, normal: str, right: tuple[str, ...]) -> bool | None:
    """What the last decided mention says: an earlier one may be quoted or withdrawn."""
    contrasted = False
    found = _mentions(marked, normal, right[0])
    possible = family(text, marked, found[0][1]) if found else None
    for i, (start, end) in reversed(list(enumerate(found))):
        verdict = around.verdict(marked, start, end, right, possible)
        if verdict and i and beside.gives_reason(marked, found[i - 1][1], start, end):
            continue  # "not Sydney, although Sydney is large": what the denial before it says counts
        if verdict and around.may_be_denied(marked, start):
            verdict = around.verdict_of_name(marked, start, right, _full_name(text, right[0]))
        if verdict is None and (
            left_undecided(marked, start, end) or closes_open(marked, start, end)
        ):
            return None
        if verdict is not None and not (
            verdict and contrasted and beside.only_named(marked, start)
        ):
            return verdict
        contrasted = contrasted or (verdict is None and beside.contrasted(marked, end))
    return None


def _full_name(text: str, want: str) -> str:
    """The name in capitals that ends with the last mention, if it is a longer one: not "Bach", but "Johann Sebastian Bach"."""
    low = text.lower()
    at = low.rfind(want)
    if at < 2 or len(low) != len(text) or not text[at].isupper():
        return ""
    leads = _FORENAMES.search(text, max(0, at - 60), at)
    return normalise(text[leads.start() : at + len(want)]) if leads else ""


def _is_bare_list(text: str, right: tuple[str, ...]) -> bool:
    """Whether the text is nothing but a list of short items, and not all of them are right."""
    lines = [line for line in text[:2000].split("\n") if line.strip()]
    if len(lines) == 1:
        return _OPTIONS.fullmatch(lines[0]) is not None
    items = lines[1:] if lines and lines[0].rstrip().endswith(":") else lines
    ticked = [item for item in items if _TICKED.search(item)]
    if len(ticked) == 1 and len(items) > 1:
        return not any(contains(normalise(ticked[0]), answer) for answer in right)
    if len(items) < 2 or not all(map(_ITEM.fullmatch, items)) or all(map(_LABELLED.match, items)):
        return False
    return not _all_hold(items, right)


def _all_hold(items: list[str], right: tuple[str, ...]) -> bool:
    """Whether every item holds a right answer; the last one may break off in it, where a text repeats itself."""
    *first, last = map(normalise, items)
    if not all(any(contains(item, answer) for answer in right) for item in first):
        return False
    return any(
        contains(last, answer) or (len(first) > 1 and answer.startswith(last)) for answer in right
    )


def _last_place(got: str, want: str) -> int | None:
    """Where ``want`` occurs last; from there backwards, since the last mention counts."""
    at = got.rfind(want) if want else -1
    while at >= 0:
        end = at + len(want)
        if _is_place(got, at, end):
            return at
        at = got.rfind(want, 0, end - 1)
    return None


def _is_suspect(text: str, normal: str, start: int, end: int) -> bool:
    """Whether anything near the last mention could deny or offer it, or the text is a bare list."""
    if _has_marks(text):
        return True
    near = normal[max(0, start - 90) : start].split()[-9:] + normal[end : end + 200].split()
    if not SUSPECT.isdisjoint(near):
        return True
    commas = text.count(",")
    if commas > 2 and len(normal.split()) <= 4 * (commas + 1):
        return True
    return not text.isascii() and _SUSPECT_LETTERS.search(text) is not None


def _has_marks(text: str) -> bool:
    if "/" in text or "|" in text or "?" in text or text[:2] in _FIRST_OPTION:
        return True
    if "Of " in text and _OF_TWO.search(text):
        return True
    return "\n" in text and _BULLET.search(text) is not None


def may_list(text: str) -> bool:
    """Whether the marks of a text, apart from its words, make everything that it mentions suspect."""
    return _has_marks(text) or _may_be_items(text) or may_be_graded(text) or bool(enumerated(text))


def _may_be_items(text: str) -> bool:
    """Whether there are so many commas that few words stand between two; articles are no words of a normal form."""
    commas = text.count(",")
    return commas > 2 and sum(word not in ARTICLES for word in text.lower().split()) <= 4 * (
        commas + 1
    )


def _mentions(marked: str, normal: str, want: str) -> list[tuple[int, int]]:
    """The last places where the marked text has it; a pattern is only needed where a mark may stand inside."""
    size = len(want)
    spaced = f" {marked} "
    if (count := spaced.count(f" {want} ")) and count == normal.count(want):
        found: list[tuple[int, int]] = []
        at = spaced.rfind(f" {want} ")
        while at >= 0 and len(found) < _MOST_PLACES:
            found.append((at, at + size))
            at = spaced.rfind(f" {want} ", 0, at + 1)
        return found[::-1]
    return [match.span() for match in deque(_mention(want).finditer(marked), maxlen=_MOST_PLACES)]


def _mention(want: str) -> re.Pattern[str]:
    """The words of ``want`` with at most one mark between any two: "washington , dc"."""
    words = [word for word in want.split(" ") if word != "/"]
    unspaced = UNSPACED.search(want) or _HANGUL.search(want)
    beside = f"[^\\s{UNSPACED.pattern[1:-1]}]"
    left, right = ("", "") if unspaced else (f"(?<!{beside})", f"(?!{beside})")
    between = rf"{NAMED}? (?:[{MARK[1:-1]}{SLASH}] )?"
    return re.compile(left + between.join(map(re.escape, words)) + f"{NAMED}?" + right)


def _edge(text: str, at: int) -> bool:
    """Whether a word may begin or end there."""
    if at <= 0 or at >= len(text) or text[at - 1] == " " or text[at] == " ":
        return True
    # Where a script does not separate words, one ends where the script changes: 首都はParisです.
    beside = text[at - 1 : at + 1]
    return not beside.isascii() and UNSPACED.search(beside) is not None


def _particle(text: str, at: int) -> bool:
    """Korean appends its particles to the word."""
    return _HANGUL.match(text, at) is not None and _HANGUL.match(text, at - 1) is not None


_BEFORE = late(r"(?:^|[ ])(?:-|[\^√±≠×/÷<>≤≥]|sqrt|minus|negative|\d+)[ ]$")
_AFTER = late(r"[ ](?:[\^×/÷±]|π|pi\b|sqrt|\d|(?:hundred|thousand|million|billion|trillion)\b)")

_YEAR = late(r"[ ][12]\d{3}(?:[ ]|$)")


def _in_expression(got: str, at: int, end: int) -> bool:
    """Whether a number or a symbol there belongs to more: 10 ^ 2, √ 2, 5 million, - x."""
    if got[at:end].isalpha() and end - at > 1 and got[at:end].isascii():
        return False
    signed = _BEFORE.search(got, max(0, at - 12), at)
    if signed and (
        got[at].isdigit() or signed[0].strip() in {"-", "minus", "negative", "√", "sqrt", "±", "^"}
    ):
        return True
    if not got[end - 1].isdigit() or not _AFTER.match(got, end):
        return False
    # "Catch-22 (1961)" is a title and its year.
    return got[at:end].isdigit() or not (got[at].isalpha() and _YEAR.match(got, end))
