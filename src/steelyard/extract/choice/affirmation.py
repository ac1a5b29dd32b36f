"""Whether the letter that a phrase points to is the response's own choice: not refused, only claimed, or somebody else's."""

from __future__ import annotations

import re
from itertools import product

from steelyard.extract.choice.commitment import commits, is_one_case, ruled_out
from steelyard.extract.choice.letters import Patterns
from steelyard.text.claim.denial import clause_before, denied_after, denied_before, taken_back
from steelyard.text.late import late

_ALSO_ANOTHER = late(r"[ \t]*,?[ \t]*(?:and|but) so (?:is|are|does)\b")
_AVOIDED = late(
    r"[ ,;.]*(?:so|and|thus|therefore)[ ](?:i|we)[ ](?:would[ ]|will[ ]|can[ ])?"
    r"(?:avoid|reject|rule|exclude|eliminate|skip|discard)\b",
    re.IGNORECASE,
)
# "The false statement is D.": what the question asked for.
_ASKED_FOR = late(
    r"\b(?:incorrect|wrong|false|untrue)[ ](?:statement|sentence|claim|one)[ ]is[ ]+\Z",
    re.IGNORECASE,
)
# Clauses that lead to most letters, and refuse none: "so the correct option is", "I would choose option".
_PLAIN_LEADS = frozenset(
    (
        *(
            f"{so}the {kind}{name} is"
            for so, kind, name in product(
                ("", "so ", "thus ", "hence ", "therefore "),
                ("", "correct ", "right ", "best ", "final "),
                ("answer", "option", "choice"),
            )
        ),
        *(
            f"{who}{verb}{name}"
            for who, verb, name in product(
                ("i ", "i would ", "i will ", "i'd ", "i'll ", "so i ", "so i would ", "so i'd "),
                ("choose", "pick", "select", "go with"),
                ("", " option", " choice", " answer"),
            )
        ),
    )
)
_SEEMS = late(r"[ ](?:seems|looks)[ ]")
_TURNS = late(
    r"[ \t]*[,.;–—-]?[ \t]*(?:but|however|yet)\b[ \t]*,?[ \t]*(?:it|that|this)\b", re.IGNORECASE
)
# What others choose, or nobody can, is not what the response chooses.
_THEY_CHOOSE = late(
    r"(?:\b(?:people|students|some|many|most|others|they|every(?:one|body)|test-takers|insufficient|(?:not|\w+n['’]t) enough)\b"
    r"[^.,;:\n]{0,30}(?<!\bme)(?<!\bus)"
    r"|\b(?:nothing|nobody|no[ ]one|not[ ]one|little)\b[^.,;:\n]{0,50}\b(?:make|made|lead|led|get|let)s?"
    r"[ ](?:me|us|you)(?:[ ]to)?"
    r"|\b(?:make|made|lead|led|get|got|trick|tempt|lure|push)(?:s|ed)?[ ](?:you|one|readers?)(?:[ ]to)?)"
    r"[ ](?:choose|chose|pick|picked|select|selected)[ ]+(?:(?:option|choice|answer|letter)[ ]+)?\Z",
    re.IGNORECASE,
)
_OTHERS = (
    "people",
    "students",
    "some",
    "many",
    "most",
    "others",
    "they",
    "every",
    "test-takers",
    "insufficient",
    "enough",
    "nothing",
    "nobody",
    "no one",
    "not one",
    "little",
    "make",
    "made",
    "lead",
    "led",
    "get",
    "got",
    "trick",
    "tempt",
    "lure",
    "push",
)
# "I initially chose C because …": what it chose then; what it keeps to is said again.
_CHOSEN_FIRST = late(
    r"\b(?:I[ ](?:had[ ])?(?:initially|originally|first|previously)"
    r"|(?:initially|originally|at[ ]first|previously|earlier),?[ ]I(?:[ ]had)?)"
    r"[ ](?:chose|picked|selected|went[ ]with)[ ]+(?:(?:option|choice|answer|letter)[ ]+)?\Z",
    re.IGNORECASE,
)
_TURNED = late(
    r"\b(?:but|however|mistake|wrong|instead|rather|realis|realiz|chang|switch|on[ ](?:reflection|second)|thinking[ ]it[ ]over)",
    re.IGNORECASE,
)
_CLAIM = late(
    r"(?:\b(?P<noun>claim|idea|notion|assertion|view|belief|argument|suggestion|assumption)s?"
    r"|(?:^|[.!?\n][ ]?)to (?:say|claim|argue|assert|suggest|conclude)|\bno(?:body| one)\b[^.,;:!?\n]{0,40}"
    r"|\b(?:often|commonly|widely|sometimes|frequently|wrongly)[ ](?:claimed|said|believed|thought|assumed|argued))"
    r"[ ]that[ ](?:(?:option|choice|answer)[ ]|the answer is[ ])?\Z",
    re.IGNORECASE,
)
_THAT = (" that ", " that option ", " that choice ", " that answer ", " that the answer is ")
_FAILS = late(
    r"[^.,;:!?\n]{0,40}\b(?:(?:does|do|did|can|could|would|is|was)(?:n['’]t| not)|cannot|fails?|falls|collapses|ignores"
    r"|contradicts|(?:is|was)[ ](?:\w+[ ])?(?:wrong|false|incorrect|mistaken|untenable|a myth))\b",
    re.IGNORECASE,
)
# "Between A and B, A is better", "Having ruled out A, B and C, D is left": the "and" closes the list.
_COMPARED = late(r"\b(?:and|or|nor)[ ]+(?:options?[ ]+)?[A-Z],[ ]+\Z")
_AT_FIRST = late(
    r"[ ,]*(?:at[ ](?:first|a[ ]glance)|on[ ](?:first|the[ ]surface)|initially|superficially|until)\b",
    re.IGNORECASE,
)


