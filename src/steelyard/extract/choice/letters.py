"""The patterns that tell a chosen letter from an article, a unit, a list and a name."""

from __future__ import annotations

import functools
import re
from typing import NamedTuple

from steelyard.errors import SpecError
from steelyard.extract.choice.abroad import (
    ABROAD,
    ABROAD_OPTION,
    ABROAD_UNSPACED,
    RIGHT_ABROAD,
    may_be_abroad,
)
from steelyard.text.grammar import any_of, by_initial, words
from steelyard.text.late import late

_WRAPPERS = '*_`$()[]{}"\\【】「」『』'
#: What a letter belongs to that is no choice: "vitamin D".
NAMED = late(rf"\b{any_of('named by a letter')}[ ]+\Z", re.IGNORECASE)
_BLANKED = str.maketrans(dict.fromkeys(_WRAPPERS, " "))
_WRAPPER = late(rf"[{re.escape(_WRAPPERS)}]")
_COMMAND = late(r"\\[a-zA-Z]+|</?(?:b|strong|i|em|u|code)>")
_QUOTED = late(r"(?<!\w)'([A-Z])'(?!\w)")
# Chinese, Japanese and Korean words stand beside a letter without a blank.
_UNSPACED = r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]"
_WHOLE = rf"(?![\w+#&](?<!{_UNSPACED})|['’\-]\w|\.\w(?!\w))"
# "None other than B" is B.
_NO_OTHER = (
    r"no(?:ne|thing)?(?: other)?(?: (?:option|choice|answer))? (?:(?:other )?than|but|except)"
)
_LEAD = (
    r"(?:(?:the|is|it'?s|it is|correct|best|right|final"
    r"|first|second|third|fourth|last|option|choice|letter|answer|indeed|therefore"
    r"|thus|simply|"
    r"clearly|definitely|certainly|obviously|probably|most likely|likely|most|[:=,]|\.\.\.|[…–—-]|actually|really|in fact|to be"
    rf"|{_NO_OTHER})[ \t]*){{0,8}}'?"
)
# After these a letter is what is chosen.
_OPENS = r"(?:(?<=[.!?][ ])|(?<=\n)|\A)"
_KIND_IS = r"(?: here| (?:that|which) [^.,\n]{1,40})? (?:is|must be|would be|should be)"
_SAID = by_initial(
    (
        "cho(?:ose|se)",
        "certainly",
        "clearly",
        "corresponds? to",
        "correct (?:option|choice|letter|one)",
        "confident (?:in|about|of)",
        "conclusion (?:is|remains)(?: (?:still|unchanged))?",
        f"choice{_KIND_IS}",
        "i (?:think|believe|guess|would say)",
        "i'?(?:d|ll) say",
        "it(?:'s| is| (?:must|would|should|has to) be)",
        "its" + "".join(rf"(?<!\b{word} its)" for word in words("before a possessive")),
        "i(?:'?d|'?ll| would| will) answer",
        "i(?:'?m| am) (?:now |therefore )?(?:choosing|picking|staying with|sticking (?:with|to))",
        *(f"{verb} (?:exactly |just |precisely )?what" for verb in ("is", "are")),
        *(
            rf"{verb} [^.,;:\n]{{1,60}}?(?:,[ ]|[ ]{{2}})(?:i\.e\.,?[ ]|that is,[ ])?(?=(?:option|choice) )"
            for verb in ("is", "are", "was")
        ),
        *(
            f"{verb}(?:e|ing)? (?:my|the) (?:final )?(?:answer|choice|selection) to"
            for verb in ("chang", "revis", "updat", "switch", "amend")
        ),
        *(
            f"{nth} (?:option|choice|one|answer)(?=,)"
            for nth in ("first", "second", "third", "fourth", "fifth", "last")
        ),
        "guess(?:ing)?(?:,? but)?(?=[ ]?:)",
        "go(?:ing)? with",
        "pick",
        "prefer",
        "probably",
        "points? to",
        "select",
        "supports?",
        "so",
        "means",
        "match(?:es|ing)",
        "most likely",
        "favou?rs",
        "final(?=[ ]?:)",
        "definitely",
        _NO_OTHER,
        *(
            f"{kind}{_KIND_IS}"
            for kind in (
                "option",
                "one(?: out)?",
                "letter",
                "response",
                "statement",
                "exception",
                "better",
            )
        ),
        f"answer(?= that| which){_KIND_IS}",
        "which is (?:option|choice)",
        "that is (?:option|choice)",
        "hence",
        "thus",
        "therefore",
        "just as",
        "left with(?: only| just)?",
        "leav(?:es|ing)(?: us with)?(?: only| just)?",
        f"{_OPENS}(?:that would be|(?:must|has to) be)",
        r"(?<![\W_](?-i:[A-Z])[ ])(?<!^(?-i:[A-Z])[ ])(?:->|=>|→|⇒)",
    )
)
_MIDDLE = (
    r"(?:(?:the|it'?s|it is|still|option|choice|letter|answer|ending|continuation)[ \t]+){0,4}"
)
_SPACED = rf"(?i:{_SAID}|not[ \t]+\S{{1,20}}[ \t]+(?:but|rather))(?:\.{{3}}|…)?[ \t:,]{{0,400}}(?i:{_MIDDLE})"
# After these a small letter is one, too.
_NAMED = r"(?i:(?<=option[ ])|(?<=option[ ]{2})|(?<=choice[ ])|(?<=choice[ ]{2})"
_NAMED += r"|(?<=option:[ ])|(?<=option:[ ]{2})|(?<=choice:[ ])|(?<=choice:[ ]{2})|(?<=option is[ ])|(?<=choice is[ ]))"
# What a short response may begin with that then only names the letter.
_OPENING = (
    r"(?:(?i:(?:the[ ]|my[ ])?(?:correct|right|final|choice|pick|selection|selected|chosen"
    r"|key|question[ ]?\d{1,3}|q[ ]?\d{1,3})(?:[ ](?:one|option|choice|letter|answer))?)[ \t]?[:：][ \t]*"
    r"|(?i:sure|sure thing|certainly|of course|okay|ok|alright|yes|thanks|hmm|(?:i am |i['’]m )?"
    r"(?:unsure|not (?:\w+ )?(?:sure|certain)))[!,.][ \t]+"
    r"|(?i:(?:the |my )?(?:(?:correct|right|best|final) )?(?:choice|answer|option|pick))\?[ \t]+"
    r"|(?i:(?:there(?:['’]s| is) )?(?:no|without(?: an?y?)?) doubt)[:,][ \t]+"
    r"|(?i:(?:it |that )?looks like|only)[ \t]+(?i:option[ \t]+)?"
    # "If I had to guess, B.", "Overall, then: B", "Final choice — A", "Surely A."
    r"|(?i:(?:(?:final|my|the)[ ]){0,2}(?:choice|verdict|pick|selection|decision|guess)[ ]{1,2}[–—-])[ \t]+"
    rf"|(?i:(?:so,?[ ])?{any_of('leads to a letter alone')})(?:,?[ ]then)?(?:[,:!…–—]|\.{{3}})?[ \t]+"
    r"|(?i:(?!.{0,30}\bnot\b)[\w ]{2,30},[ ](?:option|choice)[ ])|∴[ \t]*)"
)
# A chosen letter closes its phrase, or a reason follows: "so B = 5" chooses nothing.
_CLOSED = (
    r"(?=[ \t]*(?:[.,;:!?)\n。，、！：،\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]|$|है|(?:because|since|as|for|due"
    r"|bc|cuz|tbh|imo|و?ليست?|over|car|parce|porque|weil|denn|perché|pois"
    r"|richtig|korrekt|übrig|qui|لأن|seçene\w*|şık\w*|says|states|rather|instead|here|fits|works"
    r"|(?:in|on|from) (?:the|this|your) list"
    r"|(?:that )?is (?:the )?(?:correct|right"
    r"|best|answer))\b|-)|[ \t]{2})"
)
_HEDGE = r"(?:[Oo]r|[Mm]aybe|[Pp]erhaps|[Pp]ossibly|and|also|maybe|possibly|perhaps|even|probably|either)"
# Between two letters in Chinese, Japanese and Korean: "or", "and".
_AND_ABROAD = "或者|或是|或|和|与|與|及|以及|还是|還是|または|又は|もしくは|あるいは|および|及び|かつ|か|と|や|또는|혹은|아니면|이나|나|이랑|랑|와|과|하고|및"
# What closes a list of letters there, so that the last one begins no clause of its own.
_LIST_ENDS = "(?:です|でし|であ|の両方|の[2二]つ|입니|이다|모두|都对|都對|都正|两|兩)"
_BY = (
    r"\.?[,;/&+|?\-–]+|[、，]|\.[ ]+(?=(?i:or|maybe|perhaps|possibly)\b)|\b(?:and/or|or|and|to|vs|through|plus|oder|und|ou|et|o|y"
    rf"|или|и)\b|{_AND_ABROAD}|as well as|along with"
)


