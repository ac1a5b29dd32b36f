"""Make ``.venv-peers``: the tools that the benchmarks are measured beside, away from our own environment.

python benchmarks/peers/setup.py
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
FOLDER = HERE.parent.parent / ".venv-peers"


def main() -> None:
    python = FOLDER / "bin" / "python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", str(FOLDER)], check=True)
    install = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*install, "-r", str(HERE / "requirements.txt")], check=True)


if __name__ == "__main__":
    main()
