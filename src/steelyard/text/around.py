"""What stands around a mention and decides it: a denial, a second thought, an alternative.

A text is read in its normal form with the ends of its clauses kept, each as one mark between blanks.
"""

from __future__ import annotations

import re

from steelyard.text.normal import normalise

STOP, COMMA, OPEN, CLOSE, COLON, DASH, ASKED = (
    "\ue000",
    "\ue001",
    "\ue002",
    "\ue003",
    "\ue004",
    "\ue005",
    "\ue006",
)
SLASH = "\ue007"  # an alternative, like the word "or"
MARK = "[\ue000-\ue006]"
_KINDS = {
    ",": COMMA,
    "，": COMMA,
    "、": COMMA,
    "(": OPEN,
    "[": OPEN,
    ")": CLOSE,
    "]": CLOSE,
    ":": COLON,
    "?": ASKED,
    "？": ASKED,
}
_ENDS = re.compile(r"[.!?？](?=[\s\"'”’)*]|$)|[\n;。；！]+|,(?!\d)|[，、()\[\]]|:(?=\s|$)|\s-+\s|[–—→]+|->")
_STATE = re.compile(r"(?<=[a-z], )OR\b")
_TABLE = re.compile(r"^[ \t]*\|", re.MULTILINE)
_IS_SHORT = re.compile(r"['’]s(?=\s+(?:wrong|incorrect|not)\b)")
_POSSESSIVE = re.compile(r"(?<=\w)['’]s\b")
_QUOTED = re.compile(r"\"[^\"\n]{1,80}\"|“[^”\n]{1,80}”|(?<!\w)'[^'\n]{3,80}'(?!\w)")

_W = r"[^ \ue000-\ue006]+"
_HARMLESS = re.compile(
    r"(?:(?:no|little|beyond(?: any| a| all)?) doubt|without (?:a )?(?:doubt|question)|no question|no wonder|not surprisingly"
    r"|(?:not|isnt) (?:only|just|merely)"
    r"|none other than|(?:anything|no one|nothing) other than|believe it or not|whether (?:or not|you like it or not)"
    r"|why not|(?:no|nothing|nobody|none)(?: \S+){1,6} than|either (?:way|case))(?= |$)|no (?=\d)"
    # The one who never won is X: the negation describes, and does not deny
    r"| (?:who|that|which|with|without)(?: [^ \ue000-\ue007]+){1,7}?(?= (?:is|was|are|were) (?:the |called |named )?$)"
)
_NEGATOR = (
    r"(?:not|no|never|neither|nor|none|nobody|without|except|excluding|unlike|cannot|hardly|than|anything but|everything but"
    r"|all but|instead of|as opposed to|apart from|far from|other than|doubt|eliminates?|rules? out"
    r"|(?:is|was|are|were|do|does|did|wo|would|could|should|has|have|had|ca|ai|must|may|might|need)nt"
    r"|nicht|kein|keine|не|нет|pas)"
)
_WRONG = r"(?:wrong|incorrect|false|untrue|impossible|mistaken)"
_TURN = r"(?!(?:but|rather|instead|however|though|although|yet) )"
_DENIED = re.compile(
    rf"(?:^| )(?:{_NEGATOR} (?:{_TURN}{_W} ){{0,3}}|{_NEGATOR} [{OPEN}{COLON}] |{_NEGATOR} {COMMA} (?:{_W} ){{1,3}}{COMMA} "
    rf"|(?:{_WRONG}|myth) (?:(?:that|to) (?:{_W} ){{0,3}}|{COLON} ))$"
)
_DENIED_CJK = re.compile(r"(?:不是|并非|并不是|不|没有|(?<![\u4e00-\u9fff])非)$")
_IS = r"(?:is|was|are|were|would be|must be|could be|seems|looks)"
_CLOSING = rf"(?= [{STOP}{COMMA}{CLOSE}]|$)"
_AFTER = re.compile(
    rf" (?:(?:which|that) )?{_IS} (?:\S+ly |just |also |still )?(?:{_WRONG}|out|ruled out)(?= |$)"
    r"| (?:cannot|cant|couldnt|wouldnt) be(?= |$)| (?:does not|doesnt) (?:work|fit)(?= |$)"
    rf"| [{COLON}{OPEN}{DASH}{COMMA}] (?:but )?(?:(?:which|that|this|it) (?:is|was) |thats |its )?(?:{_WRONG}|not (?:it"
    rf"|correct|right))(?= |$)"
    rf"| {ASKED} (?:no|nope|{_WRONG}|not|never|thats {_WRONG}|that is {_WRONG})(?= |$)"
    r"| ❌|(?:ではありません|ではない|じゃない|ではなく)"
)
_AFTER_STOP = re.compile(
    rf" {STOP} (?:that|this|it)(?:s| is) (?:{_WRONG}|not(?: it| right| correct)?){_CLOSING}"
)
# Weaker: it may only say something else of what was claimed before ("Canberra is not the largest city").
_SAID_OF = re.compile(
    rf" (?:(?:which|that|it|answer|option|one) )?(?:{_IS} (?:\S+ly |just |also |still )?(?:not(?! only| just| merely)|never"
    rf"|no longer)"
    r"|(?:is|was|are|were)nt(?! only| just)|(?:has|have|had) never)(?= |$)"
)
# "Fewer than 3 would be odd" compares with what may have been claimed before.
_COMPARED = re.compile(
    r"(?:fewer|less|more|larger|smaller|bigger|greater|higher|lower|taller|older|better) than (?:\S+ ){0,2}$"
)
_TRUTH_VALUES = frozenset(("yes", "no", "true", "false", "invalid", "incorrect", "wrong"))
_OR = rf"(?:or|vs|versus|{SLASH}|alternatively|oder|ou|или)"
_FILLER = r"(?:the|a|an|city|town|state|country|of|most|likely|else|maybe|perhaps|possibly|even|probably|rather|in|just|simply)"
_OFFERED_BEFORE = re.compile(
    rf"(?:^| )(?:{SLASH} |(?!{SLASH}){_OR} (?:{COMMA} )?(?:{_FILLER} (?:{COMMA} )?){{0,4}})$"
)
_OFFERED_AFTER = re.compile(
    rf" (?:{SLASH} \S|(?:[{COMMA}{OPEN}{STOP}{DASH}] )?(?:and (?:{SLASH} )?)?(?!{SLASH}){_OR} (?!so |more |less )\S)"
)
_ITEM = (
    rf"(?!{_NEGATOR} |home |with |born |in |at |on |which |who |the |a |an |to |by |for |from |founded |as "
    rf"|where )(?:[^ \d\ue000-\ue007]+ ){{1,3}}?"
)
_LISTED = re.compile(rf" {COMMA} (?:{_ITEM}{COMMA} ){{0,6}}(?:{_ITEM})?(?:{COMMA} )?(?!{SLASH}){_OR} \S")
_ONE_OF = re.compile(
    r"(?:^| )(?:(?:one|either|any) of|options? (?:are|is|include)|choices (?:are|include)|either) (?:[a-e] )?$"
)
_LIST_GOES_ON = re.compile(rf" (?:{COMMA}|or|and|[b-e](?: {MARK})?) \S")
_MAYBE = re.compile(r"(?:^| )(?:maybe|perhaps|possibly) $")
_MAYBE_AFTER = re.compile(rf" {COMMA} (?:maybe|perhaps|possibly) ")
_BARE_LIST = re.compile(rf"(?:{_W} ){{0,2}}{_W}(?: {COMMA}(?: and| or)?(?: {_W}){{1,3}}){{3,30}}(?: {STOP})?")
_CJK_OR = re.compile(r"或|还是|または")


