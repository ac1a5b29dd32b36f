"""The store: what was said once is never asked again, and never said in another's name."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judge.scripted import Scripted, asker, run, verdict
from steelyard.errors import DataError, StoreError
from steelyard.judge.config import JudgeScoringConfig
from steelyard.judge.prompt import JudgeItem, JudgeTurn, build_prompt, rating_task
from steelyard.judge.rating import judge_one
from steelyard.judge.store import JudgeStore, call_key
from steelyard.models.types import Message, Reply, Request

JUDGE = {"kind": "http", "name": "j", "address": "http://127.0.0.1/v1"}


def ask(text: str = "2 + 2?", **parameters: Any) -> Request:
    return Request(
        messages=(Message("system", "judge"), Message("user", text)), parameters=parameters
    )


def test_a_reply_is_found_again(tmp_path: Path) -> None:
    reply = Reply(
        text="Score: 4", reasoning="hm", finish="stop", input_tokens=7, output_tokens=3, seconds=1.5
    )
    with JudgeStore(tmp_path / "judge.jsonl") as store:
        assert store.find(JUDGE, ask()) is None
        key = store.add(JUDGE, ask(), reply)
        assert key == call_key(JUDGE, ask())
        assert store.find(JUDGE, ask()) == msgspec.structs.replace(reply, seconds=0.0)
    with JudgeStore(tmp_path / "judge.jsonl", offline=True) as again:
        assert again.find(JUDGE, ask()) == msgspec.structs.replace(reply, seconds=0.0)
        assert [call.key for call in again.calls()] == [key]
        assert len(again) == 1
    line = msgspec.json.decode((tmp_path / "judge.jsonl").read_bytes())
    assert line["judge"] == JUDGE
    assert line["messages"][1] == {"role": "user", "content": "2 + 2?"}
    assert set(line) == {"key", "judge", "parameters", "messages", "reply"}
    assert "seconds" not in line["reply"]


OTHERS = [
    ({**JUDGE, "name": "other"}, ask(temperature=0)),
    ({**JUDGE, "address": "http://127.0.0.1:1/v1"}, ask(temperature=0)),
    (JUDGE, ask(temperature=1)),
    (JUDGE, ask()),
    (JUDGE, ask(temperature=0, seed=1)),
    (JUDGE, ask("2 + 3?", temperature=0)),
    (JUDGE, Request(messages=(Message("user", "2 + 2?"),), parameters={"temperature": 0})),
    (
        JUDGE,
        Request(
            messages=(Message("user", "judge"), Message("system", "2 + 2?")),
            parameters={"temperature": 0},
        ),
    ),
]


@pytest.mark.parametrize(("judge", "request_"), OTHERS)
def test_it_is_never_served_for_another_judge_prompt_or_parameter(
    judge: dict[str, Any], request_: Request, tmp_path: Path
) -> None:
    with JudgeStore(tmp_path / "j") as store:
        store.add(JUDGE, ask(temperature=0), Reply(text="mine"))
        assert store.find(JUDGE, ask(temperature=0)) is not None
        assert store.find(judge, request_) is None


def test_a_line_under_a_wrong_key_is_not_served(tmp_path: Path) -> None:
    path = tmp_path / "j"
    with JudgeStore(path) as store:
        store.add({**JUDGE, "name": "weak"}, ask(), Reply(text="Score: 5"))
    forged = msgspec.json.decode(path.read_bytes())
    path.write_bytes(msgspec.json.encode({**forged, "key": call_key(JUDGE, ask())}) + b"\n")
    with JudgeStore(path) as store:
        assert store.find(JUDGE, ask()) is None


@settings(deadline=None)  # a disk that is busy takes its time
@given(st.integers(1, 400))
def test_a_torn_last_line_is_recognised_and_replaced(cut: int) -> None:
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "j"
        with JudgeStore(path) as store:
            store.add(JUDGE, ask("one"), Reply(text="1"))
            whole = path.read_bytes()
            store.add(JUDGE, ask("two"), Reply(text="2"))
        both = path.read_bytes()
        path.write_bytes(both[: max(len(whole), len(both) - cut)])
        with JudgeStore(path) as store:
            assert store.torn is (len(both) - cut > len(whole))
            assert store.find(JUDGE, ask("one")) is not None
            assert store.find(JUDGE, ask("two")) is None
            store.add(JUDGE, ask("two"), Reply(text="2"))
        assert path.read_bytes() == both


def test_a_torn_line_is_left_alone_offline(tmp_path: Path) -> None:
    path = tmp_path / "j"
    path.write_bytes(b'{"key"')
    with JudgeStore(path, offline=True) as store:
        assert store.torn
        with pytest.raises(StoreError):
            store.add(JUDGE, ask(), Reply(text="x"))
    assert path.read_bytes() == b'{"key"'


@pytest.mark.parametrize("line", [b"nonsense\n", b"{}\n", b'{"key": 1}\n'])
def test_a_line_that_is_none_is_told_with_its_place(line: bytes, tmp_path: Path) -> None:
    (tmp_path / "j").write_bytes(line)
    with pytest.raises(DataError, match=":1: not a call of a judge"):
        JudgeStore(tmp_path / "j")
    with pytest.raises(DataError, match="cannot be read"):
        JudgeStore(tmp_path / "nowhere", offline=True)


def test_settling_puts_the_calls_in_order(tmp_path: Path) -> None:
    texts = ["c", "a", "d", "b"]
    files = []
    for order in (texts, texts[::-1]):
        path = tmp_path / f"{order[0]}.jsonl"
        with JudgeStore(path) as store:
            keys = {text: store.add(JUDGE, ask(text), Reply(text=text)) for text in order}
            store.add(JUDGE, ask("a"), Reply(text="a"))  # by another process, at the same time
            store.rewrite_in_order([keys["b"], keys["a"], keys["b"], "unknown"])
            store.add(JUDGE, ask("e"), Reply(text="e"))
            assert [call.reply.text for call in store.calls()][:2] == ["b", "a"]
            assert len(store) == 5
        files.append(path.read_bytes())
    assert files[0] == files[1]
    assert len(files[0].splitlines()) == 5


WRITER = """
import sys
from steelyard.judge.store import JudgeStore
from steelyard.models.types import Message, Reply, Request
with JudgeStore(sys.argv[1]) as store:
    for n in range(200):
        store.add({"name": "j"}, Request(messages=(Message("user", f"{sys.argv[2]}-{n}" * 50),)), Reply(text="x" * 2000))
