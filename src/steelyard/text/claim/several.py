"""Whether a text offers several answers at once and takes none: "any of these would do", "Guess 1: …", "both could be right".

Read in the form of ``marked.py``.
"""

from __future__ import annotations

import re

from steelyard.text.claim.marked import ASKED, CLOSE, COLON, COMMA, DASH, MARK, OPEN, STOP, WORD
from steelyard.text.grammar import phrases, words
from steelyard.text.late import late

CHOICES = r"(?:options?|choices|candidates|contenders|guesses|possible answers|possibilities)"
_HERE = "\ue009"  # where the mention stands
_COUNT = r"(?:two|three|four|five|six|seven|eight|nine|ten|\d{1,2})"
_COULD = r"(?:could|would|might|may|can)"
_ARE = rf"(?:are|were|is|was|seems?|looks?|sounds?|{_COULD} (?:{WORD} )?(?:be|have been))"
_PLAUSIBLE = rf"(?:{phrases('plausible')})(?: answers?| candidates?| choices?| options?| guess(?:es)?)?(?= |$)"
# "Perth and Sydney are both plausible"
_ARE_BOTH = late(rf" (?:are|were|seem|look) both (?:{WORD} )?{_PLAUSIBLE}")
_BOTH_AFTER = late(rf" and (?:{WORD} ){{1,4}}(?:are|were|seem|look) both (?:{WORD} )?{_PLAUSIBLE}")
# "Iron, cobalt and nickel are all possible answers"
_ARE_ALL = late(
    rf"(?: {COMMA}(?: (?!and ){WORD}){{1,3}}){{0,6}}(?: {COMMA})?(?: and(?: {WORD}){{1,3}})?"
    rf" (?:are|were|seem|look) all (?:{WORD} )?{_PLAUSIBLE}"
)
_BOTH_BEFORE = late(r"(?:^| )and $")
# "Both Perth and Sydney are possible", "Both answers, Perth and Sydney, could be right"
_BOTH = late(
    rf"(?:^| )both (?:(?:{WORD} )?{WORD} [{COMMA}{COLON}{DASH}{OPEN}] )?(?:{WORD} ){{0,4}}(?:and (?:{WORD} ){{0,3}})?$"
)
_POSSIBLE = late(
    rf"(?: and (?:{WORD} ){{0,3}}{WORD})?(?: [{COMMA}{DASH}{CLOSE}])? (?:(?:are|were|seem|look) (?:{WORD} )?{_PLAUSIBLE}"
    rf"|{_COULD} be (?:{WORD} )?(?:{_PLAUSIBLE}|(?:right|correct|answer|it)(?: answers?)?(?= {MARK}|$| $)))"
)
# "Both Perth and Sydney.", and nothing else
_BOTH_ALONE = late(rf"both (?:(?:{WORD} ){{1,4}}and {_HERE}|{_HERE} and {WORD} )(?: ?[{STOP}])*\s*")
# "Both Perth and Sydney are large, but the capital is Sydney"
_BUT_ONE = rf"(?:are|were|have|had)(?: {WORD}){{1,6}} (?:{COMMA} )?but (?:{WORD} ){{1,5}}(?:is|was) (?P=other)(?={MARK}|$)"
_FIRST_OF_BOTH = late(rf"and (?P<other>(?:{WORD} ){{1,4}}?){_BUT_ONE}")
_LAST_OF_BOTH = late(rf"(?:^| )both (?P<other>(?:{WORD} ){{1,4}}?)and {_HERE}{_BUT_ONE}")
# "Any of these would do", "They all fit", "It could be any of them"
_ALL = (
    rf"(?:(?:any|each|all|either|every one)(?: one)? of (?:these|those|them|above|{_COUNT})(?: (?!of ){WORD}){{0,2}}?"
    rf"|they (?:all|both)|all {_COUNT}(?: of (?:them|these|those))?(?: {WORD})?)"
)
_ALL_FIT = late(
    rf" {MARK} (?:so |and |but |well )?(?:{_ALL} (?:(?:{_ARE}|{_COULD}) )?(?:{WORD} )?"
    rf"(?:{_PLAUSIBLE}|(?:right|correct|answer|it|fit|fits|do|work|works|apply)(?= |$))"
    rf"|it {_COULD} (?:be|have been) (?:any|each|either|all)(?: one)? of (?:these|those|them|above|{_COUNT})(?= |$))"
)
# Whatever was listed before it: "Any of the three could be right", "I would accept both", "one of these is surely right"
_NONE_IS_MEANT = late(
    rf" {MARK} (?:so |and |but |well |honestly )?(?:{COMMA} )?"
    rf"(?:{_ALL} {_COULD} (?:{WORD} )?be (?:right|correct|answer|it)(?= |$)"
    rf"|i(?:d| would| could| will| can)? (?:accept|allow|count) (?:both|either|any)(?: of (?:them|these|those))?(?= {MARK}|$| $)"
    rf"|one of (?:these|those|them) (?:is|must be|has to be|will be|should be)(?: \S+ly)? (?:right|correct|answer|it)(?= |$)"
    rf"|i (?:(?:would|will|do|could|can) not|wouldnt|wont|dont|cannot|cant)(?: (?:want|wish|like|dare))?(?: to)? commit"
    rf"(?: (?:myself|to (?:one|any|either|anything|an answer|answer)))?(?: of (?:them|these|those|two))?(?= {MARK}|$| $))"
)
_UNSURE = late(
    r"(?:its |it is )?(?:hard|difficult|impossible) to (?:say|tell)|im not sure|i am not sure|who knows"
)
_PARTS = late(rf" ?(?:{COMMA}(?: (?:and|or)(?= ))?|(?<= )and(?= )|(?<= )or(?= )) ?")
_LABEL = late(rf"^(?:{OPEN} )?(?:\d{{1,2}}|[a-h])(?: [{COLON}{CLOSE}{DASH}])?(?: |$)")
_MOST_WORDS = 6
# "The first one", "option 2": what follows a list may choose by order.
_GUESS = r"(?:guess|option|choice|candidate|possibility|attempt|contender)"
_NUMBERED = rf"{_GUESS} (?:number )?(?:\d{{1,2}}|[a-h]|one|two|three|four|five)"
_ORDERED = (
    rf"(?:(?:(?P<first>former|first)|(?P<second>latter|second|third|last))(?: one| {_GUESS})?"
    rf"(?= (?:is|was|seems|fits|{MARK})|$| $)|{_NUMBERED})"
)
_PICKED = late(rf" {_ORDERED}(?= |$)")
_SAID_RIGHT = late(r" (?:correct|right)(?= |$)")
# "First guess: …", "Guess 2: …", "my second guess is …"; but "I choose option 2" has chosen.
_CHOSEN = "".join(
    f"(?<! {verb})"
    for verb in ("choose", "chose", "pick", "with", "select", "prefer", "is", "take", "for")
)
_GUESSED = late(
    rf"(?:^|{_CHOSEN} )(?:(?:first|second|third|fourth|fifth|next|other) {_GUESS} (?:{COLON}|{DASH}|is|would be)"
    rf"|{_NUMBERED}(?: [{COLON}{DASH}]| is| would be)?) (?!{MARK}|(?:answer|right|correct|best|it)(?: |$))"
)
_THIS_GUESS = late(rf"{_GUESSED.pattern}$")
_BEST_GUESS = late(rf"(?:^| )(?:best|strongest|main) guess (?:{COLON}|is|would be) ")
_ENDS = late(rf" ?(?:{MARK}|$)")
# "The two possibilities are Perth and Sydney", "There are two candidates, Perth and Sydney"
_AMONG = late(
    rf"(?:^| )(?:(?:{CHOICES}|(?:candidate|possible) (?:{WORD} )?{WORD}s) (?:are|include|would be|could be|might be)"
    rf"(?: {COLON})?|all of (?:above|these|following) {COLON}"
    r"|differential(?: diagnosis)? (?:includes|would include)"
    rf"|(?:there (?:are|were)|i (?:see|have)|we have) (?:{WORD} ){{0,3}}?{CHOICES}(?: {WORD}){{0,2}}?"
    rf" [{COMMA}{COLON}{DASH}{OPEN}]) (?P<items>(?:(?:(?!and |or ){WORD} ){{1,4}}(?:{COMMA} (?:and |or )?|and |or )){{0,6}})$"
)
_AND_MORE = late(rf" (?:{COMMA} (?:and |or )?|and |or )(?:{WORD} ){{1,4}}?(?:{MARK}|and |or |$)")
# "If you mean the novel, it is Perth; if you mean the film, Sydney"
_IF_MEANT = (
    rf"(?:if|when) (?:{WORD} ){{0,2}}?(?:question|you|youre|it|we|this|that|one) (?:{WORD} )?"
    rf"(?:refers?|means?|meant|asks?|asking|about|talking|concerns?|intended)(?= )(?: {WORD}){{1,6}}?"
)
_MEANT = late(
    rf"(?:^|[{STOP}{COMMA}{COLON}{DASH}] )(?:but |and |while )?{_IF_MEANT} (?:{COMMA} )?(?:then )?"
    r"(?:(?:it|that|answer) (?:is|was|would be) |its |thats |id say )?$"
)
_MEANT_ELSE = late(rf"(?:^|[{STOP}{COMMA}{DASH}] )(?:but |and |while )?{_IF_MEANT} ")
_DECIDES = frozenset(words("decides"))
# Without one of these before it, it is neither a guess nor a possibility of several.
_CUES = (
    "guess",
    "option",
    "choice",
    "candidate",
    "possib",
    "attempt",
    "contender",
    "all of ",
    "differential",
)
_BEHIND, _AHEAD = 200, 300


