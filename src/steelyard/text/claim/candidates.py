"""Whether a text only goes through candidates: a list of what it may be, with no choice, or with another one's.

Lists are read in the form of ``marked.py``; what tells candidates one by one, line by line, is read as it stands.
"""

from __future__ import annotations

import re

from steelyard.text.claim.choice import is_one_choice
from steelyard.text.claim.marked import ASKED, CLOSE, COLON, COMMA, DASH, OPEN, SLASH, STOP, WORD
from steelyard.text.grammar import phrases, words
from steelyard.text.late import late
from steelyard.text.normal import normalise

_MAY_BE = r"(?:could|might|may) (?:be|have been)"
_AGAIN = rf"(?:(?:and|or|then again|then|but|equally|on other hand) (?:{COMMA} )?)?"
_MAYBE = rf"(?:maybe|perhaps|possibly|(?:it )?{_MAY_BE})"
# "Maybe Kant, maybe Hegel": offered twice or more.
_MAYBE_BOTH = late(
    rf"(?:^| ){_MAYBE} (?:its |it is |it was )?"
    rf"(?:yes |no |(?!{phrases('speaks of the writer')} |its? |am |not )(?:{WORD} ){{1,6}})"
    rf"[{COMMA}{STOP}{DASH}] {_AGAIN}{_MAYBE} (?:its |it is |it was )?$"
)
_MAY_BE_BEFORE = late(rf"(?:^| )(?:(?:maybe|perhaps|possibly)(?: its| it is| it was)?|{_MAY_BE}) $")
_MAY_BE_AFTER = late(
    rf" [{COMMA}{STOP}] {_AGAIN}(?:it )?{_MAY_BE} (?:also )?(?!in |at |on |by |as |for )"
    rf"(?:{WORD} ){{1,3}}(?:[{STOP}]|{COMMA} (?!too )|$)"
)
# "It could be any of the following: …", "Possible composers include: …"
_HEADED = late(
    rf"(?:^|{STOP} )(?:(?!{STOP})\S+ ){{0,8}}?(?:candidates|possibilities|contenders|possible (?:{WORD} ){{0,2}}?{WORD}s"
    rf"|(?:could|might|may) (?:be|have been) (?:one|any|either)? ?(?:of )?(?:following|these|those)|{_MAY_BE}(?= {COLON})"
    rf"|differential(?: diagnosis)?(?: (?:is|would be|includes?|would include))?"
    rf"|(?:pick|choose|take) (?:whichever|any|one|your pick)"
    rf"|(?:is|was|its|be) (?:probably |likely )?(?:one|any|either) of (?:following|these|those|them))"
    rf"(?: {WORD}){{0,4}} {COLON} (?P<items>(?:(?!{COLON})\S+ ){{0,60}})$"
)
# "Past recipients include A, B and C, …"
_RUN = late(
    rf"(?:^| )(?:includes?|included|including|such as|among|candidates|options|possible|{_MAY_BE}) "
    rf"(?:(?:{WORD} )?|(?:(?!{STOP})\S+ ){{1,14}}?(?:{COMMA}|and|or) (?:{WORD} ){{0,2}})$"
)
_IN_LIST = late(rf"(?:^|[{COMMA}{STOP}{CLOSE}]|and|or) (?:{WORD} ){{0,2}}$")
_DECIDES = frozenset(words("decides"))
_CHOSEN = late(
    rf" (?:{OPEN} |{DASH} |{COLON} |{COMMA} )?(?:correct|right|best|most likely|likely|answer|my)(?= )"
)
_DOES = late(rf" (?:{phrases('deeds')}|is|was|did|has|had)(?= )")
_NEXT = late(
    rf" [{COMMA}{STOP}{CLOSE}] (?:{OPEN} )?(?:\d+ (?:[{STOP}{CLOSE}] )?)?(?:{WORD} ){{1,4}}[{COMMA}{STOP}]"
)
_CANNOT = "(?:cant|cannot|can not|couldnt|could not|unable to|not able to|impossible to|hard to|difficult to|no way to)"
# "Option 2: Perth", "| Perth |", "Sydney? Perth?": an item, and not one of which something is said.
_AN_ITEM = late(
    rf"(?:^|[{STOP}{COLON}{COMMA}{ASKED}{CLOSE}]|and|or) (?:(?:option|choice|candidate|possibility)? ?(?:\d{{1,2}}|[a-h])"
    rf" (?:[{COLON}{STOP}{CLOSE}{DASH}] ))?(?:and |or )?$|^$"
    rf"|^(?:(?:option|choice|candidate) )?(?:\d|[a-h]) [{COLON}{CLOSE}{STOP}] $"
)
_ITEM_ENDS = late(
    rf" (?:[{STOP}{COMMA}{ASKED}{CLOSE}{OPEN}{SLASH}{DASH}{COLON}]|\d{{1,2}} [{STOP}{CLOSE}]|and |or )"
)
# "The nominees were Perth, …"
_NAMES = late(
    r"(?:^| )(?:(?:nominees|finalists|candidates|contenders|options|choices) (?:were|are)|either) $"
)
# "Source 1 says Perth, source 2 says Sydney; …"
_ONE_SAYS = late(
    r"(?:^| )(?:some|others?|one|another|source|statement|book|encyclopaedia|text|witness)(?: \S{1,2})?"
    r" (?:says?|claims?|credits?|names?) $"
)
# "I can't tell which.", "I can't decide between them", "I would rather not guess"
_UNDECIDED = late(
    rf" (?:(?:{_CANNOT} (?:{WORD} )?(?:tell|say|decide|determine|choose|know|pick|narrow|remember|recall)"
    rf"|(?:not sure|unsure|not certain|(?:dont|do not) (?:know|remember|recall)|forgot|forget))"
    rf"(?: {WORD}){{0,2}}? (?:(?:which|who)(?:(?: one| of (?:them|these|those|two))(?: {WORD}){{0,3}}| it is| it was"
    rf"| is (?:right|correct|meant))?"
    rf"(?= [{STOP}{COMMA}]|$| $)|(?:between|among) (?:them|these|those"
    rf"|two(?: of them| options| candidates| answers| names)?(?= [{STOP}{COMMA}]|$| $)))"
    rf"|{_CANNOT} (?:{WORD} )?(?:decide|choose)(?= [{STOP}{COMMA}]|$| $| between (?:{WORD} ){{1,4}}(?:and|or) )"
    rf"|(?<=[{STOP}{ASKED}{COMMA}] )(?:its |it is )?(?:one|either)"
    rf" of (?:two|them|(?:these|those)(?: two| three| four| five)?)(?= [{STOP}{COMMA}]|$| $))"
    r"| rather not (?:guess|say|choose|pick)(?= |$)"
    r"| (?:pick|choose|take) (?:whichever|your pick|any of (?:them|these|those))(?= |$)"
    rf"| (?:(?:pick|choose|take) (?:any|one)|(?:its |it is )?your choice|whichever you (?:like|prefer))(?= [{STOP}{COMMA}]|$| $)"
)
# "Further tests are needed", "before committing to any of these"
_MORE_NEEDED = late(
    r" (?:further|more|additional) (?:tests?|testing|information|context|data|details|investigation|imaging) (?:is|are|would be)"
    r" (?:needed|required|necessary)(?= )| before (?:committing to|choosing|settling on|deciding) "
)
_NOT_KNOWN = late(
    r"(?:^| )(?:i (?:dont|do not) know|i am (?:not sure|unsure)|im (?:not sure|unsure)) (?:who|which|what)(?= |$)"
)
_HEDGES = ("be ", "been ", "perhaps ", "possibly ", "its ", "it is ", "it was ")
# Without one of these no list of candidates is headed.
_CANDIDATES = (
    "candidates",
    "possib",
    "contenders",
    "could ",
    "might ",
    "may ",
    " of the",
    "of following ",
    "of those ",
    "diff",
)
_ONE_OF_THEM = late(
    rf"(?: (?:{WORD}|{COMMA})){{0,14}}? (?:[{COMMA}{STOP}] )?(?:so |and |thus )?(?:it|he|she|they|answer|winner) {_MAY_BE} "
    r"(?:any |either )?(?:one )?of (?:them|these|those)(?= |$)"
)
# "Perth, Sydney, Hobart: it must have been one of these three."
_MUST_BE_ONE = late(
    rf"(?: {COMMA}(?: {WORD}){{1,4}}){{0,8}} [{COLON}{COMMA}{STOP}{DASH}] (?:it|he|she|answer) (?:must|has to|had to|will)"
    rf" (?:be|have been) one of (?:these|them|those)(?= |$)"
)
# "- Mercury: too close to the Sun.", "(a) Lisbon - on the Tagus", "2. Niels Bohr refined the model."
_TOLD_LINE = late(
    r"^[ \t]*(?:[-*•+]|\d{1,2}[.)]|\(?[A-Ha-h][.)])[ \t]+[*_]{0,3}"
    r"(?:(?P<told>[^\n:*]{2,40}?)[*_]{0,3}(?::|[ ][-–—])[*_]{0,3}[ \t]"
    r"|(?P<does>[^\W\d_a-z][\w.'’-]*(?:[ ](?:and|of|de|del|la|van|von|der|[^\W\d_a-z][\w.'’-]*)){0,6})[*_]{0,3}[ ](?=[a-z(]))",
    re.MULTILINE,
)
# "A) Mars"
_OPTION_LINE = late(r"^[ \t*_(]*[A-H][.):][ \t*_]+([^\n:]{2,40}?)[*_. \t]*$", re.MULTILINE)
# "Candidates:\n- Mercury\n- Venus"
_HEADING = late(
    r"^[^\n:]*\b(?:options?|candidates?|possibilit(?:y|ies)|choices|contenders|guesses)\b[^\n:]*:[ \t*_]*$",
    re.MULTILINE | re.IGNORECASE,
)
_PLAIN_LINE = late(
    r"^[ \t]*(?:[-*•+]|\d{1,2}[.)]|\(?[a-hA-H][.)])[ \t*_]+([^\n:]{2,40}?)[*_. \t]*$", re.MULTILINE
)
_CONCLUDES = late(
    r"\b(?:therefore|thus|hence|so|conclusion|conclude|answer|clearly|together|overall|in summary|consequently|must be)\b",
    re.IGNORECASE,
)
_EXCLUDES = late(
    r"\b(?:not|no|nor|neither|never|without|out|wrong|incorrect|eliminated?|excluded?|except|but|than|both)\b|n['’]t\b",
    re.IGNORECASE,
)
_BEHIND, _AHEAD, _MOST = 200, 300, 1500


