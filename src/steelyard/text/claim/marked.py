"""A text in normal form with the ends of its clauses kept, each as one mark between blanks.

Whatever judges what stands around a mention reads this form, so that one grammar serves all.
"""

from __future__ import annotations

import re

from steelyard.text.fold import fold
from steelyard.text.grammar import any_of, capitals, phrases
from steelyard.text.late import late
from steelyard.text.normal import ARTICLES, is_plain, normalise, plainly_normal
from steelyard.text.star import with_stars

STOP, COMMA, OPEN, CLOSE, COLON, DASH, ASKED = (
    "\ue000",
    "\ue001",
    "\ue002",
    "\ue003",
    "\ue004",
    "\ue005",
    "\ue006",
)
SLASH = "\ue007"  # an alternative, like the word "or"
NAMED = "\ue008"  # at the end of a negator that belongs to a title
MARK = "[\ue000-\ue006]"
WORD = r"[^ \ue000-\ue006]+"
_KINDS = {
    ",": COMMA,
    "，": COMMA,
    "、": COMMA,
    "(": OPEN,
    "[": OPEN,
    ")": CLOSE,
    "]": CLOSE,
    ":": COLON,
    "?": ASKED,
    "？": ASKED,
    "/": SLASH,
    "|": SLASH,
}
# "(Paris) is wrong", "it cannot be [Paris]", "(True) / (False)": brackets that wrap a word where a clause goes on to it.
_WRAPPED = late(
    rf"(^|(?:^| )(?:be|been|is|was|are|were|not|say|said|choose|pick|or|either|maybe|perhaps|possibly|answer|its"
    rf"|[{SLASH}{COMMA}{STOP}{COLON}{DASH}]) ){OPEN} (?!(?:not|never|no|or|and|but) )"
    rf"((?:(?!{SLASH})(?:{WORD}|{DASH}) ){{1,12}}){CLOSE}(?= |$)"
)
_BLOCKS = frozenset(("p", "br", "div", "li", "ul", "ol", "h1", "h2", "h3", "h4", "h5", "h6"))
_DASHES = frozenset(("-", "--", "---", "–", "—", "→", "->"))
# One set of characters first, what must hold around each of them after it: so most of a text is passed over fast.
_ENDS = late(
    r"[.!?？\n;。；！,，、()\[\]:–—→/|\s-](?:(?<=[.!?？])(?<!\bDr\.)(?<!\bMr\.)(?<!\bMrs\.)(?<!\bMs\.)(?<!\bProf\.)"
    r"(?!(?<=\b[A-Z]\.[A-Z]\.)[ ](?!(?:The|It|He|She|They|In|This|That|But|However|We|I|An?|So|As|At|On|His|Her)\b)[A-Za-z])"
    r"(?=[\s\"'”’)*]|$)|(?<=[\n;。；！])[\n;。；！]*|(?<=,)(?!\d)|(?<=[，、()\[\]/|])|(?<=:)(?=\s|$)|(?<=\s)-+\s"
    r"|(?<=[–—→])[–—→]*|(?<=-)>)"
)
_INITIALS = late(
    r"(?<!\w)([^\W\d_]\.) (?=[^\W\d_]\.)"
)  # J. K. is one name, and no clause ends in it
_TITLED_BY = late(r"\b(?:Mt|St|Ft|Gen|Sen|Gov|Capt|Col|Rev|Lt|Sgt|Hon|Pres)\Z")
_MIDDLE_NAME = late(
    r"\b(?!(?:Plan|Vitamin|Hepatitis|Influenza|Type|Group|Class|Grade|Option|Choice|Serie|Part|Section|Team|Appendix|Figure)\b)"
    r"[A-Z][a-z][\w'’-]*[ ][A-Z]\Z"
)
_OPENS = late(
    r"(?:The|It|He|She|They|In|This|That|But|However|We|I|An?|So|As|At|On|His|Her|Not|No|Yes|Answer|Final)\b"
)
_STATE = late(r"(?<=[a-z], )OR\b")
_TAG = late(r"</?(?:b|i|u|em|strong|span|code|mark|p|br|div|li|ul|ol|h[1-6]) ?/?>", re.IGNORECASE)
# A line that breaks off after "not" goes on in the next one.
_BROKEN_OFF = late(r"((?:^|\b(?:is|was|are|were|['’]s)[ ]|\n)[ \t]*[Nn]ot)[ \t]*\n[ \t]*(?=\w)")
# "Lima o Bogotá": in Spanish and Italian, but not in Portuguese, where it is an article.
_SMALL_O = late(
    r"(?<=[^\W\d_]) (?:o|u(?= [Hh]?[OoÓó])) (?=¿?(?:[^\W\d_]+[ ]){0,2}(?:[Ll]['’])?[^\W\d_a-zà-ÿ])"
)
_WITH_O = late(
    rf"(?<!\w)(?i:{any_of('spanish and italian')})|\A\W*[^\W\d_]+ o [^\W\d_]+\W*\Z|\A\W*O \w+(?: \w+)? o \w"
)
_NOT_WITH_O = late(r"(?<!\w)(?:é|foi|não|são|ou|do|da|um|uma|the|is|was)(?!\w)")
# "Lope de Vega o Calderón de la Barca", and nothing else; "Pedro o Cruel" may be Portuguese.
_CAPITAL = r"[^\W\d_a-zß-ÿ][\w.'’-]*"
_NAME = rf"{_CAPITAL}(?:[ ](?:(?:de|del|di|da|della|la|las|los|el|y)[ ]){{0,2}}{_CAPITAL})"
_NAMES_WITH_O = late(
    rf"\A\W*(?:{_NAME}{{1,4}} o {_NAME}{{1,4}}|{_NAME}{{0,4}} u (?=H?[OÓ]){_NAME}{{0,4}})\W*\Z"
)
_PORTUGUESE = late("[ãõçÃÕÇ]")
_LABEL = late(r"(?<=\b(?:not|nor) )\([A-Ha-h]\) (?=\w)|(?<=\bor )\([A-Ha-h]\) (?=\w)")
# "Ada Lovelace, a friend or colleague of Babbage, …": what she was, and no other name.
_APPOSED = late(
    rf"({_CAPITAL})(, an? [a-z-]{{3,20}}(?: [a-z-]{{3,20}})?) or "
    r"((?:an? )?[a-z-]{3,20}(?: [a-z-]{3,20})? (?:of|to|at|in|for|from|with) [^,.;:!?\n]{1,40}(?:,|[.!]?\s*\Z))"
    r"(?! (?:n?or|and)\b)"
)
_TABLE = late(r"^[ \t]*\|", re.MULTILINE)
_IS_SHORT = late(r"['’]s(?=\s+(?:wrong|incorrect|not)\b)")
_POSSESSIVE = late(r"(?<=\w)['’]s\b")
# Turkish appends its endings to a name after an apostrophe: Ankara'dır. "Sana'a" is a name.
_TURKISH = late("[ışğİ]|['’][dt][iuü]r(?!\\w)")
_TURKISH_ENDING = late(
    r"(?<=\w{3})['’](?:[dt][ıiuü]r|n?[ıiuü]n|[dt][ae](?:n|ki|dır|dir)?|y?[ıiuüae]|y?l[ae]|y[dt][ıiuü]|lı|li)(?!\w)"
)
_QUOTED = late(r"\"[^\"\n]{1,80}\"|“[^”\n]{1,80}”|(?<!\w)'[^'\n]{3,80}'(?!\w)")
_SMALL = r"(?:of|the|for|to|an?|in|on|my|your|and|with|without|at|from)"
_CAPITAL_NEGATOR = late(rf"(?:{capitals('negators')}|Nothing)\b")
_CAPITAL_NOT = late(r"[A-Z][a-z]{1,5}n['’]t\b")
# At the beginning of a sentence a title goes on to a verb.
_TITLE_GOES_ON = late(rf"(?:[ ](?:[A-Z][\w'’-]*|{_SMALL})){{1,7}}[ ]{phrases('title verbs')}\b")
_TITLED = (" Dr. ", " Mr. ", " Ms. ", " Mrs. ")
_LIGHT = str.maketrans(
    {mark: f" {kind} " for mark, kind in _KINDS.items()}
    | dict.fromkeys(".!\n;", f" {STOP} ")
    | dict.fromkeys("–—→", f" {DASH} ")
    | dict.fromkeys("'’", "")
    | dict.fromkeys('*_`$"“”{}\\-#~', " ")
)


