"""What the wording of a failed model call says about its kind."""

from __future__ import annotations

import re
from typing import Any

_READ = 20_000
_TIMEOUT = re.compile(
    r"time(?:d)?[ _-]?out|deadline[ _-]?exceeded|time limit|took too long"
    r"|(?:http|status|code|error)\W{0,3}(?:408|504)\b",
    re.IGNORECASE,
)
# "rate" stands alone, or as a part of a joined name (RateLimitError, rate_limit), never inside "generate".
# Other things that have a rate are no limit.
_RATE_LIMIT = re.compile(
    r"(?<![\d.,])429(?!\d|[.,]\d)"
    r"|(?<![A-Za-z])(?i:rate[ _-]?limit)|Rate[ _-]?Limit"
    r"|(?<!\bsample )(?<!\bsampling )(?<!\blearning )(?<!\bframe )(?<!\bbit )(?<!\berror )(?<!\bdropout )"
    r"(?<![A-Za-z_-])(?i:rate)(?![A-Za-z_-])"
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
    if _TIMEOUT.search(text):
        return "timeout"
    return "rate_limit" if _RATE_LIMIT.search(text) else "model_error"