# "Some say Paris, others say Lyon", "Some name the Nile and others the Amazon"
_SAY = r"(?:say|think|believe|claim|argue|give|name|credit|cite|mention|favour|favor|prefer)"
_WHO = r"(?: (?:people|sources|books|experts|scholars|historians|accounts|texts))?"
_SOME_SAY = rf"(?:^| )some{_WHO} {_SAY} (?:that )?(?:(?:it|he|she) (?:is|was) )?"
_SOME_BEFORE = late(rf"{_SOME_SAY}(?:{WORD} ){{0,2}}$")
_OTHERS = rf"(?:[{COMMA}{STOP}] )?(?:(?:while|and|but|yet|whereas) )?(?:others|some){_WHO} "
_OTHERS_AFTER = late(
    rf"(?: {WORD}){{0,5}}? {_OTHERS}(?:{_SAY} |(?:{WORD} ){{1,4}}(?:[{STOP}{COMMA}]|as |$))"
)
_OTHERS_BEFORE = late(
    rf"{_SOME_SAY}(?:{WORD} ){{1,6}}{_OTHERS}(?:{_SAY} )?(?:that )?(?:(?:it|he|she) (?:is|was) )?(?:{WORD} ){{0,2}}$"
)


def offered_together(marked: str, start: int, end: int, right: tuple[str, ...]) -> bool:
    """Whether the mention there is one of several that the text gives side by side, and it chooses none of them.

    >>> text = f"copper {COMMA} zinc {COMMA} tin {STOP} any of them would do {STOP}"
    >>> offered_together(text, 0, 6, ("copper",)), offered_together(f"tin {STOP} zinc rusts {STOP}", 0, 3, ("tin",))
    (True, False)
    """
    before, after = marked[max(0, start - _BEHIND) : start], marked[end : end + _AHEAD]
    if not (
        _of_both(before, after)
        or _is_not_meant(after)
        or (
            (" of " in after or " all " in after or " both " in after)
            and _all_fit(before, after, right[0])
        )
        or (
            any(cue in before for cue in _CUES)
            and (_is_guess(before, after) or _is_possibility(before, after))
        )
        or ("some " in before and _is_one_opinion(before, after))
        or (
            "if " in before
            and right[0] not in f"{before}{after}"
            and _is_one_meaning(before, after)
        )
    ):
        return False
    # "NYC and New York City are both right" offers nothing wrong.
    return not any(answer in before or answer in after for answer in right[1:])


