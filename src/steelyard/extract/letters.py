"""The patterns that tell a chosen letter from an article, a unit, a list and a name."""

from __future__ import annotations

import functools
import re
from typing import NamedTuple

from steelyard.errors import SpecError
from steelyard.text.denial import denied_after, denied_before, taken_back
from steelyard.text.late import late

_WRAPPERS = '*_`$()[]{}"\\'
_BLANKED = str.maketrans(dict.fromkeys(_WRAPPERS, " "))
_COMMAND = late(r"\\[a-zA-Z]+|</?(?:b|strong|i|em|u|code)>")
# Chinese, Japanese and Korean words stand beside a letter without a blank.
_UNSPACED = r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]"
_WHOLE = rf"(?![\w+#&](?<!{_UNSPACED})|['’\-]\w|\.\w(?!\w))"
# "None other than B" is B.
_NO_OTHER = r"no(?:ne|thing)?(?: other)?(?: (?:option|choice|answer))? (?:(?:other )?than|but|except)"
_LEAD = (
    r"(?:(?:the|is|it'?s|it is|correct|best|right|final|option|choice|letter|answer|indeed|therefore|thus|simply|"
    r"clearly|definitely|certainly|obviously|probably|most likely|likely|most|[:=,]|\.\.\.|[…–—-]|actually|really|in fact|to be"
    rf"|{_NO_OTHER})[ \t]*){{0,8}}'?"
)
# After these a letter is what is chosen; those with one beginning stand together, which is faster.
_SAID = (
    r"c(?:ho(?:ose|se)|ertainly|learly|orresponds? to|orrect (?:option|choice|letter|one))"
    r"|i(?: (?:think|believe|guess|would say)|'?(?:d|ll) say|t(?:'?s| is| (?:must|would|should|has to) be))"
    r"|p(?:ick|robably|oints? to)|s(?:elect|upports?|o)|go(?:ing)? with|m(?:eans|atches|ost likely)|f(?:avou?rs|inal(?=[ ]?:))"
    rf"|definitely|{_NO_OTHER}"
    r"|(?:o(?:ption|ne(?: out)?)|choice|letter|response|statement|exception|better|answer(?= that| which))"
    r"(?: here| (?:that|which) [^.,\n]{1,40})? (?:is|must be|would be|should be)"
    r"|(?:which|that) is (?:option|choice)|hence|th(?:us|erefore)|->|=>|→|⇒"
    r"|le(?:ft with|av(?:es|ing)(?: us with| only| just)?)"
    r"|(?:is|are|was) [^.,;:\n]{1,60}?(?:,[ ]|[ ]{2})(?:i\.e\.,?[ ]|that is,[ ])?(?=(?:option|choice) )"
)
# The same in other languages, before a letter: "la respuesta correcta es la", "Antwort:", "答案是".
_ABROAD = (
    r"(?i:(?:respuesta|opción|resposta|opção|alternativa|réponse|antwort|lösung|risposta|antwoord|letra|lettre"
    r"|ответ|odpowiedź|cevap|jawaban"
    r"|svar|उत्तर|الإجابة)(?:[ ](?!(?:no|não|non|ne|nicht|niet|не|nie|bukan|pas)\b)\w{1,12}){0,2}(?:[ ]?[:：]|[ ](?:es|é|est|ist"
    r"|lautet|è|is|هي|adalah|[-–—])\b)[ \t]*(?:(?:donc|la|a|o|el|opción|letra|letter|lettre|buchstabe|option|opção)[ ]+){0,2})"
)
_ABROAD_UNSPACED = (
    r"(?<!错误)(?<!錯誤)(?<!不是)(?:答案|正解|答え|选项|選項|回答|정답|답)(?:[:：]|是|は|为|為|은|는)[ \t:：]*"
    r"|(?<!不)(?:选择?|選擇?)[ \t:：]*"
)
_MIDDLE = r"(?:(?:the|it'?s|it is|option|choice|letter|answer)[ \t]+){0,4}"
# After these a small letter is one, too.
_NAMED = r"(?i:(?<=option[ ])|(?<=option[ ]{2})|(?<=choice[ ])|(?<=choice[ ]{2})"
_NAMED += r"|(?<=option:[ ])|(?<=option:[ ]{2})|(?<=choice:[ ])|(?<=choice:[ ]{2})|(?<=option is[ ])|(?<=choice is[ ]))"
# What a short response may begin with that then only names the letter.
_OPENING = (
    r"(?:(?i:(?:the[ ]|my[ ])?(?:correct|right|final|choice|pick|selection|selected|chosen"
    r"|key|question[ ]?\d{1,3}|q[ ]?\d{1,3})(?:[ ](?:one|option|choice|letter|answer))?)[ \t]?[:：][ \t]*"
    r"|(?i:sure|sure thing|certainly|of course|okay|ok|alright|yes|thanks|hmm|(?:i am |i['’]m )?"
    r"(?:unsure|not (?:\w+ )?(?:sure|certain)))[!,.][ \t]+"
    r"|(?i:(?:there(?:['’]s| is) )?(?:no|without(?: an?y?)?) doubt)[:,][ \t]+"
    r"|(?i:(?:it |that )?looks like|only)[ \t]+(?i:option[ \t]+)?"
    r"|(?i:(?!.{0,30}\bnot\b)[\w ]{2,30},[ ](?:option|choice)[ ])|∴[ \t]*)"
)
# A chosen letter closes its phrase, or a reason follows: "so B = 5" chooses nothing.
_CLOSED = (
    r"(?=[ \t]*(?:[.,;:!?)\n。，、！：\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]|$|(?:because|since|as|for|due|over"
    r"|rather|instead|here|fits|works|(?:that )?is (?:the )?(?:correct|right"
    r"|best|answer))\b|-)|[ \t]{2})"
)
# What cannot follow an article, so that the A or I before it is a letter.
_NO_NOUN = (
    "because|since|as|is|was|are|for|due|given|per|by|and|or|in|on|at|with|from|to|of|according|which|that|if|here|not|but|"
    "when|where|while|so|then|therefore|thus|has|can|will|would|should|may|must|does|seems|looks|fits|works|matches|follows"
    "|rather|instead|over|through|thru|plus|versus|vs|best|o|ou|oder|und|et|y"
)
_ARTICLE = late(rf"[ \t]+(?:(?!(?:{_NO_NOUN})\b)[a-z]|\d)")
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
_ALSO_ANOTHER = late(r"[ \t]*,?[ \t]*(?:and|but) so (?:is|are|does)\b")
_SEEMS = late(r"[ ](?:seems|looks)[ ]")
_TURNS = late(r"[ \t]*[,.;–—-]?[ \t]*(?:but|however|yet)\b[ \t]*,?[ \t]*(?:it|that|this)\b", re.IGNORECASE)
# What others choose, or nobody can, is not what the response chooses.
_THEY_CHOOSE = late(
    r"\b(?:people|students|some|many|most|others|they|every(?:one|body)|test-takers|insufficient"
    r"|(?:not|\w+n['’]t) enough)\b[^.,;:\n]{0,30}"
    r"\b(?:choose|chose|pick|picked|select|selected)[ ]+(?:(?:option|choice|answer|letter)[ ]+)?\Z",
    re.IGNORECASE,
)
# "Between A and B, A is better"
_COMPARED = late(r"\b(?:between|of)[ ]+(?:options?[ ]+)?[A-Z][ ]+(?:and|or)[ ]+[A-Z],[ ]+\Z", re.IGNORECASE)
_HEDGE = r"(?:[Oo]r|[Mm]aybe|[Pp]erhaps|[Pp]ossibly|and|also|maybe|possibly|perhaps|even|probably|either)"
_BY = (
    r"\.?[,;/&+|?\-–]+|\.[ ]+(?=(?i:or|maybe|perhaps|possibly)\b)|\b(?:or|and|to|vs|through|plus|oder|und|ou|et|o|y"
    r"|или|и)\b|或|和|또는|as well as|along with"
)


