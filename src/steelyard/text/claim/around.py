"""What stands around a mention and decides it: a denial, a second thought, an alternative.

A text is read in its normal form with the ends of its clauses kept, each as one mark between blanks.
"""

from __future__ import annotations

import re

from steelyard.text.claim.abroad import (
    denied_abroad,
    may_deny_abroad,
    offered_abroad,
    said_of_abroad,
)
from steelyard.text.claim.affirmed import excepted, harmless, reach
from steelyard.text.claim.candidates import only_a_candidate
from steelyard.text.claim.denial import denied_in_words, may_deny, said_of
from steelyard.text.claim.discarded import is_discarded
from steelyard.text.claim.enumeration import STAND_IN
from steelyard.text.claim.families import Family
from steelyard.text.claim.left_behind import is_exchanged
from steelyard.text.claim.marked import (
    ASKED,
    CLOSE,
    COLON,
    COMMA,
    DASH,
    MARK,
    OPEN,
    SLASH,
    STOP,
    WORD,
)
from steelyard.text.claim.restated import is_restated, without_other_words
from steelyard.text.claim.several import CHOICES, offered_together
from steelyard.text.claim.told import is_open
from steelyard.text.claim.truth import OPPOSITES, is_turned
from steelyard.text.grammar import phrases, words
from steelyard.text.late import late

