"""The grammars of the bundled puzzles' languages, so that a slip in a puzzle is found."""

from __future__ import annotations

import unicodedata

UNITS = {1: "ha", 2: "tip", 3: "sel", 4: "ŋor"}


def talune(number: int) -> str:
    """A number below 180, in sixes; a digit of five is one less than the next step."""
    unit, six = number % 6, number // 6 % 6
    if unit == 5:
        return f"{talune(number + 1)} lo ha"
    if unit:
        return _after(number - unit, UNITS[unit])
    if six == 5:
        return f"{talune(number + 6)} lo mek"
    if six:
        return _after(number - 6 * six, _times(six, "mek"))
    return _times(number // 36, "ðul")


def _after(rest: int, word: str) -> str:
    return f"{talune(rest)} na {word}" if rest else word


def _times(count: int, word: str) -> str:
    return word if count == 1 else UNITS[count] + word


CLASSES = {"lema": "e", "dori": "e", "sanko": "no", "tepu": "no", "wasi": "ti", "neku": "ti"}
PLURALS = {"e": "es", "no": "nor", "ti": "tim"}


def miradu(noun: str, adjective: str, verb: str, number: str) -> str:
    """A sentence: the class of the noun is marked on every word."""
    prefix = CLASSES[noun] if number == "sg" else PLURALS[CLASSES[noun]]
    words = [word for word in (noun, adjective, verb) if word]
    return " ".join(
        ("tin" if prefix == "tim" and word[0] in "ns" else prefix) + word for word in words
    )


TONES = ["\u0300", "", "\u0301"]


def vonda(first: str, last: str, tones: tuple[int, int], form: str) -> str:
    """A noun of two syllables; "my" lowers the first tone, the plural raises the last one."""
    low = max(tones[0] - ("my" in form), 0)
    high = min(tones[1] + ("pl" in form), 2)
    word = _toned(first, low) + _toned(last, high)
    return unicodedata.normalize("NFC", word)


def _toned(syllable: str, tone: int) -> str:
    place = next(place for place, letter in enumerate(syllable) if letter in "aeɛioɔu") + 1
    return syllable[:place] + TONES[tone] + syllable[place:]


def hemsket(subject: str, verb: str, object_: str, time: str = "") -> list[str]:
    """Every good order: the verb second, the subject before the object after it, time first or last."""
    marked = object_ + ("m" if object_[-1] in "aeiou" else "em")
    plain = [f"{subject} {verb} {marked}", f"{marked} {verb} {subject}"]
    return (
        [f"{order} {time}" for order in plain] + [f"{time} {verb} {subject} {marked}"]
        if time
        else plain
    )


COUPLES = {
    ("Ruva", "Tolin"): ["Senna", "Beko", "Mirru"],
    ("Senna", "Dorl"): ["Kai", "Nili"],
    ("Mirru", "Hann"): ["Fenn"],
}


def ossari(speaker: str, term: str) -> set[str]:
    """Whom the speaker calls by that term; the last root is the first step."""
    people = {speaker}
    for root in reversed(term.split("-")):
        people = {found for person in people for found in _relatives(person, root)}
    return people


def _relatives(person: str, root: str) -> list[str]:
    for (wife, husband), children in COUPLES.items():
        if person in children:
            place = children.index(person)
            born = {
                "ile": [wife],
                "oro": [husband],
                "gar": children[:place],
                "sun": children[place + 1 :],
            }
            if root in born:
                return born[root]
        if person in {wife, husband} and root in {"wem", "pel"}:
            return children if root == "wem" else [husband if person == wife else wife]
    return []


WHO, WHOM, MANY = ("ni", "ta", "o"), ("uk", "ut", "us"), {"sg": "", "du": "re", "pl": "ma"}


def kwanimo(who: str, stem: str, whom: str) -> str:
    """A verb: ``kwanimo("1du", "sel", "2sg")`` is "we two see you"."""
    ending = WHOM[int(whom[0]) - 1][stem[-1] in "aeiou" :]
    return WHO[int(who[0]) - 1] + MANY[who[1:]] + stem + ending + MANY[whom[1:]]


SIGNS = {"k": "◐◓◑◒", "t": "◀▲▶▼", "s": "◁△▷▽", "n": "◧⬒◨⬓"}


def orvic(word: str) -> str:
    """A word in its script, from right to left: the shape is the consonant, its direction the vowel."""
    written = ""
    for place, letter in enumerate(word):
        if letter in SIGNS:
            written = SIGNS[letter]["aiuo".index(word[place + 1])] + written
        elif letter == word[place - 1]:
            written = "·" + written
    return written


VOICED = {"k": "g", "t": "d", "s": "z", "p": "b"}
ENDINGS = {"": ("", ""), "in": ("sta", "ste"), "from": ("dun", "dün")}


def tsolu(noun: str, number: str, case: str = "") -> str:
    """A noun: the plural echoes the first syllable, the ending follows the vowels."""
    stem = noun[:2] + VOICED.get(noun[0], noun[0]) + noun[1:] if number == "pl" else noun
    return stem + ENDINGS[case][any(letter in "öüei" for letter in noun)]


LANGUAGES = {
    "2025-1": talune,
    "2025-2": miradu,
    "2025-4": vonda,
    "2026-1": hemsket,
    "2026-2": kwanimo,
    "2026-3": orvic,
    "2026-4": tsolu,
}