class Patterns(NamedTuple):
    """The patterns for one set of letters."""

    one: re.Pattern[str]
    lone: re.Pattern[str]
    after_mark: re.Pattern[str]
    standing: re.Pattern[str]
    option: re.Pattern[str]
    whole: re.Pattern[str]
    praised: re.Pattern[str]
    plainly_praised: re.Pattern[str]
    closed: re.Pattern[str]
    named_small: re.Pattern[str]
    phrase: re.Pattern[str]
    english_phrase: re.Pattern[str]
    rival: re.Pattern[str]
    endorsed: re.Pattern[str]
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
        lone=re.compile(rf"{one}(?![A-Za-z0-9])"),  # without which no other pattern finds a capital
        after_mark=re.compile(rf"\s*{_LEAD}({one}){_WHOLE}", re.IGNORECASE),
        standing=re.compile(rf"{_free(one)}{_WHOLE}"),
        option=re.compile(
            r"^[ \t#>\-➡👉→⇒✅✔✓☑\ufe0f]*(?:(?i:option|choice|letter)[ \t]+)?"
            rf"({one})(?:[ \t]?(?:[.:,;\-–—]|(?<=[ \t]))[ \t]+\S"
            rf"|[ \t]*[.:)]?[ \t]*$"
            r"|[ \t]+(?:because|since|as|for|due|bc|cuz)\b)",
            re.MULTILINE,
        ),
        praised=_praised(one, _so_right(one)),
        plainly_praised=_praised(one),
        closed=re.compile(
            rf"{one}{_WHOLE}(?:{_CLOSED}|(?=[ ](?:is|can|could|would|fits|works|makes)\b))"
        ),
        named_small=re.compile(
            rf"[OoCc](?i:ption|hoice)(?:[ ](?i:is)|:)?[ ]{{1,2}}{one.lower()}(?![A-Za-z0-9])"
        ),
        whole=re.compile(one + _WHOLE),
        phrase=_phrase(one, rf"(?:(?<!\w)(?:{_SPACED}|{ABROAD})|{ABROAD_UNSPACED})"),
        english_phrase=_phrase(one, rf"(?<!\w)(?:{_SPACED}|{ABROAD_OPTION})"),
        rival=_rival(one),
        endorsed=_endorsed(one),
        list_tail=re.compile(
            rf"[A-Z](?<![^\W{_UNSPACED[1:-1]}][A-Z])[ \t]*(?:,|/|&|\b(?:or|and|to|through|thru)\b|{_AND_ABROAD})[ \t]*"
            r"(?:(?:or|and|maybe|possibly)[ \t]+)?$"
        ),
        alone=_alone(one),
    )


