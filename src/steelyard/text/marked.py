"""A text in normal form with the ends of its clauses kept, each as one mark between blanks.

Whatever judges what stands around a mention reads this form, so that one grammar serves all.
"""

from __future__ import annotations

import re

from steelyard.text.grammar import phrases
from steelyard.text.normal import normalise

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
}
_ARTICLES = frozenset(("a", "an", "the"))
_DASHES = frozenset(("-", "--", "---", "–", "—", "→", "->"))
_ENDS = re.compile(
    r"(?<!\bDr)(?<!\bMr)(?<!\bMrs)(?<!\bMs)(?<!\bProf)[.!?？](?=[\s\"'”’)*]|$)|[\n;。；！]+|,(?!\d)|[，、()\[\]]"
    r"|:(?=\s|$)|\s-+\s|[–—→]+|->"
)
_STATE = re.compile(r"(?<=[a-z], )OR\b")
_TABLE = re.compile(r"^[ \t]*\|", re.MULTILINE)
_IS_SHORT = re.compile(r"['’]s(?=\s+(?:wrong|incorrect|not)\b)")
_POSSESSIVE = re.compile(r"(?<=\w)['’]s\b")
_QUOTED = re.compile(r"\"[^\"\n]{1,80}\"|“[^”\n]{1,80}”|(?<!\w)'[^'\n]{3,80}'(?!\w)")
_NEGATOR = rf"(?:{phrases('negators', title=True)}|Nothing|[A-Z][a-z]{{1,5}}n['’]t)\b"
_SMALL = r"(?:of|the|for|to|an?|in|on|my|your|and|with|without|at|from)"
# Inside a sentence a capital letter makes it a name; at its beginning a title goes on to a verb.
_TITLE = re.compile(
    rf"(?<=\w[ ])(?<![.!?:;][ ]){_NEGATOR}|(?:(?<=\bDr\.[ ])|(?<=\bMr\.[ ])|(?<=\bMs\.[ ])){_NEGATOR}"
    rf"|(?<![^\s\"“*_(]){_NEGATOR}(?=(?:[ ](?:[A-Z][\w'’-]*|{_SMALL})){{1,7}}[ ]{phrases('title verbs')}\b)"
)
_LIGHT = str.maketrans(
    {mark: f" {kind} " for mark, kind in _KINDS.items()}
    | dict.fromkeys(".!\n;", f" {STOP} ")
    | dict.fromkeys("–—→", f" {DASH} ")
    | dict.fromkeys("'’", "")
    | dict.fromkeys('*_`$"“”{}\\-#~', " ")
    | {"/": f" {SLASH} "}
)


def with_marks(text: str, want: str) -> str:
    """The normal form with marks for the ends of clauses; quoted titles without ``want`` become one word.

    >>> with_marks("Not Sydney, Canberra.", "canberra").replace(COMMA, "|").replace(STOP, "#")
    'not sydney | canberra #'
    """
    if '"' in text or "“" in text:
        text = _QUOTED.sub(lambda quote: quote[0] if want in normalise(quote[0]) else " title ", text)
    if "OR" in text:
        text = _STATE.sub("Oregon", text)
    text = _TITLE.sub(lambda found: _named(found, want), text)
    text = _IS_SHORT.sub(" is", text)
    if "|" in text:
        bar = f" {STOP} " if _TABLE.search(text) else f" {SLASH} "
        text = text.replace("|", bar)
    text = text.replace("/", f" {SLASH} ")
    text = _ENDS.sub(lambda end: f" {_KINDS.get(end[0], DASH if end[0].strip() in _DASHES else STOP)} ", text)
    marked = normalise(text, articles=not _ARTICLES.isdisjoint(want.split()))
    return marked if "'" not in text and "’" not in text else _without_possessive(text, marked, want)


def _named(found: re.Match[str], want: str) -> str:
    """The negator of a title, marked as one; what stands right before the mention denies it after all."""
    rest = found.string[found.end() : found.end() + len(want) + 20]
    return found[0] if normalise(rest).startswith(want) else found[0] + NAMED


def without_possessives(text: str) -> str:
    """The text without possessive endings: Shakespeare's is Shakespeare."""
    return _POSSESSIVE.sub("", _IS_SHORT.sub(" is", text))


def _without_possessive(text: str, marked: str, want: str) -> str:
    if want in marked.replace(NAMED, ""):
        return marked
    return with_marks(without_possessives(text).replace("'", "").replace("’", ""), want)


def lightly_marked(piece: str) -> str:
    """A short piece of running text in about the same form, for what has to be told fast.

    >>> lightly_marked(" isn't **B**, but").replace(COMMA, "|")
    ' isnt b | but '
    """
    return " " + " ".join(piece.lower().translate(_LIGHT).split()) + " "
