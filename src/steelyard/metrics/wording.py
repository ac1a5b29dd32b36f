"""What the wording of a failed model call says about its kind."""

from __future__ import annotations

import re
from typing import Any

_READ = 20_000
# What is counted, when a number stands before it: that number is no status.
_COUNTED = r"(?i:tokens?|bytes?|characters?|chars|words|lines|rows|samples|items|chunks|m?s|sec(?:ond)?s?|min(?:ute)?s?|of)\b"


def _status(codes: str) -> str:
    """A pattern for these numbers where they are the status of a reply: named so, sent back, or first in the text."""
    return (
        r"(?:\A[\W_]{0,5}"
        r"|(?:(?<![A-Za-z])(?i:http(?:/[0-9.]{1,3})?|status(?:code)?|code|error|err|response)"
        r"|(?<=[A-Za-z])(?:Status|Code|Error|Exception|Exhausted|Failure|Response))[\W_]{0,5}"
        r"|\b(?i:got|gave|sent|received|returned|returns|(?:answered|responded|replied|failed|rejected|refused)(?: with)?)"
        r":?(?: (?:an?|the|http|status|code)){0,3}[\W_]{1,3}"
        rf")(?:{codes})(?![0-9]|[.,][0-9]|%|[ _-]{_COUNTED})"
        rf"|(?<![0-9A-Za-z.,])(?:{codes})[ :_-]{{1,3}}(?i:(?:client |server |http )?(?:error|status|response)|resource[ _]|quota)"
        rf"|\((?:{codes})\)"
    )


# "timeout" is a word of its own, or the end of a joined one (ReadTimeout, ETIMEDOUT); "time" and "out" apart must be words
# themselves: a runtime's output, a downtime's outage and a key's lifetime limit are no timeout.
_TIMEOUT = re.compile(
    r"[Tt]imed?out(?!put|age)|TIMED?OUT(?!PUT|AGE)"
    r"|(?:(?<![A-Za-z])(?i:time)|Time)(?i:d[ _-]?out|[ _-]?out(?![ _-]of[ _-][a-z]))(?![A-Za-z])|TimedOut|TimeOut(?![a-z])"
    r"|(?:(?<![A-Za-z])(?i:(?:run|wall)?time)|Time)(?i:[ _-]?limits?)(?![a-z])"
    r"|(?i:deadline[ _-]?exceeded|\btook too long)"
    r"|" + _status("408|504")
)
# One that there was not: "no timeout was set", "it did not time out".
_NO_TIMEOUT = re.compile(
    r"(?i)\b(?:no|not an?|without(?: an?| any)?|isn['’]t an?)[ _-](?:(?:request|read|connect(?:ion)?)[ _-])?"
    r"time(?:[ _-]?outs?|[ _-]limits?)\b|(?:\bnot|\bnever|n['’]t)[ _-](?:yet )?timed?[ _-]?out\b"
)
# "rate" stands alone, or as a part of a joined name (RateLimitError, rate_limit), never inside "generate".
# Other things that have a rate are no limit; in a joined name it says of what, or that it was exceeded.
_RATE_LIMIT = re.compile(
    _status("429") + r"|(?<![A-Za-z])(?i:rate[ _-]?limit)|Rate[ _-]?Limit"
    r"|(?<!\bsample )(?<!\bsampling )(?<!\blearning )(?<!\bframe )(?<!\bbit )(?<!\berror )(?<!\bdropout )"
    r"(?<![A-Za-z_-])(?i:rate)(?![A-Za-z_-])"
    r"|(?<![A-Za-z])(?i:(?:requests?|calls?|tokens?|messages?|quer(?:y|ies)|api|usage)[_-]rate(?![a-z]))"
    r"|(?<![A-Za-z])(?i:rate[_-](?:exceed|quota|reached|too))|Rate(?:Exceed|Quota)"
    r"|(?i:too[ _-]?many[ _-]?requests|throttl|quota[ _-]?exceeded|exceeded your (?:current )?quota)",
)


def error_category(error: Any) -> str | None:
    """timeout, rate_limit or model_error; None where there is no error text.

    >>> error_category("could not generate a reply"), error_category(TimeoutError()), error_category(" ")
    ('model_error', 'timeout', None)
    """
    text = f"{type(error).__name__}: {error}" if isinstance(error, BaseException) else str(error)
    text = text[:_READ]
    if not text.strip() or error is False:
        return None
    if _TIMEOUT.search(text) and _TIMEOUT.search(_NO_TIMEOUT.sub(" ", text)):
        return "timeout"
    return "rate_limit" if _RATE_LIMIT.search(text) else "model_error"
