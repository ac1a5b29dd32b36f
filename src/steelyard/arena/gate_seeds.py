"""Seeds: the same one gives the same bytes, in every process and on every day; another one gives something else."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from importlib.resources import files
from itertools import pairwise
from pathlib import Path

import msgspec

from steelyard.arena.archive import write_folder
from steelyard.arena.challenge import ABOUT, GENERATOR, SPEC
from steelyard.arena.gate_probes import not_lost
from steelyard.arena.generation import Workspace, generate
from steelyard.arena.trial import MOST_SECONDS, Fault, Trial
from steelyard.scoring.rehearsal import Circumstances, circumstances

_RESULT = "digests.json"
_START = 30.0  # seconds for a fresh interpreter on a machine that has much to do


def seeds_repeat(trial: Trial) -> Iterator[Fault]:
    """Made again, in another order and in fresh processes under other circumstances, every workspace is the same."""
    if GENERATOR not in trial.challenge.files:
        return
    known = {seed: made.digest() for seed, made in trial.made.items()}
    before = random.getstate()
    again = {seed: generate(trial.challenge, seed).digest() for seed in reversed(known)}
    if random.getstate() != before:
        yield _fault(
            "draws from the numbers that all code of the process shares; use random.Random(seed)"
        )
    yield from _other(known, again, "it is made again, after others")
    for under in circumstances():
        found = _rehearsed(trial, tuple(known), under)
        if isinstance(found, str):
            yield _fault(f"in a fresh process, {under.name}: {found}")
        else:
            about = ", ".join(f"{name}={value}" for name, value in under.env.items())
            yield from _other(
                known, found, f"it is made in a fresh process on {under.name} ({about})"
            )


def seeds_differ(trial: Trial) -> Iterator[Fault]:
    """No two seeds have the same truth or the same files; a challenge that is the same for all says so."""
    if trial.challenge.about.static:
        return
    if GENERATOR not in trial.challenge.files:
        said = f"there is no {GENERATOR}, so every match is the same: say 'static = true'"
        yield Fault(gate="seeds differ", path=f"{ABOUT}.static", message=said)
        return
    for what in ("truth", "files"):
        same = _same(trial.made, what)
        if same is not None:
            yield Fault(
                gate="seeds differ",
                path=GENERATOR,
                message=f"seeds {same[0]} and {same[1]} have the same {what}",
            )


def replays_lose(trial: Trial) -> Iterator[Fault]:
    """What won with one seed loses with the next, so that nobody wins by remembering."""
    if trial.challenge.about.static:
        return
    for first, second in pairwise((*trial.seeds, trial.seeds[0])):
        answer = trial.answer(first)
        if first == second or answer is msgspec.UNSET:
            continue
        if said := not_lost(trial.outcome(second, answer)):
            yield Fault(
                gate="replay",
                path=SPEC,
                message=f"the answer of seed {first} {said} (seed {second})",
            )
            return


def _fault(message: str) -> Fault:
    return Fault(gate="determinism", path=GENERATOR, message=message)


def _other(known: Mapping[int, str], found: Mapping[int, str], when: str) -> Iterator[Fault]:
    changed = [seed for seed in known if found.get(seed) != known[seed]]
    if changed:
        yield _fault(f"seed {changed[0]} gives other bytes when {when}")


def _same(made: Mapping[int, Workspace], what: str) -> tuple[int, int] | None:
    """The first two seeds that are alike in this."""
    first: dict[str, int] = {}
    for seed, one in made.items():
        alike = repr(getattr(one, what))
        if alike in first:
            return first[alike], seed
        first[alike] = seed
    return None


def _rehearsed(trial: Trial, seeds: tuple[int, ...], under: Circumstances) -> dict[int, str] | str:
    """The digests as a fresh process finds them, or what went wrong there."""
    with tempfile.TemporaryDirectory(prefix="steelyard-gate-") as name:
        folder = Path(name)
        write_folder(folder / "challenge", trial.challenge.files)
        settings = {
            "clock": dict(under.clock),
            "entry": "digests",
            "args": ["challenge", list(seeds)],
            "result": _RESULT,
        }
        (folder / "settings.json").write_text(json.dumps(settings))
        (folder / "script.py").write_bytes(
            (files("steelyard.arena") / "gate_script.py").read_bytes()
        )
        (folder / "driver.py").write_bytes(
            (files("steelyard.scoring") / "rehearsal_driver.py").read_bytes()
        )
        try:
            done = subprocess.run(
                [sys.executable, "driver.py"],
                cwd=folder,
                env=_environment(under),
                capture_output=True,
                timeout=_START + 2 * MOST_SECONDS * len(seeds),
                check=False,
            )
        except subprocess.TimeoutExpired:
            return "it does not end"
        if done.returncode or not (folder / _RESULT).exists():
            return done.stderr.decode("utf-8", "replace").strip().rpartition("\n")[2][:300]
        return dict(zip(seeds, json.loads((folder / _RESULT).read_bytes()), strict=True))


def _environment(under: Circumstances) -> dict[str, str]:
    """As little as an interpreter needs to find what this one finds, and what the circumstances say."""
    kept = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    return {**kept, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path), **under.env}
