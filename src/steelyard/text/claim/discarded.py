"""Whether a mention is a first thought or a common one that the text then calls wrong or gives up for another.

"My first guess was Perth. Listening again, that was wrong: it's Sydney", "You might be tempted to say Perth, but …". Two signs
are needed, one on each side of the mention; either alone says nothing. Read in the form of ``marked.py``; the words are in
``words.txt``.
"""

from __future__ import annotations

from steelyard.text.claim.marked import CLOSE, COLON, COMMA, DASH, MARK, OPEN, STOP, WORD
from steelyard.text.grammar import phrases
from steelyard.text.late import late

_GUESS, _FIRST, _THINK = phrases("first thoughts"), phrases("came first"), phrases("to think")
_THOUGHT = rf"(?:{phrases('thought before')}|(?:inclined|tempted|going|about) to \S+)"
# "my first guess was Perth", "I guessed that it was Perth", "my first guess (Perth)"
_OF_IT = (
    rf"(?:{COMMA} )?(?:(?:that|of|with|on|for|was|is|were|had been|would be|{COLON}|{OPEN}) )?"
    rf"(?:(?:it|this|answer|that) (?:is|was|were|must be) |its )?(?:{WORD} ){{0,3}}$"
)
_SET_UP = late(
    rf"(?:^|(?<!as) )(?:(?:i|we|id|ive)(?: {phrases('before a thought')}){{0,3}} {_THOUGHT}|(?:i|we) used to {_THINK}"
    rf"|(?:my|our) {_FIRST}(?: {WORD})? {_GUESS}|{_FIRST} {_GUESS}"
    rf"|{phrases('thinkers')}(?: {WORD})?(?: {phrases('may think')}){{0,3}}"
    rf" (?:(?:(?:tempted|inclined|misled|led|quick) to )?{_THINK}"
    rf"|(?<=you )(?:said|answered|wrote|guessed|replied)|confuse (?:this|it|that) with|mistake (?:this|it|that) for)"
    rf"|(?:tempting|easy|natural) to {_THINK}|(?:confused|mistaken) (?:with|for)) {_OF_IT}"
)
# What was nearly said, or is only like the answer, is given up by any answer that follows.
_ALMOST = late(
    rf"(?:^| )(?:(?:i|we) (?:almost|nearly) {_THOUGHT}|(?:i|we) (?:was|were) (?:going|about) to {_THINK}"
    rf"|(?:id|i would) have {_THOUGHT}|confuse (?:this|it|that) with|mistake (?:this|it|that) for"
    rf"|(?:forgiven|excused) for (?:guess|think|say|assum|believ)ing) {_OF_IT}"
)
_GOES_ON = late(
    rf"(?: {WORD}){{0,6}} [{STOP}{COMMA}{DASH}{COLON}] (?!(?:and|so|because|since|which|who) )\S"
)
_UNLIKE = late(rf"(?:^| )(?:not|never) to be (?:confused with|mistaken for) (?:{WORD} )?$")
_IN_MIND = late(
    rf"(?: first| at first)? in mind (?:[{COMMA}{STOP}{DASH}] )?(?:but|however|yet|until) "
)
_MORE = rf"(?:(?: (?!but |however |yet ){WORD}| {COMMA}){{0,10}})"
_ONE = rf"(?:that|this|it|which|i|he|she|they|{_GUESS}|{_FIRST} {_GUESS})"
_IS_WRONG = (
    rf"(?:is|was|were|am|proved|turned out(?: to be)?|s) (?:{WORD} )?"
    rf"(?:{phrases('wrong')}|(?:error|mistake|slip|typo)(?= [{STOP}{COMMA}{COLON}]|$))"
)
_KEPT = (
    rf"(?!(?:{COMMA} )?(?:(?:it|that|this|which|i|so)(?: (?:is|was|am|did))?(?: \S+ly| in fact)? {phrases('kept to')}"
    r"|let |why|is |not |only |also |just |(?:\S+ ){1,4}also "
    r"|i (?:wanted|had|need|will|checked|double|should|want|am not|cant|cannot)))"
)
# With what follows the turn another answer is given: "but it is …", "however, the deepest lake is …", "but … so Tesla it is".
_ANOTHER = rf"(?:(?!{STOP})\S+ ){{0,12}}?(?:(?:is|was|its|are|were|thats) |(?:should|must) be |it is(?= |$))"
_GIVEN_UP = late(
    rf"{_MORE} (?:{CLOSE} )?(?:[{STOP}{COMMA}{DASH}] )?{phrases('turns to another')} (?:{COMMA} )?{_KEPT}{_ANOTHER}"
    # "My first guess, Perth, was wrong", "… Listening again, that guess was wrong"
    rf"|(?: {CLOSE})? (?:[{COMMA}{CLOSE}{DASH}] )?{_IS_WRONG}(?= |$)"
    rf"|{_MORE}(?: {CLOSE})? [{STOP}{DASH}{COMMA}] (?:(?!{STOP})\S+ ){{0,6}}?{_ONE} {_IS_WRONG}(?= |$)"
)
# "Some sources give 1564, but those are wrong"
_REPORTED = late(
    rf"(?:^| ){phrases('thinkers')}(?: {WORD})?(?: {phrases('may think')}){{0,3}} {phrases('to report')} {_OF_IT}"
)
_CALLED_WRONG = late(
    rf"{_MORE} (?:[{STOP}{COMMA}{DASH}] )?(?:but |yet )?(?:those|they|that|this|it|these) (?:is|was|are|were)"
    rf" (?:{WORD} )?{phrases('wrong')}(?= )"
)
# "…, my second Sydney. Sydney is right": another one is.
_OTHER_IS = late(
    rf"{_MORE} {STOP} (?:(?!{STOP})\S+ ){{0,8}}?(?!(?:it|that|this|which|first|guess|i) )(?P<other>{WORD}) (?:is|was) "
    rf"(?:\S+ly )?(?:it|(?:right|correct)(?: one| answer)?|answer)(?= {MARK}|$| $)"
)
_IS_NOT = late(
    rf" (?:(?:is|was|are|were)(?: not|nt) (?:correct|right|answer|it|true|so)|(?:is|was|are|were) {phrases('wrong')})(?= )"
)
_BEHIND, _AHEAD = 90, 220


