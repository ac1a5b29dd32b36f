"""The letter that a response chose.

A letter counts as a whole word that is committed to: "A or B", "not B" and "Both" choose nothing, and the
last committed letter wins.
"""

from __future__ import annotations

import re

from steelyard.extract.box import without_denied_boxes, without_formulas, without_typeset
from steelyard.extract.choice.change import changed
from steelyard.extract.choice.commitment import DOUBTS, only_near
from steelyard.extract.choice.conclusion import concluded
from steelyard.extract.choice.elimination import left_over
from steelyard.extract.choice.excepted import excepted
from steelyard.extract.choice.fenced import without_names
from steelyard.extract.choice.labels import LABEL_WORDS, labelled
from steelyard.extract.choice.letters import Patterns, masked, patterns
from steelyard.extract.choice.marked import has_committed_mark, marked
from steelyard.extract.choice.options import (
    ends_in_list,
    option_line,
    small_option,
    ticked_box,
    ticks,
)
from steelyard.extract.choice.phrased import phrased
from steelyard.extract.choice.pointed import pointed
from steelyard.extract.choice.revision import revised
from steelyard.extract.choice.setoff import set_off
from steelyard.extract.choice.small import with_capitals
from steelyard.extract.choice.tags import tagged
from steelyard.extract.choice.verdicts import verdict
from steelyard.extract.ending import concluding_letter, ending_letter
from steelyard.extract.found import Found, Trace
from steelyard.extract.retraction import found_wrong, retracted_until
from steelyard.registry import EXTRACTORS
from steelyard.text.claim.denial import denied_after
from steelyard.text.correction.settled import settled
from steelyard.text.fold import fold_in_place
from steelyard.text.late import late
from steelyard.text.wrap import unwrap

_LABEL = late(
    r"\s*(?:[-#>✅✔✓☑👉️]+[ \t]+|\d{1,2}[.)][ \t]+|(?:answer|option|choice|letter|the letter)[ \t.]+"
    r"|(?:assistant|model|ai)[ ]?:[ \t]*|<\|\w{1,20}\|>\s*|a[ ]?:[ \t]+(?=[a-z]\W{0,3}\Z)"
    rf"|(?:(?:my|final)[ \t]+)?(?:{LABEL_WORDS}|result)[ \t]?[:.=][ \t]*)+",
    re.IGNORECASE,
)
_NUMERALS = late(
    r"\bI{2,3}\b|\b(?:statement|item|premise|condition|proposition|assertion)s?[ ]+I\b",
    re.IGNORECASE,
)
_DECLINES = late(
    r"[Ii](?<!\w[Ii])(?:['’]m| am)?[ ](?:can(?:not|['’]t)|could(?: not|n['’]t)|will not|won['’]t|unable to|refuse to"
    r"|decline to)[ ](?:choose|pick|select|decide|commit)\b(?![^.!?\n]{0,30}\b(?:other|another|else)\b)"
)
_NEGATED = late(r"(?:\\(?:neg|lnot|neq|ne)(?![a-z])|[¬≠])\s*[{(]?[A-Z](?!\w)[)}]?")
_TAKES_BACK = late(
    r"[^.!?\n,;]{0,40}[.!?,;…—–-]?\s{0,3}(?:(?:sorry|no|wait|oops|actually|hmm|ah)\b[,.! ]{0,3}){0,3}"
    r"(?:(?:scratch|strike|disregard|forget|ignore) that|I take (?:that|it) back|never ?mind)(?=[ ]*[.,;!…—–-]|\s*\Z)",
    re.IGNORECASE,
)
_PLAIN_STAGES = frozenset(("bare", "mark", "last line", "first line"))
_COMBINED = late("[A-Za-z][\u0300-\u036f]+")  # Å is no A, however it is composed
_SHORT, _TURNS = 60, 4  # who takes back more often than that has chosen nothing


