"""The normal form in which two short texts are compared.

Case, articles, punctuation and wrappers vanish; what makes a difference stays: a sign, a decimal point,
a fraction bar, an operator, and the marks of a name such as C++, C# and .NET.
"""

from __future__ import annotations

import functools
import re

from steelyard.text.emphasis import without_set_letters
from steelyard.text.fold import fold, is_latin, light
from steelyard.text.formula import FORMULA, is_charged, with_plain_charges
from steelyard.text.late import late
from steelyard.text.latex import without_latex
from steelyard.text.star import STAR, with_stars
from steelyard.text.wrap import TAGS

_WORD = r"[^\s\x00-\x1f!-/:-@\[-`{-\x7f]"
_LETTER = r"[^\W\d_]"
ARTICLES = frozenset(("a", "an", "the"))
_OPENING = "*_\"`([{$'"
_CLOSING = "*_\"`)]}$'"
_WORD_START = late(rf"[^\W_]{{2}}|[^\W\d_][-+#'{STAR}]|\.[^\W\d_]")
_OPENS = late(r"[*_\"`(\[{$']")
_FENCED = late(r"\s*(```|~{3,5})[\w+-]*\n(.*?)\n?\1\s*", re.DOTALL)
_QUOTED_LINE = late(r"^> +(?=[^\W\d])", re.MULTILINE)
_GROUPED = late(r"(?<![\d.,])[1-9]\d{0,2}(?:,\d{2,3}){0,12},\d{3}(?!\d)(?!,\d)")
_UNDERSCORED = late(r"(?<=\d)_(?=\d{3}(?:_|\b))|(?<=[^\W\d_])_(?=\{?\d)")
_INITIALS = late(rf"(?<!\w)({_LETTER}\.) (?={_LETTER}\.)")
_ABBREVIATION = late(
    rf"(?<![\w.])(?=(?:{_LETTER}{{2}}\.){{0,2}}{_LETTER}\b)(?:{_LETTER}{{1,2}}\.){{1,9}}{_LETTER}{{1,2}}\b\.?"
    rf"|(?<![\w.]){_LETTER}\.(?:phil|eng|tech|arch|litt|mus)\b\.?"
)
_BETWEEN_DIGITS = late(r"(?<=\d)(?:'(?!\d{3}(?!\d))|\$)(?=\d)")
_SPACED_SIGN = late(r"(= ?|^|[({$])- +(?=[\d./]*\d *[)}$]?$|[\d./]+ *[)}$])")
_TOKEN = late(
    rf"""
      (?:(?<![\w)\]])-)?(?:\d|(?<!\w)\.\d)(?:{_WORD}|\.(?=\d))*(?:[+\#]+|-(?![\w-]))?  # a number: sign, unit, charge
    | (?<![\w)\]])-(?={_LETTER}(?!\w)|[(\\|∞π√])                               # -x, but not the bullet -Paris
    | (?<![\w.])\.(?={_LETTER}){_WORD}+                                        # .NET
    | (?<!\w){_LETTER}{{1,2}}\d?--?(?![\w-])                                  # A-, Cl-, O2-, C--
    | (?<!\w){FORMULA}-(?![\w-])                                              # MnO4-
    | {_WORD}+(?:\+\+?|\#)?(?!{_WORD})                                        # a word, C++, C\#, A+
    | {_WORD}+
    | (?<={_WORD})\*(?={_WORD})                                               # 2*3, not **bold**
    | (?<=\d)_(?=\d) | (?<=\b\w)/(?=\w) | (?<=\w)/(?=\w\b) | /(?=\d) | (?<=\d)/
    | [+<>=~|^]
    """,
    re.VERBOSE,
)
# Articles before a word, however many; each is known by the blank before it, which is found fast.
# A run of them is looked at once, from where it begins: "the the the …" must not take the square of its length.
_ARTICLE = late(
    rf" (?<! a )(?<! an )(?<! the )(?:(?:an?|the) )++(?=\d|[^\W_]{{2}}|[^\W\d_][-+#'{STAR}]|\.[^\W\d_])"
    r"(?!(?:an?|the)[)\]}.,;:!?]*(?: |$))"
)
_SPACED = bytes(c if chr(c).isalnum() else 32 for c in range(128)) + bytes(range(128, 256))
_DROPPED = b"'`$"
_FORMATTED = late(rf"<({TAGS})>([^<>]{{1,400}})</\1>")
_SHOWN = late(r"[^\W_]|[!-~]")
_LETTERS = bytes(range(128, 256)) + b'abcdefghijklmnopqrstuvwxyz \n,;:!?()"'
_PLAIN_MARKS = _LETTERS + b".'[]"
_HYPHENED = late(r"(?<=[^\W\d_]|')-(?:the|an?)(?=-[^\W\d_]{2})")  # jack-in-the-box
_OPERATORS, _ATTACHING = frozenset(b"+<>=~|^\\/"), frozenset(b"*_#")
_JOINED = late(r"\.(?:\w| [a-z]\.)")
_ATTACHED = late(r"\w(?:[*_]\w|#)")
_SIGNED = late(r"(?<![\w)\]])-(?:[a-z](?!\w)|\()|\$- +[\d.]|(?<!\w)[a-z]{1,2}\d?--?(?![\w-])")
_NUMERIC = late(r"\d['$.,_]\d|-[$.]*\d|\d-(?!\w)|\d \d{3} \d{3}(?!\d)")
_SPACED_GROUPS = late(r"(?<![\d.,])(?<!\d )[1-9]\d{0,2}(?: \d{3}){2,12}(?!\d| \d)")  # 299 792 458