def affirmed(shown: str, plain: str, match: re.Match[str], use: Patterns) -> bool:
    """Whether the letter that a phrase points to is the response's own choice, and stands alone."""
    start = match.start(1)
    before = plain[max(0, start - 80) : start]
    low = before.lower()
    return (
        (_is_asked_for(plain, start, low) or not _is_refused(plain, start))
        and not _is_listed(plain, start, use)
        and not (" that " in before and low.endswith(_THAT) and _is_only_claimed(plain, match))
        and commits(shown, plain, match.span(1), use)
        and not (match.end() > match.end(1) and _turns(plain, match))
        and not _ALSO_ANOTHER.match(plain, match.end())
        and not _AVOIDED.match(plain, match.end(1))
        and not is_one_case(plain, *match.span(1))
        and not (_may_be_chosen(low) and _is_not_chosen_now(plain, match, low))
    )


def _is_asked_for(plain: str, start: int, low: str) -> bool:
    """Whether the question asked for the false statement, and this is it."""
    if not low.rstrip(" ").endswith(("statement is", "sentence is", "claim is", "one is")):
        return False
    return _ASKED_FOR.search(plain, max(0, start - 40), start) is not None


def _may_be_chosen(low: str) -> bool:
    """Whether somebody chooses there; as a rule a letter is only called the answer."""
    return (
        "pick" in low or "select" in low or "chose" in low or "choose" in low or "went with" in low
    )


def _is_not_chosen_now(plain: str, match: re.Match[str], low: str) -> bool:
    """Whether the letter was chosen at first, and given up, or is chosen by somebody else."""
    start = match.start(1)
    then = "chose " in low or "picked" in low or "selected" in low or "went with" in low
    if (
        then
        and _CHOSEN_FIRST.search(plain, max(0, start - 50), start)
        and _TURNED.search(plain, match.end(1))
    ):
        return True
    if match[0][:1].lower() not in "cps" or not any(map(low.__contains__, _OTHERS)):
        return False
    return _THEY_CHOOSE.search(plain, max(0, start - 80), start) is not None


def _is_refused(plain: str, start: int) -> bool:
    if clause_before(plain, start).strip() in _PLAIN_LEADS:
        return False
    return denied_before(plain, start) or taken_back(plain, start) or ruled_out(plain, start)


def _is_only_claimed(plain: str, match: re.Match[str]) -> bool:
    """Whether the text only speaks of the claim: "the claim that B is right does not hold", "nobody has shown that B …"."""
    claim = _CLAIM.search(plain, max(0, match.start(1) - 80), match.start(1))
    return claim is not None and (
        not claim["noun"] or _FAILS.match(plain, match.end(1)) is not None
    )


def _is_listed(plain: str, start: int, use: Patterns) -> bool:
    """Whether another letter is joined to it: "A or B", but not "of A and B, B is better"."""
    before = use.list_tail.search(plain, max(0, start - 14), start)
    if before is None or before[0][0] == plain[start]:
        return False
    return _COMPARED.search(plain, max(0, start - 40), start) is None


def _turns(plain: str, match: re.Match[str]) -> bool:
    """Whether the praise is taken back: "B seems right, but it …", "B looks right at first", "B is right, but that's wrong"."""
    seems = _SEEMS.search(match[0]) is not None
    if not _TURNS.match(plain, match.end()):
        return seems and _AT_FIRST.match(plain, match.end()) is not None
    return seems or denied_after(plain, match.end())
