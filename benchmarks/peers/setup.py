"""Make ``.venv-peers``, an environment of its own for the peers of the benchmarks.

python benchmarks/peers/setup.py
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
FOLDER = HERE.parent.parent / ".venv-peers"


def main() -> None:
    """Install ``requirements.txt``, and make the environment if it is not there."""
    python = FOLDER / "bin" / "python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", str(FOLDER)], check=True)
    install = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*install, "-r", str(HERE / "requirements.txt")], check=True)


if __name__ == "__main__":
    main()
