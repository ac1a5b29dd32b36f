"""Whether a text denies what it mentions: "not B", "isn't 42", "Canberra is wrong", "I doubt the answer is".

One grammar for words, letters, numbers and marks of the answer, over the form of ``marked.py``; its words are in
``words.txt``. What differs is the reach: a negator denies a number only from close by ("not 12 people came").
"""

from __future__ import annotations

from steelyard.text.claim.abroad import FIRST_WORDS, not_abroad
from steelyard.text.claim.affirmed import harmless, not_until
from steelyard.text.claim.marked import (
    ASKED,
    CLOSE,
    COLON,
    COMMA,
    DASH,
    MARK,
    OPEN,
    STOP,
    WORD,
    lightly_marked,
)
from steelyard.text.grammar import phrases, words
from steelyard.text.late import late

_NEGATOR = rf"(?:{phrases('negators')}|{phrases('negated verbs')}nt)"
_WRONG = phrases("wrong")
_WRONGLY = phrases("wrongly")
_MISBELIEF = (
    rf"(?:(?:{phrases('common')} )?{phrases('misbeliefs')}|{phrases('common')} {phrases('slips')})"
)
_HELD = phrases("held")
# "Perth is a common answer, but it's wrong", "Perth would be a fair guess, but it isn't the answer"
_ANSWER = rf"(?:{phrases('guesses')}|belief|suggestion|theory|claim|myth|idea|choice)"
_ATTEMPT = "(?:answers?|guess(?:es)?|choices?|options?|attempts?|candidates?)"
_ITEMS = rf"(?:(?:{WORD} ){{1,4}}{COMMA} (?:and |or )?){{0,5}}"
# "A common mistake is Perth", "people wrongly say Perth", "the wrong answer is Perth"
_MISTAKENLY = (
    rf"(?:{_MISBELIEF}s?(?: answer| guess)? (?:(?:is|was|are|were|would be|includes?)"
    rf"(?: that (?:{WORD} ){{0,9}}| (?:to )?(?:{WORD} ){{0,3}}| )|{COLON} )"
    rf"|(?:mistake|error) to {_HELD} (?:{WORD} ){{0,3}}"
    rf"|{_WRONGLY} (?:{COMMA} )?(?:{WORD} )?{_HELD} (?:to (?:{WORD} ){{1,6}}|(?:{WORD} ){{0,3}})"
    rf"|(?:wrong|incorrect) answers? (?:(?:is|was|are|were|would be|includes?) (?:{WORD} ){{0,2}}|{COLON} ))$"
)
# "Wrong: Perth"; but "They are wrong: Perth did it."
_LABELS = "".join(
    f"(?<! {verb} wrong )(?<! {verb} mistaken )"
    for verb in ("is", "are", "was", "were", "theyre", "hes")
)
_TURN = rf"(?!{phrases('turns')} )"
# "Nothing in the text points to Perth", "No clue suggests that it was Perth"; but "Nothing is sure, and it suggests Perth"
_NO_SIGN = (
    rf"(?:nothing|none|no {phrases('signs')}) "
    rf"(?:(?!(?:{phrases('turns')}|and|is|was|are|so|if|than|as|to|contradicts?|disputes?|denies|doubts?) ){WORD} ){{0,5}}"
    rf"(?:{phrases('points to')}|that|(?<!nothing )(?:is|was)) (?:{_TURN}{WORD} ){{0,3}}"
)
# "I retract Perth", "Please disregard my earlier answer of Perth"
_RETRACTED = (
    rf"(?:(?:i|ill|id|we|please) |(?<={STOP} )|^)(?:(?:now|hereby|must|have to|will|therefore) )?(?:retract|withdraw|take back"
    rf"|disregard|ignore) (?:(?:my|our) (?:{WORD} )?{_ATTEMPT} (?:of |was |that it (?:is|was) |[{OPEN}{COMMA}{COLON}] )?)?"
)
_BEFORE = late(
    rf"(?:^| )(?:{_NEGATOR} (?:{_TURN}{WORD} ){{0,3}}|{_NEGATOR} [{OPEN}{COLON}] |{_NEGATOR} {COMMA} (?:{WORD} ){{1,5}}{COMMA} "
    rf"|{_NO_SIGN}|(?:non|un|anti) |(?:i|we) ruled out |{_RETRACTED}"
    rf"|(?:{_WRONG}|myth|fallacy|misconception) (?:(?:that|to) (?:{WORD} ){{0,3}}|{_LABELS}{COLON} )"
    rf"|(?:myth|fallacy|misconception) that (?:{WORD} ){{4,8}}|nicht {COMMA} dass (?:{WORD} ){{0,3}}"
    # "Contrary to the popular belief that Perth was it", "people mistake Perth for it"
    rf"|contrary to (?:{WORD} ){{1,4}}that (?:{WORD} ){{0,5}}"
    rf"|(?:people|you|we|they|many|some|often|sometimes|commonly|easily|not|dont) (?:mistake|confuse) "
    # "Don't be fooled into answering Perth"
    rf"|(?:dont|do not|never) (?:be|get|let {WORD} be) (?:{WORD} )?{phrases('fooled')} (?:in)?to (?:{WORD} ){{1,3}})$|(?:^"
    rf"| ){_MISTAKENLY}|(?:^|{STOP} )(?!after )(?:{WORD} )?(?:wrong|incorrect) {_ATTEMPT} {COLON} {_ITEMS}$"
)
# "I don't think it's 7", "I doubt that the answer is 7"; but "I don't think all 7 came"
_UNSAID = (
    rf"(?:(?:{_NEGATOR} (?:really |even |quite |necessarily )?{phrases('saying')}|(?<!not )(?<!nt )(?<!no )doubt|unlikely|untrue"
    rf"|whether) "
    rf"(?:that )?(?:(?:its|thats|(?:it|this|that|(?:the )?(?:{WORD} )?(?:answer|total|result|value|number|sum)) (?:is|was|equals"
    rf"|should be|can be)) (?:only |just |about |exactly )?|to be (?:only |just |about |exactly )?|(?<=say ))$)"
)
# "8 (previously 7)"
_CLOSE_BEFORE = late(
    rf"(?:^| )(?:{_NEGATOR} (?:{phrases('before a denied number')} ){{0,2}}$|{_MISTAKENLY}"
    rf"|{OPEN} {phrases('earlier')} (?:{WORD} )?$|{_UNSAID})"
)
_BEFORE_CJK = late(r"(?:不是|ไม่ใช่|并非|并不是|不|没有|(?<![\u4e00-\u9fff])非)$")
_IS = r"(?:is|was|are|were|has been|have been|had been|would be|must be|could be|seems|looks)"
_HOW = r"(?:\S+ly |just |also |still |often )?"
# "…, but that is a myth", "…, but they would be wrong"
_BUT_NOT = (
    rf"(?:(?:{COMMA} )?(?:but|though|although|however|which|yet) (?:{COMMA} )?(?:(?:in fact|actually|really) )?"
    r"(?:(?:that|this|it|which|they) (?:is|are|was|were|would be)|is|was|thats|its|theyre|(?:that|they|it)d be)"
    r" (?:just |only |actually )?(?:an? )?"
    rf"(?:{_WRONG}(?! to (?:call|say|think|describe) )"
    rf"|not (?:it|correct|right|true|so|case|(?:the )?(?:right |correct )?(?:answer|one))(?= [{STOP}{COMMA}{CLOSE}]|$| $)"
    rf"|{_MISBELIEF}|{phrases('slips')}|urban legend)(?= |$)"
    rf"|(?:{COMMA} )?(?:but|though|although|however|yet) (?:{COMMA} )?(?:that|this|it) (?:is"
    rf"|was)nt(?: (?:it|(?:the )?(?:(?:right|correct) )?(?:answer|one)|correct|right|true|so))?(?= [{STOP}{COMMA}{CLOSE}]|$| $))"
)
_CLOSING = rf"(?= [{STOP}{COMMA}{CLOSE}]|$| $)"
_SET_ASIDE = r"(?:can|could|should|must|has to|may) be (?:ruled out|excluded|eliminated|rejected|discarded|dismissed)"
_AFTER = late(
    rf" (?:(?:which|that) )?{_IS} {_HOW}(?:{_WRONG}(?! for )|out|ruled out|unlikely)(?= |$)"
    rf"| {COMMA} (?:is|was|were) {_HOW}{_WRONG}(?= |$)"
    # "Both Perth and Sydney are wrong"
    rf"| (?:and|or|nor) (?:(?!(?:all|others?|rest|people|those|who|everyone|everybody|they|some|most) ){WORD} ){{1,4}}"
    rf"(?:are|were) (?:both |all )?{_WRONG}{_CLOSING}"
    rf"| {_SET_ASIDE}(?= |$)"
    r"| (?:is|was|comes|came) (?:the |a |my |in )?(?:second choice|second best|close second)(?= |$)"
    rf"| (?:is|was|would be) (?:an? )?(?:{phrases('common')} )?(?:{phrases('misbeliefs')}|"
    rf"{phrases('slips')}|(?:{WORD} ){{0,2}}(?:wrong|incorrect) (?:answer|guess|choice))(?= |$)"
    rf"| {_IS} (?:often |sometimes |commonly |frequently |widely |usually )?{_WRONGLY} {_HELD}(?= |$)"
    rf"| {_IS} (?:{WORD} ){{1,3}}but (?:\S+ly )?{_WRONG}(?= |$)"
    r"| (?:cannot|can not|cant|couldnt|wouldnt) (?:be|work|hold)(?= |$)"
    r"| (?:(?:does|did|do|would|could|will) not|(?:does|did|do|would|could|wo)nt) (?:work(?! alone| with| at| for)"
    r"|fit|hold|apply|match|satisfy)(?= |$)"
    rf"| [{COLON}{OPEN}{DASH}{COMMA}] (?:but )?(?:(?:which|that|this|it) (?:is|was) |thats |its )?(?:{_WRONG}|not (?:it"
    rf"|correct|right))(?= |$)"
    rf"| {COLON} (?:no|nope){_CLOSING}| is what (?:{WORD} ){{1,4}}(?:get|gets|got) wrong(?= |$)"
    rf"| {_BUT_NOT}| (?:{_IS}|may be|might be) (?:{WORD} ){{0,4}}?{_ANSWER} (?:(?:[{COMMA}{STOP}] )?{_BUT_NOT}"
    rf"|[{STOP}{COMMA}] (?:it|that|this) (?:is|was) {COMMA} (?:however|though|in fact|alas) {COMMA} {_WRONG}{_CLOSING}"
    rf"|(?:{COMMA} )?but not (?:the )?(?:right|correct|true) (?:one|answer){_CLOSING})"
    rf"| [{COMMA}{OPEN}{DASH}{COLON}] (?:an? )?(?:{WORD} ){{0,3}}?(?:but |though |yet )?(?:wrong|incorrect|mistaken)"
    rf" {_ANSWER}(?= |$)"
    rf"| [{COMMA}{OPEN}{DASH}] (?:an? )?{_MISBELIEF}(?= |$)| (?:[{COMMA}{OPEN}{DASH}] )?{_WRONGLY}{_CLOSING}"
    rf"| [{ASKED}{STOP}{COMMA}] (?:but )?i (?:doubt|dont think|do not think) (?:it|so|that)(?= |$)"
    rf"| (?:{COMMA} (?:right|correct|yes|isnt it|no) )?{ASKED} (?:no|nope|nah|{_WRONG}|not|never|thats {_WRONG}"
    rf"|(?:of course|\S+ly) not{_CLOSING}|that is {_WRONG})(?= |$)"
    rf"| {_WRONG}{_CLOSING}| {ASKED} (?:an? )?{_MISBELIEF}(?= |$)"
    rf"| (?:(?:is|was|are|were) (?:\S+ly )?(?:not|never)|(?:is|was|are|were)nt) (?:(?:correct|right) )?answer{_CLOSING}"
    r"| ❌|(?:ではありません|ではない|じゃない|ではなく)"
)
_AFTER_STOP = late(
    rf" [{STOP}{ASKED}] (?:but )?(?:that|this|it)(?:s| is) (?:{_WRONG}|not(?: it| right| correct| the answer)?){_CLOSING}"
)
# What only who did it can leave undone: "she never patented it".
_AFTERWARDS = rf"(?!(?:did not|didnt|never) {phrases('left undone')}(?= |$))"
# "She never patented it, but she discovered it"; not "he did not paint it, he built the frame".
_GOES_ON = rf"(?!(?:{WORD} ){{0,8}}(?:{COMMA} )?(?:but|yet) (?:he|she|they|it) (?:is|was|are|were|did)(?= |$))"
_GOES_ON += (
    rf"(?!(?:did not|didnt|never) (?!{phrases('deeds')} )(?:{WORD} ){{1,8}}(?:{COMMA} but|but|yet|[{COMMA}{STOP}])"
    rf" (?:he|she|they|it) (?:also |later |first )?{phrases('deeds')}(?= |$))"
)
# "… did not write it", "… never wrote it", "… had no part in it": as all that is said of it, this commits to nothing,
# unless the text goes on with what is true of it. "Venus does not have moons" may be the answer.
_DID_NOT = (
    rf"{_GOES_ON}{_AFTERWARDS}(?:did(?: not|nt)|never did|(?:had|has|have|played|took) (?:no|nothing) (?:part|role|hand"
    rf"|involvement|connection|to do|share)"
    rf"|(?:(?:does|do|can|could|would|will|has|had|have|must|might) (?:not|never)|cannot"
    rf"|(?:does|do|ca|could|would|wo|has|had|have|must|might)nt|never)(?: (?:have )?(?:be(?:en)?(?: (?:it|correct"
    rf"|right|answer|one))?|qualify|count|deserve (?:{WORD} ){{0,2}}?{WORD})|(?: {WORD}){{1,2}} (?:it|this|that"
    rf"|one)"
    rf"| have {WORD}(?: it| this| that)?)?{_CLOSING}"
    rf"|(?:hat|ist|war|kann|wird)(?: {WORD})? nicht(?! nur | bloß )|no (?:lo|la|es|fue|era|ha|puede)|(?:ne {WORD}|n{WORD}) pas)"
)
# Weaker: it may only say something else of what was claimed before ("Canberra is not the largest city").
_SAID_OF = late(
    rf" (?:(?:which|that|it|answer|option|one) )?(?:{_IS} {_HOW}(?:not(?! only| just| merely)|never|no longer)"
    rf"|{_DID_NOT}|(?:is|was|are|were)nt(?! only| just)|(?:has|have|had) never|(?:is|was) (?:\S+ )?(?:confused with"
    rf"|mistaken for))(?= |$)"
    # "… does not contain that line"
    rf"| (?:never|(?:does|did|do)(?: not|nt)) (?!only |just ){WORD} (?:{WORD} ){{0,4}}(?:that|such) {WORD}{_CLOSING}"
    # "… never held that post. Another did."
    rf"| (?:never|did not|didnt|was not|wasnt|is not|isnt) (?:{WORD} ){{1,8}}{STOP} (?:{WORD} ){{1,4}}(?:did|was|is|does) {STOP}"
    r"|[ ]?(?:并?不是|并非)|は[^ \ue000-\ue007]{0,15}(?:ではありません|ではない|じゃない|ではなく)"
    r"|[ ]?[은는이가] (?:\S+ ){0,3}아[니닙]"
)
_NUMBER_AFTER = late(
    rf" (?:[^\W\d]{{1,12}} )?(?:(?:is|was) {_HOW}(?:{_WRONG}|(?:an? )?{_MISBELIEF}|"
    rf"not (?:the|correct|right|it|my|what))|(?:is|was)nt (?:the|correct"
    rf"|right|it|my|what)|(?:cannot|cant|couldnt) be (?:the|correct|right|it|true)|{_BUT_NOT}"
    rf"|(?:is|was|seems|looks) (?:far |way |much )?too (?:low|high|small|large|big|few|many)"
    rf"|{ASKED} (?:no|nope|nah|{_WRONG}|not|never)|{_SET_ASIDE}|would be {_HOW}{_WRONG}|(?:is|was) ruled out"
    rf"|(?:(?:does|did|would|will) not|(?:does|did|would|wo)nt) (?:work|fit|hold|do)(?= {MARK}|$| $))(?= |$)"
)
_TAKEN_BACK = late(
    rf" (?:(?:not|never|cannot|{phrases('negated verbs')}nt) (?:{WORD} ){{0,2}}?{phrases('saying')}"
    rf"|{phrases('others')} (?:{WORD} ){{0,3}}?{phrases('opinions')}"
    rf"|{phrases('someone')} (?:{WORD} ){{0,2}}?{phrases('tells')}|(?<! no ){phrases('taken back')})"
    rf" (?:(?!but |so |rather ){WORD} ){{0,5}}$| (?:long|longer|detailed) $"
)
_DENYING = frozenset(word for phrase in words("negators") for word in phrase.split())
_DENYING -= {"can", "as", "to", "of", "from", "all"}
_DENYING |= (
    {f"{verb}nt" for verb in words("negated verbs")} | set(words("wrong")) | set(words("wrongly"))
)
_DENYING |= {
    "non",
    "un",
    "anti",
    "contrary",
    "mistake",
    "confuse",
    "retract",
    "withdraw",
    "back",
    "disregard",
    "ignore",
}
_DENYING |= {
    plural
    for name in ("misbeliefs", "slips")
    for word in words(name)
    for plural in (word, f"{word}s")
}
_DENYING_ANYWHERE = _DENYING | FIRST_WORDS
_DENYING_NUMBERS = _DENYING | {word for phrase in words("earlier") for word in phrase.split()}
_TAKING_BACK = frozenset(
    word
    for section in ("taken back", "saying", "opinions", "tells")
    for phrase in words(section)
    for word in phrase.split()
) - {"in", "of", "for", "to", "get", "next", "best", "least"}
_TAKING_BACK |= {"least", "next", "get", "long", "longer", "detailed"}
# With these a mark of the answer begins as a rule, and none of their words can take it back.
_PLAIN_LEADS = (
    "\n",
    *(f"{stop}{lead} " for lead in words("plain leads") for stop in ("\n", ". ")),
    "\n**",
)
_SAID_AFTER = frozenset(words("may deny afterwards"))
_SAID_AFTER |= (
    {f"{verb}nt" for verb in words("negated verbs")} | set(words("wrong")) | set(words("wrongly"))
)


