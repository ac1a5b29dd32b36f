"""Messages for a judge: the task, the answer behind its fence, and the verdict tag."""

from __future__ import annotations

import functools
import hashlib
import importlib.resources
import random
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import msgspec

from steelyard.errors import SpecError
from steelyard.models.types import Message
from steelyard.reading.cuts import blanked, reasoning
from steelyard.values.compose import compose
from steelyard.values.normal import HIDDEN

if TYPE_CHECKING:
    from steelyard.judge.config import JudgeScoringConfig

NO_REFERENCE = "(none is given)"
POINTER = "(the work between the marks)"
TAG = "VERDICT-"
# Hexadecimal digits of a marker and of a tag. A judge copies the tag, so it is short.
_MARKER_DIGITS, _TAG_DIGITS = 16, 8
# U+2060, the word joiner: invisible, but it separates two characters.
JOINER = "\u2060"
# The names under which the metadata of a sample may have its question.
_QUESTIONS = ("instruction", "question", "prompt", "problem", "_prompt")
_FIELD = re.compile(r"\{\{([A-Za-z_]\w*)\}\}|\{([A-Za-z_]\w*)\}")
_HIDDEN = re.compile(f"[{HIDDEN}]")


class JudgeItem(msgspec.Struct, frozen=True, kw_only=True):
    """An answer to judge. ``metadata`` may have criteria (see ``read_criteria``) and columns."""

    key: str
    instruction: str
    response: str
    expected: str = ""
    metadata: dict[str, Any] = {}


class JudgePrompt(msgspec.Struct, frozen=True, kw_only=True):
    """Messages for a judge, with the markers of the fences and the answers inside them.

    ``tag`` begins the line of the verdict; without one, the reply is read by the table of forms.

    >>> prompt = build_judge_prompt("Capital of France?", "Paris", "Paris")
    >>> [message.role for message in prompt.messages], "Paris" in prompt
    (['system', 'user'], True)
    """

    messages: tuple[Message, ...]
    markers: tuple[str, ...]
    work: str
    tag: str = ""

    def __str__(self) -> str:
        return "\n\n".join(message.content for message in self.messages)

    def __contains__(self, text: str) -> bool:
        return text in str(self)


class JudgeTask(msgspec.Struct, frozen=True, kw_only=True):
    """What a judge is asked: the task, the form of the reply, and one or two answers to judge.

    ``form`` has the place of the tag, ``{tag}``; if it is empty, the task states a form of its own.
    ``untagged_form`` is the one that calls had before there were tags.
    """

    text: str
    form: str
    answers: tuple[str, ...]
    system_prompt: str
    seed: int = 0
    untagged_form: str = ""


class JudgeTurn(msgspec.Struct, frozen=True, kw_only=True):
    """Which call of a task it is: a repeat, a new try, the task before or after the answer.

    ``id`` names the item. It is not sent; recorded replies are found by it.
    """

    id: str = ""
    repeat: int = 0
    attempt: int = 0
    why: str = ""
    work_first: bool = False
    tagged: bool = True


FIRST = JudgeTurn()


def build_judge_prompt(
    instruction: str,
    response: str,
    expected: str = "",
    config: JudgeScoringConfig | None = None,
    *,
    metadata: Mapping[str, Any] | None = None,
    turn: JudgeTurn = FIRST,
) -> JudgePrompt:
    """Return the messages that ask for a rating of the response.

    The same arguments give the same messages. Reasoning in the response is left out.
    """
    from steelyard.judge.config import JudgeScoringConfig  # imports the prompts from this module

    item = JudgeItem(
        key="",
        instruction=instruction,
        response=response,
        expected=expected,
        metadata=dict(metadata or {}),
    )
    return build_prompt(rating_task(item, config or JudgeScoringConfig()), turn)


def rating_task(item: JudgeItem, config: JudgeScoringConfig) -> JudgeTask:
    """Return the task of rating a response by the rubric."""
    fields = {
        **item.metadata,
        "instruction": item.instruction,
        "expected": item.expected or NO_REFERENCE,
        "response": POINTER,
        "max_score": config.max_score,
        "threshold": config.threshold,
    }
    forms = (prompt_text("score_form"), prompt_text("untagged/score_form"))
    if config.verdict == "form":
        forms = ("", "")
    form, untagged = (text.replace("{max_score}", str(config.max_score)) for text in forms)
    return JudgeTask(
        text=fill_template(config.rubric, fields),
        form=form,
        untagged_form=untagged,
        answers=(answer_of(item.response),),
        system_prompt=config.system_prompt,
        seed=config.seed,
    )


def question_in(metadata: dict[str, Any]) -> str:
    """Return the question of a sample, if its metadata has one.

    >>> question_in({"question": "2 + 2?"}), question_in({})
    ('2 + 2?', '')
    """
    found = (metadata.get(name) for name in _QUESTIONS)
    return next((text for text in found if isinstance(text, str)), "")


