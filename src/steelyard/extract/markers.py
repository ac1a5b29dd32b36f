r"""The words by which a response marks its answer: "Answer:", "the answer is", ####, \boxed{}."""

from __future__ import annotations

import re

_NAME = r"[Aa](?<![A-Za-z][Aa])(?:nswer|NSWER)s?"
_PAD = r"[ \t*_`]{0,6}"
_COLON = rf"{_PAD}(?:\([^()\n]{{0,30}}\)[ \t]{{0,3}})?[:：]{_PAD}"
_BETWEEN = r"(?:[ ](?:to|of|for|in|on|here|then|now|the|this|that|your|my|question|problem|choice|option|letter|value)){0,6}"
_VERB = r"(?:is|are|was|equals|would[ ]be|should[ ]be|must[ ]be|will[ ]be|has[ ]to[ ]be|becomes|comes[ ]out[ ]to(?:[ ]be)?|IS)"

#: "Answer:" in any dress; the answer begins where the match ends.
COLON = re.compile(rf"{_NAME}{_COLON}|<answer>", re.VERBOSE)
#: Every mark of a committed answer, the colon form in the group "colon".
ANY = re.compile(
    rf"(?:(?P<colon>{_NAME}{_COLON}|<answer>)"
    rf"|{_NAME}{_PAD}{_BETWEEN}{_PAD}(?:[ ]{_VERB}\b|[ ]?=|[ ][-–—]+[ ])[ \t*_`:：]{{0,8}})",
    re.VERBOSE,
)
BOXED = re.compile(r"\\(?:boxed|fbox)\s?\{")
HASHES = re.compile(r"####[ \t]?")
#: What stands before a mark and takes it back: "I don't think the answer is".
_TAKEN_BACK = re.compile(
    r"(?:\b(?:not|never|doubt|cannot)|n['’]t)\b(?:(?!\bbut\b|\brather\b|\binstead\b)[^.,;:!?\n]){0,40}$", re.IGNORECASE
)


def taken_back(text: str, start: int) -> bool:
    """Whether the words before a mark in its clause deny it.

    >>> taken_back("I don't think the answer is B", 14), taken_back("So the answer is B", 3)
    (True, False)
    """
    return _TAKEN_BACK.search(text, max(0, start - 60), start) is not None


def marks(text: str, *, boxed: bool = True, hashes: bool = False) -> list[re.Match[str]]:
    """All marks of an answer that nothing before them takes back, in the order in which they stand."""
    found = list(ANY.finditer(text)) if "nswer" in text or "NSWER" in text or "<answer>" in text else []
    if boxed and "\\" in text:
        found += BOXED.finditer(text)
    if hashes and "####" in text:
        found += HASHES.finditer(text)
    found.sort(key=lambda mark: mark.start())
    return [mark for mark in found if not taken_back(text, mark.start())]
