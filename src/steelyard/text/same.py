"""Whether two short texts are the same in normal form, told by their words alone where these show it."""

from __future__ import annotations

from steelyard.text.fold import fold_latin, is_latin, light
from steelyard.text.late import late
from steelyard.text.normal import ARTICLES, is_tricky, normal_target, normalise, unreduced
from steelyard.text.star import is_starred
from steelyard.text.wrap import unwrapped

_AROUND = ' \n*"`'
_TICKS = frozenset("✓✔✅☑")  # beside words they decorate; a row of them is an answer of its own
_CELL = late(r"(?<!\S)[_.](?!\S)")
_NOT_ALNUM = bytes(c for c in range(128) if not chr(c).isalnum())


def same_normal(left: str, right: str, got: str, want: str) -> bool:
    """Whether two normal forms are equal; where both are empty or signs alone, whether the texts themselves are."""
    if left != right:
        return False
    if any(map(str.isalnum, left)):
        return lies_in(want, got)
    if left and _TICKS.isdisjoint(want):
        return True
    plain = unreduced(want)
    return plain != "" and (plain == unreduced(got) or _bare(want) == _bare(got) != "")


def _bare(text: str) -> str:
    return light(unwrapped(text, brackets=True))


def _is_grid(text: str) -> bool:
    """Whether dots or lines stand for empty cells, so that their places count: "Q _ _ _" is not "_ Q _ _"."""
    if ("_" not in text and "." not in text) or len(_CELL.findall(text)) < 2:
        return False
    return all(len(cell) < 3 for cell in text.split())  # "wait . . . what" is prose


def lies_in(grid: str, text: str) -> bool:
    """Whether the text holds the grid cell by cell.

    >>> lies_in("_ Q _", "Answer: _ Q _"), lies_in("_ Q _", "Q _ _")
    (True, False)
    """
    return not _is_grid(grid) or light(grid) in light(text)


def same_text(got: str, want: str) -> bool:
    """Whether the two are equal in normal form; what is empty equals nothing.

    >>> same_text("(Paris)", "paris"), same_text("", ""), same_text("?", "?"), same_text("C", "C++")
    (True, False, True, False)
    """
    told = None if _is_grid(want) else _told_by_words(got, want)
    return same_normal(normalise(got), normal_target(want), got, want) if told is None else told


def _told_by_words(got: str, want: str) -> bool | None:
    """Whether two Latin texts are the same, where that shows in their words.

    The first word that differs tells, if it is a plain one on both sides: what precedes it is the same in both normal
    forms, articles before it are gone, and a plain word stays as it is.
    """
    if "```" in got or ("*" in got and is_starred(got)) or ("*" in want and is_starred(want)):
        return None
    if (low := fold_latin(got)) is None or (other := fold_latin(want)) is None:
        return None
    left, right = _stripped(low), _stripped(other)
    same = True if left == right else _same_words(left.split(), right.split())
    # What is tricky in one of the two is so in both together.
    if same is None or is_tricky(left if left == right else f"{left}\n{right}"):
        return None
    return None if same and not (left[-1:].isalpha() and right[-1:].isalpha()) else same


def _same_words(words: list[str], others: list[str]) -> bool | None:
    """Word by word, past articles that only one side has and past the comma that ends a word; None where a word is not plain."""
    i = 0
    for word, other in zip(words, others, strict=False):
        if word != other:
            if _is_plain(word) and _is_plain(other):
                return False
            break
        i += 1
    j = i
    while i < len(words) and j < len(others):
        if words[i] != others[j]:
            i, j = _past_articles(words, i), _past_articles(others, j)
            one, two = _plain(words, i), _plain(others, j)
            if not one or not two or one != two:
                return False if one and two else None
        i, j = i + 1, j + 1
    if i == len(words) and j == len(others):
        return True
    more, k = (words, i) if i < len(words) else (others, j)
    return False if _plain(more, _past_articles(more, k)) else None


def _past_articles(words: list[str], at: int) -> int:
    while at < len(words) and words[at] in ARTICLES:
        at += 1
    return at


def _plain(words: list[str], at: int) -> str:
    """The word there, if it is one of letters alone and no article."""
    word = words[at].rstrip(",;:") if at < len(words) else ""
    return word if _is_plain(word) else ""


def _is_plain(word: str) -> bool:
    return len(word) > 1 and word.isalpha() and word not in ARTICLES


def _stripped(low: str) -> str:
    """A folded text without what changes nothing around it where it ends in a letter."""
    if low[-1:].isalpha() and low[:1].isalpha():
        return low
    bare = low.strip(_AROUND).rstrip(".").rstrip(_AROUND)
    return bare if bare[-1:].isalpha() else low


def cannot_equal(got: str, want: str) -> bool:
    """Whether two texts differ beyond doubt, told without working out their normal forms.

    In a Latin text without LaTeX, tags and fences only articles lose letters, and at most three of every four:
    so a text with more than four times the target's letters is another one. Numbers are left out, since they
    compare by value.
    """
    most = 4 * len(want) + 8
    if len(got) <= most or not (
        want.isascii() and want.replace(" ", "").isalpha() and is_latin(got)
    ):
        return False
    if "\\" in got or "<" in got or "`" in got:
        return False
    letters = got.encode().translate(None, _NOT_ALNUM)
    return len(letters) > (
        most if got.isascii() else 3 * most
    )  # a letter beyond ASCII has up to three bytes
