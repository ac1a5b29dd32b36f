"""Which files stand behind a user's file: the modules that it imports from its own folder, and what those import.

They are found by reading, never by running: a file that is only being named must not have effects.
"""

from __future__ import annotations

import ast
import hashlib
import importlib
import sys
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

_MOST_FILES = 2000  # a folder with more of them behind one scorer is a mistake, not a scorer
_FOLDERS: set[Path] = set()  # of the users' files that were run in this process


def source_digest(path: Path | str, source: bytes | None = None) -> str:
    """The sha256 of the file and of each module under its folder that it imports, directly or through others.

    A file that imports nothing of its own has its plain hash, whatever its name. ``source`` is the content of the
    file where it was read before. What is not ``.py``, or lies outside the folder, is not part of it.

    >>> import tempfile
    >>> folder = Path(tempfile.mkdtemp())
    >>> _ = (folder / "mine.py").write_text("import helper"), (folder / "helper.py").write_text("x = 1")
    >>> before = source_digest(folder / "mine.py")
    >>> _ = (folder / "helper.py").write_text("x = 2")
    >>> before == source_digest(folder / "mine.py")
    False
    """
    path = Path(path)
    main = path.read_bytes() if source is None else source
    siblings = own_modules(path, main)
    if not siblings:
        return hashlib.sha256(main).hexdigest()
    digest = hashlib.sha256(hashlib.sha256(main).digest())
    for name in sorted(siblings):
        for piece in (name.encode(errors="surrogateescape"), siblings[name]):
            digest.update(
                hashlib.sha256(piece).digest()
            )  # each of one length: no two lists read alike
    return digest.hexdigest()


def own_modules(path: Path | str, source: bytes | None = None) -> dict[str, bytes]:
    """The name under its folder and the content of each module that the file imports from there, itself not included."""
    path = Path(path).resolve()
    root, main = path.parent, path.name
    found: dict[str, bytes] = {}
    waiting = [(main, path.read_bytes() if source is None else source)]
    while waiting and len(found) < _MOST_FILES:
        name, content = waiting.pop()
        for file in _imported_files(root, name, content):
            if file == main or file in found or (inner := _content(root / file)) is None:
                continue
            found[file] = inner
            waiting.append((file, inner))
    return found


def import_from_folder_of(path: Path | str, source: bytes | None = None) -> None:
    """Before a user's file is run: its folder comes first where modules are looked for, and its own are read anew.

    Otherwise a second file with a ``helper`` beside it would run the first one's, and be signed with its own.
    """
    path = Path(path).resolve()
    folder = str(path.parent)
    if sys.path[:1] != [folder]:
        sys.path[:] = [folder, *(place for place in sys.path if place != folder)]
    _FOLDERS.add(path.parent)
    importlib.invalidate_caches()
    for file in own_modules(path, source):
        parts = file.removesuffix(".py").removesuffix("/__init__").split("/")
        for depth in range(len(parts)):
            _forget(".".join(parts[: depth + 1]))


def _forget(name: str) -> None:
    """A module of Python's own, or an installed one, is everybody's and stays."""
    module = sys.modules.get(name)
    places = [getattr(module, "__file__", None) or "", *getattr(module, "__path__", ())]
    if any(not _FOLDERS.isdisjoint(Path(place).resolve().parents) for place in places if place):
        del sys.modules[name]


def _content(file: Path) -> bytes | None:
    try:
        return file.read_bytes() if file.is_file() else None
    except (OSError, ValueError):  # what cannot be read cannot be imported either
        return None


def _imported_files(root: Path, name: str, content: bytes) -> Iterator[str]:
    try:
        tree = ast.parse(content)
    except (SyntaxError, ValueError, RecursionError):
        return  # it will be told when the file is run
    package = PurePosixPath(name).parent.parts
    for module in _imports(tree, package):
        yield from _files(module)


def _imports(tree: ast.AST, package: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """The parts of each module's name that is imported anywhere in the file, also inside functions."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (tuple(alias.name.split(".")) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from _from(node, package)
        elif isinstance(node, ast.Call) and (named := _named_in_call(node)):
            dots = len(named) - len(named.lstrip("."))
            yield (*_above(package, dots), *filter(None, named.split(".")))


def _from(node: ast.ImportFrom, package: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    base = (*_above(package, node.level), *(node.module.split(".") if node.module else ()))
    yield base
    yield from (
        (*base, alias.name) for alias in node.names
    )  # each name may be a module of the package


def _above(package: tuple[str, ...], level: int) -> tuple[str, ...]:
    """The package that so many leading dots mean; none of them means the folder itself."""
    return package[: max(0, len(package) - level + 1)] if level else ()


def _named_in_call(node: ast.Call) -> str:
    """The name in ``importlib.import_module("helper")`` or ``__import__("helper")``."""
    function = getattr(node.func, "attr", getattr(node.func, "id", ""))
    if function not in {"import_module", "__import__"} or not node.args:
        return ""
    first = node.args[0]
    return first.value if isinstance(first, ast.Constant) and isinstance(first.value, str) else ""


def _files(module: tuple[str, ...]) -> Iterator[str]:
    """Where the module may stand: with the ``__init__`` of each package on the way, which runs as well."""
    for depth in range(1, len(module) + 1):
        part = "/".join(module[:depth])
        yield f"{part}/__init__.py"
        yield f"{part}.py"
