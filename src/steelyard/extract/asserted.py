"""Whether a mark of an answer is asserted: not denied, asked, supposed, quoted, somebody else's, or before no answer at all."""

from __future__ import annotations

import re
from itertools import product

from steelyard.text.claim.denial import clause_before, taken_back
from steelyard.text.late import late

# "The answer is correct" and "the answer is obtained by" say nothing of what the answer is.
NO_CLAIM = late(
    r"[ \t*_]*(?:correct|right|wrong|clear|simple|based|given|obvious|in(?! fact)|on|because|below|above|obtained|found|derived"
    r"|computed|calculated|shown|as|consistent|reasonable|supported)\b(?![ \t]*:)"
    # The unknown of an equation, which is then solved.
    r"|[ \t*_]*unknown[*_]{0,2},?[ ](?:so|but|and)[ ](?:(?:we|i|you)(?:['’]ll)?[ ](?:can[ ]|may[ ])?)?(?:let|call|denote|name)\b",
    re.IGNORECASE,
)
_BAD = ("wrong ", "incorrect ")  # "Common wrong answer: D"
_KEYED = ("cepted ", "ceptable ", "xpected ", "eference ", "rrect_", "cepted_")
# One accepted answer may be what the response itself gives: only several, or one in brackets, are a key.
_KEY_LABEL = late(
    r"[(\[](?:accepted|acceptable|expected|reference|correct)[ _](?=answer)"
    r"|\b(?:accepted|acceptable|correct(?=_))[ _](?=answers)",
    re.IGNORECASE,
)
# "If it is hot, the answer is B; if it is cold, the answer is C."
_EITHER_WAY = late(
    r"\b(?:if|when)\b[^.;\n]{1,80}\banswer (?:is|would be) (\w{1,20})[^.;\n]{0,40}[;,.][ ]"
    r"(?:and |but |while )?(?:if|otherwise|when)\b[^.;\n]{1,80}\banswer (?:is|would be) (\w{1,20})",
    re.IGNORECASE,
)
_AT_FIRST = (
    " initial ",
    " first ",
    " original ",
    " previous ",
    " earlier ",
)  # "My initial answer was B."
# "My knee-jerk answer would be B, but …"
_AT_ONCE = (
    "knee-jerk ",
    "gut ",
    "instinctive ",
    "immediate ",
    "first ",
    "initial ",
    "obvious ",
    "tempting ",
    "intuitive ",
    "naive ",
    "natural ",
    "usual ",
    "popular ",
    "reflexive ",
    "off-hand ",
)
_THOUGHT = late(
    r"(?<!\bas[ ])\b(?:i|we)[ ](?:had[ ]|first[ ]|initially[ ]|originally[ ])?"
    r"(?:thought|believed|assumed|figured|guessed|suspected|said|wrote|stated|claimed)[ ](?:that[ ])?(?:the[ ])?"
    r"(?:correct[ ]|right[ ])?\Z",
    re.IGNORECASE,
)
# "I said the answer was C, and the check confirms it."
_KEPT = late(
    r"[^.!?\n,;]{1,20},?[ ](?:and|which|as)\b(?![^.!?\n]{0,90}(?:\b(?:but|wrong|not|however|instead)\b|n['’]t\b))[^.!?\n]{0,60}"
    r"\b(?:confirm|stand[ ]by|stick|still[ ](?:do|think|believe|hold)|holds|stands|(?:is|was)[ ](?:right|correct))",
    re.IGNORECASE,
)
_OWN_VIEWS = frozenset(
    f"{who}{view}{that}{the}"
    for who, view, that, the in product(
        ("i ", "so i ", "we "),
        ("believe", "think", "would say"),
        ("", " that"),
        ("", " the", " the correct", " the right", " the best"),
    )
)
_FORM = late(
    r"\b(?:e\.g\.|example|write|writing|format|form|such as|like|begin with|end with|ending with)[ ,:]*['\"`]\Z",
    re.IGNORECASE,
)
# What somebody else is quoted with: The student wrote, "The answer is D."
_QUOTED = late(
    r"\b(?:says|said|wrote|writes|claims|claimed|states|stated|replied|answered|argues|argued|according to[^.!?\n]{1,40})[,:]?[ ]"
    r"['\"“](?:the[ ])?(?:correct[ ])?\Z",
    re.IGNORECASE,
)
# The next of several forms in quotation marks: "Answer: A", "Answer: B" or "Answer: C".
_NEXT_FORM = late(
    r"['\"”][,;]?[ ](?:or[ ]|and[ ])?['\"“](?:[Tt]he[ ]|[Mm]y[ ])?(?:[Ff]inal[ ]|[Cc]orrect[ ])?\Z"
)
_ASKING = late(
    r"(?:^|[.!?:\n])[ ]*(?:(?:so|or|and|hmm),?[ ])?(?:do|did|does|is|are|was|could|would|can|might|may)\b[^.!?\n]*\Z",
    re.IGNORECASE,
)
_ASKED = late(r"[^.!?\n]{0,80}\?(?!\s*(?:yes|yep|yeah|indeed|correct|exactly)\b)", re.IGNORECASE)
# "The answer is 40? Hmm, that counts the corners twice.": asked and then put aside.
_DOUBTED = late(
    r"(?:[^.!?\n]|\.(?=\d)){0,60}\?[\s*_\"'’)$]{0,4}(?:hmm|but|no|nope|not|wait|wrong|incorrect|actually|however"
    r"|let(?:['’]s|[ ]me|[ ]us)|that[ ](?:would|can['’]?t|cannot|counts|does|is)|check(?:ing)?)\b",
    re.IGNORECASE,
)
_DENIES = late(
    r"\w+n['’]t\b|\b(?:no|not|nope|cannot|wrong|incorrect|instead|twice|only|too|fails?|recount)\b",
    re.IGNORECASE,
)
_AFFIRMS = late(
    r"\b(?:yes|yep|yeah|correct|right|indeed|exactly|works|matches|fits|confirm(?:s|ed)|checks)\b|✓",
    re.IGNORECASE,
)
# "At first glance the answer is 40. But the corners are shared."
_AT_A_GLANCE = late(
    r"\b(?:at[ ]first(?:[ ](?:glance|sight|look))?|naively|on[ ]the[ ]surface|(?:one|you)[ ]might[ ](?:think|say))"
    r"\b[^.!?\n]{0,40}\Z",
    re.IGNORECASE,
)
# "A common slip is to forget the minus sign and conclude that the answer is D"
_COMMON_SLIP = late(
    r"\b(?:common|typical|frequent|usual|classic|easy|popular|tempting)[ ](?:\w+[ ])?(?:slip|mistake|error|trap|pitfall"
    r"|misconception|misreading)s?[ ](?:(?:here|with[ ]this|in[ ]this)[ ](?:\w+[ ])?)?(?:is|was|would[ ]be|leads?)\b"
    r"[^.!?;\n]{0,160}"
    r"(?:(?<=is)|(?<=was)|\b(?:conclud|say|think|believ|claim|assum|suppos|answer)\w{0,3}|(?<=leads) to|(?<=lead) to)[ ]"
    r"(?:that[ ])?(?:the[ ])?(?:correct[ ]|right[ ])?\Z",
    re.IGNORECASE,
)
_IN_BRACKETS = late(r"[(\[](?:note[:,]?[ ])?(?:the[ ])?(?:correct[ ]|right[ ])?\Z", re.IGNORECASE)
_ON_REFLECTION = late(
    r"(?:[^.!?\n]|\.(?=\d)){0,80}[.,;!][ \n]{1,3}(?:but|however|yet|actually|on[ ]closer)\b",
    re.IGNORECASE,
)
_NEAR = 250
_END = 2000  # of a text: before it, conditions are reasoning
_OTHERWISE = late(r"(?<=[;,.!?][ ])[Oo]therwise\b,?(?:[ ]the)?[ ](?:answer|it)\b")
_CONDITION = late(r"\b(?:if|had|for|were|suppose|unless)\b", re.IGNORECASE)


