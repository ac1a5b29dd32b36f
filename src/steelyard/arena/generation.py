"""What an agent gets for a seed, and the ground truth that goes with it: the same seed, the same bytes."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from steelyard.arena.archive import check_name, pack
from steelyard.arena.challenge import GENERATOR, TOLD, TRUTH, Challenge
from steelyard.errors import DataError, SpecError

_WORKSPACE = "workspace/"


class Workspace(msgspec.Struct, frozen=True, kw_only=True):
    """The files for the agent, and the truth, which is never among them."""

    files: Mapping[str, bytes]
    truth: Any

    def archive(self) -> bytes:
        """What the agent downloads."""
        return pack(self.files)


def generate(challenge: Challenge, seed: int) -> Workspace:
    """The workspace and the truth for this seed; a generator that fails is a SpecError of the challenge."""
    told = {TOLD: challenge.files[TOLD]}
    if TRUTH in challenge.files:
        given = {name.removeprefix(_WORKSPACE): content for name, content in challenge.files.items()
                 if name.startswith(_WORKSPACE)}  # fmt: skip
        return Workspace(files={**given, **told}, truth=_plain(msgspec.json.decode(challenge.files[TRUTH])))
    made = _call(challenge, seed)
    if (
        not isinstance(made, Mapping)
        or set(made) != {"files", "truth"}
        or not isinstance(made["files"], Mapping)
    ):
        raise SpecError(
            "generate(seed) must return {'files': {name: text or bytes}, 'truth': …}", path=GENERATOR
        )
    return Workspace(files={**_files(made["files"]), **told}, truth=_plain(made["truth"]))


def _call(challenge: Challenge, seed: int) -> Any:
    function = _loaded(challenge.files[GENERATOR], challenge.slug)
    try:
        return function(seed)
    except Exception as wrong:  # the author's code
        raise SpecError(f"generate({seed}) raised {type(wrong).__name__}: {wrong}", path=GENERATOR) from wrong


@functools.lru_cache(maxsize=256)
def _loaded(source: bytes, slug: str) -> Callable[[int], Any]:
    """The function that the source defines; it is the operator's own code, published by the operator."""
    space: dict[str, Any] = {"__name__": f"steelyard_challenge_{slug.replace('-', '_')}"}
    try:
        exec(compile(source, f"{slug}/{GENERATOR}", "exec", dont_inherit=True), space)
    except Exception as wrong:  # the author's code
        raise SpecError(
            f"raised {type(wrong).__name__} when it was loaded: {wrong}", path=GENERATOR
        ) from wrong
    found: Callable[[int], Any] | None = space.get("generate")
    if not callable(found):
        raise SpecError("defines no function generate(seed)", path=GENERATOR)
    return found


def _files(given: Mapping[Any, Any]) -> dict[str, bytes]:
    files: dict[str, bytes] = {}
    for name, content in given.items():
        try:
            place = check_name(str(name))
        except DataError as wrong:
            raise SpecError(wrong.message, path=f"{GENERATOR}: files") from None
        if not isinstance(content, (str, bytes)):
            raise SpecError(
                f"is {type(content).__name__}; text or bytes are needed", path=f"{GENERATOR}: files.{name}"
            )
        files[place] = content.encode() if isinstance(content, str) else content
    return files


def _plain(truth: Any) -> Any:
    """The truth as it comes back from the store, so that a match scores alike before and after."""
    try:
        return msgspec.json.decode(msgspec.json.encode(truth))
    except (TypeError, ValueError, OverflowError) as wrong:
        raise SpecError(f"the ground truth is no JSON: {wrong}", path=GENERATOR) from wrong
