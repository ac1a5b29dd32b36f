"""Formulas of chemistry with a charge at their end: MnO4-, CH3COO−, Na⁺, Ca²⁺.

A hyphen that trails after a word means nothing, but after a formula it is the charge of an ion. All texts here are folded.
"""

from __future__ import annotations

import re

from steelyard.text.late import late

# The elements of common anions. Longer symbols come first, and none is tried twice: a text of "cococo…" must not take long.
_ELEMENT = "al|a[gsu]|br|c[lru]|fe|g[ae]|mn|mo|pd|pt|r[eu]|s[ben]|si|t[aci]|xe|z[nr]|[bcfhinopsvw]"
# No index is 1, which keeps H1N1 out, one at the end has one digit, which keeps COP26 out, and B2B and P2P are no formulas.
_INDEX = r"(?:[1-9]\d(?![\d^-])|[2-9])"
#: A formula of three signs and more; without a digit only the few ions that are written so.
FORMULA = (
    rf"(?:(?=[a-z]{{1,8}}\d)(?![a-z]2[a-z][-^])r?(?:(?:{_ELEMENT}){_INDEX}?){{1,24}}+"
    r"|(?:h|r|ar|ph)?coo|[hr]oo|clo|bro|(?:o|s|se)cn|nc[os]|cno)"
)
_RAISED = late(
    rf"(?<![\w.])(?:([a-zα-ω]{{1,2}}\d?|{FORMULA})\^\{{?(-)|([a-z]{{2}})\^\{{?([2-9]\+))\}}?(?![\w+-])"
    r"|(?<=[^\W_])\^\{?(\+)\}?(?![\w+-])"
)
_SIGN_RAISED = late(r"\^\{?[2-9]?[+-]\}?(?![\w+-])")
# The minus is found first, and fast: most hyphens stand inside a word.
_TRAILING = late(r"-(?<=[a-z0-9]-)(?![\w-])")
_CHARGED = late(rf"(?<!\w){FORMULA}-(?![\w-])")


def is_charged(low: str) -> bool:
    """Whether a formula with a charge stands in an ASCII text.

    >>> is_charged("mno4-"), is_charged("paris-"), is_charged("well-known")
    (True, False, False)
    """
    return _TRAILING.search(low) is not None and _CHARGED.search(low) is not None


def with_plain_charges(low: str) -> str:
    """The text with a raised charge set as one in plain writing; an exponent, and a sign after what is no formula, stay raised.

    >>> with_plain_charges("na^+"), with_plain_charges("hco3^-"), with_plain_charges("ca^{2+}"), with_plain_charges("10^-2")
    ('na+', 'hco3-', 'ca2+', '10^-2')
    """
    return _RAISED.sub(_plain, low) if "^" in low and _SIGN_RAISED.search(low) else low


def _plain(charge: re.Match[str]) -> str:
    return "".join(part for part in charge.groups() if part)