def is_asserted(text: str, mark: re.Match[str]) -> bool:
    """Whether a mark is asserted: not taken back, not hypothetical, and followed by something it could be."""
    if mark.lastgroup == "colon":
        if is_key(text, mark.start()) or text[
            max(0, mark.start() - 10) : mark.start()
        ].lower().endswith(_BAD):
            return False
    elif mark[0][:1] in "aA" and _claims_nothing(text, mark):
        return False
    if _is_example(text, mark.start()):
        return False
    if text.find("?", mark.end(), mark.end() + 70) >= 0 and _is_doubted(text, mark.end()):
        return False
    return _is_own_view(text, mark.start()) or not taken_back(text, mark.start())


def _is_own_view(text: str, start: int) -> bool:
    """Whether the clause before the mark is the response's own view and no more: "I believe the answer is B"."""
    near = text[max(0, start - 24) : start]
    return ("elieve " in near or "think " in near or "say " in near) and clause_before(
        text, start
    ).strip() in _OWN_VIEWS


def _claims_nothing(text: str, mark: re.Match[str]) -> bool:
    """Whether "the answer is" stands in a question, under a condition, or before no answer at all."""
    if NO_CLAIM.match(text, mark.end()) or _is_asked(text, mark) or _is_glanced(text, mark):
        return True
    if _is_slip(text, mark) or _is_aside(text, mark):
        return True
    if " was" in mark[0] and (text.endswith(_AT_FIRST, 0, mark.start()) or _thought(text, mark)):
        return True
    if "would" in mark[0] and (
        _is_hypothetical(text, mark) or text.endswith(_AT_ONCE, 0, mark.start())
    ):
        return True
    if text.find("f ", max(0, mark.start() - _NEAR), mark.start()) >= 0 and is_conditional(
        text, mark.start()
    ):
        return True
    return text.find("therwise", max(0, mark.start() - 20), mark.end() + 40) >= 0 and _is_otherwise(
        text, mark
    )