# "Fewer than 3 would be odd" compares with what may have been claimed before.
_COMPARED = late(
    r"(?:fewer|less|more|larger|smaller|bigger|greater|higher|lower|taller|older|better) than (?:\S+ ){0,2}$"
)
_TRUTH_VALUES = frozenset(("yes", "no", "true", "false", "invalid", "incorrect", "wrong"))
_OR = rf"(?:{phrases('alternatives')}|{SLASH})"
_FILLER = phrases("before an alternative")
# "It could be Mozart or it could be Haydn."
_CLAUSE = (
    r"(?:its|(?:is|was|could|might) it(?: be)?"
    r"|(?:it|that|answer|he|she) (?:(?:could|might|may|would) (?:also )?(?:be|have been)|is|was)"
    r"|es (?:könnte|kann|ist|war))"
)
_OFFERED_BEFORE = late(
    rf"(?:^| )(?:{SLASH} |(?!{SLASH}){_OR} (?:{COMMA} )?(?:{_FILLER} (?:{COMMA} )?){{0,4}}(?:{OPEN} |{_CLAUSE} )?"
    # "by Dante or by Petrarch": a preposition that is said twice; "Either/Or by Kierkegaard" says it once
    rf"|(?P<by>by|on|at|from|to|with|for) (?:{WORD} ){{1,5}}(?:{COMMA} )?or (?P=by) |oder (?:die|der|das|den|dem|eine?) "
    r"|either (?:[^ \ue000-\ue007]+ ){1,8}or "
    r"(?:(?!(?:to|in|at|on|by|for|from|with|of|into|near|through) )[^ \ue000-\ue007]+ ){1,4}"
    # "Either Tolstoy wrote it, or Dostoevsky did."
    rf"|either (?:{WORD} ){{1,8}}{COMMA} or (?:else |maybe |perhaps )?)$"
)
_EITHER = late(rf"(?: {WORD}){{0,8}} (?:{COMMA} )?or ")
# "Or so I believe", "or, to put it differently," offer nothing else.
_OR_ANOTHER = rf"(?!{SLASH}){_OR} (?!so |(?:more|less) (?!likely )|(?:{COMMA} )?(?:to put|put|to be|at least) )\S"
_OFFERED_AFTER = late(
    rf" (?:{SLASH} \S|(?:{CLOSE} ){{0,2}}(?:[{COMMA}{OPEN}{CLOSE}{STOP}{DASH}] )?(?:and (?:{SLASH} )?)?{_OR_ANOTHER}"
    # "Rhine...\nor Elbe": across the end of a line another one follows at once
    rf"|[{COMMA}{STOP}{DASH}] {STOP} {_OR} (?!so |as |in |if |more |less |at )(?:{WORD} ){{1,5}}(?:[{COMMA}{STOP}{ASKED}]|$))"
)
_ITEM = (
    rf"(?!(?:and |but )?{phrases('negators')} |home |with |born |in |at |on |which |who |the |a |an |to |by |for |from |founded "
    rf"|as |where )(?:[^ \d\ue000-\ue007]+ ){{1,3}}?"
)
_LISTED = late(rf" {COMMA} (?:{_ITEM}{COMMA} ){{0,6}}(?:{_ITEM})?(?:{COMMA} )?{_OR_ANOTHER}")
_ONE_OF = late(
    rf"(?:^| )(?:(?:one|either|any) of(?: these| those| following)?(?: {COLON})?"
    rf"|{CHOICES}(?: (?:are|is|include|would be|could be|might be))?(?: {COLON})?|either) "
    r"(?:[a-e] )?$"
)
_PLACED = r"(?:in|at|on|for|from|of|to|with) "  # "Two candidates in the final round, and …"
_AMONG_OPTIONS = late(
    rf"(?:^| ){CHOICES}(?: (?:are|include))?(?: {COLON})? (?!{_PLACED})(?:(?:{WORD} ){{1,3}}{COMMA} ){{1,6}}(?:and )?$"
)
_OF_OPTIONS = late(
    rf"(?:^|{STOP} )(?:out )?of (?:{WORD} )?{CHOICES} (?:(?!{STOP})\S+ ){{1,20}}{COMMA} $"
)
# "Option three, Perth" names one, and lists nothing.
_LABELLED = late(
    rf"(?:^| )(?:option|choice) (?:[a-h]|\d{{1,2}}|one|two|three|four|five|six) {COMMA} $"
)
# "One of Sydney, Perth and Hobart"; but "one of the largest cities, Perth" is one.
_ONE_OF_SEVERAL = late(
    rf"(?:^| )(?:one|any|either) of (?:(?:these|those|following) )?(?:{COLON} )?"
    rf"(?:(?:{WORD} ){{0,2}}[^ \ue000-\ue007]*[^s \ue000-\ue007] {COMMA} (?:and |or )?){{1,6}}$"
)
_LIST_GOES_ON = late(rf" (?:{COMMA}|or|and|[b-e](?: {MARK})?) \S")
_MAYBE = late(r"(?:^| )(?:maybe|perhaps|possibly) $")
# "Paris, maybe Lyon" offers both; "Paris, possibly in May" does not.
_OR_MAYBE = late(
    rf" (?:[{COMMA}{STOP}{OPEN}{DASH}] )?(?:maybe|perhaps|possibly) {_ITEM}"
    rf"(?:[{STOP}{MARK[1:-1]}]|$)"
)
_OR_MAYBE_NUMBER = late(
    rf" (?:[{COMMA}{STOP}{OPEN}{DASH}] )?(?:maybe|perhaps|possibly) \d"
)  # Maybe 1848; maybe 1849
_MAYBE_AFTER = late(rf" {COMMA} (?:maybe|perhaps|possibly) ")
_NOUN = rf"(?!(?:is|was|are|were|be|has|have|had|of course) ){WORD}"
_BARE_LIST = late(
    rf"(?:{_NOUN} ){{0,2}}{_NOUN}(?: {COMMA}(?: and| or)?+(?: {_NOUN}){{1,3}}){{3,30}}(?: {STOP})?"
)
# Without one of these before it nothing is offered.
_OFFERING = frozenset(
    (*words("alternatives"), *words("offers"), "possible", "possibilities", SLASH)
)
# "Between 1944 and 1945" commits to neither.
_RANGE_BEFORE = late(r"(?:^| )between \d+ (?:\w+ )?and $")
_RANGE_AFTER = late(r"(?: \w+)? and \d")
# "It is between Perth and Sydney"
_TORN = late(
    rf"(?:^| )(?:it is|its|torn|toss up|choose|decide|choosing|deciding"
    rf"|guess|pick|picking|undecided|hesitate|hesitating) between (?:(?:{WORD} ){{1,4}}(?:and |{COMMA} (?:and )?)){{0,6}}$"
)
_TORN_AFTER = late(r".* and ")
# "Between Perth and Sydney, I'd go with Perth": another one is then chosen.
_PAIRED = late(rf"(?:^| )between (?:{WORD} ){{1,4}}and $")
_CHOSEN_FROM = late(
    rf" {COMMA} (?:id|ill|i|we|wed|my) (?:{WORD} ){{0,3}}(?:go|pick|choose|take|say|prefer|lean|vote|is|answer)(?= )"
    r"(?! (?:with |for |towards )?(?:latter|second|last)(?: |$))"
)
# "Perth, however, is not …": a word in between changes nothing.
_ASIDE = late(
    rf"\A {COMMA} (?:however|though|in fact|of course|by contrast|unfortunately|actually|indeed) {COMMA}(?= )"
)
# "No, that is impossible": what is asked about is impossible, and not the answer.
_OF_THE_QUESTION = late(
    rf" [{COMMA}{STOP}{DASH}] (?:(?:that|this|it) (?:is|was|would be)|thats|its) "
)
# "Sydney resigned; Perth never resigned"
_NEVER_DID = late(rf" (?:{COMMA} )?never (?P<did>{WORD}ed)(?= {MARK}|$| $)")
_DID = late(
    rf" (?P<did>{WORD}ed) [{COMMA}{STOP}{DASH}] (?:(?:but|while|and|whereas) )?(?:{WORD} ){{0,2}}$"
)
_CJK_OR = late(
    r"或|还是|または|か(?=[\u30a0-\u30ff\u3400-\u9fff])|(?<=[\u30a0-\u30ff\u3400-\u9fff])か$"
)


