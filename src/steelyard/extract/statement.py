"""Whether what a response states holds a target: the text, or the number by its value."""

from __future__ import annotations

import re

from steelyard.extract import markers
from steelyard.extract.choice.commitment import DOUBTS, is_article
from steelyard.extract.lettered import another_letter_chosen
from steelyard.extract.number.quantity import is_compared, is_part
from steelyard.text.claim.candidates import another_is_chosen
from steelyard.text.claim.claims import UNSPACED, claims, contains
from steelyard.text.claim.denial import denied_after
from steelyard.text.claim.enumeration import STAND_IN
from steelyard.text.claim.marked import may_be_inflected, without_possessives
from steelyard.text.fold import fold_in_place
from steelyard.text.grammar import any_of, words
from steelyard.text.late import late
from steelyard.text.normal import ARTICLES, normal_target, normalise
from steelyard.text.number.read import find_numbers
from steelyard.text.number.typeset import plainly_set
from steelyard.text.number.value import Value, same_value
from steelyard.text.star import STAR, with_stars
from steelyard.text.unseen import without_unseen
from steelyard.text.wrap import closing_brace, unwrapped

Span = tuple[int, int]

_NEXT_PART = late(
    r"(?<!:)\n[ \t]*\n|\n[ \t*_#]*(?:explanation|reason(?:ing|s)?|note|confidence|justification|rationale|sources?)\b",
    re.IGNORECASE,
)
# The key to which an answer is held, set apart after it: "Perth (accepted answers: Canberra)", "Ground truth: Canberra".
_KEY = late(
    r"(?<=[\n(\[.;])[ \t]?(?:[Aa]ccept(?:ed|able)[ _]answers|correct_answers|[Gg]round[ _][Tt]ruth)[ ]?:"
    r"|(?<=[(\[])(?:[Aa]ccept(?:ed|able)|[Ee]xpected|[Rr]eference|correct)(?:[ _]answers?)?[ ]?:"
)
# A name, a number or a quotation after "the answer is" is the answer; a lone letter is the option that a text named before.
_SURELY = rf"(?:{any_of('before a marked answer')},?[ ]+)?"
_COMMITS = late(
    rf"[ \t$(\[*_`\"“'‘]*(?:\\(?:text\w{{0,2}}|math(?:rm|bf))\{{)?{_SURELY}(?:(?:the|an?)[ ](?=[*_\"“]{{0,3}}[^\W\d_a-z]))?"
    r"[*_\"“]{0,3}(?:[^\W\d_a-z](?:\w|[.'’-]\w)|\d)|[ \t*_]*[\"“`]"
)
# So is a noun in small letters with which its sentence ends, unless it only says something of the answer; with an article
# it may say of what kind that is: "So the answer is the astronomer."
_COMMITS_SMALL = late(
    rf"[ \t*_`\"“'‘]*{_SURELY}[*_]{{0,3}}(?P<said>(?!(?:the|an?)[ ])[a-z][\w'’-]*(?:[ ][a-z][\w'’-]*){{0,2}})"
    r"(?:[ ]\([^()\n]{1,20}\))?[*_`\"”'’]{0,3}(?:[.!](?=[\s*_\"”)]|\Z)|\s*\n|\s*\Z)"
)
# "The answer is B: Perth." with which the text says again what B is; "The answer is B: it lies in the west." says why
_NAMED_OPTION = late(
    r"[ \t*_(]*[A-H][).:][*_]{0,2}[ ]+(?P<said>\w[^\n.!?;]{1,60}?)[*_]{0,3}[.!]?[*_]{0,3}\s*(?:\n|\Z)"
)
_CLOSED_BOLD = late(
    r"\*\*[.,;:]?\s*[(–—-]?\s*(?:since|because|as(?![ ]well)|given|while|whereas|although|though)\b"
)
# "The answer is common sense. It is gold."
_IT_IS = late(
    r"[\s*_\"”]{0,4}(?:It|That|This)(?:['’]s|[ ](?:is|was))(?:[ ][\w'’-]+){1,3}[.!]?\s*\Z"
)
_OF_THE_ANSWER = frozenset(words("said of an answer"))
_SAID_OF = late(r"\w{2,}(?:ly|[^er\W]ed|ful|less|ical|\w{3}(?:able|ible|ous|ive)|\w{4}ing)\Z")
# "#### Kyoto" marks the answer in the last line; with text below it, it is a heading.
_LAST_HASHES = late(
    r"(?:\A|\n)####[ \t]*"
    r"(?P<said>(?!(?i:explanation|reason|note|source|reference|conclusion|summary|final|answer|further|see|more))"
    r"[^\s#:][^\n#:!?]{0,80}?)[ \t#]*\s*\Z"
)
# A name in bold as the last paragraph, which the text has named before.
_LAST_BOLD = late(r"\n[ \t]*\n[ \t]*\*\*(?P<said>[^\W_a-z][^*\n:]{1,50})\*\*[.]?\s*\Z")
# "Use Perth as your answer: …" has named it.
_AS_ANSWER = (
    " as your ",
    " as the ",
    " as my ",
    " as an ",
    " as our ",
    " as your final ",
    " as the final ",
)
_NAMES_NOTHING = frozenset(words("names no answer yet"))
_SENTENCE = late(r"[.!](?=\s+\S)(?<![ .][A-Z].)(?<!\b[DMSJ][rst].)(?<!Mrs.)(?<!Prof.)")
_ORDINAL = late(r"(?:st|nd|rd|th|D)(?!\w)")
_DECADE = late(r"(?<=\d{4})s(?!\w)")
_INSIDE = late(r"\d[-–/:.]$")
_RANGE = late(r"[-–]\d(?!\d?-\d)")  # 1815-1820, but the year of 1815-06-18 is meant
# "is 1 280 metres" is one number; but "In lane 1 280 metres were swum"
_SPACED = late(r"[0-9][ ][0-9]{3}[ ]")
_GROUPED = late(
    rf"(?<!\w)(?P<lead>{any_of('measures')}[ *_]+)(?P<number>[1-9][0-9]{{0,2}}(?:[ ][0-9]{{3}}){{1,4}})"
    rf"(?=[ ]{any_of('units')}(?!\w))",
    re.IGNORECASE,
)
_SMALL_A = late(r"(?P<the>\b[Tt]he \w+ )(?P<a>a)(?= [a-z])")  # "the vitamin a child makes"
_LETTER = late(rf"(?<![\w'’])[AaIi](?![\w'’+#{STAR}]|-(?!\w))")


