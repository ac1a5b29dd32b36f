"""Whether a mention is only what the writer thought or said first, and then leaves behind for another answer.

Read in the form of ``marked.py``; the words are in ``words.txt``.
"""

from __future__ import annotations

from steelyard.text.claim.marked import COLON, COMMA, DASH, MARK, STOP, WORD
from steelyard.text.grammar import phrases
from steelyard.text.late import late

_STANDS = (
    rf"(?!(?:\S+ly )?{phrases('affirms')}(?= |$))"  # "It is indeed right" leaves nothing behind
)
# "I considered Perth but …", "You might think Perth. It is …" leave it behind.
_CONSIDERED = late(rf"(?:^| ){phrases('considered')} (?:{WORD} ){{0,2}}$")
# "I originally wrote Perth here. The right one is …", "Earlier I said Perth; it should be …"
_BY_THEN = phrases("at first")
_SAID = phrases("answered")
_FIRST_SAID = late(
    rf"(?:^| )(?:(?:i|we)(?: had)? {_BY_THEN} (?:had )?{_SAID}|{_BY_THEN} (?:{COMMA} )?(?:i|we)(?: had)? {_SAID}"
    rf"|(?:i|we) (?:{_SAID} {_BY_THEN}|had {_SAID})) (?:that )?(?:(?:it|answer) (?:is|was) |its )?(?:{WORD} )?$"
)
_PUT_RIGHT = late(
    rf"(?: (?:here|above|there|instead|{_BY_THEN}))? (?:[{COMMA}{STOP}{DASH}] (?:(?:but|however|and|which) (?:{COMMA} )?)?|but )"
    rf"(?:(?:(?:it|that|this|answer) )?(?:should|must) (?:be|have been)"
    # "It is Cobalt."; but "It is the capital of Western Australia" tells of what was said
    rf"|(?:(?:it|answer) (?:is|was)|its)(?= (?:{WORD} ?){{1,3}}(?:{MARK}|$))"
    rf"|{phrases('real')} (?:{WORD} ){{0,2}}?(?:is|was|should be)) {_STANDS}"
)
# "It could have been Perth, but the date gives it away: it was Sydney"; not "…, but it was dark"
_SHOWS = rf"(?:{COLON}|{DASH}|so|that|shows?|proves?|think|believe|say|end|in fact|in reality|in truth|actually|really)"
_COULD_BE = late(r"(?:^| )(?:it|he|she|that|this|answer) (?:could|might|may) (?:be|have been) $")
_BUT_IT_WAS = late(
    rf" (?:[{COMMA}{STOP}] )?(?:but|however|yet) (?:{COMMA} )?(?:(?!{STOP})\S+ ){{0,12}}?{_SHOWS} (?:(?:it|that|this|answer)"
    rf" (?:is|was|must be|must have been|has to be)|its) (?!{phrases('says nothing new')} |\S+(?:ed|ing) |\S+er (?:to|than) |\d)"
    rf"(?:(?!(?:guess|guesses|speculation|say|tell|sure|clear|certain|opinion|question) ){WORD} ){{1,4}}(?:{MARK}|$)"
)
# "I changed my answer from Perth to Sydney", "I switched from Perth to Sydney"
_CHANGED = late(
    rf"(?:^| )(?:(?:chang(?:e|ed|ing)|switch(?:ed|ing)?|revis(?:e|ed|ing)|updat(?:e|ed|ing)) (?:my|our) (?:{WORD} )?"
    rf"(?:answer|guess|choice|pick|mind|response) from"
    rf"|(?:i|im|ive|i am|i have|ill|we)(?: now| then)? (?:switch(?:ed|ing)?|chang(?:ed|ing)) from) $"
)
_TO_ANOTHER = late(rf" to (?!(?:be|have|make|say|get) ){WORD}")
# As all that is said, "Initially Perth, now Sydney"; "Originally Perth, now Sydney" may be an old name and a new one.
_AT_FIRST = late(rf"^(?:initially|at first) (?:{COMMA} )?$")
_NOW = late(
    rf" [{COMMA}{STOP}{DASH}] (?:but |and )?now (?:{COMMA} )?(?:{WORD} ){{1,4}}(?:{STOP} ?)?$"
)
# "Perth was my first guess, but …" does so, too.
_WAS_GUESSED = late(
    rf" (?:is|was|used to be|had been) (?:(?:my|our)(?: {WORD}){{0,2}} (?:guess|thought|choice|answer|instinct|idea|pick|hunch)"
    rf"(?: (?:before|earlier|initially|originally|at first|until now|so far))?"
    rf"|what (?:i|we)(?: {WORD}){{0,2}} (?:thought|said|guessed|assumed)) (?:{COMMA} |{STOP} )?(?:but|however|until|yet) "
)
# "Perth seems right, but …"
_SEEMED = late(
    rf" (?:(?:may|might|could|would|does) )?(?:seems?|looks?|sounds?|appears?|feels?)"
    rf"(?: {WORD}){{1,3}} (?:{COMMA} |{STOP} )?(?:but|however|yet) "
)
_LEFT_BEHIND = late(
    rf"(?: first| at first| initially)? (?:{COMMA} |{STOP} )?(?:but|however|yet|then) "
    rf"| {STOP} (?:it is|its|it was|answer is) {_STANDS}"
    rf"| {STOP} (?:that|this|it) (?:is|was) (?:an? )?(?:mistake|error|slip|wrong|incorrect)(?= |$)"
)


def is_left_behind(before: str, after: str) -> bool:
    """Whether it was considered, said at first or seemed right, and the text then goes on to another answer."""
    if may_turn(after) and (
        _WAS_GUESSED.match(after) or _SEEMED.match(after) or _could_be(before, after)
    ):
        return True
    if _LEFT_BEHIND.match(after) and (_CONSIDERED.search(before) or _FIRST_SAID.search(before)):
        return True
    if " now " in after and _AT_FIRST.match(before) and _NOW.match(f"{after} "):
        return True
    return _PUT_RIGHT.match(after) is not None and _FIRST_SAID.search(before) is not None


def is_exchanged(before: str, after: str) -> bool:
    """Whether the writer gives it up for another one by name: "I changed my answer from Perth to Sydney"."""
    return (
        before.endswith("from ")
        and _TO_ANOTHER.match(after) is not None
        and _CHANGED.search(before) is not None
    )


def _could_be(before: str, after: str) -> bool:
    """Whether the text says that it could be that, but that it is another one."""
    if not before.endswith(("be ", "been ")) or not _COULD_BE.search(before):
        return False
    return _BUT_IT_WAS.match(f"{after} ") is not None


def may_turn(after: str) -> bool:
    """Whether a word is near that may turn to another answer."""
    return "but " in after or "however " in after or "yet " in after or "until " in after
