r"""The wrappers that do not make an answer wrong: bold, code, $…$, \boxed{}, \text{}, quotes, brackets."""

from __future__ import annotations

import re

from steelyard.text.late import late

Span = tuple[int, int]

_PAIRS = (
    ("```", "```"),
    ("$$", "$$"),
    ("**", "**"),
    ("__", "__"),
    ("*", "*"),
    ("_", "_"),
    ("`", "`"),
    ("$", "$"),
    ("“", "”"),
    ("‘", "’"),
    ("«", "»"),
    ("„", "“"),
    ("「", "」"),
    ("『", "』"),
    ('"', '"'),
    ("'", "'"),
    (r"\(", r"\)"),
    (r"\[", r"\]"),
)
#: What a text that begins with < may be wrapped in.
TAGS = "answer|final_answer|b|strong|i|em|u|code|p|span|div|mark|output|result"
_TAGS = tuple((f"<{name}>", f"</{name}>") for name in (*TAGS.split("|"), "ANSWER"))
_TAG = rf"(?:{TAGS}|li|td|h[1-6]|center|font)"
_OPEN_TAG = late(rf"<(?P<name>{_TAG})(?:[ ][^<>]{{1,80}})?>", re.IGNORECASE)
# What a line of HTML begins or ends with where its tags were opened or are closed elsewhere.
_LOOSE = late(rf"</(?P<name>{_TAG})>|<br[ ]?/?>", re.IGNORECASE)
# What a text that is not ASCII may have around it and nobody sees.
_BLANKS = (
    " \t\n\r\f\v\x1c\x1d\x1e\x1f\x85\u00a0\u00ad\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008"
    "\u2009\u200a\u200b\u200c\u200d\u200e\u200f\u2028\u2029\u202f\u205f\u2060\u3000\ufeff"
)
_BRACKETS = (("(", ")"), ("[", "]"), ("{", "}"))
# A piece is wrapped in what its first character opens; few characters open anything.
_OPENED_BY, _BRACKETED_BY = (
    {
        first: tuple(pair for pair in pairs if pair[0][0] == first)
        for first in {pair[0][0] for pair in pairs}
    }
    for pairs in (_PAIRS, _BRACKETS)
)
_COMMAND = late(
    r"\\(?:boxed|fbox|text|textbf|textit|textrm|texttt|mathrm|mathbf|emph|underline|framebox)\s*\{"
)
# Left over where a wrapper was opened before the marker: "**Answer: 42**"; and the tokens that end a text.
_LEFTOVERS = ("**", "__", "_", "*", "</answer>")
_END_TOKENS = ("</s>", "<eos>", "<end_of_turn>")
_END_TOKEN = late(r"<[|｜][\w▁]{1,30}[|｜]>")
_OPENERS = late(r"(?:\*\*|__|`+|<answer>|#+\s)")


def unwrap(text: str, span: Span, *, brackets: bool = False) -> Span:
    r"""The span without the wrappers around it.

    >>> start, end = unwrap("so **$42$**.", (3, 12)); "so **$42$**."[start:end]
    '42'
    """
    for _ in range(12):  # a wrapper a round; nobody wraps deeper
        start, end = span
        if start < end and text[start].isalnum() and text[end - 1].isalnum():
            return span
        inner = _once(text, _trim(text, span), brackets)
        if inner == span:
            return span
        span = inner
    return span


def unwrapped(text: str, *, brackets: bool = False) -> str:
    r"""The text without its wrappers.

    >>> unwrapped(r"\boxed{\text{B}}."), unwrapped("(B)", brackets=True)
    ('B', 'B')
    """
    if text[:1].isalnum() and text[-1].isalnum():
        return text
    start, end = unwrap(text, (0, len(text)), brackets=brackets)
    return text[start:end]


def is_set(text: str, span: Span) -> bool:
    r"""Whether what stands there, without its wrappers, is set as mathematics.

    >>> is_set("It is $- 5$.", (7, 10)), is_set(r"\boxed{7!}", (7, 9)), is_set("- 5", (0, 3))
    (True, True, False)
    """
    start, end = span
    if text[start : start + 1].isalnum() and text[end - 1 : end].isalnum():
        return False  # nothing in it could be read in two ways
    before, after = text[max(0, start - 8) : start].rstrip(), text[end : end + 8].lstrip(" \n.")
    return before.endswith(("$", "\\(", "\\[", "{")) and after.startswith(("$", "\\)", "\\]", "}"))


