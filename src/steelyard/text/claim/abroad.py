"""What denies or offers a mention in languages other than English; German, French and Spanish are also in ``denial.py``.

Read in the form of ``marked.py``; the words are in ``words.txt``. The reach is short: a negator denies what follows it
directly or after a copula, and what stands before it as its subject is only said to be or to have done something else.
"""

from __future__ import annotations

from steelyard.text.claim.marked import COMMA, MARK, STOP, WORD
from steelyard.text.grammar import phrases, words
from steelyard.text.late import late

_NEGATORS = phrases("negators elsewhere")
_COPULA = phrases("copulas elsewhere")
_DONE = r"(?:\w+(?:t[oai]|s[oai]|d[oa]|en|et|n[yae])|ge\w+)"  # "non è stato scritto da", but "non lontano da"
_BY = r"(?:da|dal|dalla|dallo|por|pelo|pela|door|av|af|przez)"
_NOT = late(
    rf"(?:^| )(?:{_NEGATORS} (?:{_COPULA} ){{0,2}}(?:(?:{_DONE} )?{_BY} )?"
    rf"|{_NEGATORS} s[ie] tratt?a(?:va)? d[a-z]{{1,3}} |nu (?:este|e|era|a fost|sunt) )$"
)
FIRST_WORDS = frozenset(phrase.split()[0] for phrase in words("negators elsewhere")) | {"nu"}
# "İstanbul değil", "नई दिल्ली नहीं"; but "sadece İstanbul değil" means "not only"
_NOT_AFTER = late(
    rf" (?:değil(?:dir)?(?= |$)|नहीं(?= {MARK}| है| हैं| बल्कि|$| $)|نیست(?= |$)|نہیں(?= |$)|নয়(?= |$))"
)
_ONLY = ("sadece ", "yalnızca ", "केवल ", "सिर्फ ")
_BUT = r"(?!und |sondern |aber |oder |en |maar |och |men |og |utan )"
_PAST = r"(?:\w+(?:ó|aron|ieron|aba|aban|ía|ían)|hizo|dijo|fueron|estuvo|tuvo)"
_CLOSING = rf"(?= {MARK}|$| $)"
# "Goethe hat dieses Stück nicht geschrieben", "Cervantes no escribió esa obra", "Толстой не писал"; but "Venus hat keine Monde"
_SAID_OF = late(
    rf" (?:(?:hat|hatte|ist|war|kann|konnte|wird|wurde|soll|heeft|had|is|was|werd|kan|kon)(?: {_BUT}{WORD}){{0,4}}"
    r" (?:nicht|niet)(?! nur | bloß | alleen )"
    rf"|(?:ist|war|is|was)(?: {_BUT}{WORD}){{0,2}} (?:keine?|geen)|(?:{_BUT}{WORD} ){{1,4}}(?:nicht|niet){_CLOSING}"
    rf"|(?:{_BUT}{WORD} ){{1,2}}(?:inte|ikke|ikkje)(?! någ| noen| nogen| bara| bare| kun)"
    rf"|no (?:(?:se|lo|la|le|les) )?{_PAST}"
    r"|non (?:è|era|fu|furono|sono|può|lo|la|si|\w+(?:ò|ì|isse|inse|ise)|(?:ha|hanno|aveva) \w+(?:to|so|tta|sta))"
    r"|não (?!tem|têm|possui|só|apenas)\w+|nie (?!ma|mają|tylko)\w+|не (?!имеет|только|просто|лишь|име)\w+"
    r"|(?:není|nejsou|nebyl[aoi]?|nenapsal[a]?|nije|nisu"
    r"|ei(?= [^ \ue000-\ue008])|nem(?! csak)|nu (?:este|e|era|a|are|au))|(?:ليس|ليست|لم)"
    rf"|δεν(?! έχει)|không(?! chỉ| có)|bukan|tidak(?! hanya| memiliki| punya| ada)|(?:{WORD} ){{1,4}}नहीं|(?:{WORD} ){{1,3}}değil"
    r")(?= |$)"
    r"|[ ]?(?:并|从来)?(?:[没沒]有?|从?未(?!来|來)曾?)[^ \ue000-\ue007]{0,3}"
    r"(?:写|画|寫|畫|发明|发现|获|赢|创|建|导演|设计|拍|演|当过|做过|去过)"
    r"|は[^ \ue000-\ue007]{0,25}(?:ませんでした|ていない|ていません|なかった)"
)
_CUES = frozenset(
    (*FIRST_WORDS, "nicht", "kein", "keine", "no", "не", "لم", "không", "tidak", "नहीं", "değil")
) | frozenset(("nenapsal", "nenapsala", "nebyli"))
_CUES_CJK = late("[没沒未]|ません|ない|なか")
# "soit Lyon, soit Marseille"
_SOIT = late(r"(?:^| )soit (?:(?:à|en|le|la|les|un|une) )?$")
_NEBO_BEFORE = late(r"(?:^| )(?<!mount )(?<!mt )nebo $")  # Czech; not the mountain
_OR_CJK = late(
    rf"(?: ?[{COMMA}{STOP}])? ?(?:也可能|也许|也許|又或|或|要么|要麼|もしくは|あるいは|หรือ)"
)
_LED_CJK = (
    "也可能是",
    "也许是",
    "也許是",
    "要么是",
    "要么",
    "要麼",
    "要麼是",
    "もしくは",
    "あるいは",
    "หรือ",
)


