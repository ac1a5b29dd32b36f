"""What holds a negator and denies nothing: "no doubt", "not until 1971", "no player scored more than", "the one not sold was".

Read in the form of ``marked.py``; the words are in ``words.txt``.
"""

from __future__ import annotations

from steelyard.text.claim.marked import COMMA, STOP, WORD
from steelyard.text.grammar import phrases
from steelyard.text.late import late

_NO = rf"(?:{phrases('negators of being')}|{phrases('negated verbs')}nt)"
_NONE = (
    r"(?:no|nobody|none|nothing|noone|never|not single|not a single"
    rf"|(?:not|{phrases('negated verbs')}nt)(?: (?!that ){WORD}){{0,4}}? (?:single|any|anyone|anybody|anything)"
    r"|(?:wont|cant|cannot|couldnt|will not|can not|could not) find|there (?:isnt|is not|wasnt|was not|arent|are not))"
)
# What may stand between "nobody" and that beyond which nobody is: "nobody but Perth is larger than" is another thought.
_ON = rf"(?: (?!but |except |all |every |everyone |each |both |that ){WORD})"
_MORE = rf"(?:{phrases('compared')}|\S{{2,12}}er)"
_SAVE = phrases("save")
_HARMLESS = late(
    rf"(?:(?:^|(?<= )){phrases('harmless')}|(?:no|ca|could|would)n?t (?:have )?be(?:en)? any(?:one|body|thing)(?: else)?"
    rf" (?:but|other than)|(?:no|nothing|nobody|none)(?: (?!but |except )\S+){{1,6}} than)(?= |$)|(?<= )no (?=\d)|^no (?=\d)"
    # "It was not until 1971", "No player has scored more goals than", "Nobody except"
    rf"|(?:^|(?<= )){_NO}(?: {WORD}){{0,10}} {phrases('until')}(?= )"
    rf"|(?:^|(?<= )){_NONE}(?:{_ON}{{0,14}} {_MORE}{_ON}{{0,8}} than"
    rf"|{_ON}{{0,10}}(?: {COMMA})? {_SAVE}(?: (?!that |is |was ){WORD}){{0,2}})(?= $)"
    # "The only team not relegated was": the negation describes what it follows, and does not deny
    rf"|(?:^|(?<= ))(?!{phrases('before a denial')} |\S+ly ){WORD} not (?!{phrases('saying')} )(?:{WORD} ){{1,7}}?"
    r"(?=(?:is|was|are|were) (?:the |called |named )?$)"
    # The one who never won is X: so does this one
    r"|(?<!wrong)(?<!not true)(?<!nt true)(?<!incorrect)(?<!false)(?<!untrue)(?<!impossible)"
    r"(?<!mistaken)(?<!myth)(?<!misconception)(?<!fallacy)"
    r" (?:who|that|which|with|without)(?: (?!(?:because|since|so|as) )[^ \ue000-\ue007]+){1,7}?"
    r"(?= (?:is|was|are|were) (?:the |called |named )?$)"
)
_SAVING = (
    "than ",
    "except ",
    "except for ",
    "apart from ",
    "aside from ",
    "besides ",
    "exception of ",
)
# "Except for Perth, no city is", but "No one has won more than Perth, except Sydney"
_NO_OTHER = late(rf" {COMMA} (?:no|nobody|none|nothing|noone)(?= )")
_SAVE_ANOTHER = late(
    rf"(?: {WORD}){{0,6}}? (?:{COMMA} )?(?:{_SAVE}|but) (?!for |in |when |it |he |she |they |this |that )"
)
# "Anything other than Perth would be wrong" asserts, and "… would be right" denies.
_ANYTHING_ELSE = late(rf"(?:^|[{STOP}{COMMA}] )anything other than $")
_WOULD_BE = late(
    rf" (?:would be|will be|is) (?:(?P<wrong>{phrases('wrong')})|right|correct|fine|acceptable|possible)(?= |$)"
)
_UNTIL = late(rf"(?: {WORD}){{1,12}} {phrases('until')} ")


def harmless(before: str) -> str:
    """The marked text without the phrases that hold a negator and deny nothing."""
    return _HARMLESS.sub("", before)


def reach(before: str) -> int:
    """How many characters before a mention may tell what the negation that ends there means."""
    return 200 if before.endswith(_SAVING) else 90


def excepted(before: str, after: str) -> bool | None:
    """Whether what follows makes an assertion of "except X" (True) or a denial of "nobody more than X" (False)."""
    if not before.endswith(_SAVING):
        return None
    if (
        before.endswith("anything other than ")
        and _ANYTHING_ELSE.search(before)
        and (said := _WOULD_BE.match(after))
    ):
        return said["wrong"] is not None
    if not before.endswith("than "):
        return True if _NO_OTHER.match(after) else None
    return False if _SAVE_ANOTHER.match(after) else None


def not_until(after: str) -> bool:
    """Whether the text goes on with "was not … until", which says that it was so from then on.

    >>> not_until(" did not win until 1994 "), not_until(" did not win ")
    (True, False)
    """
    return " until " in after and _UNTIL.match(after) is not None
