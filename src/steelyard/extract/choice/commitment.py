"""Whether a letter that a text names is the one that it chooses: no article, no rival beside it, not denied."""

from __future__ import annotations

import re

from steelyard.extract.choice.letters import Patterns
from steelyard.text.claim.denial import denied_after
from steelyard.text.late import late

# What cannot follow an article, so that the A or I before it is a letter.
_NO_NOUN = (
    "because|since|as|is|was|are|for|due|given|per|by|and|or|in|on|at|with|from|to|of|according|which|that|if|here|not|but|"
    "when|where|while|so|then|it|therefore|thus|has|can|will|would|should|may|must|does|seems|looks|fits|works|matches|follows|stands|remains|holds"
    "|rather|instead|over|through|thru|plus|versus|vs|best|bc|cuz|tbh|imo|o|ou|oder|und|et|y"
    "|est|es|ist|é|è|está|jest"
)
_ARTICLE = late(rf"[ \t]+(?:(?!(?:{_NO_NOUN})\b)[a-z]|\d)")
_NEXT_LINE = late(r"[ \t]*\n[ \t]*[a-z]{2}")
# A sentence goes on here, so that a capital A is no article: "only A satisfies both".
_INSIDE = late(
    r"\b(?:only|that|and|or|but|because|since|while|so|then|than|think|[Oo]ption|[Cc]hoice)[ ]\Z"
)
_EQUATED = late(r"[ \t]*=(?![=>])")
_REFUTED = late(r"[ \t)*]*(?:is|was|are)[ \t]+(?:wrong|incorrect|not|false)\b", re.IGNORECASE)
_AND_MORE = late(r"[ \t]+(?:and|or)[ \t]+[A-Z]\b")
# "None of these. B is close."; but "none match exactly" leaves the nearest one as the choice.
_NEAR = late(
    r"[ \t)*]*(?:is|comes|would be|seems|looks|was)[ ](?:the[ ]|very[ ]|quite[ ]|only[ ])?(?:close|near|similar)(?:st|est)?\b",
    re.IGNORECASE,
)
_NO_OPTION = late(
    r"\bnone\b(?![ ](?:other|but)\b|[ ]of[ ](?:the[ ])?others?\b|[^.!?\n]{0,60}\b(?:exact|perfect|precise|quite))"
    r"|\bno[ ](?:(?:correct|right|given|listed)[ ])?(?:option|answer|choice)\b(?![^.!?\n]{0,60}\b(?:exact|perfect|precise|quite))"
    r"|\bnot[ ](?:given|listed|among|provided|there|present)\b",
    re.IGNORECASE,
)
# "The only option that cannot be right is A."
_RULED_OUT = late(
    r"\b(?:option|choice|answer|one)s?[ ](?:that|which)[ ](?:can(?:not|['’]t|[ ]not)|could(?:n['’]t|[ ]not))[ ]"
    r"(?:possibly[ ])?be[ ](?:right|correct|true|the[ ]answer)[ ](?:is|are)[ ]+\Z",
    re.IGNORECASE,
)
_OTHERWISE = late(r"\b(?:otherwise|in the other case)\b,?[^.;\n]{0,40}\Z", re.IGNORECASE)
_AND_FOR = late(r"[ ]?,?[ ](?:and|but) for [^.!?\n]{1,40}[ ][A-Z](?!\w)")
# "(C) Wrong, Not wrong": the text of an option, as some exams have it, and no verdict on it.
_TRUTH = r"(?:not[ ])?(?:wrong|true|false|yes|no|correct|incorrect)"
_PAIR = late(
    rf"(?:[)\].:][*_ \t]{{1,4}}|[ ]?[(–—-][ ]?)(?:[\"“]?{_TRUTH}[,;/][ ]?{_TRUTH}\b"
    r"|(?<=\()(?:incorrect|wrong|false)[ ](?!because|since|as|for|in|due|answer|option|choice|here|too)[a-z]{2,20}[ ][a-z])",
    re.IGNORECASE,
)
_NAMED_ASIDE = late(
    r"[ ]\([^()\n]{1,60}\)(?=[ ](?:is|was|are|were|would|can|does)\b)"
)  # D (amiodarone) is wrong
_BREAKS = late(r"[*_)\]]{0,4}[ ](?:fails|contradicts|violates)\b")
# "**B** is the most common wrong answer", "D is the classic distractor", "That is option B, and it is wrong."
_MISLEADS = late(
    r"[*_)\]]{0,4}(?:[ ](?:is|was|would[ ]be|remains)[ ](?!the[ ]only[ ](?:wrong|incorrect)\b)"
    r"(?:(?!not\b|no\b|never\b|hardly\b|than\b|to\b|less\b)[\w-]+[ ]){0,4}"
    r"(?:(?:wrong|incorrect)[ ](?:answer|choice|option|guess|pick|response)|distract[oe]r|decoy|red[ ]herring)\b(?!['’])"
    r"|,?[ ]and[ ](?:it|that|this)(?:['’]s|[ ]is)[ ](?:\w+ly[ ])?(?:wrong|incorrect)(?=[ ]*[.,;!]|\s*\Z))",
    re.IGNORECASE,
)
# "(A) weakens it, so it's not the correct answer", "B is supported by nothing and is therefore incorrect"
_SO_WRONG = late(
    r"(?![*_]{0,3}[)\].:]{1,2}[*_]{0,3}[ ]+(?-i:[A-Z]))(?![ ](?:since|because|as)\b)"
    r"[*_)\]]{0,4}[ ](?:(?![.!?;\n]|[ (][A-Z][ ).,:]).){1,80}?,?[ ](?:so|and|and[ ]so|hence|thus|therefore)[ ]"
    r"(?:(?:it|that|this)(?:['’]s|[ ]is)|is)[ ](?:(?:therefore|thus|hence|also|clearly)[ ])?"
    r"(?:not[ ](?:the[ ])?(?:correct|right|best|answer)|wrong|incorrect|eliminated)\b",
    re.IGNORECASE,
)
_DENIED_ABROAD = late(
    r"[*_)\]】」』\s]{0,4}(?:では(?:ありません|ない|なく)|じゃ(?:ない|ありません)|[이가]?[ ]?아[니닙]"
    r"|(?:选项|選項|项|項)?(?:不是|不对|不正确))"
)
_SUBJECT = late(r"(?:[ ]+(?:and|or)[ ]+[A-Z])?[ ]+(?!and\b|or\b)[a-z]{2}")