class Patterns(NamedTuple):
    """The patterns for one set of letters."""

    one: re.Pattern[str]
    after_mark: re.Pattern[str]
    standing: re.Pattern[str]
    option: re.Pattern[str]
    praised: re.Pattern[str]
    phrase: re.Pattern[str]
    rival: re.Pattern[str]
    list_tail: re.Pattern[str]
    alone: re.Pattern[str]


@functools.lru_cache(maxsize=32)
def patterns(letters: str) -> Patterns:
    """The patterns for letters such as ``A-D`` or ``ABCDE``, compiled once.

    >>> patterns("D-A")
    Traceback (most recent call last):
    steelyard.errors.SpecError: letters: 'D-A' is not a range such as 'A-D', nor a list of letters such as 'ABCD'
    """
    one = _one_of(letters)
    return Patterns(
        one=re.compile(one),
        after_mark=re.compile(rf"\s*{_LEAD}({one}){_WHOLE}", re.IGNORECASE),
        standing=re.compile(rf"{_free(one)}{_WHOLE}"),
        option=re.compile(
            rf"^[ \t#>\-]*(?:(?i:option|choice|letter)[ \t]+)?({one})(?:[ \t]?(?:[.:,\-–—]|(?<=[ \t]))[ \t]+\S"
            rf"|[ \t]*[.:)]?[ \t]*$"
            r"|[ \t]+(?:because|since|as|for|due)\b)",
            re.MULTILINE,
        ),
        praised=_praised(one),
        phrase=re.compile(
            rf"(?:(?<!\w)(?:(?i:{_SAID}|not[ \t]+\S{{1,20}}[ \t]+(?:but|rather))[ \t:,]{{0,400}}(?i:{_MIDDLE})|{_ABROAD})"
            rf"|{_ABROAD_UNSPACED})"
            rf"({one}|{_NAMED}{one.lower()}){_WHOLE}{_CLOSED}"
        ),
        rival=re.compile(
            rf"[ \t]*(?:\d{{1,3}}%[ \t]*)?(?P<by>{_BY})?[ \t]*(?P<hedge>(?:{_HEDGE}\b[ \t,]*){{0,3}})(?:(?:option"
            rf"|choice)[ \t]+)?"
            rf"(?:(?P<rival>{one}|{one.lower()}(?=[ \t]*(?:[.,;]|$)))(?!\w|['’]\w)"
            rf"(?P<verb>[ \t]+(?!(?:and|or|are|were|both)\b)[a-z])?|(?<=or )(?:none|neither"
            rf"|all)\b)"
        ),
        list_tail=re.compile(
            r"\b[A-Z][ \t]*(?:,|/|&|\bor\b|\band\b)[ \t]*(?:(?:or|and|maybe|possibly)[ \t]+)?$"
        ),
        alone=re.compile(
            rf"\s*{_OPENING}({one})(?:です|[ \t]+(?i:works|fits|remains|is (?:valid|left)))?[ \t]*[.!。]?\s*"
        ),
    )