def with_marks(text: str, want: str) -> str:
    """The normal form with marks for the ends of clauses; quoted titles without ``want`` become one word.

    >>> with_marks("Not Sydney, Canberra.", "canberra").replace(COMMA, "|").replace(STOP, "#")
    'not sydney | canberra #'
    """
    if '"' in text or "“" in text:
        text = _QUOTED.sub(lambda quote: quote[0] if want in normalise(quote[0]) else " title ", text)
    if "OR" in text:
        text = _STATE.sub("Oregon", text)
    text = _IS_SHORT.sub(" is", text)
    if "|" in text:
        bar = f" {STOP} " if _TABLE.search(text) else f" {SLASH} "
        text = text.replace("|", bar)
    text = text.replace("/", f" {SLASH} ")
    marked = normalise(
        _ENDS.sub(lambda end: f" {_KINDS.get(end[0], DASH if end[0].strip() in _DASHES else STOP)} ", text)
    )
    return marked if "'" not in text and "’" not in text else _without_possessive(text, marked, want)


_DASHES = frozenset(("-", "--", "---", "–", "—", "→", "->"))


def without_possessives(text: str) -> str:
    """The text without possessive endings: Shakespeare's is Shakespeare."""
    return _POSSESSIVE.sub("", _IS_SHORT.sub(" is", text))


def _without_possessive(text: str, marked: str, want: str) -> str:
    return (
        marked
        if want in marked
        else with_marks(without_possessives(text).replace("'", "").replace("’", ""), want)
    )


def verdict(marked: str, start: int, end: int, right: tuple[str, ...]) -> bool | None:
    """True if the mention there is a claim, False if it is denied or withdrawn, None if it is only offered."""
    before, after = marked[max(0, start - 90) : start], marked[end : end + 120]
    if _is_denied(before, after, right[0]):
        return None if _COMPARED.search(before) else False
    if _SAID_OF.match(after) or (_is_offered(before, after) and not _all_right(marked, start, end, right)):
        return None
    return None if _BARE_LIST.fullmatch(marked[:2000].strip()) else True


def _is_denied(before: str, after: str, want: str) -> bool:
    plain = _HARMLESS.sub("", before)
    if _DENIED.search(plain) or _DENIED_CJK.search(before) or _AFTER.match(after):
        return True
    return want not in _TRUTH_VALUES and _AFTER_STOP.match(after) is not None


def _is_offered(before: str, after: str) -> bool:
    plain = _HARMLESS.sub("", before)
    return (
        _OFFERED_BEFORE.search(plain) is not None
        or _OFFERED_AFTER.match(after) is not None
        or _LISTED.match(after) is not None
        or (_ONE_OF.search(plain) is not None and _LIST_GOES_ON.match(after) is not None)
        or (_MAYBE.search(plain) is not None and _MAYBE_AFTER.match(after) is not None)
        or _CJK_OR.match(after.strip()) is not None
        or _CJK_OR.search(before[-3:]) is not None
    )


def _all_right(marked: str, start: int, end: int, right: tuple[str, ...]) -> bool:
    """Whether every item that the sentence offers holds a right answer."""
    if len(right) < 2:
        return False
    first = marked.rfind(STOP, max(0, start - 400), start) + 1
    last = marked.find(STOP, end, end + 400)
    sentence = marked[first : last if last >= 0 else end + 400]
    items = re.split(rf" {_OR} ", re.sub(rf" {MARK}(?= |$)", "", f" {sentence} "))
    return all(any(f" {answer} " in f" {item} " for answer in right) for item in items)
