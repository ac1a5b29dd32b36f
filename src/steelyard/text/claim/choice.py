"""Whether a text gives an answer as one choice beside another: "Perth, though it could also be Sydney".

Read in the form of ``marked.py``.
"""

from __future__ import annotations

from steelyard.text.claim.marked import CLOSE, COMMA, DASH, OPEN, STOP, WORD
from steelyard.text.late import late

_ALSO_BE = (
    r"(?:could|might|may) (?:also|equally(?: well)?|just as well|as well|easily) (?:be|have been)"
)
_OTHER = (
    r"(?:possibility|possible (?:answer|candidate|choice)|plausible answer|candidate|contender)"
)
_CHOICE = rf"(?:{_OTHER}|option|guess)"
_WOULD_BE = r"(?:is|was|would be|could be|might be)"
_POSSIBLE = r"(?:also|equally|just as) (?:possible|plausible|likely|possibility|conceivable)"
_BUT = r"(?:though|although|but|and|however|or)"
# What follows "be" and names nothing: "it could also be spelled …", "it may also be worth …"
_NAMING = (
    r"(?!\S+ed |called |known |written |spelt |seen |found |in |at |on |because |due |for |as |to |that |with |true |said |worth "
    r"|useful |important |interesting |possible |very |quite |too |not )"
)
_ALSO_AFTER = late(
    rf"(?: (?!not ){WORD}){{0,4}} (?:[{COMMA}{STOP}{DASH}{OPEN}] )?(?:{_BUT} (?:{COMMA} )?)?"
    rf"(?:(?:(?:it|this|that|answer) )?{_ALSO_BE}|another {_OTHER} {_WOULD_BE}|unless (?:its|it is|it was)"
    rf"|i (?:cant|cannot|can not|could not|couldnt|would not|wouldnt) rule out) {_NAMING}"
    rf"(?P<other>(?:{WORD} ){{1,4}})(?=[{COMMA}{STOP}{CLOSE}{DASH}]|$)"
)
# "…, but Sydney is also possible"
_ALSO_POSSIBLE = late(
    rf"(?: (?!not ){WORD}){{0,3}} (?:[{COMMA}{STOP}] )?{_BUT} (?!it |this |that )(?P<other>(?:{WORD} ){{1,4}}?)"
    rf"(?:is|are|was|seems|would be) {_POSSIBLE}(?= |$)(?! to | that )"
)
_IS_POSSIBLE = late(rf" (?:is|are|was|seems|would be) {_POSSIBLE}(?= [{COMMA}{STOP}]|$| $)")
# "Perth is one possibility; Sydney is another"
_ONE_CHOICE = late(
    rf" (?:is|was|would be|could be) (?:just |only )?(?:one|another) {_CHOICE}(?= [{COMMA}{STOP}]|$| $| and )"
)
_IS_ANOTHER = late(rf" (?:is|was|would be|could be) another(?= {STOP}|$| $)")
_ONE_BEFORE = late(
    rf"(?:is|was|would be|could be) (?:just |only )?one {_CHOICE} (?:[{COMMA}{STOP}] |and ){{1,2}}(?:{WORD} ){{0,3}}$"
)
_ALSO_BEFORE = late(
    rf"(?:^| )(?:{_ALSO_BE}|another {_OTHER} {_WOULD_BE}|unless (?:its|it is|it was)) $"
)
# "Of Sydney and Perth, I'd pick Perth", "Between Sydney and Perth, I'd go with the former"
_OF_TWO = rf"(?:^|{STOP} )(?:of|between) "
_PICK = (
    rf"{COMMA} (?:id|ill|i|wed|well|we)(?: would| will)? (?:probably )?(?:pick|choose|prefer|go with|take) "
    r"(?:(?P<first>former|first)|(?P<second>latter|second|last))?"
)
_ONE_OF_TWO = late(rf"{_OF_TWO}$")
_AND_THE_OTHER = late(rf" and (?:(?!and ){WORD} ){{1,4}}?{_PICK}")
_OTHER_OF_TWO = late(rf"{_OF_TWO}(?:(?!and ){WORD} ){{1,4}}and $")
_THEN_PICKED = late(rf" {_PICK}")
# "Among Perth, Sydney and Hobart, the capital is Hobart": the others are only what it is chosen from.
_AMONG = rf"(?:^|{STOP} )(?:among|amongst|out of|of candidates|of options|of choices) (?:(?!and ){WORD} ){{0,2}}"
_OF_SEVERAL = late(rf"{_AMONG}(?:(?:(?!and ){WORD} ){{1,3}}{COMMA} ){{0,6}}$")
_LAST_OF_SEVERAL = late(
    rf"{_AMONG}(?:(?:(?!and ){WORD} ){{1,3}}{COMMA} ){{0,6}}(?:(?!and ){WORD} ){{0,3}}(?:{COMMA} )?and $"
)
_CHOSEN = rf" {COMMA} (?:{WORD} ){{1,6}}(?:is|was|are|were|choose|pick|prefer|with)(?= )"
_AND_SO_ON = late(
    rf"(?: {COMMA}(?: (?!and ){WORD}){{1,3}}){{0,6}}(?: {COMMA})? and(?: {WORD}){{1,3}}{_CHOSEN}"
)
_CHOSEN_THEN = late(_CHOSEN)
# "Perhaps Perth, otherwise Sydney"
_MAYBE = ("perhaps ", "maybe ", "possibly ")
_ELSE = rf"{COMMA} (?:or )?otherwise "
_OR_ELSE = late(rf" {_ELSE}(?!known |called |named |referred )(?:{WORD} ){{1,4}}(?:{STOP}|$)")
_MAYBE_ELSE = late(rf"(?:^| )(?:perhaps|maybe|possibly) (?:{WORD} ){{1,4}}{_ELSE}$")
_ENDS = ("be ", "been ", "is ", "was ", "its ")
# Without one of these after it, it is no choice beside another.
_CUES = frozenset(
    (
        "could",
        "might",
        "may",
        "another",
        "one",
        "unless",
        "rule",
        "possible",
        "plausible",
        "likely",
        "possibility",
    )
)