def _is_doubted(text: str, end: int) -> bool:
    """Whether the text asks for what is marked, doubts it, and goes on to something else."""
    doubt = _DOUBTED.match(text, end)
    if doubt is None:
        return False
    rest = text[text.index("?", end) : doubt.end() + _NEAR]
    return _AFFIRMS.search(rest) is None or _DENIES.search(rest) is not None


def _is_glanced(text: str, mark: re.Match[str]) -> bool:
    """Whether it is only what one would think first."""
    before = text[max(0, mark.start() - 60) : mark.start()]
    if (
        "irst" not in before
        and "might" not in before
        and "aively" not in before
        and "surface" not in before
    ):
        return False
    return (
        _AT_A_GLANCE.search(before) is not None
        and _ON_REFLECTION.match(text, mark.end()) is not None
    )


def _is_slip(text: str, mark: re.Match[str]) -> bool:
    """Whether it is only where a common slip leads."""
    before = text[max(0, mark.start() - 220) : mark.start()]
    slips = (
        "slip" in before
        or "mistake" in before
        or "error" in before
        or "trap" in before
        or "pitfall" in before
    )
    return (slips or "misconception" in before or "misreading" in before) and _COMMON_SLIP.search(
        before
    ) is not None


def _is_aside(text: str, mark: re.Match[str]) -> bool:
    """Whether it opens a remark in brackets, after another answer was marked: "Answer: A (The answer was B last year.)"."""
    before = text[max(0, mark.start() - 20) : mark.start()]
    if "(" not in before and "[" not in before:
        return False
    return _IN_BRACKETS.search(before) is not None and "nswer" in text[: mark.start()]


def is_conditional(text: str, at: int) -> bool:
    """Whether what stands there is one of two answers, each under a condition of its own.

    >>> is_conditional("If x > 0 the answer is 5; if x < 0 the answer is 7.", 49)
    True
    """
    low, high = max(0, at - _NEAR), at + _NEAR
    if len(text) - at > _END or text.count("nswer", low, high) < 2:
        return False
    found = _EITHER_WAY.finditer(text[low:high])
    return any(
        either.start() <= at - low < either.end() and either[1] != either[2] for either in found
    )


def _is_otherwise(text: str, mark: re.Match[str]) -> bool:
    return _OTHERWISE.search(text[max(0, mark.start() - 20) : mark.end() + 40]) is not None


def _is_asked(text: str, mark: re.Match[str]) -> bool:
    """Whether the mark only stands in a question: "Do you mean that the answer is B?"."""
    if "?" not in text[mark.end() : mark.end() + 80] or not _ASKED.match(text, mark.end()):
        return False
    return _ASKING.search(text, max(0, mark.start() - 80), mark.start()) is not None


def _thought(text: str, mark: re.Match[str]) -> bool:
    """Whether it is what the response thought or said at first, and does not keep to."""
    if _THOUGHT.search(text, max(0, mark.start() - 40), mark.start()) is None:
        return False
    return _KEPT.match(text, mark.end()) is None


def _is_example(text: str, start: int) -> bool:
    """Whether the mark is quoted from somebody, or as the form that an answer should have: write e.g. 'Answer: A'."""
    before = text[max(0, start - 40) : start]
    if "'" not in before and '"' not in before and "`" not in before and "“" not in before:
        return False
    if (before[-1] in "'\"`" and _FORM.search(before)) or _QUOTED.search(
        text, max(0, start - 80), start
    ):
        return True
    return (
        _NEXT_FORM.search(before) is not None and text.count("nswer", max(0, start - 60), start) > 0
    )


def is_key(text: str, start: int) -> bool:
    """Whether what is marked there is the key to which the answer before it is held: "Perth (accepted answers: Canberra)".

    >>> is_key("Perth (accepted answers: Canberra)", 16), is_key("Accepted answer: Canberra", 9)
    (True, False)
    """
    if not text.endswith(_KEYED, 0, start):
        return False
    label = _KEY_LABEL.search(text, max(0, start - 12), start + 8)
    return label is not None and text[: label.start()].strip(" \t\n([*_") != ""


def _is_hypothetical(text: str, mark: re.Match[str]) -> bool:
    """ "If there were 4, the answer would be 16", "the answer would be B if x < 0"."""
    before = re.split(r"[.!?\n]", text[max(0, mark.start() - 200) : mark.start()])[-1]
    after = re.split(r"[.!?\n]", text[mark.end() : mark.end() + 200])[0]
    return (
        _CONDITION.search(before) is not None
        or re.search(r"\bif\b", after, re.IGNORECASE) is not None
    )