def denied_in_words(before: str, after: str, *, closely: bool = False) -> bool:
    """Whether what stands between two marked texts is denied; ``closely``: also by the sentence that follows."""
    if not _DENYING.isdisjoint(before.split()) and _BEFORE.search(harmless(before)):
        return True
    if _AFTER.match(after) or (
        not before.isascii() and (_BEFORE_CJK.search(before) or before.endswith("❌ "))
    ):
        return True
    return closely and _AFTER_STOP.match(after) is not None


def may_deny(before: str) -> bool:
    """Whether the marked text has a word that may deny what follows it."""
    return not _DENYING.isdisjoint(before.split())


def said_of(after: str) -> bool:
    """Whether the marked text goes on with "is not", which may say something else of what was mentioned."""
    return _SAID_OF.match(after) is not None and not not_until(after)


def clause_before(text: str, start: int) -> str:
    """The clause that leads up to that place, in lower case; most marks begin a line, and have none.

    >>> clause_before("Wait. I do not think the answer", 25)
    ' i do not think the '
    """
    if text[start - 1 : start] in {"", "\n"}:
        return ""
    before = text[max(0, start - 60) : start]
    cut = max(
        before.rfind("\n"),
        before.rfind("."),
        before.rfind(","),
        before.rfind(":"),
        before.rfind(";"),
    )
    return before[cut + 1 :].lower()