@EXTRACTORS.register("choice")
def find_choice(text: str, *, letters: str = "A-D", trace: Trace | None = None) -> Found | None:
    r"""The chosen letter in upper case, with its verbatim place.

    >>> find_choice("Not (A). The answer is **b**.")
    Found(value='B', span=(25, 26), stage='mark')
    >>> find_choice("A or B") is None
    True
    """
    use = patterns(letters)
    if (
        trace is None
        and len(text) > _SHORT
        and (ending := ending_letter(text))
        and use.one.fullmatch(ending.value)
    ):
        return ending
    shown = _readable(text)
    if (
        trace is None
        and shown == text
        and (ending := concluding_letter(text))
        and use.one.fullmatch(ending.value)
    ):
        return ending
    found = _read(shown, letters, trace)
    if trace is not None:
        told = f"by {found.stage}" if found else f"no letter of {letters} is committed to"
        trace.add(
            "choice",
            f"{found.value if found else 'nothing'}: {told}",
            found.span if found else None,
        )
    return found


def _read(shown: str, letters: str, trace: Trace | None) -> Found | None:
    """The letter that is chosen and not given up again."""
    use = patterns(letters)
    for _ in range(_TURNS):
        found = _chosen(shown, letters, trace)
        if found is None or len(shown) - found.span[1] <= _SHORT // 4:
            return found
        back = _taken_back_until(shown, found, use)
        if back is None:
            return None if _is_given_up(shown, found, use) else found
        shown = " " * back + shown[back:]
    return None


def _chosen(shown: str, letters: str, trace: Trace | None) -> Found | None:
    use = patterns(letters)
    may_mark = "nswer" in shown or "NSWER" in shown or "\\" in shown
    found = _bare(shown, use) or (marked(shown, use, trace) if may_mark else None)
    if found and found.stage == "mark" and len(shown) - found.span[1] > _SHORT // 4:
        found = revised(shown, found, use) or found
    if found is None:
        found = labelled(shown, use) or tagged(shown, use)
    if found is None and not (may_mark and has_committed_mark(shown, use)):
        found = _unmarked(
            shown, masked(shown), _without_numeral(shown, letters)
        ) or _in_small_letters(shown, use)
    if found and found.stage not in _PLAIN_STAGES and only_near(shown, found.span):
        return None
    return found


def _taken_back_until(shown: str, found: Found, use: Patterns) -> int | None:
    """Where the response has taken the letter back, unless that speaks of another one that it marked before."""
    back = retracted_until(shown, found.value, found.span[1], another=False)
    if back is None:
        return None
    before = marked(shown[: shown.rfind("\n", 0, found.span[0]) + 1], use, None)
    if before is None or before.value == found.value:
        return back
    return retracted_until(shown, found.value, found.span[1], another=True)


def _readable(text: str) -> str:
    """The text that counts, without letters that stand or are negated in a formula or are names in a program."""
    shown = without_denied_boxes(fold_in_place(settled(text)))
    if "{" in shown and "\\" in shown:
        shown = without_formulas(shown)
    if "\\n" in shown or "\\l" in shown or "¬" in shown or "≠" in shown:
        shown = _NEGATED.sub(lambda denied: " " * len(denied[0]), shown)
    if "$" in shown or "\\(" in shown:
        shown = without_typeset(shown)
    if not shown.isascii():
        shown = _COMBINED.sub(lambda letter: "\u0292" + letter[0][1:], shown)
    return without_names(shown) if "```" in shown else shown


def _is_given_up(shown: str, found: Found, use: Patterns) -> bool:
    """Whether the response then declines to choose, takes the letter back, or says on reflection that it is wrong."""
    low = shown.lower()
    if _may_decline(low) and _DECLINES.search(shown, found.span[1]):
        return True
    if found_wrong(shown, found.value, found.span[1]):
        return True
    back = _TAKES_BACK.match(shown, found.span[1]) if _may_take_back(low) else None
    if back and use.standing.search(masked(shown), back.end()) is None:
        return True
    doubt = DOUBTS.search(shown, found.span[1]) if _may_doubt(low) else None
    if doubt is None:
        return False
    again = re.compile(rf"(?<![\w'’]){found.value}(?![\w'’])").search(
        shown, doubt.end(), doubt.end() + 60
    )
    return again is not None and denied_after(shown, again.end())


def _may_decline(low: str) -> bool:
    """Whether what may be declined is named."""
    return "choose" in low or "pick" in low or "select" in low or "decide" in low or "commit" in low


