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
_POSSESSIVE = re.compile(r"(?<=\w)['’]s\b")
_QUOTED = re.compile(r"\"[^\"\n]{1,80}\"|“[^”\n]{1,80}”")

_W = r"[^ \ue000-\ue006]+"
_HARMLESS = re.compile(
    r"(?:no doubt|without (?:a )?(?:doubt|question)|no question|no wonder|not surprisingly|(?:not|isnt) (?:only|just|merely)"
    r"|none other than|(?:anything|no one|nothing) other than|believe it or not|whether (?:or not|you like it or not)"
    r"|why not)(?= |$)|no (?=\d)"
)
_NEGATOR = (
    r"(?:not|no|never|neither|nor|none|nobody|without|except|excluding|unlike|cannot|hardly|than|anything but|everything but"
    r"|all but|instead of|as opposed to|apart from|far from|other than|doubt|eliminates?|rules? out"
    r"|(?:is|was|are|were|do|does|did|wo|would|could|should|has|have|had|ca|ai|must|may|might|need)nt"
    r"|nicht|kein|keine|не|нет|pas|non|no es)"
)
_WRONG = r"(?:wrong|incorrect|false|untrue|impossible|mistaken)"
_TURN = r"(?!(?:but|rather|instead|however|though|although|yet) )"
_DENIED = re.compile(
    rf"(?:^| )(?:{_NEGATOR} (?:{_TURN}{_W} ){{0,3}}|{_NEGATOR} [{OPEN}{COLON}] |{_NEGATOR} {COMMA} (?:{_W} ){{1,3}}{COMMA} "
    rf"|(?:{_WRONG}|myth) (?:(?:that|to) (?:{_W} ){{0,3}}|{COLON} ))$"
)
_DENIED_CJK = re.compile(r"(?:不是|并非|并不是|不|没有|(?<![\u4e00-\u9fff])非)$")
_IS = r"(?:is|was|are|were|would be|must be|could be|seems|looks)"
_AFTER = re.compile(
    rf" (?:(?:which|that|it|answer|option|one) )?(?:{_IS} (?:\S+ly |just |also |still )?"
    rf"(?:not(?! only| just| merely)|{_WRONG}|never|no longer|out|ruled out)"
    r"|(?:is|was|are|were)nt(?! only| just)|(?:cannot|cant|couldnt|wouldnt) be|(?:has|have|had) never"
    r"|(?:does not|doesnt) (?:work|fit))(?= |$)"
    rf"| [{COLON}{OPEN}{DASH}{COMMA}] (?:which {_IS} |that {_IS} )?(?:{_WRONG}|not (?:it|correct|right))(?= |$)"
    rf"| {ASKED} (?:no|nope|{_WRONG}|not|never|thats {_WRONG}|that is {_WRONG})(?= |$)"
    rf"| [{STOP}{ASKED}] (?:that|this|it)(?:s| is) (?:{_WRONG}|not)(?= |$)"
    r"| ❌|(?:ではありません|ではない|じゃない|ではなく)"
)
_WITHDRAWN = re.compile(
    rf" (?:[{STOP}{COMMA}{DASH}{ASKED}] )?"
    rf"(?:no [{COMMA}{STOP}{DASH}]|no wait|wait no|wait [{COMMA}{DASH}]|i mean|scratch that|correction|sorry [{COMMA}]) \S"
)
_OR = rf"(?:or|vs|versus|{SLASH}|alternatively|oder|ou|или)"
_OFFERED_BEFORE = re.compile(rf"(?:^| ){_OR} (?:{COMMA} )?(?:{_W} (?:{COMMA} )?){{0,3}}$")
_OFFERED_AFTER = re.compile(rf" (?:[{COMMA}{OPEN}{STOP}{DASH}] )?(?:and )?{_OR} (?!so )\S")
_LISTED = re.compile(rf"(?: {COMMA} (?:(?!{_NEGATOR} ){_W} ){{1,4}}?){{1,6}}(?:{COMMA} )?{_OR} \S")
_ONE_OF = re.compile(
    r"(?:^| )(?:(?:one|either|any) of|options? (?:are|is|include)|choices (?:are|include)|either) (?:\S+ ){0,2}$"
)
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
    if "/" in text or "|" in text:
        text = text.replace("|", f" {SLASH} ").replace("/", f" {SLASH} ")
    marked = normalise(
        _ENDS.sub(lambda end: f" {_KINDS.get(end[0], DASH if end[0].strip() in _DASHES else STOP)} ", text)
    )
    return marked if "'" not in text and "’" not in text else _without_possessive(text, marked, want)


_DASHES = frozenset(("-", "--", "---", "–", "—", "→", "->"))


def without_possessives(text: str) -> str:
    """The text without possessive endings: Shakespeare's is Shakespeare."""
    return _POSSESSIVE.sub("", text)


def _without_possessive(text: str, marked: str, want: str) -> str:
    return (
        marked
        if want in marked
        else with_marks(without_possessives(text).replace("'", "").replace("’", ""), want)
    )


def verdict(marked: str, start: int, end: int, right: tuple[str, ...]) -> bool | None:
    """True if the mention there is a claim, False if it is denied or withdrawn, None if it is only offered."""
    before, after = marked[max(0, start - 90) : start], marked[end : end + 120]
    if _is_denied(before, after):
        return False
    if _is_offered(before, after) and not _all_right(marked, start, end, right):
        return None
    return None if _BARE_LIST.fullmatch(marked[:2000].strip()) else True


def _is_denied(before: str, after: str) -> bool:
    plain = _HARMLESS.sub("", before)
    if _DENIED.search(plain) or _DENIED_CJK.search(before):
        return True
    return _AFTER.match(after) is not None or _WITHDRAWN.match(after) is not None


def _is_offered(before: str, after: str) -> bool:
    plain = _HARMLESS.sub("", before)
    return (
        _OFFERED_BEFORE.search(plain) is not None
        or _OFFERED_AFTER.match(after) is not None
        or _LISTED.match(after) is not None
        or _ONE_OF.search(plain) is not None
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