def only_a_candidate(marked: str, start: int, end: int, right: tuple[str, ...]) -> bool:
    """Whether the mention there is one of several that the text offers without a choice."""
    before, after = marked[max(0, start - _BEHIND) : start], marked[end : end + _AHEAD]
    if before.endswith(_HEDGES) and _is_hedged(before[-90:], after):
        return True
    if " one of the" in after and _MUST_BE_ONE.match(after):
        return True
    if " of the" in after and _ONE_OF_THEM.match(after) and _RUN.search(before[-120:]):
        return True
    if (_may_be_undecided(after) and _is_undecided(before, after)) or _is_unknown(before, after):
        return True
    if is_one_choice(before, after, right):
        return True
    return (
        COLON in before
        and any(word in before for word in _CANDIDATES)
        and _is_headed(before, after, right)
    )


def left_undecided(marked: str, start: int, end: int) -> bool:
    """Whether the mention there stands beside another, and the text closes with the words that it cannot tell which.

    Then it claims neither, whatever it told of them before.
    """
    before, after = marked[max(0, start - 30) : start], marked[end : end + _AHEAD]
    beside = before.endswith((*_HEDGES, "or ")) or after.startswith((" or ", f" {COMMA} or "))
    return beside and _may_be_undecided(after) and _UNDECIDED.search(after) is not None