def normalise(text: str, *, articles: bool = False) -> str:
    """The normal form; empty if nothing but wrappers, punctuation and blanks is there.

    >>> normalise("  The **Beatles**. "), normalise("U.S.A."), normalise("−1,500.5"), normalise("C++")
    ('beatles', 'usa', '-1500.5', 'c++')
    """
    low = fold(with_stars(text) if "*" in text else text)
    if low.isalnum():
        return low
    if "_" in low:
        low = low.strip().strip("_")
    if "$" in low:
        low = without_set_letters(low)
    if "{,}" in low:
        low = low.replace("{,}", ",")
    if "-the-" in low or "-a-" in low or "-an-" in low:
        low = _HYPHENED.sub("", low)
    if ("```" in low or "~~~" in low) and (fenced := _FENCED.fullmatch(low)):
        low = fenced[2]
    if (low.isascii() or is_latin(low)) and not is_tricky(low):
        return plainly_normal(low, articles=articles)
    low = _unwrapped(low)
    return " ".join(_tokens(low if articles else _without_articles(low)))


normal_target = functools.lru_cache(maxsize=4096)(normalise)
"""The normal form, remembered: a file of answers has few targets and asks for each many times."""


def plainly_normal(low: str, *, articles: bool = False) -> str:
    """The normal form of a folded Latin text in which nothing is tricky.

    >>> plainly_normal("the capital, canberra!")
    'capital canberra'
    """
    return " ".join(spaced(low if articles else _without_articles(low)).split())


def is_plain(text: str) -> bool:
    """Whether a folded text is Latin letters and common marks alone, so that nothing is tricky in it nor in any part of it.

    >>> is_plain("the capital, canberra!"), is_plain("the u.s.a."), is_plain("route 66")
    (True, False, False)
    """
    marks = text.encode(errors="surrogatepass").translate(None, _PLAIN_MARKS)
    return not marks and is_latin(text) and _JOINED.search(text) is None


def spaced(low: str) -> str:
    """A folded Latin text in which nothing is tricky, with blanks for its marks.

    >>> spaced("don't, são paulo!")
    'dont  são paulo '
    """
    return low.encode().translate(_SPACED, _DROPPED).decode()


def _without_articles(low: str) -> str:
    """Articles go only where a word follows directly: in "A, B" it is a name."""
    words = low.split()
    if not _OPENS.search(low):
        if ARTICLES.isdisjoint(words):
            return low
        return _ARTICLE.sub(" ", " " + " ".join(words))
    short = {word for word in words if len(word) < 8}
    wrapped = {word for word in short if word.lstrip(_OPENING).rstrip(_CLOSING) in ARTICLES}
    at = [i for i, word in enumerate(words) if word in wrapped] if wrapped else []
    for i in reversed(at):
        if _begins_word(words[i + 1 : i + 2]):
            del words[i]
    return " ".join(words)


