"""What of a text can be told without its normal form: that it cannot hold an answer, or claims it where it is said last.

Only plain texts in Latin letters are told at a glance, and only where the whole reading must come to the same.
"""

from __future__ import annotations

import re
from itertools import pairwise

from steelyard.text.claim.claims import contains, judged, may_list
from steelyard.text.claim.families import SUSPECT
from steelyard.text.claim.truth import DECIDED
from steelyard.text.fold import fold_latin, is_latin, leaves_latin
from steelyard.text.grammar import words
from steelyard.text.late import late
from steelyard.text.normal import ARTICLES, is_tricky, normalise, spaced
from steelyard.text.number.value import SCALES
from steelyard.text.star import without_inner_bold

_NOT_ALNUM = bytes(c for c in range(128) if not chr(c).isalnum())
_BETWEEN = (
    b"",
    b"the",
    b"a",
    b"an",
    b"s",
)  # two words of a normal form: articles and possessive endings
LONG = 1500
_BEFORE, _AFTER = 300, 500  # of a mention: more than anyone looks at
# What the whole reading looks at around a mention before it takes it for a claim.
_WORDS_BEFORE, _CHARACTERS_BEFORE, _CHARACTERS_AFTER = 9, 90, 200
_EDGES = ' \n.,;:!()"'
# Besides what may deny or offer, these make another value of what follows them.
_HEEDED = SUSPECT | {"minus", "negative", "sqrt"}
_HEEDED_BUT_WHILE = _HEEDED - {"while"}
# What does nothing by itself counts only beside another word that is heeded.
_HEEDED_BEFORE = _HEEDED - frozenset(words("harmless before"))
_HEEDED_AFTER = _HEEDED - frozenset(words("harmless after"))
# Behind a thought that may be given up even these are heeded: "I assumed it was Perth. If the map is right, …"
_SETS_UP = frozenset(
    word for name in ("thought before", "first thoughts") for word in words(name)
) | {"would", "were", "id"}
_NOT_ONE, _FAR_WORDS = frozenset(("not", "one")), 5
_IN = (["in"], ["on"], ["at"], ["by"], ["from"], ["until"], ["as"])
_DECIDES_NOT = frozenset((*words("not decided"), *words("opinions")))
_COMMON = frozenset(
    ("i", "we", "had", "have", "would", "is", "was", "be", "to", "of", "may", "could", "first")
)
_OPINION = (
    frozenset(f"{' '.join((*words('opinions'), *words('considered')))} any".split()) - _COMMON
)
# A number may be written with other digits than its value has: 38/2, 1.9e1, 2 million, 1 190.
_REWRITTEN = late(
    rf"[/^%]|\d(?:[a-z{{]|[ .]\d)|\d\s?-?(?:{'|'.join(map(re.escape, SCALES))})s?\b|\*\*|[^\x00-\x7f]"
)
_SET_APART = late("[,\n\"“”'’‘()\\[\\]…–—-]")


class Look:
    """A text, folded once for all answers that are looked for in it."""

    __slots__ = ("_low", "_text")

    def __init__(self, text: str) -> None:
        self._text = text
        bare = without_inner_bold(text) if "**" in text else text
        self._low = None if "\\" in text or "<" in text or "`" in text else fold_latin(bare)

    def tells(self, want: str, others: tuple[str, ...] = ()) -> bool | None:
        """True if the text claims the normal form, False if it cannot hold it nor be a part of it, None if that is not clear."""
        low = self._low
        if (
            low is None
            or len(self._text) <= 4 * len(want) + 8
            or not want.replace(" ", "").isalpha()
        ):
            return None
        if not is_latin(want) or (want in low and (len(self._text) <= LONG or want in DECIDED)):
            return None
        # The normal form loses letters only with whole articles, so each word of it stands in what is squeezed.
        squeezed = low.encode().translate(None, _NOT_ALNUM)
        if len(squeezed) <= 4 * len(want) + 8:
            return None
        if not _may_hold(squeezed, want.encode().split()):
            return False
        return (
            _said_last(self._text, low, squeezed, want, others) if len(self._text) > LONG else None
        )

    def claims_plainly(self, want: str) -> bool:
        """Whether the text claims the normal form, and no word or mark is near it that could bear on that.

        Then the whole reading finds it, finds nothing to suspect around it, and takes it for a claim.

        >>> Look("The capital is Canberra.").claims_plainly("canberra")
        True
        """
        text, low = self._text, self._low
        at = -1 if low is None else (low.replace("-", " ") if "-" in low else low).rfind(want)
        if low is None or at < 0 or want in DECIDED or not want.replace(" ", "").isalpha():
            return False
        end = at + len(want)
        if (at and low[at - 1] not in _EDGES) or low[end : end + 1] not in _EDGES:
            return False
        if len(low) - end > _CHARACTERS_AFTER or "_" in low or leaves_latin(low):
            return False
        # Words are looked at first: where one of them may bear on it, the rest need not be.
        wanted, said = want.split(" "), spaced(low).split()
        # Where one of its words stands but once, there is no further mention.
        once = (
            _HEEDED.isdisjoint(said)
            and min(map(said.count, wanted)) == 1
            and ARTICLES.isdisjoint(wanted)
        )
        if not once and not self._heeds_nothing(wanted, low[:at], low[end:]):
            return False
        return not (may_list(text) or is_tricky(low))

    def _heeds_nothing(self, wanted: list[str], earlier: str, later: str) -> bool:
        """Whether no word near the mention between the two could bear on it, and none of the words stands behind it again."""
        before, after = spaced(earlier).split(), spaced(later).split()
        near = _last_words(before)
        if near is None or not ARTICLES.isdisjoint(wanted) or all(word in after for word in wanted):
            return False
        heeded = (_HEEDED_AFTER if _SETS_UP.isdisjoint(near) else _HEEDED).intersection(after)
        if _HEEDED_BEFORE.isdisjoint(near) and (
            not heeded or (heeded <= _NOT_ONE and _bear_on_nothing(after))
        ):
            return True
        return not all(word in before for word in wanted) and _tells_time(self._text, before, after)

    def lacks(self, want: str) -> bool:
        """Whether a word of the normal form is missing from a plain text, and the text has a word that is not in it.

        Then the text neither holds it nor is a part of it.

        >>> Look("Perth Mint").lacks("perth zoo"), Look("Perth").lacks("perth zoo")
        (True, False)
        """
        low = self._low
        if low is None or want in low or "_" in low or "'" in low:
            return False
        if want.isdecimal() and want[0] != "0":
            return want not in low.replace(",", "") and _REWRITTEN.search(low) is None
        if not want.replace(" ", "").isalpha():
            return False
        if leaves_latin(low) or is_tricky(low):
            return False
        said, wanted = frozenset(spaced(low).split()), frozenset(want.split(" "))
        return not wanted <= said and ARTICLES.isdisjoint(wanted) and not said <= wanted | ARTICLES