def verdict(
    marked: str, start: int, end: int, right: tuple[str, ...], possible: Family | None = None
) -> bool | None:
    """True if the mention there is a claim, False if it is denied or withdrawn, None if it is only offered.

    What is said of a longer right answer that the mention is a part of is said of it. Only what the words of the text leave
    ``possible`` is looked for.
    """
    said = _verdict(marked, start, end, right, possible)
    for name in right[1:] if said else ():
        said = said and verdict_of_name(marked, start, right, name)
    return said


def may_be_denied(marked: str, start: int) -> bool:
    """Whether a negator is near, which may reach the mention there if it counts from where its name begins."""
    before = marked[max(0, start - 90) : start]
    return may_deny(before) or may_deny_abroad(before)


def verdict_of_name(marked: str, start: int, right: tuple[str, ...], name: str) -> bool | None:
    """What is said of a name in which the mention there stands: "not by Johann Sebastian Bach"; else True."""
    at = _part_of(marked, start, right[0], name)
    return True if at < 0 else _verdict(marked, at, at + len(name), right)


def _part_of(marked: str, start: int, want: str, name: str) -> int:
    """Where the name begins that the mention there is a part of."""
    inside = f" {name} ".find(f" {want} ") if len(name) > len(want) else -1
    at = start - inside
    if inside < 0 or at < 0 or not marked.startswith(name, at):
        return -1
    return (
        at if marked[at - 1 : at] in {"", " "} and marked[at + len(name) :][:1] in {"", " "} else -1
    )


def _verdict(
    marked: str, start: int, end: int, right: tuple[str, ...], possible: Family | None = None
) -> bool | None:
    before, after = _around(marked, start, end, right[0])
    if possible is not Family.OFFERED:
        said = _is_not_denied(marked, start, (before, after), right[0])
        if said is not True:
            return said
    if possible is Family.DENIED:
        if is_discarded(marked, start, end, right[0]):
            return None
    elif _is_open_or_offered(marked, (start, end), (before, after), right):
        return None
    if (possible is None or possible is Family.ANY) and (
        only_a_candidate(marked, start, end, right) or offered_together(marked, start, end, right)
    ):
        return None
    listed = marked.count(COMMA, 0, 2000) > 2 and _BARE_LIST.fullmatch(marked[:2000].strip())
    return None if listed else True


def _is_not_denied(marked: str, start: int, beside: tuple[str, str], want: str) -> bool | None:
    """False if it is denied or exchanged for another, None if something else is only said not to be so of it, else True."""
    before, after = beside
    if _is_denied(marked, start, after, closely=want not in _TRUTH_VALUES):
        return None if _COMPARED.search(before) else False
    if (
        denied_abroad(before, after)
        or is_exchanged(before, after)
        or (want in OPPOSITES and is_turned(want, after))
    ):
        return False
    return None if _is_said_of(before, after, want) else True


def _is_open_or_offered(
    marked: str, span: tuple[int, int], beside: tuple[str, str], right: tuple[str, ...]
) -> bool:
    """Whether it is only asked, supposed, told or thought of; or one of several that are not all right."""
    before, after = beside
    if is_open(before, after) or is_discarded(marked, *span, right[0]):
        return True
    number = right[0] == STAND_IN and _OR_MAYBE_NUMBER.match(after) is not None
    if not (number or _is_offered(before, after) or offered_abroad(before, after)):
        return False
    return not (is_restated(right[0], after) or _all_right(marked, *span, right))


def _around(marked: str, start: int, end: int, want: str) -> tuple[str, str]:
    """What stands before and after the mention there, without asides and without other words for it."""
    before, after = marked[max(0, start - 90) : start], _ASIDE.sub("", marked[end : end + 140])
    before, after = without_other_words(before, after)
    return before, "" if want in OPPOSITES and _OF_THE_QUESTION.match(after) else after