"""


def test_several_processes_may_append(tmp_path: Path) -> None:
    path = tmp_path / "j"
    path.write_bytes(b'{"key":"torn')
    writers = [subprocess.Popen([sys.executable, "-c", WRITER, path, str(n)]) for n in range(3)]
    assert [writer.wait() for writer in writers] == [0, 0, 0]
    with JudgeStore(path) as store:
        assert (len(store), store.torn) == (600, False)


FULL = """
import resource, signal, sys
from steelyard.errors import StoreError
from steelyard.judge.store import JudgeStore
from steelyard.models.types import Message, Reply, Request
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (3000, 3000))
store = JudgeStore(sys.argv[1])
for n in range(20):
    try:
        store.add({"name": "j"}, Request(messages=(Message("user", str(n)),)), Reply(text="x" * 500))
    except StoreError as full:
        print(n, full)
        sys.exit(7)
"""


def test_a_full_disk_is_told_and_leaves_whole_lines(tmp_path: Path) -> None:
    path = tmp_path / "j"
    done = subprocess.run(
        [sys.executable, "-c", FULL, path], capture_output=True, text=True, check=False
    )
    assert done.returncode == 7, done.stderr
    assert "cannot be stored" in done.stdout
    with JudgeStore(path) as store:
        assert not store.torn
        assert len(store) == int(done.stdout.split()[0])
        assert len(store) > 0
    assert resource.getrlimit(resource.RLIMIT_FSIZE)[0] != 3000
    assert os.path.getsize(path) <= 3000


def test_a_stored_reply_is_read_again_offline_at_no_cost(tmp_path: Path) -> None:
    item = JudgeItem(key="1", instruction="The capital?", response="Paris", expected="Paris")
    strict, mild = JudgeScoringConfig(threshold=1.0), JudgeScoringConfig(threshold=0.5)
    path = tmp_path / "judge.jsonl"
    model = Scripted("what?", verdict(4))
    with JudgeStore(path) as store:
        first = run(judge_one(asker(model, store), item, strict))
    assert (first.value, first.correct, len(model.asked)) == (0.8, False, 2)
    silent = Scripted(AssertionError("nobody is to be asked"))
    with JudgeStore(path, offline=True) as store:
        again = run(judge_one(asker(silent, store), item, mild))
        assert (again.value, again.correct, again.detail["calls"]) == (
            0.8,
            True,
            first.detail["calls"],
        )
        other = run(judge_one(asker(Scripted(name="other"), store), item, mild))
        assert (other.status, "no reply of the judge 'other' is stored" in other.reason) == (
            "pending",
            True,
        )
        changed = JudgeScoringConfig(system_prompt="Be kind.")
        assert run(judge_one(asker(silent, store), item, changed)).status == "pending"
        warmer = JudgeScoringConfig(parameters={"temperature": 1})
        assert run(judge_one(asker(silent, store, warmer), item, warmer)).status == "pending"


OLD_REPLY = '{"evidence": "Paris", "reason": "it is", "score": 4}'


def test_a_call_from_before_there_were_tags_is_found_and_read_by_the_table(tmp_path: Path) -> None:
    """Such a call has another prompt, and another key; it can be made again without the tag."""
    config = JudgeScoringConfig()
    item = JudgeItem(key="1", instruction="Capital?", response="Paris", expected="Paris")
    old = Scripted(OLD_REPLY, name="j")
    prompt = build_prompt(rating_task(item, config), JudgeTurn(tagged=False))
    with JudgeStore(tmp_path / "j") as store:
        run(asker(old, store).ask(prompt))
        key = next(store.calls()).key
        assert not store.has_untagged  # only what an earlier session stored
    with JudgeStore(tmp_path / "j", offline=True) as store:
        assert store.has_untagged
        score = run(judge_one(asker(Scripted(name="j"), store), item, config))
        assert (score.value, score.detail["calls"], score.detail["evidence"]) == (
            0.8,
            [key],
            "Paris",
        )
    with JudgeStore(tmp_path / "j") as store:
        other = JudgeItem(key="2", instruction="Capital?", response="Rome", expected="Paris")
        live = Scripted(verdict(1, evidence="Rome"), name="j")
        assert run(judge_one(asker(live, store), other, config)).value == 0.2
        assert "VERDICT-" in live.asked[0].messages[0].content


def test_the_prompt_without_a_tag_has_the_bytes_of_the_version_before_tags() -> None:
    item = JudgeItem(key="", instruction="Capital?", response="Paris", expected="Paris")
    prompt = build_prompt(rating_task(item, JudgeScoringConfig()), JudgeTurn(tagged=False))
    request = Request(messages=prompt.messages, parameters={"temperature": 0})
    assert call_key({"name": "j"}, request) == "de4a48333915745871a8a4e967b852f39170236f"