def with_marks(text: str, want: str, others: tuple[str, ...] = ()) -> str:
    """The normal form with marks for the ends of clauses; quoted titles without a right answer become one word.

    >>> with_marks("Not Sydney, Canberra.", "canberra").replace(COMMA, "|").replace(STOP, "#")
    'not sydney | canberra #'
    """
    if "*" in text:
        text = with_stars(text)
    if '"' in text or "“" in text:
        text = _QUOTED.sub(lambda quote: _quoted(quote[0], (want, *others)), text)
    text = _spelled_out(text, want)
    if "()" in text:
        text = text.replace("()", "")  # malloc() is a name
    if "OR" in text:
        text = _STATE.sub("Oregon", text)
    if ". " in text:
        text = _INITIALS.sub(r"\1", text)
    text = _CAPITAL_NEGATOR.sub(lambda found: _named(found, want), text)
    if "n't" in text or "n’t" in text:
        text = _CAPITAL_NOT.sub(lambda found: _named(found, want), text)
    if "'s" in text or "’s" in text:
        text = _IS_SHORT.sub(" is", text)
    marked = _marked(text, articles=not ARTICLES.isdisjoint(want.split()))
    return (
        marked
        if "'" not in text and "’" not in text
        else _without_possessive(text, marked, want, others)
    )


def _quoted(quote: str, right: tuple[str, ...]) -> str:
    said = normalise(quote)
    return quote if any(answer in said for answer in right) else " title "