#: What begins a second look at the answer.
DOUBTS = late(
    r"(?:(?<=[.!?)}] )|(?<=\n))(?:on reflection|hmm|actually|wait|scratch that|no,|hold on|on second thought)\b",
    re.IGNORECASE,
)
#: What begins a clause that only concedes: "Although furosemide (B) relieves symptoms, …".
CONCEDING = r"(?:although|though|while|even though|even if|whereas|despite|unlike)"
#: What may follow a letter and cannot bear on it.
NO_MORE = frozenset(("", ".", ")", ").", "}", "}.", "\n", ".\n"))


_REASONS = (" because ", " since ", ", because ", ", since ")
# Begins a sentence that takes the letter before it back, or another answer that is offered, or the text of an option.
_BEARS_ON = frozenset(
    (
        "or",
        "maybe",
        "perhaps",
        "possibly",
        "but",
        "that",
        "this",
        "it",
        "its",
        "thats",
        "i",
        "wrong",
        "incorrect",
        "false",
        "true",
        "yes",
        "no",
        "not",
        "correct",
    )
)
_CLOSERS = late(r"(?:[)\]}*_`\"']|\\\)|</(?:b|strong|i|em|u|code|mark)>){1,12}")
# "Answer: D or E", where E is none of the letters: still one of two.
_OR_ANOTHER = late(
    r"[ \t)*\]_'\"]{0,6}(?:\bor\b|/|\bvs\b\.?)[ \t(*\[_'\"]{0,6}(?:(?:option|choice)[ ])?[A-Z](?![\w'’])"
    r"[)\]*_'\"]{0,4}(?=[.,;!\n]|\s*\Z)"
)
# "A) It is not possible to tell": the text of the option begins, and not what is said of it.
_SENTENCE = late(
    r"[ ](?:It|Th(?:is|at|ey|ese|ose|ere|e))\b"
    r"(?![^.!?\n]{0,30}(?:\bnot|n['’]t)[ ](?:this|that|the[ ](?:right|correct))[ ](?:one|option|choice|answer)\b)"
)


def commits(raw: str, plain: str, span: tuple[int, int], use: Patterns) -> bool:
    """Whether the letter there stands alone: no article, no rival beside it, not denied after it.

    ``plain`` is ``raw`` with the wrappers blanked.
    """
    end = span[1]
    if raw[end:] in NO_MORE or _goes_on_plainly(raw, end):
        return True
    if is_article(raw, span) or ("=" in raw[end : end + 4] and _EQUATED.match(raw, end)):
        return False
    if _PAIR.match(raw, end):
        return True
    if (
        _BREAKS.match(raw, end)
        or _misleads(raw, end)
        or (not raw.isascii() and _DENIED_ABROAD.match(raw, end))
    ):
        return False
    if _OR_ANOTHER.match(raw, end):
        return False
    after = end + (
        raw[end : end + 1] == "'"
    )  # of which the opening one may stand before the mark's end
    beside = use.rival.match(plain, after, end + 80)
    if beside and _competes(raw, beside, end):
        return False
    return not _is_denied(raw, end)


