"""The answer that a response takes back without a new one: "Answer: A … I retract this answer."."""

from __future__ import annotations

import re
from itertools import islice

from steelyard.extract import markers
from steelyard.text.grammar import any_of
from steelyard.text.late import late

_OPENS = rf"(?<=[.!?;)\]}}*\n])[\s*_]{{0,6}}(?:{any_of('before a retraction')}[,:.;!…–—-]{{0,3}}\s{{1,3}}){{0,3}}"
_ANSWER = r"(?:answer|choice|selection|response|pick|number|value|result|figure|solution)"
_EARLIER = r"(?P<{0}>above|previous|earlier|last|given)"
_I = (
    r"(?:I|we)(?:['’]m|['’]ll|[ ](?:must|have[ ]to|need[ ]to|want[ ]to|will|would[ ]like[ ]to|wish[ ]to|now|hereby|therefore|thus"
    r"|formally)){0,3}"
)
_WRONG = (
    r"(?:\w+ly[ ])?(?:wrong|incorrect|mistaken|withdrawn|retracted|void|not[ ](?:right|correct))"
)
_RETRACTS = late(
    rf"{_OPENS}(?:{_I}[ ](?:retract|withdraw|revoke|rescind|take[ ]back|no[ ]longer[ ]stand[ ]by)[ ]"
    rf"(?:this|that|my|the)[ ](?:(?:{_EARLIER.format('e1')}|final)[ ])?{_ANSWER}(?:[ ](?:above|I[ ]gave(?:[ ]above)?))?"
    rf"|{_I}[ ](?:retract|withdraw|revoke|rescind)[ ](?:that|this|it)"
    rf"|(?:disregard|ignore|discard)[ ](?:the[ ]above|everything[ ]above|my[ ](?:(?:{_EARLIER.format('e2')}|final)[ ])?{_ANSWER}"
    rf"|(?:the|this)[ ]{_ANSWER}[ ]above|the[ ]{_EARLIER.format('e3')}[ ]{_ANSWER}|this[ ]{_ANSWER})"
    rf"|(?:my[ ](?:(?:{_EARLIER.format('e4')}|final)[ ])?{_ANSWER}(?:[ ](?:above|I[ ]gave(?:[ ]above)?))?"
    rf"|(?:the|this)[ ]{_ANSWER}[ ](?:I[ ]gave[ ])?above|the[ ]above[ ]{_ANSWER})[ ](?:is|was)[ ]{_WRONG}"
    rf"|this[ ]{_ANSWER}[ ]is[ ](?:hereby[ ])?(?:withdrawn|retracted|void)"
    r"|[^.!?\n]{0,80}(?:fails?|n['’]t|not)\b[^.!?\n]{0,60},[ ](?:so|thus|hence)[ ](?:this|that|it)(?:['’]s|[ ]is|[ ]was)[ ]not[ ]"
    r"(?:the[ ](?:correct[ ]|right[ ])?answer|it|right|correct)[ ]after[ ]all)"
    r"(?:,?[ ](?:of[ ])?[*_(]{0,3}(?P<named>(?-i:[A-Z]))(?!\w)[*_)]{0,3})?"
    r"(?=\s*(?:[.,;:!…—–)*\n]|\Z)|[ ](?:since|because|as|and|but|for|too|entirely|completely|altogether)\b)"
    r"(?!,?[ ](?:if|unless|when|only|depending|or)\b)",
    re.IGNORECASE,
)
# "So B is incorrect. None of the remaining options work either."
_SO_WRONG = (
    r"(?<=[.!?:;\n])[\s*_]{{0,4}}(?:(?:so|thus|hence|therefore|then|but|which means|and)\b[ ,]{{1,3}}){{0,2}}"
    r"(?:option[ ]|choice[ ]|answer[ ])?"
    r"[*_(]{{0,3}}(?-i:{letter})[*_)]{{0,3}}[ ](?:is|was|cannot[ ]be|can['’]t[ ]be)[ ](?:also[ ]|actually[ ]|in[ ]fact[ ])?"
    r"(?:incorrect|wrong|false|not[ ](?:correct|right)|correct(?<=be[ ]correct)|right(?<=be[ ]right))\b"
)
# "Check: it gives 7 ≠ 9, so B fails.", with which the text ends
_CHECKS = late(r"\b(?:check|verif|test|substitut|plug|insert)\w*\b", re.IGNORECASE)
_CLOSES_WRONG = (
    r"\b(?:[Ss]o|[Tt]hus|[Hh]ence|[Tt]herefore)[ ,]{{1,2}}(?:option[ ])?\(?{letter}\)?[ ](?:fails|is[ ](?:wrong|incorrect"
    r"|not[ ](?:right|correct))|can(?:not|['’]t)[ ]be[ ](?:right|correct)|does(?:[ ]not|n['’]t)[ ](?:work|hold|fit))[.!]?\s*\Z"
)
_LAST_WORDS = ("fails", "wrong", "incorrect", "right", "correct", "work", "hold", "fit")
# No other one is right; that none is false may be what makes the letter the answer to a question for the false one.
_FITS = r"\b(?:works?|fits?|match(?:es)?|holds?|correct|right|true|valid|appl(?:y|ies)|satisf(?:y|ies)|possible)\b"
_NONE_EITHER = late(
    rf"\b(?:(?:none[ ]of|no[ ]other)\b[^.!?\n]{{1,60}}{_FITS}(?:[ ][^.!?\n]{{1,30}})?[ ]either"
    rf"|neither[ ](?:do|does|is|are)[ ](?:any|the)[ ][^.!?\n]{{1,40}}{_FITS}[^.!?\n]{{0,20}})(?=[.!?\n]|\Z)",
    re.IGNORECASE,
)
_MANY, _SHORT = 50, 15