def glance(text: str, want: str, others: tuple[str, ...] = ()) -> bool | None:
    """What a look at the text tells of one normal form.

    >>> glance("The harbour lay quiet, and nobody had come down to the boats yet.", "canberra")
    False
    """
    return Look(text).tells(want, others)


def _tells_time(text: str, before: list[str], after: list[str]) -> bool:
    """Whether "while" is all there is to suspect, in a text without a word for what others say meanwhile.

    All that the whole reading looks at, on both sides, has to be seen here, too.
    """
    if _HEEDED_BUT_WHILE.isdisjoint(before) and _HEEDED_BUT_WHILE.isdisjoint(after):
        return (
            _OPINION.isdisjoint((*before, *after))
            and _SET_APART.search(text) is None
            and len(" ".join(before[-8:])) <= 80
            and len(" ".join(after[:8])) <= 80
        )
    return False


def _bear_on_nothing(after: list[str]) -> bool:
    """Whether each "not" denies something else, "… and not in May" or further on, and no "one" is one of several."""
    if not _DECIDES_NOT.isdisjoint(after):
        return False
    for at, word in enumerate(after):
        if word == "one" and after[at + 1 : at + 2] == ["of"]:
            return False
        if (
            word == "not"
            and at < _FAR_WORDS
            and (after[at - 1 : at] != ["and"] or after[at + 1 : at + 2] not in _IN)
        ):
            return False
    return True


def _last_words(before: list[str]) -> list[str] | None:
    """The words before a mention that are looked at; None if they are too long to be seen whole, with articles between."""
    last = before[-2 * _WORDS_BEFORE :]
    kept = [word for word in last if word not in ARTICLES]
    near = kept[-_WORDS_BEFORE:]
    if len(near) < _WORDS_BEFORE and len(last) < len(before):
        return None
    articles = 4 * (len(last) - len(kept))
    return near if len(" ".join(near)) + articles < _CHARACTERS_BEFORE - 1 else None


def _may_hold(squeezed: bytes, words: list[bytes]) -> bool:
    """Whether the words stand in it one after the other, with at most what the normal form leaves out between."""
    for word in words:
        if word not in squeezed:
            return False
    return all(
        any(left + between + right in squeezed for between in _BETWEEN)
        for left, right in pairwise(words)
    )


def _said_last(
    text: str, low: str, squeezed: bytes, want: str, others: tuple[str, ...]
) -> bool | None:
    """Whether a long text claims it where it is said last; not told where it is also said in another spelling."""
    if len(low) != len(text) or low.count(want) != squeezed.count(want.replace(" ", "").encode()):
        return None
    at = low.rfind(want)
    if at < 0:
        return None  # it is only said with an article or the like inside
    start, end = max(0, at - _BEFORE), min(len(text), at + len(want) + _AFTER)
    start = text.find(" ", start, at) + 1 if start else 0
    end = text.rfind(" ", at + len(want), end) if end < len(text) else end
    part = text[start:end]
    normal = normalise(part)
    return judged(part, want, normal, others) if end > at and contains(normal, want) else None