def _free(one: str) -> str:
    """The letter where no word goes on; what must not stand before it is looked at after it, which is faster."""
    return rf"({one})(?<![^\W\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]{one})(?<!['’.+#&°%\-]{one})(?<!\d[ ]{one})(?<!\b[Nn]/{one})"


def _phrase(one: str, lead: str) -> re.Pattern[str]:
    """The letter to which a phrase leads: "so B", "I would pick B", "la respuesta es B"."""
    return re.compile(
        rf"{lead}({one}|{_NAMED}{one.lower()}){_WHOLE}(?!\.[ ]?[A-Z]\.)"
        rf"(?:{_CLOSED}|(?<=than[ ]{one})(?=[ ](?:is|can|could|would|fits|works|makes)\b))"
    )


def _rival(one: str) -> re.Pattern[str]:
    """Another letter beside the one that ends there: "A or B", "A, possibly B"."""
    return re.compile(
        rf"[ \t]*+(?:\d{{1,3}}%[ \t]*+)?(?P<by>{_BY})?[ \t]*+(?P<hedge>(?:{_HEDGE}\b[ \t,]*+){{0,3}})(?:(?:option"
        rf"|choice)[ \t]+)?"
        rf"(?:(?P<rival>{one}|{one.lower()}(?=[ \t]*(?:[.,;]|$)))(?!\w(?<!{_UNSPACED})|['’]\w)"
        rf"(?P<verb>[ \t]+(?!(?:and|or|are|were|both)\b)[a-z]|(?!{_LIST_ENDS}){_UNSPACED}|[ ][はが是])?|(?<=or )(?:none|neither"
        rf"|all)\b)"
    )