def _is_hedged(before: str, after: str) -> bool:
    if _MAYBE_BOTH.search(before):
        return True
    return (
        _MAY_BE_AFTER.match(f"{after} ") is not None and _MAY_BE_BEFORE.search(before) is not None
    )


def _may_be_undecided(after: str) -> bool:
    return (
        " which" in after
        or " who " in after
        or " between " in after
        or " among " in after
        or " rather not " in after
        or " decide" in after
        or " choose" in after
        or " of t" in after
        or " whichever" in after
        or " pick" in after
        or " your choice" in after
    )


def _is_undecided(before: str, after: str) -> bool:
    """Whether it is one of a run or of several items, and the text then says that it cannot tell which."""
    undecided = _UNDECIDED.search(after)
    if undecided is None:
        return False
    if _RUN.search(before[-120:]) or _NAMES.search(before) or _ONE_SAYS.search(before):
        return True
    between = f"{before} {after[: undecided.start()]}"
    several = sum(map(between.count, (STOP, COMMA, ASKED, DASH, COLON))) > 1 or CLOSE in between
    item = _AN_ITEM.search(before) is not None and _ITEM_ENDS.match(after) is not None
    return item and several and _DECIDES.isdisjoint(after[: undecided.start()].split())


def _is_unknown(before: str, after: str) -> bool:
    """Whether it is one of a run of names, beside the words that the writer does not know which: "winners include A and B"."""
    if (
        "know" not in before
        and "know" not in after
        and "sure" not in before
        and "sure" not in after
    ):
        return False
    if not _RUN.search(before[-120:]):
        return False
    return _NOT_KNOWN.search(after) is not None or _NOT_KNOWN.search(before) is not None