def _free(one: str) -> str:
    """The letter where no word goes on; what must not stand before it is looked at after it, which is faster."""
    return rf"({one})(?<![^\W\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]{one})(?<!['’.+#&°%\-]{one})(?<!\d[ ]{one})"


def _praised(one: str) -> re.Pattern[str]:
    """The letter that is said to be right: "B is correct", "B makes the most sense", "B it is"."""
    return re.compile(
        rf"{_free(one)}(?:[ \t,]+(?:alone[ ])?(?:is|must be|seems|looks)[ \t]+"
        r"(?:(?:to be|the|our|my|most|clearly|definitely)[ \t]+){0,3}(?:(?:correct|right|answer|best|closest|true)\b"
        r"|better\b(?! known| suited| than)|only[ ](?:one|option|choice|statement|answer)[ ](?:that|which)[ ]"
        r"(?!fail|lack|violat|contradict|ignor|miss|is[ ](?:wrong|incorrect|false|not[ ]correct))"
        r"|(?:one|option|choice|statement)[ ](?:that|which)[ ](?:is|does|did|was)(?:[ ]not|n['’]t)[ ](?!correct|right|work|fit)"
        r"|(?:(?<=most[ ])|more[ ])"
        r"(?:accurate|likely|plausible|appropriate|suitable|reasonable)\b)"
        rf"|[ \t]*[-–—:?][ \t]*(?i:correct|true|yes|right|✅)(?!\w)|[ ]best[ ][a-z]+s\b|[ ]+the[ ](?:correct|right"
        rf"|best)[ ](?:answer|choice|option|one)\b"
        rf"|(?:(?<=nly[ ]{one})(?<![Nn]ot[ ]only[ ]{one})|(?<=nly[ ]{{2}}{one})|(?<=nly[ ]{{3}}{one})"
        rf"|(?<=nly[ ]option[ ]{one}))"
        rf"[ ]+(?!fail|lack|violat|contradict|ignor|miss)[a-z]+\b|(?<=[✅✔☑][ ]{one})(?!\w)"
        r"|[ ]+would be my (?:answer|choice|pick)\b|[ ]+is what [Ii](?:['’]d| would)? (?:choose|pick|select)\b"
        r"|,?[ \t]+(?:most[ ]likely|probably)(?=[ ]*[.!\n]|$)"
        r"|[ \t]+(?:makes[ ](?:the[ ]most[ ])?sense\b|(?:fits|works)[ ]best\b|(?:it[ ]is|remains)(?=[ ]*[.!\n]|$)))"
    )