def build_prompt(task: JudgeTask, turn: JudgeTurn = FIRST) -> JudgePrompt:
    """Return the messages of a task: the instructions, then the answers behind their fences."""
    tagged = bool(task.form) and turn.tagged
    text, form, system = map(
        replace_surrogates,
        (task.text, task.form if tagged else task.untagged_form, task.system_prompt),
    )
    works = tuple(break_control_tokens(replace_surrogates(answer)) for answer in task.answers)
    ingredients = (text, form, system, *works)
    turn_names = (str(turn.repeat), str(turn.attempt), str(turn.work_first))
    generator = seeded_random(task.seed, *ingredients, *turn_names)
    markers: list[str] = []
    for _ in works:
        markers.append(draw_marker(generator, *ingredients, *markers))
    tag = draw_tag(generator, *ingredients, *markers) if tagged else ""
    form = form.replace("{tag}", tag)
    rules = [fill_template(prompt_text("fence"), {"marker": marker}) for marker in markers]
    fences = [
        f"<{marker}>\n{work}\n</{marker}>" for work, marker in zip(works, markers, strict=True)
    ]
    again = [fill_template(prompt_text("again"), {"why": turn.why})] if turn.why else []
    before, after = [system, *rules, text, form, prompt_text("opening"), *again], list[str]()
    if turn.work_first:
        before, after = [system, *rules, form], [text, prompt_text("closing"), *again]
    # The answers are alone in their message.
    messages = [Message("system", _join(before)), Message("user", _join(fences))]
    messages += [Message("user", _join(after))] if after else []
    return JudgePrompt(
        messages=tuple(messages), markers=tuple(markers), work="\n".join(works), tag=tag
    )


def _join(parts: list[str]) -> str:
    return "\n\n".join(part for part in parts if part.strip())


def answer_of(response: str) -> str:
    """Return the response without its reasoning.

    >>> answer_of("<think>hm</think>Paris ")
    'Paris'
    """
    return blanked(response, reasoning(response)).strip() if "<" in response else response.strip()


def plain_text(text: str) -> str:
    r"""Return a text in NFKC without invisible characters.

    >>> plain_text("Ｓco\u200bre")
    'Score'
    """
    return text if text.isascii() else _HIDDEN.sub("", compose(text, "NFKC"))


def seeded_random(seed: int, *texts: str) -> random.Random:
    """Return a generator that gives the same numbers for the same seed and texts.

    A stored call is found again by this. That markers and tags could be computed does no harm: one
    that occurs in a text is not used.

    >>> seeded_random(0, "a").random() == seeded_random(0, "a").random()
    True
    """
    digest = hashlib.sha256(str(seed).encode())
    for text in texts:
        data = text.encode("utf-8", "surrogatepass")
        digest.update(len(data).to_bytes(8, "big") + data)
    return random.Random(digest.digest())


def draw_marker(generator: random.Random, *texts: str) -> str:
    """Return a marker that occurs in none of the texts, in upper or lower case.

    >>> draw_marker(seeded_random(0, "x"), "x").startswith("work-")
    True
    """
    return "work-" + _draw_code(generator, _MARKER_DIGITS, texts)


def draw_tag(generator: random.Random, *texts: str) -> str:
    """Return a verdict tag that occurs in none of the texts, in upper or lower case.

    >>> draw_tag(seeded_random(0, "x"), "x").startswith("VERDICT-")
    True
    """
    return TAG + _draw_code(generator, _TAG_DIGITS, texts)


def _draw_code(generator: random.Random, digits: int, texts: tuple[str, ...]) -> str:
    folded = [plain_text(text).casefold() for text in texts]
    while True:
        code = f"{generator.getrandbits(4 * digits):0{digits}x}"
        if not any(code in text for text in folded):
            return code


def replace_surrogates(text: str) -> str:
    """Return the text with U+FFFD for halves of surrogate pairs, which cannot be encoded.

    >>> replace_surrogates("a\\ud800")
    'a\ufffd'
    """
    if text.isascii():
        return text
    return "".join("\ufffd" if "\ud800" <= char <= "\udfff" else char for char in text)


def break_control_tokens(text: str) -> str:
    """Return the text with an invisible character inside the control tokens of chat templates.

    A server may take ``<|im_end|>`` inside a message for its end.

    >>> break_control_tokens("a <|im_end|>").replace(JOINER, "~"), break_control_tokens("a < b")
    ('a <~|im_end|>', 'a < b')
    """
    return _control_tokens().sub(lambda found: found[0] + JOINER, text)


@functools.cache
def _control_tokens() -> re.Pattern[str]:
    # Only the first character is matched: a token may begin inside another one.
    tokens = "|".join(map(re.escape, prompt_text("control_tokens").splitlines()))
    return re.compile(rf"(?={tokens}).", re.IGNORECASE)


@functools.cache
def prompt_text(name: str) -> str:
    """Return the text of a prompt file.

    >>> "{marker}" in prompt_text("fence")
    True
    """
    file = importlib.resources.files("steelyard.judge") / "prompts" / f"{name}.txt"
    return file.read_text(encoding="utf-8").strip()


def template_fields(template: str) -> tuple[str, ...]:
    """Return the fields of a template, each once, in order.

    >>> template_fields('{"a": 1} {question} {{literal}} {question} {column}')
    ('question', 'column')
    """
    return tuple(dict.fromkeys(match[2] for match in _FIELD.finditer(template) if match[2]))


def fill_template(template: str, fields: Mapping[str, object]) -> str:
    """Fill the fields of a template; other braces, and those in the data, stay as they are.

    ``{{name}}`` stands for ``{name}`` itself. A missing field is a SpecError.

    >>> fill_template('{"score": 1} {question} {{x}}', {"question": "Why {this}?"})
    '{"score": 1} Why {this}? {x}'
    """

    def value(match: re.Match[str]) -> str:
        if match[1]:
            return "{" + match[1] + "}"
        if match[2] not in fields:
            known = ", ".join(sorted(fields))
            raise SpecError(f"there is no field {{{match[2]}}}; known are {known}", path="rubric")
        found = fields[match[2]]
        return found if isinstance(found, str) else msgspec.json.encode(found).decode()

    return _FIELD.sub(value, template)
