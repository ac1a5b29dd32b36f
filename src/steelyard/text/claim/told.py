"""Whether a mention is only told, asked or supposed: what others say, what was first thought, what would have been.

Read in the form of ``marked.py``; the words are in ``words.txt``.
"""

from __future__ import annotations

from steelyard.text.claim.left_behind import is_left_behind, may_turn
from steelyard.text.claim.marked import ASKED, COLON, COMMA, DASH, OPEN, STOP, WORD
from steelyard.text.grammar import phrases, words
from steelyard.text.late import late

# "If it were Perth" and "whether it is Perth" leave it open.
_OPEN = late(
    rf"(?:^| )(?:whether|if|if only|suppose|supposing|imagine) (?:it|its|that|this|they|he|she|answer)(?: {WORD}){{0,2}} $"
)
# "Many say Perth, but it is …" tells what others say.
_OTHERS_SAY = late(
    rf"(?:^| ){phrases('others')} (?:{WORD} ){{0,2}}?{phrases('opinions')}(?: {WORD}){{0,2}} $"
    rf"|(?:^| )(?:popular|conventional|traditional|common|official) (?:history|wisdom|legend|tradition|lore|belief|opinion)"
    rf" (?:has it that|holds that|says|claims|credits|names) (?:{WORD} ){{0,2}}$"
    rf"|(?:^| )according to (?:{WORD} ){{1,3}}(?:{COMMA} )?(?:(?:it is|it was|its) )?$"
)
# "…, though some say Perth" does so too, after the response's own answer.
_THOUGH_OTHERS_SAY = late(
    rf"(?:^| )(?:though|although|while|even if|{OPEN}) (?:{COMMA} )?(?!most ){phrases('others')} (?:{WORD} ){{0,2}}?"
    rf"{phrases('opinions')}(?: {WORD}){{0,2}} $"
)
_TURNED = late(
    rf"(?: {WORD}){{0,4}} (?:{COMMA} |{STOP} )?(?:but|however|yet) (?:{COMMA} )?(?:it|its|the|in|actually|that|thats|really"
    rf"|i (?:say|think|believe|would say)|id say) "
    rf"| [{STOP}{COMMA}] i (?:say|think|believe|would) "
)
# "Many people think the capital of Brazil is Rio, but it is …": a whole clause stands between.
_OTHERS_SAY_THAT = late(
    rf"(?:^| )(?:{phrases('others')} (?:{WORD} ){{0,2}}?{phrases('opinions')}"
    rf"|(?:it is|its) (?:{WORD} )?{phrases('credited')} that) (?:{WORD} ){{0,8}}$"
)
# "…, but the correct date is …", ". It is actually …"
_CONTRARY = late(
    rf"(?: {WORD}){{0,4}} (?:[{COMMA}{STOP}] )?(?:but|however|yet) (?:{COMMA} )?"
    rf"(?:(?:it|its|that|thats) |(?:{WORD} ){{0,6}}?{phrases('real')} )"
    rf"|(?: {WORD}){{0,4}} {STOP} (?:(?:it|that|this|they|answer) (?:is|was|are|were)|its|thats) (?:actually|really|in fact) "
    rf"|(?: {WORD}){{0,4}} {STOP} (?:actually|in fact|in reality|in truth) (?:{COMMA} )?(?:it|its|that|thats) "
)
# "Many think Sydney is the capital, but the capital …" takes up its subject again.
_AGAIN = late(
    rf"(?P<same>(?: {WORD}){{0,4}}) (?:[{COMMA}{STOP}] )?(?:but|however|yet) (?:{COMMA} )?(?P<of>[^\W\d]{{4,}}) "
)
# "My friend says it is Perth. She is wrong"
_SOMEONE_SAYS = late(rf"(?:^| ){phrases('tells')} (?:{WORD} ){{0,6}}$")
_IS_MISTAKEN = late(
    rf"(?: {WORD}){{0,4}} (?:[{STOP}{COMMA}{COLON}{DASH}] )?(?:but |and )?(?:i (?:think|believe|say) )?(?:that )?"
    rf"(?:he|she|they|you|everybody|everyone)(?:s|re|d be| is| are| was| were| would be)"
    rf" (?:(?!not |never ){WORD} )?{phrases('wrong')}(?= |$)"
)
# "Books claim that it is Perth, which is false", "People credit Perth, and films repeat it. This is a myth."
_UNTRUE = (
    rf"(?:an? |now |just |only |however |simply |known to be |long )?(?:(?!not |never ){WORD} )?"
    rf"(?:{phrases('wrong')}|{phrases('outdated')})"
)
_SAID_ON = (
    rf"(?: (?!but |though |although |while |not |is ){WORD}){{0,9}}?(?: (?:is|was|were|are)(?: (?!not ){WORD}){{1,7}})?"
    rf"(?: {COMMA} and(?: {WORD}){{1,8}})?"
)
_FALSE = rf"{_UNTRUE}(?= [{STOP}{COMMA}{COLON}{DASH}]|$| $)"
_CALLED_FALSE = late(
    rf"{_SAID_ON} {COMMA} (?:(?:but )?which (?:is|was)|(?:but |yet )?(?:this|that|it)(?: is| was|s)) {_FALSE}"
)
_THEN_CALLED_FALSE = late(rf"{_SAID_ON} {STOP} (?:but )?(?:this|that)(?: is| was|s) {_FALSE}")
_FALSEHOODS = frozenset(
    word for name in ("wrong", "outdated") for phrase in words(name) for word in phrase.split()[-1:]
)
_OTHERS_SAYING = late(
    rf"(?:^| )(?!i |we |ill |id )(?:{WORD} ){{1,2}}(?<! i )(?<! we )"
    rf"(?:{phrases('tells')}|{phrases('opinions')}) (?:{WORD} ){{0,7}}$"
)
# "You will see Perth quoted in many books, but that is outdated."
_QUOTED_BUT = late(
    rf" (?:(?:is|was|are) )?(?:{WORD} )?{phrases('quoted')} (?:in|by|as|everywhere|online)(?: {WORD}){{0,6}}"
    rf" (?:[{COMMA}{STOP}] )?(?:but|though|yet) (?:this|that|it|which)(?: is| was|s) {_FALSE}"
)
# "The Soviets say Perth, yet in truth it was Sydney."
_IN_TRUTH = late(
    rf"(?: (?!but |though |although |while |not ){WORD}){{0,4}} (?:[{COMMA}{STOP}] )?(?:but|yet|however) (?:{COMMA} )?"
    rf"(?:in truth|in fact|in reality|actually|really|truth is)"
    rf" (?:{COMMA} )?(?:it|he|she|they|that) (?:is|was|were) (?!not |also |only |even |just |{WORD}ed |{WORD}er )"
)
# "Perth was in it, and people assume he made it. He did not."
_ASSUMED_OF = late(
    rf"(?! {phrases('deeds')} )(?: (?!{STOP})\S+){{1,10}}? {phrases('opinions')} (?:that )?(?P<who>he|she|they|it|this)"
    rf" (?:{WORD} ){{1,6}}[{STOP}{COMMA}] (?:but )?(?P=who) (?:(?:did|was|is|does|were)nt|(?:did|was|is|does|were) not)(?= |$)"
)
# "If it were older, it would be Perth", "Had it been older, …"; but "If I had to guess, it would be Perth"
_NOT_SUPPOSED = (
    r"(?!i |im |we |you |there |one |(?:\S+ ){0,4}(?:had to|up to|asked|pressed|forced) )"
)
_SUPPOSED = late(
    rf"(?:^|[{STOP}{COMMA}{COLON}{DASH}] )(?:but |and |so )?"
    rf"(?:if {_NOT_SUPPOSED}(?:{WORD} ){{1,4}}?(?:were|had|(?:were|had|was|did)nt)"
    rf"|(?:had|were) {_NOT_SUPPOSED}{WORD}) (?:{WORD} ){{0,8}}(?:{COMMA} )?(?:then )?"
    rf"(?:(?:it|that|this|he|she|they|answer) (?:would|could|might)|itd|thatd|theyd) (?:have been|be) (?:{WORD} ){{0,2}}$"
)
# "Perth would be the obvious guess, but …", "The tempting answer is Perth, but …"
_OBVIOUS = rf"{phrases('obvious')} {phrases('guesses')}"
_NOT_MORE = rf"(?!{phrases('others')} |i |(?:it|its|he|she|they)(?: is| was| has)? also )"
_OBVIOUS_AFTER = late(
    rf" (?:(?:would|might|may|could) (?:be|seem)|is|was|seems) (?:like )?(?:{WORD} )?{_OBVIOUS} (?:[{COMMA}{STOP}] )?"
    rf"(?:but|however|yet) {_NOT_MORE}"
)
_OBVIOUS_BEFORE = late(
    rf"(?:^| ){_OBVIOUS} (?:is|was|would be|might be|may be) (?:{WORD} ){{0,2}}$"
)
_BUT = late(
    rf" (?:[{COMMA}{STOP}] )?(?:but|however|yet) {_NOT_MORE}| [{STOP}{COMMA}] {phrases('real')} (?:one|answer) (?:is|was) "
)
# "Perth is often credited, but it was …"
_CREDITED = late(
    rf" (?:is|was|are|were|has been|had been) (?:{WORD} ){{0,2}}?{phrases('credited')}(?: {WORD}){{0,6}} (?:{COMMA} |{STOP} )?"
    rf"(?:but|however|yet) (?:{COMMA} )?(?:it|its|the|in|actually|that|thats|really) "
)
# "Though often attributed to Perth, …"
_THOUGH_CREDITED = late(
    rf"(?:^| )(?:though|although|while|despite being) (?:(?:it|its|is|was|it is"
    rf"|it was) )?(?:{WORD} )?{phrases('credited')} (?:to|as|with) $"
)
_ATTRIBUTED = late(rf"(?:^| ){phrases('credited')} (?:by (?:{WORD} ){{1,2}})?(?:to|as|with) $")
# "Although Perth is often credited, …"
_THOUGH = late(r"(?:^| )(?:though|although|while) $")
_IS_CREDITED = late(
    rf" (?:is|was|has been) (?:{WORD} ){{0,2}}?{phrases('credited')}(?: {WORD}){{0,4}} {COMMA} "
)
# "The claim that it is Perth is false."
_CLAIM = late(rf"(?:^| )(?:claims?|idea|notion|belief|statement|rumou?r) that (?:{WORD} ){{0,3}}$")
_CLAIM_FALSE = late(
    rf"(?: {WORD}){{0,6}} (?:is|was|has been) (?:{WORD} )?(?:{phrases('wrong')}|myth|debunked)(?= |$)"
)
# "You may have heard that Perth was first, but that's a myth."
_BUT_FALSE = late(
    rf"(?: {WORD}){{0,8}} (?:{COMMA} |{STOP} )?but (?:that|this)(?:s| is| was) (?:just |only |actually |simply )?"
    rf"(?:{phrases('wrong')}|{phrases('outdated')}|not (?:true|so|correct|right|case))(?= |$)"
)
# "It was long thought to be Perth, but …"
_LONG_THOUGHT = late(
    rf"(?:^| )(?:long|once|previously|formerly|traditionally|originally) (?:{WORD} )?"
    rf"(?:thought|believed|assumed|considered|credited|attributed|claimed) (?:to (?:be|have been) |as |to )?(?:{WORD} ){{0,2}}$"
)
# "It is often said to be Perth, but it is actually …", "commonly attributed to Perth. In reality …"
_WIDELY = late(
    rf"(?:^| )(?:often|commonly|widely|popularly|traditionally|frequently|usually|generally) "
    rf"(?:{phrases('credited')}|held|put|given) (?:{WORD} ){{0,7}}$"
)
_NOT_SO = late(
    rf"(?: {WORD}){{0,4}} (?:[{COMMA}{STOP}] )?(?:but |however |yet )?(?:{COMMA} )?(?:in reality|in truth"
    rf"|(?:it|that|he|she|they) (?:is|was|were) (?:actually|really|in fact)|(?:{WORD} ){{0,2}}{phrases('real')} {WORD} (?:is|was)"
    rf"|(?:in fact|actually) (?:{COMMA} )?it (?:is|was|comes|came) (?:{WORD} )?(?:by|from|of|due))(?= )"
)
_LONG_BUT = late(rf"(?: {WORD}){{0,4}} (?:[{COMMA}{STOP}] )?but ")
# "Perth? Sydney? I cannot tell."
_ASKED_BEFORE = late(rf"{ASKED} (?:or )?$")
_AND_ASKED = late(rf" {ASKED} (?:or )?(?:{WORD} ){{1,4}}{ASKED}")
# "Is it Paris?" asks, and answers nothing.
_QUESTION = late(
    rf"(?:^|[{STOP}{ASKED}{COMMA}{COLON}] )(?:or )?(?:is|was|are|were|could|would|might|can|did|does|do) "
    rf"(?:(?![{STOP}{ASKED}])\S+ ){{0,8}}$"
)
_ASKS = late(rf" (?:(?!{STOP})\S+ ){{0,8}}{ASKED}")
_AFFIRMED = late(
    rf" (?:{STOP} )?(?:yes|yep|yeah|indeed(?: it (?:is|was))?|correct|exactly|it is|it was|i (?:believe|think|guess|suppose) so)"
    rf"(?: (?:{STOP}|{COMMA})| ?$)"
)