def _begins_word(following: list[str]) -> bool:
    """Whether it is a word: two letters, a digit, or a letter with a mark of its own (A-Team, C++, .NET)."""
    if not following:
        return False
    if len(following[0]) > 3 and following[0].isalpha():
        return True
    word = following[0].lstrip(_OPENING)
    if word.rstrip(_CLOSING + ".,;:!?") in ARTICLES:
        return False
    return word[:1].isdigit() or _WORD_START.match(word) is not None


def is_tricky(low: str) -> bool:
    """Whether a mark in an ASCII text may mean something; without the letters there is little to look at."""
    marks = low.encode().translate(None, _LETTERS)
    if not marks:
        return False
    if b"." in marks and _JOINED.search(low) is not None:
        return True
    return marks.strip(b".") != b"" and (
        not _OPERATORS.isdisjoint(marks)
        or (b"-" in marks and (_SIGNED.search(low) is not None or is_charged(low)))
        or (marks.strip(b"-.*_#[]{}$%&@`'\t\r") != b"" and _NUMERIC.search(low) is not None)
        or (not _ATTACHING.isdisjoint(marks) and _ATTACHED.search(low) is not None)
    )


def unreduced(text: str) -> str:
    """The text with only case, width and outer blanks evened out, for what normalises to nothing.

    >>> unreduced(" ?! ")
    '?!'
    """
    return light(text)


def is_blank(text: str) -> bool:
    """Whether a text has nothing to compare: blanks and invisible characters only.

    >>> is_blank(" \u200b"), is_blank("?")
    (True, False)
    """
    if text[:1].isalnum():
        return False
    if text.isascii():
        return not text.strip()
    return _SHOWN.search(text) is None and not light(text)


def _unwrapped(low: str) -> str:
    """Without LaTeX, tags, apostrophes, currency, digit grouping and the dots of abbreviations."""
    if "\\" in low:
        low = without_latex(low.replace("{- ", "{-")).replace("°", " ")
    if "- " in low:
        low = _SPACED_SIGN.sub(r"\1-", low.strip()) if low.lstrip()[:2] != "- " else low
    if "<" in low or ">" in low:
        low = _QUOTED_LINE.sub("", low.replace("<answer>", " ").replace("</answer>", " "))
        low = _without_tags(low) if "</" in low else low
    if "'" in low or "$" in low or "`" in low:
        low = _BETWEEN_DIGITS.sub(" ", low).replace("'", "").replace("$", "").replace("`", "")
    if _SPACED_GROUPS.search(low):
        low = _SPACED_GROUPS.sub(lambda found: found[0].replace(" ", ""), low)
    if "," in low or "_" in low:
        low = _UNDERSCORED.sub("", _GROUPED.sub(_without_commas, low))
    low = with_plain_charges(low)
    if "." in low:
        low = _ABBREVIATION.sub(lambda found: found[0].replace(".", ""), _INITIALS.sub(r"\1", low))
    return low.replace("!=", " ≠ ") if "!=" in low else low


def _without_tags(low: str) -> str:
    low = low.replace("<sup>", "^").replace("</sup>", "")
    for _ in range(3):  # one round a level of nesting; answers do not nest deeper
        low = _FORMATTED.sub(r" \2 ", low)
    return low


def _without_commas(found: re.Match[str]) -> str:
    return found[0].replace(",", "")


def _tokens(low: str) -> list[str]:
    tokens: list[str] = []
    words = low.split()
    for i, word in enumerate(words):
        bare = word.lstrip('"(*[').rstrip('.,;:!?")*]')
        if bare.isalnum():
            tokens.append(bare)
        elif word == "-":
            tokens += ["-"] if i + 1 < len(words) and words[i + 1][0] in "∞π√|" else []
        elif word == "/":
            beside = words[i - 1][-2:] if i else "", words[i + 1][:2] if i + 1 < len(words) else ""
            tokens += ["/"] if any(len(term) == 1 or term.isdigit() for term in beside) else []
        elif word[0] == "-" and tokens and words[i - 1][-1].isdigit():
            tokens += _TOKEN.findall(word[1:])  # 10 -42 takes away, and has no sign
        else:
            tokens += map(_tidy, _TOKEN.findall(word))
    return tokens


def _tidy(token: str) -> str:
    if token == "*":
        return "×"
    return token.replace(".", "0.", 1) if token[0] == "." and token[1:2].isdigit() else token
