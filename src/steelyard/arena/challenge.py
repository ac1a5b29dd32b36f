"""A challenge: a folder that says what is played, how it is made from a seed, and how it is scored.

challenge.toml   what it is: name, category, difficulty, limits, policies, version
spec.json        how a submission is scored
generate.py      generate(seed) -> {"files": {name: text}, "truth": …}, and an "answer" that wins, for the gates; or, for
                 all seeds alike, workspace/ and truth.json
CHALLENGE.md     what the agent is told; it lies in every workspace
examples/{win,draw,loss}/NAME.json   submissions that must come out so
"""

from __future__ import annotations

import hashlib
import re
import tempfile
import tomllib
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec

from steelyard.arena.archive import pack, read_folder, unpack, write_folder
from steelyard.errors import DataError, SpecError
from steelyard.metrics.elo import OPPONENTS
from steelyard.primitives.constraints import read_constraints
from steelyard.registry import nearest
from steelyard.spec.load import load_spec
from steelyard.spec.model import Spec
from steelyard.spec.problems import Problems
from steelyard.spec.running import runs_programs
from steelyard.spec.signature import signature_under

ABOUT, SPEC, GENERATOR, TOLD, TRUTH = (
    "challenge.toml",
    "spec.json",
    "generate.py",
    "CHALLENGE.md",
    "truth.json",
)
WORKSPACE, EXAMPLES = "workspace/", "examples/"
_SLUG = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")

Short = Annotated[str, msgspec.Meta(min_length=1, max_length=100)]


