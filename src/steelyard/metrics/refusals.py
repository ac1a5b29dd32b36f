"""Whether a response is a refusal: it says so in its own voice, and gives no answer."""

from __future__ import annotations

import functools
import re
from importlib import resources
from typing import NamedTuple

_OPENING = 300
_SHORT = 600
_READ = 100_000
_QUOTED = re.compile(
    r"\"[^\"\n]{0,300}\"|“[^”\n]{0,300}”|«[^»\n]{0,300}»|`[^`\n]{0,300}`|(?<!\w)'[^'\n]{0,300}'(?!\w)|^>.*$",
    re.MULTILINE,
)
_ANSWER = re.compile(
    r"\b(?:the|final|my|correct|best|right) (?:\w{1,20} )?(?:answer|option|choice|result)\W{0,4}"
    r"(?:is|would be|was|:)\W{1,12}\w"
    r"|(?:^|[,.;!?])[ \t*_#>-]{0,12}(?:final )?answer[ \t*_]{0,6}[:=]\W{0,12}\w|\\boxed|#### ?\S|```|~~~",
    re.MULTILINE,
)
_LOOKALIKES = {"’": "'", "‘": "'", "ʼ": "'", "＇": "'", "\u00a0": " "}
_NOT = r"(?:cannot|can't|can not|won't|will not)"


class _Wording(NamedTuple):
    signs: tuple[str, ...]
    stems: tuple[str, ...]
    ascii_stems: tuple[str, ...]
    trigger: re.Pattern[str]
    preamble: re.Pattern[str]
    idiom: re.Pattern[str]
    help: re.Pattern[str]
    machine: re.Pattern[str]
    slip: re.Pattern[str]


def is_refusal(text: str) -> bool:
    """True where the response declines, and does not go on to answer.

    A phrase that is only quoted, or that stands deep inside a full answer, is no refusal.

    >>> is_refusal("Unfortunately, I'm unable to help with that.")
    True
    >>> is_refusal("Hamlet says “I cannot” in act 2.")
    False
    """
    wording = _wording()
    # Almost every wrong answer leaves here.
    low = _in_small_bytes(text[:_OPENING])
    for stem in wording.ascii_stems if low.isascii() else wording.stems:
        if stem in low:
            break
    else:
        return False
    opening = _plain(text[:_OPENING])
    if (
        not any(sign in opening for sign in wording.signs)
        or wording.trigger.search(opening) is None
    ):
        return False
    whole = _QUOTED.sub(" ", _plain(text[:_READ].strip())).strip()
    trigger = wording.trigger.search(whole, 0, _OPENING)
    if trigger is None or _ANSWER.search(whole, trigger.start()):
        return False
    preamble = wording.preamble.match(whole)
    if preamble is not None and preamble.end() >= trigger.start():
        return _declines(whole[trigger.start() : trigger.start() + _OPENING], wording)
    return len(whole) <= _SHORT and wording.help.search(whole) is not None


def _declines(opening: str, wording: _Wording) -> bool:
    """An idiom, or regret for a slip that is then put right, declines nothing."""
    helpless = wording.help.search(opening) is not None
    if opening.startswith("as a"):
        return helpless or wording.machine.match(opening) is not None
    if wording.slip.search(opening):
        return helpless
    return wording.idiom.search(opening, 0, 60) is None


def _plain(text: str) -> str:
    text = text.lower()
    if not text.isascii():
        for (
            char,
            plain,
        ) in _LOOKALIKES.items():  # many times faster than a table where few are there
            text = text.replace(char, plain)
    return text


def _in_small_bytes(text: str) -> str:
    """The text with its ASCII letters small, a character a byte: many times faster than small letters beyond ASCII."""
    return (
        text.lower()
        if text.isascii()
        else text.encode("utf-8", "surrogatepass").lower().decode("latin-1")
    )


def _written(stem: str) -> list[str]:
    """The stem with each apostrophe that it may be written with."""
    if "'" not in stem:
        return [stem]
    return [
        stem,
        *(stem.replace("'", other) for other, plain in _LOOKALIKES.items() if plain == "'"),
    ]


@functools.cache
def _wording() -> _Wording:
    import tomllib

    lists = tomllib.loads(resources.files(__package__).joinpath("refusals.toml").read_text("utf-8"))
    either = {name: "(?:" + "|".join(entries) + ")" for name, entries in lists.items()}
    able = rf"(?:{_NOT}|unable to|able to|going to|decline to|refuse to) (?:be able to )?{either['help']}"
    machine = (
        r"as an? [\w ]{2,60}?(?: by \w{1,40})?,? i(?: am|'m)? "
        r"(?:cannot|can't|can not|don't|do not|not|unable|have no|lack|must|won't|will not|only)\b"
    )
    regret = r"(?:sorry|apologi[sz]e|apologies)[ ,]{1,2}(?:for|about) (?:\w{1,20} ){0,3}?"
    return _Wording(
        signs=tuple(lists["signs"]),
        stems=tuple(
            _in_small_bytes(written) for stem in lists["stems"] for written in _written(stem)
        ),
        ascii_stems=tuple(lists["stems"]),
        trigger=re.compile(rf"\bi(?:'m| am)? {either['declines']}(?!\w)|\b{either['openings']}"),
        preamble=re.compile(rf"(?:[\W_]|\b{either['preambles']}\b)*"),
        idiom=re.compile(rf"{_NOT} {either['idioms']}"),
        help=re.compile(able),
        machine=re.compile(machine),
        slip=re.compile(regret + either["slips"]),
    )
