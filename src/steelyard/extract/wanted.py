"""What a target wants where it is itself written as a response would be: "ANSWER: B" wants B."""

from __future__ import annotations

import functools
import re

from steelyard.text.late import late
from steelyard.text.wrap import unwrapped

_MARK = late(
    r"[\s*_`#>\"'(]{0,8}(?:(?:the|my|so|thus|hence|therefore|final|correct|right)[ ,]{1,2}){0,4}"
    r"answer[*_]{0,3}(?:[ ]?[:：]|[ ]is(?=[ :]):?)[\s*_]{0,8}(?=\S)",
    re.IGNORECASE,
)


@functools.lru_cache(maxsize=4096)
def unmarked(target: str) -> str:
    """The target without the mark with which it begins: the two sides of a comparison are read alike.

    >>> unmarked("ANSWER: B"), unmarked("The final answer is **B**."), unmarked("Answer:"), unmarked("Answer me")
    ('B', 'B', 'Answer:', 'Answer me')
    """
    if "nswer" not in target and "NSWER" not in target:
        return target
    mark = _MARK.match(target)
    return (unwrapped(target[mark.end() :]) or target) if mark else target
