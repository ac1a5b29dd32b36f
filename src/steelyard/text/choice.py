"""Whether a text gives an answer as one choice beside another: "Perth, though it could also be Sydney".

Read in the form of ``marked.py``.
"""

from __future__ import annotations

from steelyard.text.late import late
from steelyard.text.marked import CLOSE, COMMA, DASH, OPEN, STOP, WORD

_ALSO_BE = r"(?:could|might|may) (?:also|equally(?: well)?|just as well|as well|easily) (?:be|have been)"
_OTHER = r"(?:possibility|possible (?:answer|candidate|choice)|plausible answer|candidate|contender)"
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
_ALSO_BEFORE = late(rf"(?:^| )(?:{_ALSO_BE}|another {_OTHER} {_WOULD_BE}|unless (?:its|it is|it was)) $")
_ENDS = ("be ", "been ", "is ", "was ", "its ")
# Without one of these after it, it is no choice beside another.
_CUES = frozenset(("could", "might", "may", "another", "one", "unless", "rule", "possible", "plausible", "likely", "possibility"))


def is_one_choice(before: str, after: str, right: tuple[str, ...]) -> bool:
    """Whether the text gives it as one choice, and names another one that is not right as well."""
    if before.endswith(_ENDS) and _ALSO_BEFORE.search(before):
        return True
    if _CUES.isdisjoint(after.split(" ", 24)[:24]):
        return False
    if _ONE_CHOICE.match(after) or _IS_POSSIBLE.match(after):
        return True
    if _IS_ANOTHER.match(after) and _ONE_BEFORE.search(before):
        return True
    also = _ALSO_AFTER.match(f"{after} ") or _ALSO_POSSIBLE.match(after)
    return also is not None and not any(answer in also["other"] for answer in right)
