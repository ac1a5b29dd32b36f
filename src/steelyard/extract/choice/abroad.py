"""What leads to a letter in languages other than English, and praises it."""

from __future__ import annotations

from steelyard.text.grammar import any_of, words

_IS = (
    rf"(?:c['’]|{any_of('is abroad')}[ ])(?:est[ ])?(?:donc[ ]|la[ ]|die[ ]|a[ ]|el[ ]|l['’]){{0,2}}"
    rf"(?:{any_of('right abroad')}[ ])?"
)
#: What leads to a letter in other languages: "la respuesta correcta es la", "Antwort:", "答案是", "C'est la réponse".
ABROAD = (
    rf"(?i:{any_of('answer abroad')}(?:[ ](?!{any_of('negators abroad')})\w{{1,12}}){{0,2}}"
    rf"(?:[ ]?[:：]|[ ](?:{any_of('is abroad')}(?:,?[ ]{any_of('therefore abroad')}[,:]?)?|[-–—]))[ \t]*"
    rf"(?:(?:(?-i:donc|la|a|o|el)|letter|buchstabe|option|{any_of('answer abroad')})[ ]+){{0,2}}"
    rf"|{_IS}(?:option|{any_of('answer abroad')})[ ]+"
    r"|doğru[ ](?:cevap|yanıt)[ ]+|sondern[ ]+|bleibt[ ](?:nur[ ]|also[ ])?)"
)
ABROAD_UNSPACED = (
    r"(?<!错误)(?<!錯誤)(?<!不是)(?<!不)(?:答案|正解|答え|选项|選項|選択肢|回答|정답|답)(?:[:：]|是|は|为|為|은|는)[ \t:：]*"
    r"|(?:对应|即)(?:的)?(?:选项|選項)[ ]?|符合[^\s,，。]{0,6}的是[ ]?"
    r"|(?:ではなく|じゃなく(?:て)?|[이가][ ]?아니라|而是)[、,， ]{0,2}|正しいのは"
    r"|(?<!不)(?:答案|正解|答え|解答|정답)[ ]{1,2}[:：]?[ \t]*"
    r"|(?<!不)(?<![不未没勿别莫][能应会可该要宜])(?<![未没勿别莫])(?:选择?|選擇?)[ \t:：]*|उत्तर[ \t:]+(?:विकल्प[ ])?"
    r"|คำตอบ(?:ที่ถูกต้อง)?(?:คือ|[ ]?[:：])[ \t]*(?:ข้อ[ ]?)?"
)
#: "Option B ist richtig", "la B es la correcta", "C项正确"
RIGHT_ABROAD = (
    rf"[ ]{any_of('is abroad')}[ ](?:(?:die|la|le|a|el)[ ])?{any_of('right abroad')}"
    r"|[ ]?(?:选项|選項|项|項)?[ ]?(?:是)?(?:正确|正確|符合|成立|一致|最合适|最恰当|最佳)|[가이][ ](?:정답|맞)|が正しい"
)
#: All that is left of the first one for a text that has none of its words.
ABROAD_OPTION = rf"(?i:{_IS}option[ ]+)"
# A dotless i is an i to a pattern that ignores case.
_HINTS = tuple(
    word for word in (said.replace("ı", "i") for said in words("answer abroad")) if word.isascii()
)
_HINTS += ("sondern", "bleibt")


def may_be_abroad(plain: str) -> bool:
    """Whether a text may name its answer in another language; of one in ASCII few do.

    >>> may_be_abroad("Die Antwort ist B"), may_be_abroad("The answer is B")
    (True, False)
    """
    return not plain.isascii() or any(map(plain.lower().__contains__, _HINTS))
