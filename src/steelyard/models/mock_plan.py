"""What a scripted endpoint does with each request: a plan that anyone can read, and that always decides alike."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from pathlib import Path
from typing import Any, Literal

import msgspec

from steelyard.errors import DataError

GARBAGE = {
    "html": b"<html><body><h1>502 Bad Gateway</h1></body></html>",
    "half": b'{"choices": [{"message": {"role": "assistant", "cont',
    "nothing": b"",
    "empty": b'{"choices": []}',
    "null": b'{"choices": [{"message": {"role": "assistant", "content": null}, "finish_reason": "stop"}]}',
    "list": b"[1, 2, 3]",
    "error": b'{"error": {"message": "overloaded", "code": 503}}',
}
# The code with which a judge is asked to begin its verdict.
_TAG = re.compile(r"VERDICT-\w+")
Did = Literal["answer", "status", "garbage", "reset", "cut", "hang"]


class Rule(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True
):
    """When it applies (all that is said must hold), and what is done then.

    ``first``: up to that request. ``numbers``: those requests, from 1. ``every``: each n-th. ``tries``: the first n tries of each
    prompt. ``share``: that share of prompts and tries, chosen by the plan's seed. ``contains``: a text in the messages.
    """

    do: Did = "answer"
    first: int | None = None
    numbers: tuple[int, ...] | None = None
    every: int | None = None
    tries: int | None = None
    share: float | None = None
    contains: str | None = None
    text: str | None = None
    reasoning: str | None = None
    finish: str = "stop"
    status: int = 500
    retry_after: float | None = None
    location: str | None = None
    garbage: Literal["html", "half", "nothing", "empty", "null", "list", "error"] = "html"
    delay: float = 0.0
    stream: float = 0.0


class Plan(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True
):
    """The rules, of which the first that applies is followed; without one, an answer.

    ``answers`` gives the reply to a prompt, which is the last message; to any other, one of ``texts`` is chosen by the seed and
    the prompt, in which ``{prompt}`` and ``{number}`` are filled in. ``{tag}`` in any text is the code of the verdict that a
    judge is asked for. ``delay`` is before every answer.
    """

    seed: int = 0
    model: str = "mock"
    delay: float = 0.0
    answers: dict[str, str] = {}
    texts: tuple[str, ...] = ("Answer: {number}",)
    usage: bool = True
    rules: tuple[Rule, ...] = ()

    def __post_init__(self) -> None:
        if not self.texts:
            raise ValueError("texts is empty; one is needed")


class _Message(msgspec.Struct):
    content: Any = ""


class _Asked(msgspec.Struct):
    messages: list[_Message] = []
    seed: Any = None


class Asked(msgspec.Struct, frozen=True):
    """One request as a plan sees it."""

    number: int
    attempt: int
    prompt: str
    text: str
    seed: str


class Script:
    """A plan at work: it counts requests, and the tries of each prompt."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.requests = 0
        self.tries: Counter[bytes] = Counter()
        self._decoder = msgspec.json.Decoder(_Asked)

    def asked(self, body: bytes) -> Asked | None:
        """The request; None where the body is none."""
        try:
            found = self._decoder.decode(body)
        except (ValueError, RecursionError):
            return None
        self.requests += 1
        texts = [
            m.content if isinstance(m.content, str) else str(m.content) for m in found.messages
        ]
        seed = "" if found.seed is None else str(found.seed)
        key = digest("\0".join([*texts, seed]))
        self.tries[key] += 1
        return Asked(
            self.requests, self.tries[key], texts[-1] if texts else "", "\n".join(texts), seed
        )

    def rule(self, asked: Asked) -> Rule:
        """What is done with the request."""
        for place, rule in enumerate(self.plan.rules):
            if self._applies(place, rule, asked):
                return rule
        return Rule(delay=self.plan.delay)

    def _applies(self, place: int, rule: Rule, asked: Asked) -> bool:
        return (
            (rule.first is None or asked.number <= rule.first)
            and (rule.numbers is None or asked.number in rule.numbers)
            and (rule.every is None or asked.number % rule.every == 0)
            and (rule.tries is None or asked.attempt <= rule.tries)
            and (rule.contains is None or rule.contains in asked.text)
            and (rule.share is None or self._chance(place, asked) < rule.share)
        )

    def _chance(self, place: int, asked: Asked) -> float:
        """The same for a prompt's n-th try however the requests arrive."""
        drawn = digest(f"{self.plan.seed}\0{place}\0{asked.attempt}\0{asked.seed}\0{asked.text}")
        return int.from_bytes(drawn, "big") / 2.0 ** (8 * len(drawn))

    def answer(self, rule: Rule, asked: Asked) -> bytes:
        """The body of the reply."""
        text = rule.text if rule.text is not None else self.plan.answers.get(asked.prompt)
        if text is None:
            text = self._drawn_text(asked)
        if tag := _TAG.search(asked.text):
            text = text.replace("{tag}", tag[0])
        message: dict[str, Any] = {"role": "assistant", "content": text}
        if rule.reasoning is not None:
            message["reasoning_content"] = rule.reasoning
        reply: dict[str, Any] = {
            "id": f"mock-{asked.number}",
            "object": "chat.completion",
            "created": 0,
            "model": self.plan.model,
            "choices": [{"index": 0, "message": message, "finish_reason": rule.finish}],
        }
        if self.plan.usage:
            sent, back = len(asked.text.split()), len(text.split())
            reply["usage"] = {
                "prompt_tokens": sent,
                "completion_tokens": back,
                "total_tokens": sent + back,
            }
        return msgspec.json.encode(reply)

    def _drawn_text(self, asked: Asked) -> str:
        drawn = int.from_bytes(digest(f"{self.plan.seed}\0{asked.seed}\0{asked.text}"), "big")
        text = self.plan.texts[drawn % len(self.plan.texts)]
        return text.replace("{prompt}", asked.prompt).replace("{number}", str(drawn // 1009 % 100))


def digest(text: str) -> bytes:
    """Eight bytes that stand for the text."""
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest()


def load_plan(path: Path) -> Plan:
    """The plan in a JSON file; what is wrong with it is told with its place."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=Plan)
    except OSError as failed:
        raise DataError(f"cannot be read: {failed.strerror}", file=str(path)) from None
    except (ValueError, RecursionError) as wrong:
        raise DataError(f"not a plan: {wrong}", file=str(path)) from None