def _alone(one: str) -> re.Pattern[str]:
    """A short response that names the letter and nothing else: "Sure! B", "B and only B"."""
    return re.compile(
        rf"\s*(?:{_OPENING}|(?={one},?[ ](?:and|but|I)[ ]))({one})"
        r"(?:です|[ \t]+(?i:works|fits|remains|is (?:valid|left)|to me)"
        r"|,?[ ](?:and|but)[ ](?:only[ ]\1|nothing else|no other)\b|,?[ ]I[ ](?:guess|think|suppose|believe|reckon|would say))?"
        r"[ \t]*[.!。]?\s*"
    )


def _so_right(one: str) -> str:
    """ "(D) undermines it, so it's the correct answer", "D is supported and is therefore correct"."""
    return (
        rf"|[ ]+(?:(?!{one}(?![\w'’]))[^.!?;\n]){{1,80}}?,?[ ](?:so|and|and[ ]so|hence|thus|therefore)[ ]"
        r"(?:(?:(?:it|that|this)(?:['’]s|[ ]is)|is)[ ](?:(?:therefore|thus|hence|clearly)[ ])?(?:the[ ])?)?"
        r"(?:correct|right|best)(?=[ ]*[.!,\n]|[ ]*$|[ ](?:answer|choice|option|one)\b)"
    )


def _praised(one: str, in_the_end: str = "") -> re.Pattern[str]:
    """The letter that is said to be right: "B is correct", "B makes the most sense", "B it is"; or is so in the end."""
    return re.compile(
        rf"{_free(one)}(?:[ \t,]+(?:alone[ ])?(?:is|must be|seems|looks)[ \t]+"
        r"(?:(?:to be|the|our|my|most|clearly|definitely|indeed|actually|in fact|final)[ \t]+){0,3}"
        r"(?:(?:correct|right|answer|best|closest|nearest|strongest|true|stronger[ ](?:one|option|choice))\b"
        r"(?!,[ ](?:true|false)\b)"
        r"|(?:valid|proper|logical|intended|appropriate)[ ](?:one|answer|option|choice|conclusion|inference|statement)\b"
        r"|(?<=the[ ])solution\b(?![ ](?:set|space|of)\b)"
        r"|better\b(?! known| suited| than)|(?:(?<=my[ ])|(?<=our[ ]))(?:choice|pick|selection)\b|(?<=the[ ])exception\b"
        r"|only[ ][a-z]+[ ](?:(?:left|remaining|standing|possible|consistent|compatible)\b|(?:that|which)[ ])"
        r"(?!fail|lack|violat|contradict|ignor|miss|is[ ](?:wrong|incorrect|false|not[ ]correct))"
        r"|(?<=the[ ])one[ ](?:that|which|who)[ ](?!fail|lack|violat|contradict|ignor|miss|is[ ](?:wrong|incorrect|false)"
        r"|(?:i|we|people|many|some)[ ](?:eliminat|reject|exclud|rul|would[ ]rul))"
        r"|(?:one|option|choice|statement)[ ](?:that|which)[ ](?:is|does|did|was)(?:[ ]not|n['’]t)[ ](?!correct|right|work|fit)"
        r"|(?:(?<=most[ ])|more[ ])"
        r"(?:accurate|likely|plausible|appropriate|suitable|reasonable)\b"
        r"|(?<=most[ ])(?!common|popular|frequent|tempting|obvious|unlikely)[a-z]{3,15}[ ](?:answer|option|choice)\b)"
        r"|[ ]+is what (?:we|the question|is asked|was asked)\b"
        rf"{in_the_end}|[ \t]*[-–—:?][ \t]*(?i:correct|true|yes|right|✅)(?!\w)|[ ]best[ ][a-z]+s\b|[ ]+the[ ](?:correct|right"
        rf"|best)[ ](?:answer|choice|option|one)\b"
        rf"|(?:(?<=nly[ ]{one})(?<![Nn]ot[ ]only[ ]{one})|(?<=nly[ ]{{2}}{one})|(?<=nly[ ]{{3}}{one})"
        rf"|(?<=nly[ ]option[ ]{one}))"
        rf"[ ]+(?!fail|lack|violat|contradict|ignor|miss)[a-z]+\b|(?<=[✅✔☑][ ]{one})(?!\w)"
        r"|[;,.][ ](?:and[ ])?(?:it|that|this)(?:['’]s|[ ]is)[ ](?:the|my)[ ](?:correct[ ]|right[ ]|best[ ]|final[ ])?answer\b"
        r"|[ ]+would be the (?:right|correct|best) (?:one|answer|choice|option)(?=[ ]*[.!\n]|[ ]*$)"
        r"|[ ]+would be my (?:answer|choice|pick)\b|[ ]+is (?:what|the one|where) [Ii](?:['’](?:d|m|ll)| would| am| will)?"
        r"(?: going to)? (?:choos|pick|select|go(?:ing)? with|stick|settl|land|submit)\w*|[ ]+gets my vote\b"
        rf"|,?[ \t]+(?:most[ ]likely|probably)(?=[ ]*[.!\n]|$)|{RIGHT_ABROAD}"
        r"|,[ ]then(?=[ ]*[.!]|$)|[ ]+fits[ ](?:\w+[ ]){0,3}better\b|[ ]+wins\b"
        r"|[ \t]+(?:makes[ ](?:the[ ]most[ ])?sense\b|(?:fits|works)[ ]best\b"
        r"|(?:it[ ](?:is|must[ ]be|has[ ]to[ ]be)|remains)(?=[ ]*[.!\n]|$)))"
    )