def _is_not_meant(after: str) -> bool:
    """Whether the text closes by saying that it commits to none of what it told."""
    closes = _NONE_IS_MEANT.search(f"{after} ")
    return closes is not None and _PICKED.search(after, closes.end() - 1) is None


def _is_one_opinion(before: str, after: str) -> bool:
    """Whether some say this, and others say something else."""
    if _SOME_BEFORE.search(before) and _OTHERS_AFTER.match(f"{after} "):
        return True
    return _OTHERS_BEFORE.search(before) is not None


def _of_both(before: str, after: str) -> bool:
    if " both " in after and (
        _BOTH_AFTER.match(after) or (_BOTH_BEFORE.search(before) and _ARE_BOTH.match(after))
    ):
        return True
    if " all " in after and _ARE_ALL.match(after):
        return True
    if "both " not in before or not _BOTH.search(before):
        return False
    if " but " in after and before.endswith("both ") and _FIRST_OF_BOTH.match(f"{after} ", 1):
        return True
    if " but " in after and _LAST_OF_BOTH.search(f"{before}{_HERE}{after[1:]} "):
        return True
    return (
        _POSSIBLE.match(after) is not None
        or _BOTH_ALONE.fullmatch(f"{before}{_HERE}{after} ") is not None
    )


def _all_fit(before: str, after: str, want: str) -> bool:
    """Whether it is an item of the list right before words that call any of its items right."""
    fit = _ALL_FIT.search(after)
    if fit is None or _PICKED.search(after, fit.end()):
        return False
    said = [
        part.strip()
        for part in re.split(
            rf"[{STOP}{ASKED}]", f"{before}{_HERE}{want}{_HERE}{after[: fit.start()]}"
        )
    ]
    listed = [part for part in (_listed(piece) for piece in said) if part]
    if not listed:
        return False
    parts = [part for part in _PARTS.split(listed[-1]) if part.strip()]
    items = parts if len(parts) > 1 else _run_of(listed)
    return len(items) > 1 and any(_HERE in item for item in items) and all(map(_is_short, items))


