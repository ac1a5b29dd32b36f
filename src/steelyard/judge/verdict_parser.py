"""Read the verdict of a judge's reply: its tagged line, or a form of the table.

A call with a tag has one possible verdict: the last complete line that begins with the tag. The
answer does not contain the tag, so it cannot write that line. A reply to a call without a tag has
a verdict only if the answer contains none of the forms, and all forms of the reply agree.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any, NamedTuple

import msgspec

from steelyard.foreign import repeated_key
from steelyard.judge.prompt import JOINER, plain_text
from steelyard.reading.cuts import blanked, reasoning
from steelyard.score import Readable, exact

#: A bound for hostile replies, in characters. A tagged verdict is looked for from the end.
LONGEST_REPLY = 200_000
#: How much of a reason or of evidence a Score keeps.
LONGEST_REASON = 500
_LARGEST_SCALE = 1000
# What may stand around the line of a verdict: spaces, Markdown bold and code.
_AROUND = " \t\r*`"

# "4", "4.5", "3/10", "4 out of 5"; not a range ("3-4"), not a percentage, not "4/5/2024".
_SCORE = r"""
    (?P<score> \d{1,4} (?: \. \d{1,9} )? )
    (?: [ \t*_]{0,3} (?: / | out[ ]of ) [ \t*_]{0,3} (?P<scale> \d{1,4} ) )?
    (?!
        [\w%⁄/] | [.,:]\d | \.\. | [ \t]{0,3} (?: % | percent\b )
      | [ \t]{0,3} (?: [-–~+/] | (?: to | or | out[ ]of )\b ) [ \t]{0,3} \d
    )