def _endorsed(one: str) -> re.Pattern[str]:
    """The letter of the option that says what was found: "Choice C says exactly this", "D captures it"."""
    verb = r"(?:matches|captures|states|says|expresses|describes|reflects|conveys|summari[sz]es|notes|points[ ]out|identifies)"
    best = r"(?:(?:most[ ])?(?:accurately|correctly|precisely)|best|most[ ](?:closely|directly|clearly|fully|faithfully))"
    return re.compile(
        rf"{_free(one)}[ ]+(?:{verb}[ ](?:exactly[ ]|precisely[ ]|just[ ])?(?:this|that|it)(?:[ ][a-z]+ly|[ ]best|[ ]well)?"
        rf"(?=[ ]*[.!;,]|[ ]*$)"
        rf"|(?:(?<=as[ ]option[ ]{one}[ ])|(?<=as[ ]choice[ ]{one}[ ]))(?:states|says|puts)\b"
        rf"|{best}[ ]{verb}\b"
        rf"(?![^.!?\n]{{0,200}}\b(?:but|however|yet)\b[^.!?\n]{{0,60}}(?:wrong|incorrect|\bnot\b|n['’]t|fail|mistak|ignor)))"
    )


def phrase_in(plain: str, use: Patterns) -> re.Pattern[str]:
    """The pattern for the letter to which a phrase of that text leads."""
    return use.phrase if may_be_abroad(plain) else use.english_phrase


def _one_of(letters: str) -> str:
    if not isinstance(letters, str):
        raise SpecError(f"must be text, not {letters!r}", path="letters")
    known = letters.upper()
    ordered = re.fullmatch(r"([A-Z])-([A-Z])", known)
    if not (ordered and ordered[1] <= ordered[2]) and not re.fullmatch(r"[A-Z]+", known):
        problem = f"{letters!r} is not a range such as 'A-D', nor a list of letters such as 'ABCD'"
        raise SpecError(problem, path="letters")
    return f"[{known}]"


def masked(shown: str) -> str:
    """The text with wrappers blanked, each character in its place."""
    if "\\" in shown or "</" in shown:
        shown = _COMMAND.sub(lambda command: " " * len(command[0]), shown)
    if "'" in shown:
        shown = _QUOTED.sub(r" \1 ", shown)
    if shown.isascii():
        return shown.translate(_BLANKED) if _WRAPPER.search(shown) else shown
    for wrapper in _WRAPPERS:  # several times faster here than the table
        if wrapper in shown:
            shown = shown.replace(wrapper, " ")
    return shown
