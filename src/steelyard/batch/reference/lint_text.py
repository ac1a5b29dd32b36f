"""What lint says of a text as it is written, and of questions that look alike."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from steelyard.batch.reference.evidence import quoted
from steelyard.batch.reference.findings import Found
from steelyard.batch.reference.words import has_surrogate, is_nfc, mixed_words
from steelyard.values.compose import compose

# More words than these in one text are not told one by one.
_MOST_WORDS = 3


def lint_keys(keys: Iterable[str]) -> Iterator[Found]:
    """Questions that differ only in Unicode form or in outer spaces, and what is odd about each.

    >>> [level for level, _, _, _ in lint_keys(["\\u00e9", "e\\u0301"])]
    ['warning', 'error']
    """
    seen: dict[str, str] = {}
    for key in keys:
        if not key.strip():
            yield "error", key, "the question has no name", "name the question"
            continue
        yield from lint_text(key, key, what="the question's name")
        same = seen.setdefault(compose(key).strip(), key)
        if same is not key:
            how = f"{same.encode('ascii', 'backslashreplace').decode()!r}"
            said = f"this question and {how} differ only in Unicode form or outer spaces"
            yield "error", key, said, "keep one of the two, or rename it"


def lint_text(question: str, text: Any, *, what: str = "the text") -> Iterator[Found]:
    """Whether a text can be written, is in NFC, and keeps to one script inside each word.

    >>> [reason for _, _, reason, _ in lint_text("1", "e\\u0301")]
    ['the text is not in NFC']
    """
    if not isinstance(text, str):
        return
    if has_surrogate(text):
        said = f"{what} holds half of a surrogate pair, which is no character"
        yield "error", question, said, "write the character itself"
        return
    if not is_nfc(text):
        yield "warning", question, f"{what} is not in NFC", "write it in the composed form (NFC)"
    found = list(dict.fromkeys(mixed_words(compose(text))))
    for word, how in found[:_MOST_WORDS]:
        said = f"{what} mixes scripts inside the word {quoted(word)}: {how}"
        yield "warning", question, said, "write the word in one script"
    if len(found) > _MOST_WORDS:
        said = f"{what} has {len(found) - _MOST_WORDS} more words of mixed scripts"
        yield "warning", question, said, "write each word in one script"