"""
_RATING = re.compile(_SCORE, re.X | re.I)
# The table of forms, each with an example. {value} is a score, a word or a list of pairs.
FORMS = {
    # {"score": 4}, and fragments of it such as 'score': 4
    "field": r"""["'] {field} \\? ["'] \s{{0,4}} : \s{{0,4}} \\? ["']? {value}""",
    # Score: 4, **Rating:** 4/5, Grade = 4
    "label": r"""
        \b (?: score | rating | grade )
        [ \t*_`"'\\]{{0,6}} [:=] [ \t*_`"'\\]{{0,6}} {value}
    """,
    # [[4]], [[A]]
    "brackets": r"""\[\[ [ \t]? {value} [ \t]? \]\]""",
    # 4/5, 3/10; not -4/5, 4,5/5, 3-4/5, 3 to 4/5 and the end of 4/5/6
    "ratio": r"""
        (?<![\w.,/⁄+−–~-]) (?<!\d:) (?<![/⁄]\ ) (?<!\d\ [−–~+-]\ ) (?<!\d\ to\ ) (?<!\d\ or\ )
        (?= \d{{1,4}} (?: \.\d{{1,9}} )? [ \t]? / ) {value}
    """,
    # a label of the rubric, yes, no, 1 or 0 on a line of its own
    "line": r"""^ [ \t*_`"'(]{{0,8}} {value} [ \t*_`"'.)]{{0,8}} \r? $""",
}
# "Evidence: …", "**Reason:** …" at the beginning of a line.
_EVIDENCE, _REASON = (
    re.compile(
        rf"""^ [ \t*_\#>"-]{{0,8}} {name} [ \t*_"]{{0,4}} : [ \t*_]{{0,4}}""", re.X | re.I | re.M
    )
    for name in ("evidence", "reason")
)
# "…", "[...]": words that a quotation leaves out.
_GAP = re.compile(r" ?(?:\[\.\.\.\]|\.{3,}) ?")
_BLANKS = re.compile(r"\s+")
_QUOTES = str.maketrans("“”„«»’‘", '"""""\'\'')


class Unreadable(NamedTuple):
    """Why a reply has no verdict, in words that are not the reply's."""

    why: str


class ParsedVerdict(msgspec.Struct, frozen=True, kw_only=True):
    """A verdict, with the reason and the evidence that the judge gives for it."""

    value: Any
    reason: str = ""
    evidence: str = ""


class Rating(NamedTuple):
    """A score, and the scale that it is on."""

    score: Fraction
    scale: int

    @property
    def number(self) -> int | float:
        """The score as a plain number."""
        return int(self.score) if self.score.denominator == 1 else float(self.score)

    @property
    def share(self) -> Fraction:
        """The share of the scale."""
        return self.score / self.scale


class VerdictKind(NamedTuple):
    """A kind of verdict: its JSON field, the forms without a tag, and how a value is read.

    ``read`` takes the value as it is written, without quotation marks.
    """

    field: str
    forms: tuple[re.Pattern[str], ...]
    read: Callable[[str], Any]


def parse_verdict(
    text: str, kind: VerdictKind, *, tag: str = "", answer: str = "", truncated: bool = False
) -> ParsedVerdict | Unreadable:
    """Return the verdict of a reply, or why there is none.

    With a tag, only the tagged line counts. Without one, ``answer`` is what was judged. The last
    line of a truncated reply is not complete.
    """
    if truncated:
        text = text[: text.rfind("\n") + 1]
    return _tagged_verdict(text, kind, tag) if tag else _agreed_verdict(text, kind, answer)


def _tagged_verdict(text: str, kind: VerdictKind, tag: str) -> ParsedVerdict | Unreadable:
    """Return the verdict of the last line that begins with the tag."""
    if len(text) > LONGEST_REPLY:
        text = text[-LONGEST_REPLY:].partition("\n")[2]
    lines = [line.strip(_AROUND) for line in text.split("\n")]
    while lines and not lines[-1].startswith(tag):
        lines.pop()
    if not lines:
        return Unreadable("no complete line begins with the code")
    # An object with this field alone: in another field, text of the answer could stand, and its
    # quotation marks and line ends could turn its own verdict into the judge's.
    written = re.fullmatch(
        rf"""[ \t:*`]* \{{ \s* "{kind.field}" \s* : \s* (.*) \}}""",
        lines.pop().removeprefix(tag),
        re.X,
    )
    if written is None:
        return Unreadable(f'the last line is not an object with the field "{kind.field}" alone')
    value = kind.read(written[1].strip(' \t"'))
    if isinstance(value, Unreadable):
        return value
    reason, evidence = _reason_and_evidence(_without_reasoning("\n".join(lines)))
    return ParsedVerdict(value=value, reason=reason, evidence=evidence)


def _agreed_verdict(text: str, kind: VerdictKind, answer: str) -> ParsedVerdict | Unreadable:
    """Return the verdict on which all forms of a reply agree."""
    if len(text) > LONGEST_REPLY:
        return Unreadable(f"the reply is longer than {LONGEST_REPLY:,} characters")
    judged = plain_text(answer)
    # A judge that quotes the answer may write it on one line, or end its lines in another way.
    shapes = {judged, "\n".join(judged.splitlines()), " ".join(judged.split())}
    if any(form.search(shape) for form in kind.forms for shape in shapes):
        return Unreadable("the answer itself contains something that looks like a verdict")
    text = plain_text(_without_reasoning(text))
    found = [match for form in kind.forms for match in form.finditer(text)]
    values = {kind.read(match["value"]) for match in found}
    if len(values) != 1:
        return Unreadable("there are different verdicts" if values else "there is no verdict")
    value = values.pop()
    if repeated_key(text[text.find("{") : text.rfind("}") + 1]) is not None:
        return Unreadable("a key of the object is given twice")
    if isinstance(value, Unreadable):
        return value
    before = text[: min(match.start() for match in found)]
    reason, evidence = _object_fields(text) or _reason_and_evidence(before or text)
    return ParsedVerdict(value=value, reason=reason, evidence=evidence)


def _object_fields(text: str) -> tuple[str, str] | None:
    """Return the reason and the evidence in the JSON object of a reply, if there is one."""
    try:
        found = msgspec.json.decode(text[text.find("{") : text.rfind("}") + 1], type=_Object)
    except (ValueError, RecursionError):
        return None
    return found.reason, found.evidence


class _Object(msgspec.Struct):
    reason: str = ""
    evidence: str = ""


def _reason_and_evidence(text: str) -> tuple[str, str]:
    """Return what stands after ``Reason:`` and ``Evidence:``; without them, all is the reason."""
    above, reason = _split_at(_REASON, text)
    _, evidence = _split_at(_EVIDENCE, above)
    return reason or ("" if evidence else text.strip()), evidence


def _split_at(label: re.Pattern[str], text: str) -> tuple[str, str]:
    """Return the text before the last label and after it."""
    found = [match.span() for match in label.finditer(text)]
    start, end = found[-1] if found else (len(text), len(text))
    return text[:start], text[end:].strip()


def _without_reasoning(text: str) -> str:
    return blanked(text, reasoning(text)) if "<" in text else text


@functools.lru_cache(maxsize=64)
def _forms(field: str, value: str, *names: str) -> tuple[re.Pattern[str], ...]:
    named = f"(?P<value>{value})"
    return tuple(
        re.compile(FORMS[name].format(field=field, value=named), re.X | re.I | re.M)
        for name in names
    )


def rating_kind(max_score: int, labels: Mapping[str, float] | None = None) -> VerdictKind:
    """Return ratings from 1 to ``max_score``, and the labels of a rubric with their scores."""
    scores = {plain_text(label).casefold(): score for label, score in (labels or {}).items()}
    forms = _forms("score", _SCORE, "field", "label", "brackets", "ratio")
    if scores:
        forms += _forms("score", _either(scores), "line")

    def read(text: str) -> Rating | Unreadable:
        if (score_of_label := scores.get(text.casefold())) is not None:
            return Rating(exact(score_of_label), max_score)
        match = _RATING.fullmatch(text)
        if match is None:
            return Unreadable("the score is not a number")
        score, scale = Fraction(match["score"]), int(match["scale"] or max_score)
        if not 1 < scale <= _LARGEST_SCALE:
            return Unreadable(f"the score is on a scale of {scale}")
        if score < 1:
            return Unreadable("the score is below 1")
        return Rating(score, scale) if score <= scale else Unreadable(f"the score is above {scale}")

    return VerdictKind("score", forms, read)


def choice_kind(choices: Mapping[str, str]) -> VerdictKind:
    """Return verdicts that are one of a few words; each word has a meaning."""
    meanings = {word.casefold(): meaning for word, meaning in choices.items()}
    options = ", ".join(dict.fromkeys(meanings.values()))

    def read(text: str) -> str | Unreadable:
        return meanings.get(text.rstrip(".").casefold()) or Unreadable(
            f"the verdict is none of {options}"
        )

    forms = _forms("verdict", _either(choices), "field", "brackets", "line")
    return VerdictKind("verdict", forms, read)


def _either(words: Mapping[str, Any]) -> str:
    """Return a pattern for one of the words; not for "yes/no" or "yes or no"."""
    options = "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))
    return rf"(?:{options}) (?! [\w'] | [ \t]{{0,3}} (?: [/|] | or\b ) )"


# "1" and "0" are the answers to the equivalence question of the reference documents.
YES_NO = choice_kind(
    {"yes": "yes", "true": "yes", "1": "yes", "no": "no", "false": "no", "0": "no"}
)
PAIR = choice_kind({"A": "first", "B": "second", "tie": "tie"})


def pairs_kind(items: int, references: int) -> VerdictKind:
    """Return lists of pairs, each of the number of an item and of a reference, from 1."""

    def read(text: str) -> tuple[tuple[int, int], ...] | Unreadable:
        try:
            pairs = msgspec.json.decode(text, type=tuple[tuple[int, int], ...])
        except (ValueError, RecursionError):
            return Unreadable("the pairs are not a list of two numbers each")
        if all(1 <= item <= items and 1 <= reference <= references for item, reference in pairs):
            return pairs
        return Unreadable(f"a pair is not of {items} items and {references} references")

    return VerdictKind("pairs", _forms("pairs", r"\[[\d\s,\[\]]*\]", "field"), read)


class JudgeReading(Readable, msgspec.Struct, frozen=True, kw_only=True, eq=False):
    """A rating, or why there is none; it also reads as a mapping.

    >>> dict(parse_judge_response("It names the capital.\\nScore: 4"))
    {'score': 4, 'normalized': 0.8, 'reasoning': 'It names the capital.'}
    """

    score: int | float | None = None
    normalized: float | None = None
    reasoning: str = ""
    scale: int = 5
    evidence: str = ""
    error: str = ""

    @property
    def parse_error(self) -> bool:
        """Whether no verdict could be read."""
        return self.score is None

    def keys(self) -> list[str]:
        """The keys of the mapping: score, normalized and reasoning, or parse_error as well."""
        return ["score", "normalized", "reasoning", *(["parse_error"] if self.parse_error else [])]

    def __getitem__(self, key: str) -> Any:
        if key in {*JudgeReading.__struct_fields__, "parse_error"}:
            return getattr(self, key)
        raise KeyError(key)

    def __hash__(self) -> int:  # type: ignore[override]
        return hash((self.score, self.scale, self.reasoning))


def parse_judge_response(
    text: str,
    max_score: int = 5,
    *,
    answer: str = "",
    tag: str = "",
    truncated: bool = False,
    labels: Mapping[str, float] | None = None,
) -> JudgeReading:
    """Return the rating in a judge's reply; ``parse_error`` is True if there is none.

    ``tag`` is the one of the prompt. Without a tag, the reply is read by the table of forms, and
    ``answer`` is what was judged. A rating that names its scale (3/10) is read on that one.

    >>> reply = 'Reason: no.\\nVERDICT-1f {"score": 3}'
    >>> parse_judge_response(reply, tag="VERDICT-1f")["normalized"]
    0.6
    >>> parse_judge_response("Score: 3/10")["normalized"]
    0.3
    >>> parse_judge_response("I cannot judge this.")["parse_error"]
    True
    """
    kind = rating_kind(max_score, labels)
    found = parse_verdict(text, kind, tag=tag, answer=answer, truncated=truncated)
    if isinstance(found, Unreadable):
        return JudgeReading(error=found.why, scale=max_score)
    rating: Rating = found.value
    return JudgeReading(
        score=rating.number,
        normalized=float(rating.share),
        reasoning=found.reason,
        evidence=found.evidence,
        scale=rating.scale,
    )


def quote_occurs(quote: str, work: str) -> bool:
    """Say whether a quotation occurs in the work, up to case, spaces and the shape of quotes.

    ``…`` leaves words out: the pieces must then occur in this order.

    >>> quote_occurs('"the dog … at night"', "The dog\\nsleeps at night.")
    True
    >>> quote_occurs("the cat", "The dog sleeps.")
    False
    """
    text, place = _even_text(work), 0
    pieces = [piece for piece in _GAP.split(_even_text(quote).strip(" \"'`*_")) if piece]
    # One letter is no evidence, except in scripts in which it can be a word.
    shortest = 2 if quote.isascii() else 1
    if not pieces or sum(map(_letters, pieces)) < min(shortest, _letters(text)):
        return False
    for piece in pieces:
        found = text.find(piece, place)
        if found < 0:
            return False
        place = found + len(piece)
    return True


def _even_text(text: str) -> str:
    plain = plain_text(text.replace(JOINER, "")).translate(_QUOTES).casefold()
    return _BLANKS.sub(" ", plain).strip()


def _letters(text: str) -> int:
    return sum(char.isalnum() for char in text)
