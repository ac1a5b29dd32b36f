"""What of a response is the answer: reasoning left aside, a run-on into a new question cut off.

Everything keeps its place: what is left aside becomes blanks of the same length, so a span found in
the visible text is a span of the response itself.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from steelyard.text.late import late

_TAG = late(
    r"<(?P<close>/?)(?:think|thinking|thought|reasoning)\b[^<>/]{0,80}>|<\|(?:begin_of_thought|(?P<end>end_of_thought|begin_of_solution))\|>",
    re.IGNORECASE,
)
# The channels of "harmony": what stands before the final one, or in another, was not said to the reader.
_FINAL = late(
    r"(?:<\|channel\|>|\A)\s{0,3}final\b[^<]{0,40}(?:<\|constrain\|>[^<]{0,40})?<\|message\|>"
)
_CHANNEL = late(
    r"\s{0,99}(?:(?:<\|start\|>[^<]{0,40})?<\|channel\|>|(?:analysis|commentary)<\|message\|>)"
)
_STRUCK = late(r"(?<!~)~~(?![~\s])[^~\n]{1,200}~~(?!~)")
# Markdown's other fence, up to the line that closes it; a longer row of tildes underlines a heading.
_TILDES = late(
    r"^(?P<before>[ \t]{0,3})(?P<fence>~{3,5})(?P<block>[\w+#.-]{0,20}[ \t]*\n(?:(?![ \t]{0,3}~~~)[^\n]*\n){1,400}?[ \t]{0,3})"
    r"(?P=fence)(?=[ \t]*$)",
    re.MULTILINE,
)
_END_TOKEN = late(
    r"<\|(?:im_end|endoftext|eot_id|end|eos|end_of_text|im_start|return|call|end_of_solution)\|>|</s>|<eos>|<end_of_turn>"
)
_RUN_ON = late(
    r"[ \t>#*_]*(?P<word>question|q)[ \t]*(?P<number>\d{0,4})[ \t*_]*[:：]", re.IGNORECASE
)
# What a quarter comes to: one quantity, and nothing else in its line; "5 + 5 =" asks.
_QUANTITY = late(
    r"[ \t*_]*[-+−]?[$€£¥]?[ ]?\d[\d,.]*(?:[ ]?(?:%|[^\W\d_]{1,20}(?:[ ][^\W\d_]{1,20})?))?[ \t*_.]*(?=\n|\Z)"
)
_ANSWERED = late(r"\s*[*_]{0,2}a\d{0,4}[*_ ]{0,3}[:：]", re.IGNORECASE)
# Markdown's mark of a quoted line; ">5" and "> 5 and < 7" compare.
_QUOTED = late(
    r"^[ \t]{0,3}>(?:[ \t]?>){0,5}(?:[ \t]+(?=\S)(?![^\n]{0,200}[<≤])|[ \t]*$)", re.MULTILINE
)


class Cut(NamedTuple):
    """A stretch of the response that was left aside, and why."""

    span: tuple[int, int]
    why: str


def visible(text: str) -> str:
    """The response with reasoning blanked and a run-on cut; all offsets stay as they were.

    >>> visible("<think>B?</think>Answer: C")
    '                 Answer: C'
    """
    if (
        "<" not in text
        and "~~" not in text
        and ("\n" not in text or not ("q" in text or "Q" in text))
    ):
        return text
    shown = without(text, cuts(text))
    return _TILDES.sub(_with_backticks, shown) if "~~~" in shown else shown


def _with_backticks(block: re.Match[str]) -> str:
    """The block in the fence that every rule knows, in the same place."""
    fence = "```".rjust(len(block["fence"]))
    return f"{block['before']}{fence}{block['block']}{fence}"


def without(text: str, left_aside: list[Cut]) -> str:
    """The text with the cuts blanked, line by line; a cut that reaches the end is dropped."""
    pieces: list[str] = []
    done = 0
    for (start, end), _ in left_aside:
        pieces += (text[done:start], _blanked(text[start:end]) if end < len(text) else "")
        done = end
    return "".join((*pieces, text[done:])) if pieces else text


def _blanked(piece: str) -> str:
    """Blanks in its place; what follows on a line of its own goes on standing there."""
    lines = piece.split("\n") if "\n" in piece else (piece,)
    return "\n".join(" " * len(line) for line in lines)


def unquoted(text: str) -> str:
    """The text with the marks of quoted lines blanked; all offsets stay as they were.

    >>> unquoted("> 42"), unquoted("x > 42")
    ('  42', 'x > 42')
    """
    return _QUOTED.sub(lambda mark: " " * len(mark[0]), text) if ">" in text else text


def cuts(text: str) -> list[Cut]:
    """What is left aside, in the order in which it has to be blanked.

    >>> [cut.why for cut in cuts("A: 4\\n\\nQuestion: 3+3?\\nA: 6")]
    ['run-on into a new question']
    """
    found = reasoning(text) if "<" in text else []
    if "~~" in text:
        found = _with_struck(text, found)
    shown = without(text, found) if found else text
    end = _run_on(shown)
    if end is None:
        return found
    start, why = end
    kept = [
        Cut((cut.span[0], min(cut.span[1], start)), cut.why) for cut in found if cut.span[0] < start
    ]
    return [*kept, Cut((start, len(text)), why)]


def _with_struck(text: str, found: list[Cut]) -> list[Cut]:
    """What is struck out has been withdrawn."""
    shown = without(text, found) if found else text
    struck = [Cut(match.span(), "struck out") for match in _STRUCK.finditer(shown)]
    return sorted([*found, *struck])


def _run_on(shown: str) -> tuple[int, str] | None:
    """Where the response ends and the model goes on by itself, and how that shows."""
    if "<" in shown and (token := _END_TOKEN.search(shown)) and shown[: token.start()].strip():
        shown = shown[: token.start()]
        return _new_question(shown) or (token.start(), "end of the text")
    return _new_question(shown)


def _new_question(shown: str) -> tuple[int, str] | None:
    # A question at the very start is the asked one repeated, not a new one.
    at = shown.find("\n") + 1
    while at > 0:
        if (mark := _RUN_ON.match(shown, at)) and _asks(shown, mark) and shown[:at].strip():
            return at, "run-on into a new question"
        at = shown.find("\n", at) + 1
    return None


def _asks(shown: str, mark: re.Match[str]) -> bool:
    """Whether a question follows the mark; a number after "Q" may also count the quarters: "Q1: 14"."""
    if not mark["number"] or mark["word"].lower() != "q":
        return True
    quantity = _QUANTITY.match(shown, mark.end())
    return quantity is None or _ANSWERED.match(shown, quantity.end()) is not None


def reasoning(text: str) -> list[Cut]:
    """Closed blocks, all that precedes a lone closing tag or the final channel, all that follows an unclosed one."""
    if "<|" in text and (channels := _channels(text)):
        return channels
    found: list[Cut] = []
    opened: int | None = None
    for tag in _TAG.finditer(text):
        if not (tag["close"] or tag["end"]):
            opened = tag.start() if opened is None else opened
        elif opened is not None:
            found.append(Cut((opened, tag.end()), "reasoning"))
            opened = None
        else:
            found = [Cut((0, tag.end()), "reasoning before a lone closing tag")]
    if opened is not None:
        found.append(Cut((opened, len(text)), "reasoning that was never closed"))
    return found


def _channels(text: str) -> list[Cut]:
    """What precedes the final channel; all, where a text in channels has no final one."""
    if final := _FINAL.search(text):
        return [Cut((0, final.end()), "reasoning before the final channel")]
    return (
        [Cut((0, len(text)), "reasoning without a final channel")] if _CHANNEL.match(text) else []
    )