def is_discarded(marked: str, start: int, end: int, want: str) -> bool:
    """Whether the mention there is set up as a thought and then given up.

    >>> text = f"my first guess was perth {STOP} but it is sydney {STOP}"
    >>> is_discarded(text, 19, 24, "perth"), is_discarded(f"i guess perth {STOP} sydney is larger", 8, 13, "perth")
    (True, False)
    """
    low, after = max(0, start - _BEHIND), f"{marked[end : end + _AHEAD]} "
    if marked.find(" to be ", low, start) >= 0 and _UNLIKE.search(marked, low, start):
        return True
    if _GOES_ON.match(after) and _ALMOST.search(marked, low, start):
        return True
    if marked.endswith("i had ", 0, start) and _IN_MIND.match(after):
        return True
    if _REPORTED.search(marked, low, start) and (
        _CALLED_WRONG.match(after) or _is_denied_next(after, want)
    ):
        return True
    if not _SET_UP.search(marked, low, start):
        return False
    if _GIVEN_UP.match(after) or _is_denied_next(after, want):
        return True
    other = _OTHER_IS.match(after)
    return other is not None and other["other"] not in want.split()


def _is_denied_next(after: str, want: str) -> bool:
    """Whether the next mention is denied: "Many would say Perth. Perth is not the capital, though."."""
    again = after.find(f" {want} ")
    return again >= 0 and _IS_NOT.match(after, again + len(want) + 1) is not None