def _goes_on_plainly(raw: str, end: int) -> bool:
    """Whether a reason follows the letter, or a sentence that begins with none of the words that could bear on it."""
    if raw.startswith(_REASONS, end):
        low = raw[end : end + 80].lower()
        return "wrong" not in low and "incorrect" not in low and "mistaken" not in low
    if raw[end : end + 2] != ". ":
        return False
    word = raw[end + 2 : end + 22].partition(" ")[0]
    return len(word) > 1 and word.isascii() and word.isalpha() and word.lower() not in _BEARS_ON


def _is_denied(raw: str, start: int) -> bool:
    """Whether what follows the letter that ends there denies it."""
    closed = _CLOSERS.match(raw, start)
    end = closed.end() if closed else start
    if aside := _NAMED_ASIDE.match(raw, end):
        end = aside.end()
    if ")" in raw[start:end] and _SENTENCE.match(raw, end):
        return denied_after(f".{raw[end : end + 100]}", 0)
    return denied_after(raw, end)


def _misleads(raw: str, end: int) -> bool:
    """Whether the letter is called a wrong answer or a distractor."""
    near = raw[end : end + 120]
    called = (
        "rong" in near
        or "ncorrect" in near
        or "distract" in near
        or "decoy" in near
        or "herring" in near
    )
    if called and _MISLEADS.match(raw, end):
        return True
    low = near.lower()
    denies = "wrong" in low or "incorrect" in low or "not " in low or "eliminated" in low
    return denies and " is" in near.replace("'s", " is") and _SO_WRONG.match(near) is not None


def _competes(raw: str, beside: re.Match[str], end: int) -> bool:
    """Whether the letter beside is offered too: "A or B", "A, B"; but not in "B) A Tale" or "B, A is wrong"."""
    if _REFUTED.match(raw, beside.end("rival") if beside["rival"] else beside.end()):
        return False
    if beside["hedge"] or (beside["by"] and beside["by"] not in {",", "、", "，", ";", "-", "–"}):
        return True
    between = raw[end : beside.start("rival")] if beside["rival"] else ""
    if not beside["by"]:
        wrapped = raw[beside.end("rival") : beside.end("rival") + 1] in {*")]*"} and between[
            -1:
        ] in {*"([*"}
        return (between.isspace() or wrapped) and not beside["verb"]
    if beside["by"] in "-–":
        return " " not in between or (
            _AND_MORE.match(raw, beside.end("rival")) is not None
            and not _SUBJECT.match(raw, beside.end("rival"))
        )
    if beside["by"] == ";" and _SUBJECT.match(raw, beside.end("rival")):
        return False
    return not beside["verb"]


def ruled_out(plain: str, start: int) -> bool:
    """Whether the letter there is named as the one that cannot be right."""
    return (
        plain.find(" be ", max(0, start - 40), start) >= 0
        and _RULED_OUT.search(plain, max(0, start - 80), start) is not None
    )


def is_one_case(plain: str, start: int, end: int) -> bool:
    """Whether the letter there holds only under a condition, and another one otherwise.

    >>> is_one_case("If x > 0 it is A; otherwise it is B.", 34, 35)
    True
    """
    low = plain[max(0, start - 60) : start].lower()
    if ("otherwise" in low or "other case" in low) and _OTHERWISE.search(
        plain, max(0, start - 60), start
    ):
        return True
    return _AND_FOR.match(plain, end) is not None


def only_near(plain: str, span: tuple[int, int]) -> bool:
    """Whether the letter there is only called near, in a text that says before that no option is right.

    >>> only_near("None of these. B is close.", (15, 16)), only_near("B is the closest.", (0, 1))
    (True, False)
    """
    low = plain[span[1] :].lower()
    if "close" not in low and "near" not in low and "similar" not in low:
        return False
    return (
        _NEAR.match(plain, span[1]) is not None and _NO_OPTION.search(plain, 0, span[0]) is not None
    )


def is_article(raw: str, span: tuple[int, int]) -> bool:
    """Whether the A (or I) is a word of the sentence: a bare blank and a noun follow it.

    >>> is_article("A dog", (0, 1)), is_article("A) dog", (0, 1)), is_article("A because", (0, 1))
    (True, False, False)
    """
    start, end = span
    if raw[start] not in "AIai":
        return False
    if _ARTICLE.match(raw, end) is None:
        return raw[start] == "a" and _NEXT_LINE.match(raw, end) is not None
    return raw[start] != "A" or _INSIDE.search(raw, max(0, start - 12), start) is None
