"""Characters that nobody sees: they part no number and no mark, so these are read without them."""

from __future__ import annotations

from steelyard.text.late import late

# Soft hyphen, zero-width blanks and joiners, marks and embeddings of direction, invisible operators.
_UNSEEN = late("[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff]+")


def without_unseen(text: str) -> str:
    """The text without what nobody sees; the very same text where it has none of that.

    >>> without_unseen("4\\u200b2")
    '42'
    """
    return text if text.isascii() or _UNSEEN.search(text) is None else _UNSEEN.sub("", text)


def in_whole(text: str, span: tuple[int, int]) -> tuple[int, int]:
    """Where a span of ``without_unseen(text)`` stands in the text itself.

    >>> in_whole("a \\u200b4\\u200b2\\u200b", (2, 4))
    (3, 6)
    """
    start, end = span
    skipped = last = 0
    for run in _UNSEEN.finditer(text):
        if run.start() - skipped <= start:
            last = skipped + len(run[0])
        if run.start() - skipped >= end:
            break
        skipped += len(run[0])
    return (start + last, end + skipped)
