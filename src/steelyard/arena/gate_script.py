"""Runs in a fresh process: the digests of a challenge's workspaces, as that process makes them."""

from __future__ import annotations

from collections.abc import Sequence


def digests(folder: str, seeds: Sequence[int]) -> list[str]:
    """One for each seed, in order."""
    from steelyard.arena.challenge import load_challenge
    from steelyard.arena.generation import generate

    challenge = load_challenge(folder)
    return [generate(challenge, seed).digest() for seed in seeds]
