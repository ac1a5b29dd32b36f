"""The first lines that run in a box: they take the other modules from the input and hand over to ``main``.

What is imported here, every cold start pays for: so neither `typing` nor `importlib.abc`, which load half the library.
"""

from __future__ import annotations

import base64
import importlib.machinery
import json
import marshal
import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    import types
    from collections.abc import Sequence


class Sources:
    """Makes the sources that were sent importable as the package ``inside``."""

    def __init__(self, modules: dict[str, dict[str, str]]) -> None:
        self._modules = {"inside." + name if name else "inside": module for name, module in modules.items()}

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: types.ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        """The module, if it is one of ours."""
        if name not in self._modules:
            return None
        return importlib.machinery.ModuleSpec(name, self, is_package=name == "inside")  # type: ignore[arg-type]

    def create_module(self, _spec: importlib.machinery.ModuleSpec) -> types.ModuleType | None:
        """An ordinary module."""
        return None

    def exec_module(self, module: types.ModuleType) -> None:
        """Runs the module, which came as source or as code."""
        given = self._modules[module.__name__]
        if "code" in given:
            exec(marshal.loads(base64.b64decode(given["code"])), module.__dict__)
        else:
            exec(compile(given["source"], module.__name__, "exec"), module.__dict__)


def read_exactly(size: int) -> bytes:
    data = b""
    while len(data) < size:
        part = os.read(0, size - len(data))
        if not part:
            sys.exit(1)
        data += part
    return data


def boot() -> None:
    """The input begins with eight hexadecimal digits of length and a JSON object: the sources, and the settings."""
    given = json.loads(read_exactly(int(read_exactly(8), 16)))
    sys.path[:] = [folder for folder in sys.path if folder]
    sys.meta_path.insert(0, Sources(given["modules"]))
    __import__("inside.zygote")
    sys.modules["inside.zygote"].main(given["settings"])


if __name__ == "__main__":
    boot()
