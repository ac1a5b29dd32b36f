"""What an agent gets for a seed, and the ground truth that goes with it: the same seed, the same bytes."""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from steelyard.arena.archive import check_name, pack
from steelyard.arena.challenge import (
    ABOUT,
    EXAMPLES,
    GENERATOR,
    SPEC,
    TOLD,
    TRUTH,
    WORKSPACE,
    Challenge,
)
from steelyard.errors import DataError, SpecError
from steelyard.foreign import caught, told
from steelyard.scoring.script import as_json

# Names that belong to the challenge, so that no workspace can hold what an author took for it by mistake.
RESERVED = frozenset({ABOUT, SPEC, GENERATOR, TOLD, TRUTH})
_SHAPE = "generate(seed) must return {'files': {name: text or bytes}, 'truth': …}, and may add an 'answer' that wins"


class Workspace(msgspec.Struct, frozen=True, kw_only=True):
    """The files for the agent, and the truth, which is never among them.

    ``answer`` is one that wins, where the generator gives it: for those who check the challenge, and for nobody else.
    """

    files: Mapping[str, bytes]
    truth: Any
    answer: Any = msgspec.UNSET

    def archive(self) -> bytes:
        """What the agent downloads."""
        return pack(self.files)

    def digest(self) -> str:
        """The hash of the files and of the truth."""
        content = hashlib.sha256(self.archive())
        content.update(_ORDERED.encode(self.truth))
        return content.hexdigest()


_ORDERED = msgspec.json.Encoder(order="deterministic")


def generate(challenge: Challenge, seed: int) -> Workspace:
    """The workspace and the truth for this seed; a generator that fails is a SpecError of the challenge."""
    given = {TOLD: challenge.files[TOLD]}
    if TRUTH in challenge.files:
        files = {
            name.removeprefix(WORKSPACE): content
            for name, content in challenge.files.items()
            if name.startswith(WORKSPACE)
        }
        return Workspace(
            files={**_checked(files, WORKSPACE), **given}, truth=_stored_truth(challenge)
        )
    made = _called(f"generate({seed}) raised", _loaded(challenge), seed)
    if not isinstance(made, Mapping) or not {"files", "truth"} <= set(made) <= {
        "files",
        "truth",
        "answer",
    }:
        raise SpecError(_SHAPE, path=GENERATOR)
    if not isinstance(made["files"], Mapping):
        raise SpecError(_SHAPE, path=GENERATOR)
    answer = _plain(made["answer"], "answer") if "answer" in made else msgspec.UNSET
    files = {**_checked(made["files"], f"{GENERATOR}: files"), **given}
    return Workspace(files=files, truth=_plain(made["truth"], "ground truth"), answer=answer)


@functools.lru_cache(maxsize=256)
def _loaded(challenge: Challenge) -> Callable[[int], Any]:
    """The function that the source defines; it is the operator's own code, published by the operator."""
    space: dict[str, Any] = {"__name__": f"steelyard_challenge_{challenge.slug.replace('-', '_')}"}

    def load() -> None:
        place = f"{challenge.slug}/{GENERATOR}"
        exec(compile(challenge.files[GENERATOR], place, "exec", dont_inherit=True), space)

    _called("when it was loaded it raised", load)
    found: Callable[[int], Any] | None = space.get("generate")
    if not callable(found):
        raise SpecError("defines no function generate(seed)", path=GENERATOR)
    return found


def _called(doing: str, function: Callable[..., Any], *args: Any) -> Any:
    """What the author's code gives; whatever it raises, sys.exit too, is a SpecError."""
    given, wrong = caught(function, *args)
    if isinstance(wrong, KeyboardInterrupt):
        raise wrong
    if wrong is not None:
        raise SpecError(f"{doing} {told(wrong)}", path=GENERATOR) from wrong
    return given


def _checked(given: Mapping[Any, Any], path: str) -> dict[str, bytes]:
    files: dict[str, bytes] = {}
    for name, content in given.items():
        try:
            place = check_name(str(name))
        except DataError as wrong:
            raise SpecError(wrong.message, path=path) from None
        if place in RESERVED or place.startswith(EXAMPLES):
            raise SpecError(f"{place!r} is a name of the challenge's own files", path=path)
        if not isinstance(content, (str, bytes)):
            raise SpecError(
                f"is {type(content).__name__}; text or bytes are needed", path=f"{path}.{name}"
            )
        files[place] = content.encode() if isinstance(content, str) else content
    return files


def _stored_truth(challenge: Challenge) -> Any:
    try:
        return msgspec.json.decode(challenge.files[TRUTH])
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as wrong:
        raise SpecError(f"is no JSON: {wrong}", path=TRUTH) from None


def _plain(value: Any, what: str) -> Any:
    """The value as it comes back from the store, so that a match scores alike before and after."""
    written = as_json(value)
    if written is None:
        raise SpecError(
            f"the {what} is no JSON: it holds NaN, an infinity or something foreign", path=GENERATOR
        )
    return msgspec.json.decode(written)
