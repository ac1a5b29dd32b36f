"""Where an "or" offers nothing else, but says the same again: in another unit, in other words, or for short.

Read in the form of ``marked.py``; the words are in ``words.txt``.
"""

from __future__ import annotations

from steelyard.text.claim.marked import CLOSE, COMMA, DASH, OPEN, SLASH, STOP, WORD
from steelyard.text.grammar import phrases, words
from steelyard.text.late import late

_QUANTITY = late(r"\d|thenumber$")
_AGAIN = late(
    rf"(?P<unit>(?: [^\W\d]\S*(?: {SLASH} \S+)?)?) (?:[{COMMA}{OPEN}] )?or "
    r"(?:(?:about|approximately|roughly|around|nearly|some|just over|just under|exactly) )?[$-]?\d[\d.,]* "
    rf"(?P<other>[^\W\d]\S*(?: {SLASH} \S+)?)"
)
_MONTHS = frozenset(words("months"))
# "Iron, or in other words Fe", "Istanbul, or Constantinople as it was called", "deoxyribonucleic acid, or DNA for short"
_FOR_SHORT = rf"(?:for short|as (?:it|he|she|they) (?:is|was|are|were) (?:{WORD} )?(?:called|known|named|nicknamed))(?= |$)"
_IN_OTHER_WORDS = late(
    rf"\A (?:[{COMMA}{OPEN}{DASH}] )?or (?:{COMMA} )?(?:in {phrases('plain')} (?:words|terms|language|english|speech)"
    rf" (?:{COMMA} )?{WORD}(?: (?!or ){WORD}){{0,3}}|(?:(?!or ){WORD} ){{1,4}}{_FOR_SHORT})"
)
# "The shinbone, or tibia, is …", "Twelfth Night, or What You Will, features …", "Moby-Dick; or, The Whale"
_SAYS_ON = r"(?:is|was|are|were|has|had|have|\S{3,}(?:s|ed))(?= |$)(?!ever|as )"
_APPOSED = late(
    rf"\A (?:{COMMA} or (?!(?:else|maybe|perhaps|possibly|even) )(?:{WORD} ){{1,4}}{COMMA}(?= {_SAYS_ON})"
    rf"|{STOP} or {COMMA} (?!(?:maybe|perhaps|possibly|if|alternatively|else) )(?:{WORD} ?){{1,5}}(?=[{STOP}]|$))"
)
_APPOSED_BEFORE = late(rf"(?<!{COMMA} )(?:^|(?<= )){WORD} {COMMA} or $")
_APPOSED_AFTER = late(rf"\A {COMMA} {_SAYS_ON}")
_IS_SHORT_FOR = late(rf"\A {_FOR_SHORT}")
# "The puma, also called cougar or mountain lion, …": an aside gives other names; but "it is called Perth or Sydney" offers two
_ALSO_CALLED = (
    r"(?:known|(?:also|sometimes|otherwise|often|commonly|variously|popularly|locally|formerly|better|elsewhere)"
    r" (?:known|called|named|termed|dubbed|nicknamed|referred to)) (?:as )?"
)
_A_NAME = rf"(?:(?!(?:or|is|was|are|were|has|in|and|but) ){WORD} ){{1,4}}"
_OR_A_NAME = rf"(?:{COMMA} )?or (?:{WORD} ){{0,4}}{WORD}(?= [{COMMA}{CLOSE}{STOP}{DASH}]|$| $)"
_OTHER_NAMES = late(
    rf"\A [{COMMA}{OPEN}] {_ALSO_CALLED}{_A_NAME}(?:{COMMA} {_A_NAME}){{0,3}}{_OR_A_NAME}"
)
_AS_OTHER_NAME = late(
    rf"[{COMMA}{OPEN}] {_ALSO_CALLED}(?P<names>(?:{_A_NAME}(?:{COMMA} (?:or )?|or )){{0,3}})$"
)
_OR_ANOTHER_NAME = late(rf"\A (?:{COMMA} {_A_NAME}){{0,3}}{_OR_A_NAME}")
# "a day or two after the strike"
_OR_TWO = late(
    r"(?<= )(?:day|week|month|year|decade|century|hour|minute|second|mile|metre|meter|inch|moment) or two(?= )"
)


def without_other_words(before: str, after: str) -> tuple[str, str]:
    """What stands before and after a mention, without the "or" that gives another word for it, and without that word.

    >>> without_other_words("it is iron or ", " for short ")
    ('it is iron ', ' for short ')
    """
    if ("called " in before or "known " in before) and (named := _AS_OTHER_NAME.search(before)):
        return before[: named.start("names")], _OR_ANOTHER_NAME.sub("", after)
    if " or " in after:
        after = _APPOSED.sub("", after)
        after = _OTHER_NAMES.sub("", _IN_OTHER_WORDS.sub("", after))
        if " or two " in after:
            after = _OR_TWO.sub("some", after)
    if before.endswith("or ") and (_IS_SHORT_FOR.match(after) or _is_apposed(before, after)):
        before = before[:-3]
    return before, after


def _is_apposed(before: str, after: str) -> bool:
    """Whether it is the other name in "The shinbone, or tibia, is …"."""
    return _APPOSED_AFTER.match(after) is not None and _APPOSED_BEFORE.search(before) is not None


def is_restated(want: str, after: str) -> bool:
    """Whether the "or" after a quantity gives it in another unit: "384,400 km, or about 238,855 miles"."""
    again = _AGAIN.match(after) if " or " in after and _QUANTITY.match(want) else None
    if again is None:
        return False
    unit, other = (
        f" {text} ".replace(f" {SLASH} ", "/").strip() for text in (again["unit"], again["other"])
    )
    unit = unit or "/".join(want.split()[1:])
    named = [part for part in unit.split("/") if part]
    # "1 hour or 2 hours", "7 May 1805 or 4 June 1806" are two; a rest with a number in it is no unit.
    same = other in _MONTHS or _stem(other) in {_stem(unit), *map(_stem, named)}
    return 0 < len(named) < 3 and not same and not any(map(str.isdigit, named))


def _stem(unit: str) -> str:
    return unit.removesuffix("s")