def _is_said_of(before: str, after: str, want: str) -> bool:
    """Whether something else is only said of it: what it is not, did not do, or is as well as its opposite."""
    if said_of(after) or said_of_abroad(after) or _is_both(before, after, want):
        return True
    return " never " in after and _another_did(before, after)


def _is_denied(marked: str, start: int, after: str, *, closely: bool) -> bool:
    """Whether it is denied; what ends with "than" or "except" may only be told from the whole clause."""
    before = marked[max(0, start - 90) : start]
    if not denied_in_words(before, after, closely=closely):
        return excepted(before, after) is False
    if excepted(before, after):
        return False
    far = reach(before)
    return far == 90 or denied_in_words(marked[max(0, start - far) : start], after, closely=closely)


def _another_did(before: str, after: str) -> bool:
    """Whether the text says of another what it says that this one never did."""
    never, did = _NEVER_DID.match(after), _DID.search(before)
    return never is not None and did is not None and never["did"] == did["did"]


def _is_both(before: str, after: str, want: str) -> bool:
    """Whether its opposite is said in the same breath: "yes and no"."""
    opposite = OPPOSITES.get(want)
    return opposite is not None and (
        before.endswith(f"{opposite} and ")
        or re.match(rf" and {opposite}(?= {MARK}|$| $)", after) is not None
    )


def _is_offered(before: str, after: str) -> bool:
    if before.endswith("between ") and _RANGE_AFTER.match(after):
        return True
    if _OR_MAYBE.match(f"{after} ") or (before.endswith("either ") and _EITHER.match(after)):
        return True
    if _OFFERED_AFTER.match(f"{after} ") or _LISTED.match(after) or _CJK_OR.match(after.strip()):
        return True
    if not before.isascii() and _CJK_OR.search(before[-3:]):
        return True
    return not _OFFERING.isdisjoint(before.split()) and _offered_by(harmless(before), after)


def _offered_by(before: str, after: str) -> bool:
    return (
        _OFFERED_BEFORE.search(before) is not None
        or _RANGE_BEFORE.search(before) is not None
        or (_PAIRED.search(before) is not None and _CHOSEN_FROM.match(after) is not None)
        or (
            _TORN.search(before) is not None
            and _TORN_AFTER.match(f"{before[-30:]} {after}") is not None
        )
        or (_ONE_OF.search(before) is not None and _LIST_GOES_ON.match(after) is not None)
        or (
            _AMONG_OPTIONS.search(before) is not None
            and not (_is_labelled(before, after) or _is_chosen(before, after))
        )
        or (COMMA in before and _ONE_OF_SEVERAL.search(before) is not None)
        or (_MAYBE.search(before) is not None and _MAYBE_AFTER.match(after) is not None)
    )


def _is_labelled(before: str, after: str) -> bool:
    """Whether it is the one option that is named, by its label: "option three, the Zambezi"."""
    only = (
        before.count("option ") + before.count("choice ") == 1
        and "option " not in after
        and "choice " not in after
    )
    return only and _LABELLED.search(before) is not None and not may_deny(before)


def _is_chosen(before: str, after: str) -> bool:
    """Whether the sentence names the options first, and then says of this one that it is it: "of options Y and Z, Y is"."""
    return after.startswith((" is ", " was ")) and _OF_OPTIONS.search(before) is not None


def _all_right(marked: str, start: int, end: int, right: tuple[str, ...]) -> bool:
    """Whether every item that the sentence offers holds a right answer."""
    if len(right) < 2:
        return False
    first = marked.rfind(STOP, max(0, start - 400), start) + 1
    last = marked.find(STOP, end, end + 400)
    sentence = marked[first : last if last >= 0 else end + 400]
    offered = re.split(rf" {_OR} ", f" {sentence} ")
    if len(offered) == 1:  # "torn between NYC and Boston", "one of NYC, Boston"
        offered = re.split(rf" (?:and|{COMMA}(?: and)?) ", f" {sentence} ")
    # Of "NYC, Boston or New York" the short part before "or" is an item of its own.
    apart = [
        part
        for item in offered[:-1]
        if len(part := item.rstrip(f" {COMMA}").rsplit(COMMA)[-1].split()) < 3
    ]
    items = [re.sub(rf" {MARK}(?= |$)", "", item) for item in offered] + list(map(" ".join, apart))
    return all(any(f" {answer} " in f" {item} " for answer in right) for item in items)