def _one_of(letters: str) -> str:
    known = letters.upper()
    ordered = re.fullmatch(r"([A-Z])-([A-Z])", known)
    if not (ordered and ordered[1] <= ordered[2]) and not re.fullmatch(r"[A-Z]+", known):
        problem = f"{letters!r} is not a range such as 'A-D', nor a list of letters such as 'ABCD'"
        raise SpecError(problem, path="letters")
    return f"[{known}]"


#: What may follow a letter and cannot bear on it.
NO_MORE = frozenset(("", ".", ")", ").", "}", "}.", "\n", ".\n"))


def commits(raw: str, plain: str, span: tuple[int, int], use: Patterns) -> bool:
    """Whether the letter there stands alone: no article, no rival beside it, not denied after it.

    ``plain`` is ``raw`` with the wrappers blanked.
    """
    end = span[1]
    if raw[end:] in NO_MORE:
        return True
    if is_article(raw, span):
        return False
    beside = use.rival.match(plain, end, end + 80)
    if beside and _competes(raw, beside, end):
        return False
    return not denied_after(raw, end)


def _competes(raw: str, beside: re.Match[str], end: int) -> bool:
    """Whether the letter beside is offered too: "A or B", "A, B"; but not in "B) A Tale" or "B, A is wrong"."""
    if _REFUTED.match(raw, beside.end("rival") if beside["rival"] else beside.end()):
        return False
    if beside["hedge"] or (beside["by"] and beside["by"] not in {",", ";", "-", "–"}):
        return True
    between = raw[end : beside.start("rival")] if beside["rival"] else ""
    if not beside["by"]:
        return between.isspace() and not beside["verb"]
    if beside["by"] in "-–":
        return " " not in between or _AND_MORE.match(raw, beside.end("rival")) is not None
    return not beside["verb"]


def affirmed(shown: str, plain: str, match: re.Match[str], use: Patterns) -> bool:
    """Whether the letter that a phrase points to is the response's own choice, and stands alone."""
    start = match.start(1)
    return (
        not denied_before(plain, start)
        and not taken_back(plain, start)
        and not _is_listed(plain, start, use)
        and commits(shown, plain, match.span(1), use)
        and not (match.end() > match.end(1) and _turns(plain, match))
        and not _ALSO_ANOTHER.match(plain, match.end())
        and not (match[0][:1].lower() in "cps" and _THEY_CHOOSE.search(plain, max(0, start - 80), start))
    )


def _is_listed(plain: str, start: int, use: Patterns) -> bool:
    """Whether another letter is joined to it: "A or B", but not "of A and B, B is better"."""
    before = use.list_tail.search(plain, max(0, start - 14), start)
    if before is None or before[0][0] == plain[start]:
        return False
    return _COMPARED.search(plain, max(0, start - 40), start) is None


def _turns(plain: str, match: re.Match[str]) -> bool:
    """Whether a "but" takes the praise back: "B seems right, but it …", "B is right, but that's wrong"."""
    if not _TURNS.match(plain, match.end()):
        return False
    return _SEEMS.search(match[0]) is not None or denied_after(plain, match.end())


def only_near(plain: str, span: tuple[int, int]) -> bool:
    """Whether the letter there is only called near, in a text that says before that no option is right.

    >>> only_near("None of these. B is close.", (15, 16)), only_near("B is the closest.", (0, 1))
    (True, False)
    """
    return _NEAR.match(plain, span[1]) is not None and _NO_OPTION.search(plain, 0, span[0]) is not None


def is_article(raw: str, span: tuple[int, int]) -> bool:
    """Whether the A (or I) is a word of the sentence: a bare blank and a noun follow it.

    >>> is_article("A dog", (0, 1)), is_article("A) dog", (0, 1)), is_article("A because", (0, 1))
    (True, False, False)
    """
    return raw[span[0]] in "AIai" and _ARTICLE.match(raw, span[1]) is not None


def masked(shown: str) -> str:
    """The text with wrappers blanked, each character in its place."""
    if "\\" in shown or "</" in shown:
        shown = _COMMAND.sub(lambda command: " " * len(command[0]), shown)
    if shown.isascii():
        return shown.translate(_BLANKED)
    for wrapper in _WRAPPERS:  # several times faster here than the table
        if wrapper in shown:
            shown = shown.replace(wrapper, " ")
    return shown