def retracted_until(shown: str, letter: str, end: int, *, another: bool) -> int | None:
    """Where the last sentence ends that takes back the letter that ends there; ``another`` was marked before it.

    >>> retracted_until("Answer: A\\n\\nI retract this answer.", "A", 9, another=False)
    32
    >>> retracted_until("Answer: A\\n\\nI will not retract this answer.", "A", 9, another=False) is None
    True
    """
    rest = shown[end:]
    if not _may_retract(rest) or not _says_what(rest.lower()):
        return None
    found = [
        back
        for back in islice(_RETRACTS.finditer(shown, end), _MANY)
        if back["named"] in {None, letter}
    ]
    # "My previous answer was wrong" may speak of the answer before this one.
    found = [back for back in found if back["named"] or not (another and _speaks_of_earlier(back))]
    return found[-1].end() if found else None


def _may_retract(rest: str) -> bool:
    """Whether one of the words is there without which nothing is retracted; most texts have none."""
    return (
        "etract" in rest
        or "ithdraw" in rest
        or "isregard" in rest
        or "gnore" in rest
        or "iscard" in rest
        or "void" in rest
        or "ake back" in rest
        or "stand by" in rest
        or "bove" in rest
        or "evoke" in rest
        or "escind" in rest
        or "not " in rest
        or "rong" in rest
        or "ncorrect" in rest
        or "istaken" in rest
    )


def _says_what(low: str) -> bool:
    """Whether what may retract stands beside what is retracted: a mere "not" or "wrong" does not."""
    if "not " in low and (", so " in low or ", thus " in low or ", hence " in low):
        return True
    wrong = "wrong" in low or "incorrect" in low or "mistaken" in low or "not " in low
    if wrong and ("my " in low or "above" in low):
        return True
    return (
        "retract" in low
        or "withdraw" in low
        or "revoke" in low
        or "rescind" in low
        or "take back" in low
        or "stand by" in low
        or "disregard" in low
        or "ignore" in low
        or "discard" in low
        or "void" in low
    )


def without_retracted(shown: str, end: int = 0) -> str:
    """The text with blanks for all up to the last sentence that takes back what stands before that place; else the text itself.

    >>> without_retracted("Answer: 9. I withdraw this answer. It is 8.").split()
    ['It', 'is', '8.']
    """
    if len(shown) - end < _SHORT:
        return shown
    back = retracted_until(shown, "", end, another=False)
    if back is not None and sum(1 for _ in islice(markers.marks(shown, hashes=True), 2)) != 1:
        back = retracted_until(shown, "", end, another=True)
    if back is None:
        return shown
    while shown[back : back + 1] and shown[back] in ".!;:…)":  # with which the sentence ends
        back += 1
    return " " * back + shown[back:]


def found_wrong(shown: str, letter: str, end: int) -> bool:
    """Whether the text says after that place that the letter is wrong, and then that no other is right either.

    >>> found_wrong("Answer: B\\nLet me verify. So B is incorrect.\\nNone of the others work either.", "B", 9)
    True
    """
    checks = (
        _CHECKS.search(shown, end) if shown.rstrip().rstrip(".!").endswith(_LAST_WORDS) else None
    )
    if checks and re.compile(_CLOSES_WRONG.format(letter=letter)).search(shown, checks.end()):
        return True
    if not _may_say_none(shown):
        return False
    wrong = _SO_WRONG.format(letter=letter)
    said = re.compile(wrong, re.IGNORECASE).search(shown, end)
    return said is not None and _NONE_EITHER.search(shown, said.end()) is not None


def _may_say_none(shown: str) -> bool:
    if "None of" in shown or "none of" in shown or "Neither" in shown or "neither" in shown:
        return True
    return "No other" in shown or "no other" in shown


def _speaks_of_earlier(back: re.Match[str]) -> bool:
    return any(back[name] for name in ("e1", "e2", "e3", "e4")) or "above" in back[0].lower()