def is_open(before: str, after: str) -> bool:
    """Whether it is only asked, supposed, or said by others."""
    if ASKED in after and (asks := _ASKS.match(after)) and _QUESTION.search(before):
        return not _AFFIRMED.match(after, asks.end())
    if (
        "if " in before or "whether " in before or "suppos" in before or "imagine " in before
    ) and _OPEN.search(before):
        return True
    if _may_concede(before) and (
        _THOUGH_OTHERS_SAY.search(before) or _THOUGH_CREDITED.search(before)
    ):
        return True
    if _is_one_asked(before, after) or (_IS_CREDITED.match(after) and _THOUGH.search(before)):
        return True
    if is_left_behind(before, after) or (may_turn(after) and _CREDITED.match(after)):
        return True
    if "but " in after and (
        _BUT_FALSE.match(after) or (_LONG_THOUGHT.search(before) and _LONG_BUT.match(after))
    ):
        return True
    return (
        _is_common_belief(before, after) or _is_supposed(before, after) or _is_told(before, after)
    )


def _is_one_asked(before: str, after: str) -> bool:
    """Whether it is one of several that the text asks for: "Perth? Sydney? I cannot tell."."""
    if after.startswith(f" {ASKED}") and _ASKED_BEFORE.search(before):
        return not _AFFIRMED.match(after, 2)
    return _AND_ASKED.match(after) is not None