def _listed(piece: str) -> str:
    """A sentence without the label of an item, and without words that only say that the writer does not know."""
    bare = _LABEL.sub("", piece).strip(f" {COLON}{DASH}{CLOSE}")
    *heads, last = re.split(rf" [{COLON}{DASH}] ", bare)
    return "".join(heads[:1]) if _UNSURE.fullmatch(last) else bare


def _run_of(sentences: list[str]) -> list[str]:
    """The short sentences with which the list ends."""
    run: list[str] = []
    for sentence in reversed(sentences):
        if not _is_short(sentence):
            break
        run.append(sentence)
    return run


def _is_short(item: str) -> bool:
    said = item.replace(_HERE, " ").split()
    return (
        len(said) <= _MOST_WORDS
        and _DECIDES.isdisjoint(said)
        and not any(COLON in word for word in said)
    )


def _is_guess(before: str, after: str) -> bool:
    """Whether it is one of two or more guesses with labels of their own."""
    if not _THIS_GUESS.search(before) or not _ENDS.match(after):
        return False
    others = [found.end() for found in _GUESSED.finditer(after)]
    if not others and len(_GUESSED.findall(before)) < 2 and not _BEST_GUESS.search(before):
        return False
    rest = after[others[-1] - 1 :] if others else after
    return _PICKED.search(rest) is None and _SAID_RIGHT.search(rest) is None


def _is_possibility(before: str, after: str) -> bool:
    """Whether it stands in a list that is headed by "the possibilities are" or the like."""
    among = _AMONG.search(before)
    if among is None or not (
        _AND_MORE.match(f"{after} ") or (among["items"] and _ENDS.match(after))
    ):
        return False
    picked = _PICKED.search(after)
    return picked is None or not picked["second" if among["items"] else "first"]


def _is_one_meaning(before: str, after: str) -> bool:
    """Whether it is the answer to one reading of the question, beside another one's."""
    if not _MEANT.search(before):
        return False
    return _MEANT_ELSE.search(after[:120]) is not None or len(_MEANT_ELSE.findall(f"{before} ")) > 1