def _may_take_back(low: str) -> bool:
    """Whether words stand there without which nothing is taken back; most texts have none."""
    if " back" in low or "never mind" in low or "nevermind" in low:
        return True
    return " that" in low and (
        "scratch" in low
        or "strike" in low
        or "disregard" in low
        or "forget" in low
        or "ignore" in low
    )


def _may_doubt(low: str) -> bool:
    """Whether a word stands there that may begin a second look."""
    return (
        "wait" in low
        or "actually" in low
        or "no," in low
        or "hmm" in low
        or "hold on" in low
        or "on second" in low
        or "on reflection" in low
        or "scratch" in low
    )


def _without_numeral(shown: str, letters: str) -> Patterns:
    """The patterns without the letter I where it counts statements: "I and III are true"."""
    use = patterns(letters)
    if not use.one.fullmatch("I") or not _NUMERALS.search(shown):
        return use
    return patterns("".join(filter(use.one.fullmatch, "ABCDEFGHJKLMNOPQRSTUVWXYZ")))


def _in_small_letters(shown: str, use: Patterns) -> Found | None:
    """The choice that is set off in small letters, "… so (c).", or of a short response without a capital: "i'd go with c"."""
    raised = with_capitals(shown, _SHORT)
    return _unmarked(raised, masked(raised), use) if raised != shown else None


def _bare(shown: str, use: Patterns) -> Found | None:
    """The whole response is the letter."""
    if len(shown) > _SHORT:
        return None
    lead = _LABEL.match(shown)
    start, end = unwrap(shown, (lead.end() if lead else 0, len(shown)), brackets=True)
    while end > start and shown[end - 1] in ".):,;!? ✅✔✓☑️":
        end -= 1
    if end - start == 1 and use.one.fullmatch(shown[start].upper()):
        return Found(shown[start].upper(), (start, end), "bare")
    return None


def _unmarked(shown: str, plain: str, use: Patterns) -> Found | None:
    if ticks(shown):
        return ticked_box(shown, use)
    if (
        use.lone.search(plain) is None
    ):  # no capital can be found, as in most texts that choose nothing
        return (
            changed(plain, 0, use)
            or phrased(shown, plain, use, 0, len(plain))
            or small_option(shown, use)
        )
    return (
        option_line(shown, plain, use)
        or changed(plain, 0, use)
        or phrased(shown, plain, use, 0, len(plain))
        or verdict(shown, plain, use)
        or _lone_line(plain, use)
        or set_off(shown, plain, use)
        or excepted(plain, use)
        or left_over(shown, plain, use)
        or _named_alone(shown, plain, use)
        or small_option(shown, use)
        or pointed(shown, plain, use)
        or concluded(shown, plain, use)
    )


def _lone_line(plain: str, use: Patterns) -> Found | None:
    """A last or a first line that holds the letter alone."""
    body = plain.strip()
    if _lists_letters(body, use) or ends_in_list(body, use):
        return None
    offset = plain.find(body[:1]) if body else 0
    starts = {"last line": offset + body.rfind("\n") + 1, "first line": offset}
    for stage, start in starts.items():
        end = plain.find("\n", start)
        line = plain[start : end if end >= 0 else len(plain)]
        lead = _LABEL.match(line) if stage == "last line" and ":" in line else None
        letter = use.standing.match(
            plain, start + (lead.end() if lead else len(line) - len(line.lstrip()))
        )
        if letter and not plain[letter.end(1) : start + len(line)].strip(" .:,;!"):
            return Found(letter[1], letter.span(1), stage)
    return None


def _lists_letters(body: str, use: Patterns) -> bool:
    """Whether there is nothing but letters, and not one alone."""
    found = {word.strip(".:,;!") for word in body.split()} if len(body) <= _SHORT else set()
    return len(found) > 1 and all(map(use.one.fullmatch, found))


def _named_alone(shown: str, plain: str, use: Patterns) -> Found | None:
    """The letter that a short response names and nothing else: "Correct: B", "Sure! B", "答案是B"."""
    letter = use.alone.fullmatch(plain) if len(shown) <= _SHORT else None
    return Found(letter[1], letter.span(1), "named alone") if letter else None