def _clause(text: str, start: int, cues: frozenset[str]) -> str:
    """The clause before that place, marked; nothing where it has none of the words, as most have not."""
    before = clause_before(text, start)
    if len(before) < 3:
        return ""
    if "'" in before or "’" in before:
        before = before.replace("'", "").replace("’", "")
    if "(" in before or "*" in before:
        before = before.replace("(", " ( ").replace("*", " ")
    return "" if cues.isdisjoint(before.replace("-", " ").split()) else lightly_marked(before)


def denied_before(text: str, start: int) -> bool:
    """Whether a negator stands at most three words before that place, in the same clause.

    >>> denied_before("it is not the B", 14), denied_before("not A but B", 10)
    (True, False)
    """
    before = _clause(text, start, _DENYING_ANYWHERE)
    return before != "" and (_BEFORE.search(harmless(before)) is not None or not_abroad(before))


def denied_after(text: str, end: int) -> bool:
    """Whether "is wrong", "is not" or the like follows that place.

    >>> denied_after("B is clearly wrong", 1), denied_after("B is right", 1)
    (True, False)
    """
    after = _words_after(text, end)
    return after != "" and bool(
        _AFTER.match(after) or _AFTER_STOP.match(after) or _SAID_OF.match(after)
    )


def _words_after(text: str, end: int) -> str:
    """What follows that place, marked; nothing where none of the words is near that could deny."""
    piece = text[end : end + 80]
    if end + 80 < len(text):
        piece = piece[: piece.rfind(" ") + 1]
    after = lightly_marked(piece)
    return "" if _SAID_AFTER.isdisjoint(after.split(" ", 8)[:8]) else after


_ENDS = frozenset(("", ".", ".\n"))


def number_denied(text: str, start: int, end: int) -> bool:
    """Whether the text says that it is not the number there; "12 did not pay" is no denial of 12.

    >>> number_denied("it is not 12", 10, 12), number_denied("not all of the 12", 15, 17)
    (True, False)
    """
    while start > 0 and text[start - 1] in "-$*_`(":
        start -= 1
    before = _clause(text, start, _DENYING_NUMBERS)
    if before and _CLOSE_BEFORE.search(harmless(before)):
        return True
    after = (
        ""
        if text[end : end + 2] in _ENDS or text[end : end + 1] == "\n"
        else _words_after(text, end)
    )
    return after != "" and _NUMBER_AFTER.match(after.replace("% ", "", 1)) is not None


def taken_back(text: str, start: int) -> bool:
    """Whether the words before a mark of the answer, in its clause, take it back.

    >>> taken_back("I don't think the answer is B", 14), taken_back("So the answer is B", 3)
    (True, False)
    """
    if text.endswith(_PLAIN_LEADS, 0, start):
        return False
    before = _clause(text, start, _TAKING_BACK)
    return before != "" and _TAKEN_BACK.search(harmless(before)) is not None