class About(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What challenge.toml says.

    ``static``: what wins once wins always, because no seed changes it. ``verification``: whether a submission needs a
    trajectory that holds. ``disclosure``: whether an agent is told the reasons, the points of each dimension, or the total.
    """

    slug: Annotated[str, msgspec.Meta(min_length=1, max_length=60)]
    name: Short
    description: Annotated[str, msgspec.Meta(min_length=1, max_length=500)]
    category: Short
    difficulty: Literal["newcomer", "contender", "veteran", "legendary"]
    version: Annotated[int, msgspec.Meta(ge=1, le=1_000_000)]
    time_limit_secs: Annotated[int, msgspec.Meta(ge=1, le=30 * 86_400)]
    match_type: Literal["single", "long-running"] = "single"
    heartbeat_secs: Annotated[int, msgspec.Meta(ge=5, le=86_400)] | None = None
    verification: Literal["optional", "required"] = "optional"
    disclosure: Literal["full", "breakdown", "score"] = "full"
    constraints: dict[str, Any] = {}
    static: bool = False


class Challenge(msgspec.Struct, frozen=True, kw_only=True, eq=False, dict=True):
    """One version of a challenge, ready to be played."""

    about: About
    spec: Spec
    files: Mapping[str, bytes]

    @property
    def slug(self) -> str:
        """Its name in addresses."""
        return self.about.slug

    @property
    def opponent(self) -> int:
        """The rating that it plays with."""
        return OPPONENTS[self.about.difficulty]

    @property
    def digest(self) -> str:
        """The hash of everything in the folder."""
        content = hashlib.sha256()
        for name in sorted(self.files):
            for piece in (name.encode(), self.files[name]):
                content.update(hashlib.sha256(piece).digest())
        return content.hexdigest()

    @property
    def scorer(self) -> str:
        """What shapes its scores: the signature of its spec under the constraints that hold."""
        return signature_under(self.spec, self.constraints)

    @cached_property  # what every submission is held against
    def constraints(self) -> dict[str, Any]:
        """The limits that hold in a match: those of challenge.toml and those of the spec, which never disagree."""
        return {**self.spec.constraints, **read_constraints(self.about.constraints)}

    @property
    def sandboxed(self) -> bool:
        """Whether scoring it runs programs."""
        return runs_programs(self.spec)

    def archive(self) -> bytes:
        """The whole folder, ground truth included: for the store, never for an agent."""
        return pack(self.files)


def load_challenge(folder: Path | str) -> Challenge:
    """The challenge in a folder; everything that is wrong with it is told at once."""
    folder = Path(folder)
    return _load(folder, read_folder(folder), str(folder))


def from_archive(archive: bytes, label: str = "the challenge") -> Challenge:
    """The challenge that was stored as an archive."""
    files = unpack(archive, label)
    with tempfile.TemporaryDirectory(prefix="steelyard-challenge-") as folder:
        write_folder(Path(folder), files)
        return _load(Path(folder), files, label)


def _load(folder: Path, files: Mapping[str, bytes], label: str) -> Challenge:
    problems = Problems(label)
    about = _about(files, problems)
    for needed, why in (
        (TOLD, "it tells the agent what to do"),
        (SPEC, "it says how submissions are scored"),
    ):
        if needed not in files:
            problems.add(needed, f"is missing; {why}")
    _check_files(files, problems)
    spec = _spec(folder, problems) if SPEC in files else None
    if about is not None and spec is not None:
        _check_together(about, spec, problems)
    problems.tell()
    assert about is not None  # otherwise there was a problem
    assert spec is not None
    return Challenge(about=about, spec=spec, files=files)


def _check_files(files: Mapping[str, bytes], problems: Problems) -> None:
    if GENERATOR in files and TRUTH in files:
        problems.add(TRUTH, f"there is a {GENERATOR} as well; one of them makes the ground truth")
    if GENERATOR not in files and TRUTH not in files:
        problems.add(
            GENERATOR, f"is missing, and so is {TRUTH}; one of them makes the ground truth"
        )
    if GENERATOR in files and any(name.startswith(WORKSPACE) for name in files):
        problems.add(WORKSPACE, f"nobody would get these files: {GENERATOR} makes the workspace")
    if TOLD in files and not _text(files[TOLD]).strip():
        problems.add(TOLD, "is empty or no text; it tells the agent what to do")


def _text(content: bytes) -> str:
    try:
        return content.decode()
    except UnicodeDecodeError:
        return ""


def _about(files: Mapping[str, bytes], problems: Problems) -> About | None:
    if ABOUT not in files:
        problems.add(ABOUT, "is missing; it says what the challenge is")
        return None
    try:
        given = tomllib.loads(files[ABOUT].decode())
        about = msgspec.convert(given, About)
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as wrong:
        problems.add(ABOUT, f"is no TOML: {wrong}")
        return None
    except msgspec.ValidationError as wrong:
        problems.add(ABOUT, _clearer(str(wrong)))
        return None
    _check_about(about, problems)
    return about


def _check_about(about: About, problems: Problems) -> None:
    if not _SLUG.fullmatch(about.slug):
        problems.add(
            f"{ABOUT}.slug",
            f"is {about.slug!r}; small letters, digits and single hyphens are allowed",
        )
    if (about.match_type == "long-running") != (about.heartbeat_secs is not None):
        problems.add(
            f"{ABOUT}.heartbeat_secs", "belongs to the match type 'long-running', which needs it"
        )
    for name in ("name", "description", "category"):
        if not getattr(about, name).isprintable() or not getattr(about, name).strip():
            problems.add(
                f"{ABOUT}.{name}", "is a line that people read: printable characters are needed"
            )
    try:
        read_constraints(about.constraints)
    except SpecError as wrong:
        problems.add_all(wrong, f"{ABOUT}.constraints")


def _check_together(about: About, spec: Spec, problems: Problems) -> None:
    """What both files speak of must be one thing, else an agent is told one limit and scored by another."""
    for i, dimension in enumerate(spec.dimensions):
        limit = dimension.params.get("time_limit_secs")
        if dimension.reads == "time" and limit != about.time_limit_secs:
            problems.add(
                f"{SPEC}.dimensions[{i}].time_limit_secs",
                f"is {limit}, and a match lasts {about.time_limit_secs} seconds",
            )
    try:
        told = read_constraints(about.constraints)
    except SpecError:
        return  # which was told already
    for name in sorted(told.keys() & spec.constraints.keys()):
        if told[name] != spec.constraints[name]:
            problems.add(
                f"{ABOUT}.constraints.{name}",
                f"is {told[name]}, and {SPEC} says {spec.constraints[name]}",
            )


def _clearer(message: str) -> str:
    if unknown := re.search(r"unknown field `(.+?)`", message):
        return f"{unknown[1]!r} is not known{nearest(unknown[1], About.__struct_fields__)}"
    return message[0].lower() + message[1:]


def _spec(folder: Path, problems: Problems) -> Spec | None:
    try:
        spec = load_spec(folder / SPEC)
    except SpecError as wrong:
        problems.add_all(wrong, SPEC)
    except DataError as wrong:
        problems.add(SPEC, wrong.message)
    else:
        if spec.type == "judged":
            problems.add(
                f"{SPEC}.type",
                "a match is never judged by a model: the same submission must score the same",
            )
        return spec
    return None
