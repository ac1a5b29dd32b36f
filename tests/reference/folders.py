"""Small folders of references and solutions for the tests."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from steelyard.batch.reference import (
    FolderTask,
    ReferenceSummary,
    Selection,
    Settings,
    score_folder,
)

QUIET = {"rules": "", "rule_checklist": []}
EXACT = Settings(fuzzy="exact", explanations=False)


def reference(problem: str, answer: dict[str, Any], explanation: Any = None) -> dict[str, Any]:
    return {"id": problem, "answer": answer, "explanation": explanation or QUIET}


def solution(problem: str, answer: Any, explanation: Any = "") -> dict[str, Any]:
    return {"id": problem, "answer": answer, "explanation": explanation}


class Folders:
    """References, solutions, problems and scores below one folder."""

    def __init__(self, root: Path) -> None:
        self.root = root
        for name in ("references", "solutions", "problems"):
            (root / name).mkdir(parents=True, exist_ok=True)

    def put(self, folder: str, name: str, document: Any) -> Path:
        """Write a document as JSON, or bytes as they are."""
        path = self.root / folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(document if isinstance(document, bytes) else json.dumps(document).encode())
        return path

    def refer(self, problem: str, answer: dict[str, Any], explanation: Any = None) -> Path:
        document = reference(problem, answer, explanation)
        return self.put("references", f"{problem}_reference_solution.json", document)

    def solve(self, problem: str, answer: Any, explanation: Any = "") -> Path:
        return self.put(
            "solutions", f"{problem}_solution.json", solution(problem, answer, explanation)
        )

    def args(self) -> list[str]:
        """The folders as options of the command."""
        return [
            "--references",
            str(self.root / "references"),
            "--solutions",
            str(self.root / "solutions"),
            "--output",
            str(self.root / "out"),
        ]

    def score(self, settings: Settings = EXACT, **options: Any) -> ReferenceSummary:
        options.setdefault("select", Selection())
        task = {
            "references": str(self.root / "references"),
            "solutions": str(self.root / "solutions"),
            "output": str(self.root / "out"),
            "settings": settings,
        }
        return score_folder(FolderTask(**{**task, **options}))

    def record(self, problem: str) -> dict[str, Any]:
        """The score file of a problem."""
        found: dict[str, Any] = json.loads(
            (self.root / "out" / f"{problem}_scores.json").read_bytes()
        )
        return found
