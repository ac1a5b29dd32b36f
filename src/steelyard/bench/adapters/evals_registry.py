"""The registry of the package ``evals``: its YAML and its sample files are read, nothing of its code is imported."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path
from typing import Any

import msgspec

from steelyard.errors import DataError, SpecError
from steelyard.registry import nearest

_INSTALL = (
    "the registry of OpenAI evals is not installed: pip install 'steelyard[evals]', and pip install --no-deps evals"
    " (only its files are read, so that none of its dependencies is needed)"
)
_YAML = "reading the registry of OpenAI evals needs PyYAML: pip install 'steelyard[evals]'"
_TOP = re.compile(r"^[\"']?([\w][^\s:\"'#]*)[\"']?:", re.MULTILINE)
_MOST_ALIASES = 10


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """One eval: its full name, the class that scores it, and what that class is given."""

    name: str
    cls: str
    args: dict[str, Any]
    file: str
    description: str = ""


class Registry:
    """A folder with ``evals/*.yaml`` and ``data/``, as the package has it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        if not (folder / "evals").is_dir():
            raise DataError(
                "there is no folder 'evals' in it, so it is no registry", file=str(folder)
            )
        self._files = {
            path: path.read_text(encoding="utf-8")
            for path in sorted((folder / "evals").glob("*.yaml"))
        }
        self._places = {
            name: path for path, text in self._files.items() for name in _TOP.findall(text)
        }

    def names(self) -> list[str]:
        """All names, short and full, sorted."""
        return sorted(self._places)

    def get(self, name: str) -> Entry:
        """The eval of that name, once its aliases have been followed."""
        described = ""
        for _ in range(_MOST_ALIASES):
            if name not in self._places:
                raise SpecError(
                    f"there is no eval {name[:100]!r} in the registry{nearest(name, self._places)}"
                )
            file = self._places[name]
            found = _loaded(file, self._files[file]).get(name)
            if isinstance(found, dict) and "class" in found:
                args = found.get("args") or {}
                return Entry(
                    name=name,
                    cls=str(found["class"]),
                    args=args,
                    file=str(file),
                    description=described,
                )
            alias = found.get("id") if isinstance(found, dict) else found
            described = (
                described or str(found.get("description") or "")
                if isinstance(found, dict)
                else described
            )
            if not isinstance(alias, str):
                raise DataError(f"{name}: neither a class nor an alias is there", file=str(file))
            name = alias
        raise SpecError(f"the eval {name!r} is an alias of an alias without end")

    def sample_file(self, path: Any, entry: Entry) -> Path:
        """The file of samples that an entry names; it stands in the registry and nowhere else."""
        if not isinstance(path, str) or "://" in path or path.startswith("/"):
            raise DataError(
                f"{entry.name}: the samples at {path!r} are not in the registry", file=entry.file
            )
        data = (self.folder / "data").resolve()
        found = (data / path).resolve()
        if not found.is_relative_to(data):
            raise DataError(
                f"{entry.name}: the samples at {path!r} are not in the registry", file=entry.file
            )
        return found


def find_registry() -> Path:
    """The registry of the installed package; looked for, and not imported."""
    found = importlib.util.find_spec("evals")
    for folder in (found.submodule_search_locations or ()) if found else ():
        if (Path(folder) / "registry" / "evals").is_dir():
            return Path(folder) / "registry"
    raise DataError(_INSTALL)


def _loaded(file: Path, text: str) -> dict[str, Any]:
    try:
        import yaml
    except ImportError:
        raise DataError(_YAML) from None
    try:
        found = yaml.load(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    except yaml.YAMLError as wrong:
        raise DataError(f"not YAML: {wrong}", file=str(file)) from None
    return found if isinstance(found, dict) else {}