def closing_brace(text: str, start: int) -> int | None:
    """Where the brace that was opened before ``start`` is closed."""
    close = text.find("}", start, start + 5000)
    if text.find("{", start, close if close >= 0 else start + 5000) < 0:
        return close if close >= 0 else None
    depth = 1
    for at in range(start, min(len(text), start + 5000)):
        if text[at] in "{}":
            depth += 1 if text[at] == "{" else -1
            if depth == 0:
                return at
    return None


def _trim(text: str, span: Span) -> Span:
    start, end = span
    piece = text[start:end]
    blanks = None if piece.isascii() else _BLANKS
    start += len(piece) - len(piece.lstrip(blanks))
    end -= len(piece) - len(piece.rstrip(blanks))
    return (start, max(start, end))


def _once(text: str, span: Span, brackets: bool) -> Span:
    start, end = span
    piece = text[start:end]
    if len(piece) < 2 or (piece[0].isalnum() and piece[-1].isalnum()):
        return span
    if not piece[0].isalnum() and (inner := _inside(piece, brackets)):
        return (start + inner[0], start + inner[1])
    if piece[-1] in ".。" and not piece.endswith(".."):
        return (start, end - 1)
    return _leftover(piece, span)


def _inside(piece: str, brackets: bool) -> Span | None:
    """The content of the pair that wraps the whole piece."""
    size = len(piece)
    first = piece[0]
    pairs = _OPENED_BY.get(first, ()) if first != "<" else _TAGS
    for left, right in (*pairs, *_BRACKETED_BY.get(first, ())) if brackets else pairs:
        if piece.startswith(left) and piece.endswith(right) and size >= len(left) + len(right):
            inner = piece[len(left) : size - len(right)]
            if left not in inner and right not in inner:
                return (len(left), size - len(right))
    if first == "<" and (tag := _OPEN_TAG.match(piece)):
        close = f"</{tag['name'].lower()}>"
        if tag.end() <= piece.lower().find(close) == size - len(close):
            return (tag.end(), size - len(close))
    if (
        first == "\\"
        and (command := _COMMAND.match(piece))
        and closing_brace(piece, command.end()) == size - 1
    ):
        return (command.end(), size - 1)
    return None


def _leftover(piece: str, span: Span) -> Span:
    """A wrapper of which only one end stands here."""
    start, end = span
    if (tail := _tail(piece)) and tail not in piece[: -len(tail)]:
        return (start, end - len(tail))
    if piece[-1] == ">" and (token := _end_token(piece) or _loose_tail(piece)):
        return (start, end - token)
    if piece[0] == "<" and (loose := _loose_head(piece)):
        return (start + loose, end)
    if (
        piece[0] in "*_`<#"
        and (head := _OPENERS.match(piece))
        and head[0] not in piece[head.end() :]
    ):
        return (start + head.end(), end)
    return span


def _tail(piece: str) -> str:
    """The end of a wrapper that the piece ends with."""
    if piece[-1] == "`":
        return piece[len(piece.rstrip("`")) :]
    return (
        next((mark for mark in _LEFTOVERS if piece.endswith(mark)), "")
        if piece[-1] in "*_>"
        else ""
    )


def _end_token(piece: str) -> int:
    """The length of the token at the end by which a model says that it is done, or 0."""
    for token in _END_TOKENS:
        if piece.endswith(token):
            return len(token)
    at = piece.rfind("<", max(0, len(piece) - 40))
    return len(piece) - at if at >= 0 and _END_TOKEN.fullmatch(piece, at) else 0


def _loose_head(piece: str) -> int:
    """The length of the tag at the beginning that closes what was opened before, or only breaks the line; or 0."""
    return _loose(piece, _LOOSE.match(piece))


def _loose_tail(piece: str) -> int:
    """The length of such a tag at the end."""
    at = piece.rfind("<", max(0, len(piece) - 20))
    return _loose(piece, _LOOSE.fullmatch(piece, at)) if at >= 0 else 0


def _loose(piece: str, tag: re.Match[str] | None) -> int:
    # A tag alone is an answer of its own.
    if tag is None or len(tag[0]) == len(piece):
        return 0
    return len(tag[0]) if not tag["name"] or f"<{tag['name'].lower()}" not in piece.lower() else 0