def _is_headed(before: str, after: str, right: tuple[str, ...]) -> bool:
    headed = _HEADED.search(before)
    if (
        headed is None
        or _CHOSEN.match(after)
        or (before.endswith(f"{STOP} ") and _DOES.match(after))
    ):
        return False
    items = headed["items"]
    if not _IN_LIST.search(f" {items}") or not _DECIDES.isdisjoint(items.split()):
        return False
    more = _MORE_NEEDED.search(after)
    several = (
        STOP in items[3:]
        or COMMA in items
        or _NEXT.match(f"{after[: more.start()] if more else after} {STOP}") is not None
    )
    if not several or any(answer in f"{items}{after}" for answer in right[1:]):
        return False
    # "I choose the second" decides after all.
    return (
        _UNDECIDED.search(after) is not None
        or more is not None
        or _DECIDES.isdisjoint(after.split())
    )


def _may_tell_lines(text: str) -> bool:
    return (
        ":" in text
        or "B" in text
        or "2" in text
        or "\n-" in text
        or "\n*" in text
        or "•" in text
        or "b)" in text
    )


def _is_lettered(rest: str, option: re.Match[str]) -> bool:
    """Whether the letter of that option is named in what follows the options."""
    letter = option[0].lstrip(" \t*_(")[0]
    return (
        re.search(rf"(?<![\w'’]){letter}(?![\w'’]|[ ](?!since|because|as|here)\w)", rest)
        is not None
    )


def another_is_chosen(text: str, want: str) -> bool:
    """Whether the text tells of several candidates line by line, and then concludes with another one.

    >>> another_is_chosen("- Mars: red.\\n- Venus: hot.\\n\\nThe hot one is therefore Venus.", "mars")
    True
    """
    if len(text) > _MOST or not _may_tell_lines(text):
        return False
    heading = _HEADING.search(text)
    options = list(
        _PLAIN_LINE.finditer(text, heading.end()) if heading else _OPTION_LINE.finditer(text)
    )
    told = options if len(options) > 1 else list(_TOLD_LINE.finditer(text))
    if len(told) < 2:
        return False
    names = [normalise(line[line.lastindex or 1]) for line in told]
    held = [i for i, name in enumerate(names) if f" {want} " in f" {name} "]
    if not held or normalise(text).count(want) != len(held):
        return False
    end = text.find("\n", told[-1].end())
    rest = text[end:] if end >= 0 else ""
    if told is options and _is_lettered(rest, options[held[0]]):
        return False
    if (told is not options and not _CONCLUDES.search(rest)) or _EXCLUDES.search(rest):
        return False
    said = f" {normalise(rest)} "
    named = [re.escape(name) for name in {*names} if name and f" {name} " in said]
    # "So Newton came later" tells of it, and chooses nothing.
    return (
        len(named) == 1
        and re.search(
            rf" (?:(?:is|was|be|are)(?: \w+){{0,2}}|go with|choose|pick|say) {named[0]} | {named[0]} (?:is|was) ",
            said,
        )
        is not None
    )