# "Faust ist falsch", "北京是错误的答案"
_WRONG_AFTER = late(
    r" (?:(?:ist|war|sind|waren)(?: \w+)? falsch|(?:is|was)(?: \w+)? (?:fout|onjuist|verkeerd)"
    r"|(?:es|era|fue) (?:incorrect[oa]|fals[oa]|erróne[oa])"
    r"|(?:est|était) (?:faux|fausse|incorrecte?|erronée?)|(?:è|era) (?:sbagliat[oa]|errat[oa]|fals[oa]|scorrett[oa])"
    r"|(?:é|era|está) (?:errad[oa]|incorret[oa]|fals[oa])|(?:это )?(?:неверно|неправильно|неверный ответ|неправильный ответ)"
    r"|är fel|er feil|er forkert)(?= |$)"
    r"|[ ]?是?(?:错误的|錯誤的|错的|錯的|不对(?![外内称劲])的?|不對的?|不正确的?|不正確的?)"
    r"|は(?:間違い(?!な)|誤り|不正解)|[은는이가] (?:틀|오답)"
)


def denied_abroad(before: str, after: str) -> bool:
    """Whether a negator of another language stands right before the mention, or right after it where one does so.

    >>> denied_abroad("la capitale non è ", " ma milano"), denied_abroad("non lontano da ", " ")
    (True, False)
    """
    if not_abroad(before):
        return True
    if _WRONG_AFTER.match(after):
        return True
    return (
        not after.isascii() and _NOT_AFTER.match(after) is not None and not before.endswith(_ONLY)
    )


def not_abroad(before: str) -> bool:
    """Whether the marked text ends with a negator of another language, or one and its copula.

    >>> not_abroad(" la risposta non è "), not_abroad(" la risposta è ")
    (True, False)
    """
    return not FIRST_WORDS.isdisjoint(before.split()[-6:]) and _NOT.search(before) is not None


def may_deny_abroad(before: str) -> bool:
    """Whether the marked text has a word that may deny what follows it in another language."""
    return not FIRST_WORDS.isdisjoint(before.split())


def said_of_abroad(after: str) -> bool:
    """Whether the text goes on with what the mention is not or did not do, in another language."""
    if _CUES.isdisjoint(after.split(" ", 8)[:8]) and (
        after.isascii() or not _CUES_CJK.search(after)
    ):
        return False
    return _SAID_OF.match(after) is not None


def offered_abroad(before: str, after: str) -> bool:
    """Whether it is one of several: "soit Lyon, soit Marseille", "可能是北京，也可能是上海"."""
    if before.endswith(("soit ", "soit à ", "soit en ", "soit le ", "soit la ")):
        return _SOIT.search(before) is not None and (" soit " in after or before.count("soit ") > 1)
    if _NEBO_BEFORE.search(before) or after.startswith(" nebo "):
        return True
    if before.isascii() and after.isascii():
        return False
    return before.endswith(_LED_CJK) or _OR_CJK.match(after) is not None