def answer_span(shown: str) -> Span:
    """Where the answer stands: after the last "Answer:"; after another mark, if a name follows it or there are several; else all.

    >>> text = "I thought of Perth. Answer: Canberra"
    >>> start, end = answer_span(text); text[start:end]
    'Canberra'
    """
    if (
        ":" in shown
        and _may_have_key(shown)
        and (key := _KEY.search(shown))
        and shown[: key.start()].strip()
    ):
        shown = shown[: key.start()]
    if set_apart := _set_apart(shown):
        return set_apart
    if "nswer" not in shown and "NSWER" not in shown and "\\boxed" not in shown:
        return _trimmed(shown, 0, len(shown))
    found: list[re.Match[str]] = []
    for mark, _ in zip(markers.marks(shown), range(20), strict=False):
        if (
            mark.lastgroup == "colon"
            and shown[mark.end() :].strip()
            and not shown.endswith(_AS_ANSWER, 0, mark.start())
        ):
            return _in_quotes(shown, mark) or _part(shown, mark.end())
        found.append(mark)
    boxed = bool(found) and found[0][0][:1] == "\\"
    if boxed and markers.is_one_of_boxes(shown, found[0].start()):
        return _trimmed(shown, 0, len(shown))
    if len(found) > 1 or (found and _commits(shown, found[0].end())):
        return _part(shown, found[0].start() if boxed else found[0].end())
    return _trimmed(shown, 0, len(shown))


def _set_apart(shown: str) -> Span | None:
    """The answer that is the last line by itself: behind four hashes, or a name in bold that the text has told of."""
    if "####" in shown and (hashed := _LAST_HASHES.search(shown)):
        return hashed.span("said")
    if "**" in shown and shown.rstrip(" \n.").endswith("**") and (bold := _LAST_BOLD.search(shown)):
        told = contains(normalise(shown[: bold.start()]), normalise(bold["said"]))
        return bold.span("said") if told else None
    return None


