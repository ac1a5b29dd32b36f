"""The corpus in a process of its own: a line of JSON for each program, with all that should not be so.

python -m attacks.drive NAME…        all programs where none is named
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable

from attacks.corpus import Program, program, programs
from attacks.host import canaries
from attacks.runner import faults, run
from steelyard.sandbox import Bubblewrap


def main(chosen: Iterable[Program]) -> None:
    """Each program in turn, in one sandbox."""
    with canaries(), Bubblewrap() as sandbox:
        for one in chosen:
            ran = run(one, sandbox)
            told = {
                "name": one.name,
                "verdict": ran.verdict,
                "reason": ran.reason,
                "seconds": ran.seconds,
                "faults": faults(one, ran),
            }
            sys.stdout.write(json.dumps(told) + "\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main([program(name) for name in sys.argv[1:]] or programs())