def _spelled_out(text: str, want: str) -> str:
    """The text without tags, with a negator and what it denies in one line, and a Spanish "o" as the word that it is."""
    if "<" in text and "</" in text:
        text = _TAG.sub(lambda tag: "\n" if tag[0].strip("</ >").lower() in _BLOCKS else " ", text)
    if "ot" in text and "\n" in text:
        text = _BROKEN_OFF.sub(r"\1 ", text)
    if "{,}" in text:
        text = text.replace("{,}", ",")
    if " or " in text and (", a " in text or ", an " in text):
        text = _APPOSED.sub(lambda found: _apposed(found, want), text)
    if "ot (" in text:
        text = _unlabelled(text, want)
    if (
        (" o " in text or " u " in text)
        and " o " not in want
        and " u " not in want
        and _has_spanish_or(text)
    ):
        text = _SMALL_O.sub(" or ", text)
    return text


def _unlabelled(text: str, want: str) -> str:
    """The text without the labels of options in a sentence: "not (B) Perth or (C) Sydney" denies both."""
    return text if any(len(word) == 1 for word in want.split()) else _LABEL.sub("", text)


def _apposed(found: re.Match[str], want: str) -> str:
    """The name alone; with what is said of it, where the mention stands in that."""
    return (
        f"{found[1]}{found[2]} and {found[3]}"
        if want in normalise(f"{found[2]} {found[3]}")
        else found[1]
    )


def _has_spanish_or(text: str) -> bool:
    if _WITH_O.search(text) and not _NOT_WITH_O.search(text):
        return True
    return _NAMES_WITH_O.match(text) is not None and _PORTUGUESE.search(text) is None


def _marked(text: str, *, articles: bool) -> str:
    """The pieces between the ends of clauses in normal form, each end as its mark."""
    table = "|" in text and _TABLE.search(text) is not None
    low = fold(text)
    plain = len(low) == len(text) and is_plain(low)
    source = low if plain else text
    pieces: list[str] = []
    done = 0
    for end in _ENDS.finditer(text):
        if end[0] == "." and _in_name(text, end.start()):
            continue
        pieces += (source[done : end.start()], _mark(end[0], table))
        done = end.end()
    pieces.append(source[done:])
    if plain:  # no mark is a word, so that all of it can be brought into normal form at once
        marked = plainly_normal(" ".join(pieces), articles=articles)
    else:
        pieces[::2] = [normalise(piece, articles=articles) for piece in pieces[::2]]
        marked = " ".join(filter(None, pieces))
    return (
        _WRAPPED.sub(lambda found: found[1] + found[2].rstrip(), marked)
        if OPEN in marked
        else marked
    )


def _in_name(text: str, at: int) -> bool:
    """Whether the full stop there stands inside a name: John F. Kennedy, Mt. Everest; or in "red vs. blue"."""
    if text.endswith(" vs", 0, at):
        return True
    if text[at + 1 : at + 2] != " " or not text[at + 2 : at + 3].isupper():
        return False
    if _TITLED_BY.search(text, max(0, at - 6), at):
        return True
    return (
        _MIDDLE_NAME.search(text, max(0, at - 25), at) is not None
        and _OPENS.match(text, at + 2) is None
    )


def _mark(end: str, table: bool) -> str:
    if end == "|" and table:
        return STOP
    return _KINDS.get(end[0]) or (DASH if end.strip() in _DASHES else STOP)


def _named(found: re.Match[str], want: str) -> str:
    """The negator of a title, marked as one; what stands right before the mention denies it after all."""
    text, (start, end) = found.string, found.span()
    if not _in_title(f"  {text[max(0, start - 6) : start]}", text, end):
        return found[0]
    rest = text[end : end + len(want) + 20]
    return found[0] if normalise(rest).startswith(want) else found[0] + NAMED


def _in_title(before: str, text: str, end: int) -> bool:
    """Inside a sentence a capital letter makes a name of it; at its beginning, a verb after other capitals."""
    if before[-1] == " " and (before[-2].isalnum() or before.endswith(_TITLED)):
        return True
    return (before[-1].isspace() or before[-1] in '"“*_(') and _TITLE_GOES_ON.match(
        text, end
    ) is not None


def may_be_inflected(text: str) -> bool:
    """Whether the text has a possessive ending, or one of Turkish."""
    return "'s" in text or "’s" in text or _TURKISH.search(text) is not None


def without_possessives(text: str) -> str:
    """The text without possessive endings: Shakespeare's is Shakespeare, and Ankara'dır Ankara."""
    if _TURKISH.search(text):
        text = _TURKISH_ENDING.sub("", text)
    return _POSSESSIVE.sub("", _IS_SHORT.sub(" is", text))


def _without_possessive(text: str, marked: str, want: str, others: tuple[str, ...]) -> str:
    if want in marked.replace(NAMED, ""):
        return marked
    return with_marks(without_possessives(text).replace("'", "").replace("’", ""), want, others)


def lightly_marked(piece: str) -> str:
    """A short piece of running text in about the same form, for what has to be told fast.

    >>> lightly_marked(" isn't **B**, but").replace(COMMA, "|")
    ' isnt b | but '
    """
    return " " + " ".join(piece.lower().translate(_LIGHT).split()) + " "
