"""Benchmarks that others have published: from an installed package, or from a file of the user's."""

from __future__ import annotations

#: Collections by the word before the colon: what makes a benchmark of the rest of the name.
COLLECTIONS = {
    "openai-evals": "steelyard.bench.adapters.openai_evals:load_eval",
    "reasoning-gym": "steelyard.bench.adapters.reasoning_gym:load_generator",
}
#: Benchmarks by name: what makes them, given a file of rows or None, and what they are.
PUBLISHED = {
    "healthbench": (
        "steelyard.bench.adapters.healthbench:load_healthbench",
        "conversations, each judged by its own rubric of points; a sample of our own until --dataset names HealthBench",
    ),
    "humaneval": (
        "steelyard.bench.adapters.humaneval:load_humaneval",
        "HumanEval: 164 Python functions with tests (extra: humaneval)",
    ),
    "simpleqa": (
        "steelyard.bench.adapters.simpleqa:load_simpleqa",
        "short factual questions, judged in three grades; a sample of our own until --dataset names SimpleQA",
    ),
}