def _commits(shown: str, at: int) -> bool:
    """Whether that which follows a mark of the answer there names it, and does not only say something of it."""
    if _COMMITS.match(shown, at):
        return True
    option = _NAMED_OPTION.match(shown, at)
    if option and contains(normalise(shown[:at]), normalise(option["said"])):
        return True
    small = _COMMITS_SMALL.match(shown, at)
    if small and _IT_IS.match(shown, small.end()):
        return False
    said = small["said"].replace("-", " ").split() if small else ()
    return bool(said) and _OF_THE_ANSWER.isdisjoint(said) and not any(map(_SAID_OF.match, said))


def said_after_mark(shown: str) -> str:
    """All that a text says after the last words that mark its answer, without what wraps it; nothing where none do.

    >>> said_after_mark("It is short. The answer is `/usr/bin`.")
    '/usr/bin'
    """
    mark = next(markers.marks(shown), None) if "nswer" in shown else None
    return unwrapped(shown[mark.end() :]) if mark and mark[0][:1] != "\\" else ""


def _may_have_key(shown: str) -> bool:
    return (
        "ccept" in shown
        or "xpected:" in shown
        or "nswer:" in shown
        or "nswers:" in shown
        or "ruth:" in shown
        or "eference:" in shown
    )


def strays(shown: str, span: Span, answer: str) -> bool:
    """Whether a marked answer names something else, and this one stands only in what is said after it.

    >>> text = "The answer is Perth. Canberra is smaller."
    >>> strays(text, answer_span(text), "Canberra"), strays(text, answer_span(text), "Perth")
    (True, False)
    """
    start, end = span
    if end - start <= len(answer) + 2:
        return False
    boxed = shown.startswith("\\boxed", start)
    if not boxed and not shown[:start].strip():
        return False
    close = closing_brace(shown, shown.find("{", start) + 1) if boxed else None
    stop = None if boxed else _SENTENCE.search(shown, start, min(end, start + 60))
    at = (
        close
        if close is not None
        else _bold_end(shown, start, end) or (stop.start() if stop else end)
    )
    if at + 1 >= end:
        return False
    named = shown[shown.find("{", start) + 1 : at] if boxed else shown[start:at]
    said, want = normalise(named).split(), normal_target(answer)
    opening = named.strip('*_`"“ ').split(" ", 1)[0].lower()
    if (
        not said
        or opening in _NAMES_NOTHING
        or not _commits(named, 0)
        or not {*said}.isdisjoint(want.split())
    ):
        return False
    return contains(normalise(shown[at + 1 : end]), want)


def _bold_end(shown: str, start: int, end: int) -> int:
    """Where the bold ends in which a mark and its answer stand together, as in "**Answer: Perth**, since …"; else 0."""
    line = shown.rfind("\n", 0, start) + 1
    if shown.count("**", line, start) % 2 == 0 or shown.startswith("**", start):
        return 0
    closed = _CLOSED_BOLD.search(shown, start, min(end, start + 80))
    return closed.start() if closed else 0


def given_up(shown: str, span: Span, answer: str) -> bool:
    """Whether the text after the marked answer says on reflection that it is wrong: "On reflection, Perth can't be right."."""
    doubt = DOUBTS.search(shown, span[1]) if len(shown) - span[1] > 12 else None
    if doubt is None:
        return False
    again = re.compile(rf"(?<!\w){re.escape(answer)}(?!\w)", re.IGNORECASE).search(
        shown, doubt.end(), doubt.end() + 60
    )
    return again is not None and denied_after(shown, again.end())


def _in_quotes(shown: str, mark: re.Match[str]) -> Span | None:
    """The string that a JSON object gives as its answer; what it holds besides is none."""
    if (
        shown[mark.start() - 1 : mark.start()] != '"'
        or not mark[0].endswith('"')
        or "{" not in shown[: mark.start()]
    ):
        return None
    end = mark.end()
    while (end := shown.find('"', end)) >= 0 and shown[end - 1] == "\\":
        end += 1
    return _trimmed(shown, mark.end(), end) if end >= 0 else None