def is_one_choice(before: str, after: str, right: tuple[str, ...]) -> bool:
    """Whether the text gives it as one choice, and names another one that is not right as well."""
    if before.endswith(_ENDS) and _ALSO_BEFORE.search(before):
        return True
    if COMMA in after and before.endswith(_PAIRING) and _is_left(before, after):
        return True
    if COMMA in after and _AMONG_CUES.search(before) and _is_chosen_from(before, after):
        return True
    if "otherwise " in (before if before.endswith("otherwise ") else after) and _is_either(
        before, after
    ):
        return True
    if _CUES.isdisjoint(after.split(" ", 24)[:24]):
        return False
    if _ONE_CHOICE.match(after) or _IS_POSSIBLE.match(after):
        return True
    if _IS_ANOTHER.match(after) and _ONE_BEFORE.search(before):
        return True
    also = _ALSO_AFTER.match(f"{after} ") or _ALSO_POSSIBLE.match(after)
    return also is not None and not any(answer in also["other"] for answer in right)


_AMONG_CUES = late("among|out of|of (?:candidates|options|choices)")
_PAIRING = ("of ", "between ", "and ")


def _is_left(before: str, after: str) -> bool:
    """Whether it is one of two of which the text then picks one, and does not name it again: then that is the other."""
    if _ONE_OF_TWO.search(before):
        picked = _AND_THE_OTHER.match(after)
        return picked is not None and not picked["first"]
    picked = _THEN_PICKED.match(after) if _OTHER_OF_TWO.search(before) else None
    return picked is not None and not picked["second"]


def _is_chosen_from(before: str, after: str) -> bool:
    """Whether it is one of several with which a sentence begins, and of which it then chooses one."""
    if _LAST_OF_SEVERAL.search(before):
        return _CHOSEN_THEN.match(after) is not None
    return _OF_SEVERAL.search(before) is not None and _AND_SO_ON.match(after) is not None


def _is_either(before: str, after: str) -> bool:
    """Whether the text offers it and, failing that, another one."""
    if before.endswith(_MAYBE):
        return _OR_ELSE.match(f"{after} ") is not None
    return _MAYBE_ELSE.search(before) is not None and (after[:2].strip() in {"", STOP})
