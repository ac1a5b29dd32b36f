"""Files that a report is held against; where a change is meant, GOLDEN=write writes them anew."""

from __future__ import annotations

import os
import re
from pathlib import Path

FOLDER = Path(__file__).parent.parent / "golden" / "report"
SIGNATURE = re.compile(r"steelyard\\?:[^\s,\"]+")
LONG = re.compile(r"\d+\.\d{10,}")


def is_as_it_was(text: str, name: str) -> None:
    """The text is that of the file, but for signatures, which have the version and hashes of files in them, and for the last
    digits of floats, which are the machine's."""
    text = LONG.sub(lambda found: f"{float(found[0]):.9g}", SIGNATURE.sub("SIGNATURE", text))
    file = FOLDER / name
    if os.environ.get("GOLDEN") == "write":
        file.write_text(text, encoding="utf-8")
    assert text == file.read_text(encoding="utf-8")