def _part(shown: str, start: int) -> Span:
    """From there to a blank line or to the next label, such as "Explanation:"."""
    first, last = _trimmed(shown, _with_quote(shown, start), len(shown))
    ends = _NEXT_PART.search(shown, first, last) if "\n" in shown[first:last] else None
    return _trimmed(shown, first, ends.start()) if ends else (first, last)


def _with_quote(shown: str, start: int) -> int:
    """The place before the quotation mark that opens the answer, if the mark of the answer has run over it."""
    quote = shown[start - 1 : start]
    return start - (quote in {'"', "'"} and shown.count(quote, start) % 2 == 1)


def holds_number(text: str, value: Value) -> bool:
    """Whether the text claims that number: by its value, as a whole, and as it would claim a word."""
    shown = fold_in_place(plainly_set(without_unseen(text)))
    if _SPACED.search(shown):
        shown = _GROUPED.sub(_grouped, shown)
        if alone := _ONLY_GROUPED.fullmatch(shown):
            shown = alone[1] + alone[2].replace(" ", "\u00a0") + alone[3]
    found = [
        n
        for n, _ in zip(find_numbers(shown), range(1000), strict=False)
        if same_value(n.value, value)
    ]
    spans = [
        n.span
        for n in found
        if not (is_part(shown, n) or is_compared(shown, n) or _is_inside(shown, n.span))
    ]
    if not spans:
        return False
    return claims(_with_stand_in(shown, spans), STAND_IN)


_ONLY_GROUPED = late(r"(\D{0,40})([1-9]\d{0,2}(?: \d{3}){2,5})((?:\.\d+)?\D{0,40})")


def _grouped(measure: re.Match[str]) -> str:
    return measure["lead"] + measure["number"].replace(" ", "\u00a0")


def _with_stand_in(shown: str, spans: list[Span]) -> str:
    pieces: list[str] = []
    done = 0
    for start, end in spans:
        # Where a script does not separate words, a number is one by itself: １０６６年.
        beside = shown[start - 1 : start] + shown[end : end + 1]
        apart = not beside.isascii() and UNSPACED.search(beside) is not None
        pieces += (shown[done:start], f" {STAND_IN} " if apart else STAND_IN)
        done = end
    return "".join((*pieces, shown[done:]))


def _is_inside(shown: str, span: Span) -> bool:
    start, end = span
    ordinal = _ORDINAL.match(shown, end) or _DECADE.match(shown, end)
    return bool(
        ordinal or _RANGE.match(shown, end) or _INSIDE.search(shown, max(0, start - 2), start)
    )


def holds_text(text: str, normal: str, want: str, others: tuple[str, ...]) -> bool:
    """Whether the text claims that normal form, or is itself a whole-word part of it with half its characters."""
    if not ARTICLES.isdisjoint(want.split()):
        return _holds_article(text, want)
    if claims(text, want, normal=normal, others=others):
        return "\n" not in text or not (
            another_is_chosen(text, want) or another_letter_chosen(text, want)
        )
    if ("'" in text or "’" in text) and may_be_inflected(text) and not contains(normal, want):
        bare = without_possessives(text)
        if claims(bare, want, others=others):
            return True
    return len(normal) < len(want) <= 2 * len(normal) and claims(want, normal, normal=want)


def _holds_article(text: str, want: str) -> bool:
    """A target with an article in it (Vitamin A, The The) is looked for with the articles in place."""
    if want in {"a", "i"}:
        text = with_stars(text) if "*" in text else text
        found = [
            m.span()
            for m in _LETTER.finditer(text)
            if m[0].lower() == want and not is_article(text, m.span())
        ]
        return bool(found) and claims(_with_stand_in(text, found), STAND_IN)
    if want.endswith(" a"):
        text = _SMALL_A.sub(
            lambda a: a["the"] + "the" if is_article(text, a.span("a")) else a[0], text
        )
    kept = normalise(text, articles=True)
    return claims(text, want, normal=kept) or (
        len(kept) < len(want) <= 2 * len(kept) and claims(want, kept, normal=want)
    )


def _trimmed(shown: str, start: int, end: int) -> Span:
    piece = shown[start:end]
    inner = piece.strip()
    first = start + len(piece) - len(piece.lstrip()) if inner else start
    return (first, first + len(inner))
