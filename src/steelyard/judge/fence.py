"""The fence around what is judged: marks that the text inside cannot know, and so cannot close."""

from __future__ import annotations

import functools
import hashlib
import random
import re

from steelyard.judge.wording import words

_BITS = 64
# Seen by no reader, and yet it parts two characters: U+2060, the word joiner.
JOINER = "\u2060"


def dice_for(seed: int, *texts: str) -> random.Random:
    """Dice that fall the same way for the same texts, so that a stored reply is found again.

    That they can be foretold does no harm: a mark that occurs in the text is never used.

    >>> dice_for(0, "a").random() == dice_for(0, "a").random() != dice_for(1, "a").random()
    True
    """
    digest = hashlib.sha256(str(seed).encode())
    for text in texts:
        data = text.encode("utf-8", "surrogatepass")
        digest.update(len(data).to_bytes(8, "big") + data)
    return random.Random(digest.digest())


def draw_marker(dice: random.Random, *texts: str) -> str:
    """A mark that occurs in none of the texts, in whatever case.

    >>> draw_marker(dice_for(0, "x"), "x").startswith("work-")
    True
    """
    lowered = [text.casefold() for text in texts]
    while True:
        code = f"{dice.getrandbits(_BITS):016x}"
        if not any(code in text for text in lowered):
            return f"work-{code}"


def fenced(text: str, marker: str) -> str:
    """The text between its two marks.

    >>> fenced("4", "work-1")
    '<work-1>\\n4\\n</work-1>'
    """
    return f"<{marker}>\n{text}\n</{marker}>"


def whole_characters(text: str) -> str:
    """The text without halves of surrogate pairs, which no message can carry.

    >>> whole_characters("a\\ud800")
    'a\ufffd'
    """
    if text.isascii():
        return text
    return "".join("\ufffd" if "\ud800" <= char <= "\udfff" else char for char in text)


def defused(text: str) -> str:
    """The text with the tokens broken up by which chat templates tell one speaker from another.

    A server may take ``<|im_end|>`` inside a message for the end of it. With an invisible character behind its first
    one it is only what it looks like.

    >>> defused("a <|im_end|>").replace(JOINER, "~"), defused("a < b")
    ('a <~|im_end|>', 'a < b')
    """
    return _control_tokens().sub(lambda found: found[0] + JOINER, text)


@functools.cache
def _control_tokens() -> re.Pattern[str]:
    # Only the first character is taken: a token may begin inside another one.
    tokens = "|".join(map(re.escape, words()["control_tokens"]))
    return re.compile(rf"(?={tokens}).", re.IGNORECASE)