def _is_common_belief(before: str, after: str) -> bool:
    """Whether it is what is often said, and the text then tells what is so in truth."""
    if "ly " not in before and "often " not in before:
        return False
    return _NOT_SO.match(after) is not None and _WIDELY.search(before) is not None


def _is_supposed(before: str, after: str) -> bool:
    """Whether it would have been so, or would be the obvious guess."""
    if (
        " be" in before
        and ("if " in before or "had " in before or "were " in before)
        and _SUPPOSED.search(before)
    ):
        return True
    if may_turn(after) and _OBVIOUS_AFTER.match(after):
        return True
    return _BUT.match(after) is not None and _OBVIOUS_BEFORE.search(before) is not None


def _may_concede(before: str) -> bool:
    return (
        "though " in before
        or "while " in before
        or "even if " in before
        or "despite " in before
        or OPEN in before
    )


def _is_told(before: str, after: str) -> bool:
    """Whether it is what others say, or a claim that the text calls false."""
    if " that " in before and _CLAIM.search(before) and _CLAIM_FALSE.match(after):
        return True
    if ("nt " in after or " not " in after) and _ASSUMED_OF.match(f"{after} "):
        return True
    if _is_refuted(before, after):
        return True
    if _TURNED.match(after) and (_OTHERS_SAY.search(before) or _ATTRIBUTED.search(before)):
        return True
    if not may_turn(after) and "actually " not in after and " in " not in after:
        return False
    if not (_CONTRARY.match(after) or _AGAIN.match(after)):
        return False
    said = _OTHERS_SAY_THAT.search(before)
    return said is not None and (_CONTRARY.match(after) is not None or _taken_up(said[0], after))


def _is_refuted(before: str, after: str) -> bool:
    """Whether others say it, and the text says that they are wrong, or what is so in truth."""
    if _may_be_mistaken(after) and _IS_MISTAKEN.match(after) and _said_by_others(before):
        return True
    if may_turn(after) and (
        _QUOTED_BUT.match(after) or (_IN_TRUTH.match(after) and _OTHERS_SAYING.search(before))
    ):
        return True
    if _FALSEHOODS.isdisjoint(after.split()) or not _OTHERS_SAYING.search(before):
        return False
    if _CALLED_FALSE.match(after):
        return True
    return (
        _THEN_CALLED_FALSE.match(after) is not None and _OTHERS_SAY_THAT.search(before) is not None
    )


def _said_by_others(before: str) -> bool:
    return _SOMEONE_SAYS.search(before) is not None or _ATTRIBUTED.search(before) is not None


def _may_be_mistaken(after: str) -> bool:
    return " wrong" in after or " mistaken" in after or " incorrect" in after


def _taken_up(said: str, after: str) -> bool:
    """Whether "but the capital …" goes on with a word of what others say."""
    again = _AGAIN.match(after)
    return again is not None and again["of"] in f"{said} {again['same']}".split()
