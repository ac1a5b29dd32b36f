"""Small letters that may be a choice: set off, "… so (c).", or in a response without a capital, "i'd go with c"."""

from __future__ import annotations

import re

from steelyard.text.late import late

_SMALL = late(r"(?<![\w'’&.+-])[b-hj-z](?![\w'’&+#-]|\.\w)|(?<![\w'’&.+-])a(?=[).]|\W{0,3}\Z)")
# In brackets or bold, alone in its line, or before the text of an option.
_SMALL_SET_OFF = late(
    r"(?<![\w)])(?:\([a-z]\)|\[[a-z]\]|\*\*\(?[a-z][.)]{0,2}\*\*)(?![\w(])"
    r"|^[*_`$]{0,3}[a-z][*_`$.)]{0,4}[ \t]*$|^[*_]{0,3}[a-z][.)][ \t]+(?=\S)|(?<=[:：] )[a-z][).]?(?=[ \t]*$)",
    re.MULTILINE,
)
_OPENS = frozenset("*_`$")
_LONE = late(
    r"[\n:：(\[*][ ]?[*_`$(]{0,4}[a-z](?![A-Za-z])"
)  # wherever the one above finds a letter behind another character
# "so the speed of light is c": a symbol, unless the line speaks of an answer.
_EQUATES = late(
    r"\b(?!(?:it|this|that|one|which|mine|guess)[ ])[a-z]{2,}[ ](?:is|was|equals)[ ](?=[a-z](?!\w))"
)
_ANSWERS = late(
    r"\b(?:ans(?:wer)?|option|choice|letter|correct|right|best|pick|solution|selection|response|result)\b"
)


def with_capitals(shown: str, short: int) -> str:
    """The text with capitals for such letters; of a longer response than ``short`` without a capital, in its last line.

    >>> with_capitals("hence (c).", 60), with_capitals("i'd go with c", 60), with_capitals("Vitamin c", 60)
    ('hence (C).', "i'd go with C", 'Vitamin c')
    """
    raised = (
        _SMALL_SET_OFF.sub(lambda letter: letter[0].upper(), shown)
        if _may_set_off(shown)
        else shown
    )
    if raised != shown or shown != shown.lower():
        return raised
    last = shown.rstrip().rfind("\n") + 1 if len(shown) > short else 0
    line = shown[last:]
    if len(line) > short or (last and _EQUATES.search(line) and not _ANSWERS.search(line)):
        return shown
    return " " * last + _SMALL.sub(lambda letter: letter[0].upper(), line)


def _may_set_off(shown: str) -> bool:
    """Whether a lone small letter opens the text, or stands where one may be set off; most texts have none."""
    if shown[:1] in _OPENS or (shown[:1].islower() and not shown[1:2].isalpha()):
        return True
    return _LONE.search(shown) is not None
