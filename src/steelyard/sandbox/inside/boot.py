"""The first lines that run in a box: they take the other modules from the input and hand over to ``main``.

What is imported here, every cold start pays for: so neither `typing` nor `importlib`, and what comes is read by `marshal`, which
is built in. The grader may be believed here; nothing ever goes the other way like this.
"""

from __future__ import annotations

import gc
import marshal
import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    import types
    from collections.abc import Sequence
    from importlib.machinery import ModuleSpec


class Sources:
    """Makes what was sent importable as the package ``inside``: modules as source, or as marshalled code."""

    def __init__(self, modules: dict[str, str | bytes]) -> None:
        self._modules = {
            "inside." + name if name else "inside": module for name, module in modules.items()
        }

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: types.ModuleType | None = None
    ) -> ModuleSpec | None:
        """The module, if it is one of ours."""
        if name not in self._modules:
            return None
        return type(sys.__spec__)(name, self, is_package=name == "inside")  # type: ignore[arg-type]

    def create_module(self, _spec: ModuleSpec) -> types.ModuleType | None:
        """An ordinary module."""
        return None

    def exec_module(self, module: types.ModuleType) -> None:
        """Runs the module."""
        given = self._modules[module.__name__]
        if isinstance(given, bytes):
            exec(marshal.loads(given), module.__dict__)
        else:
            exec(compile(given, module.__name__, "exec"), module.__dict__)


def read_exactly(size: int) -> bytes:
    data = b""
    while len(data) < size:
        part = os.read(0, size - len(data))
        if not part:
            sys.exit(1)
        data += part
    return data


def boot() -> None:
    """The input begins with eight hexadecimal digits of length; then come the modules and the settings."""
    gc.disable()  # what is loaded now stays: there is nothing to collect
    modules, settings = marshal.loads(read_exactly(int(read_exactly(8), 16)))
    sys.path[:] = settings["path"] or [folder for folder in sys.path if folder]
    sys.meta_path.insert(0, Sources(modules))
    __import__("inside.zygote")
    sys.modules["inside.zygote"].main(settings)


if __name__ == "__main__":
    boot()
