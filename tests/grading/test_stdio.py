"""Program tasks in the real sandbox: languages, comparisons, files, the author's checker."""

from __future__ import annotations

import json
import shutil
from typing import Any

import pytest

from steelyard.errors import SandboxError
from steelyard.grading import language as languages
from steelyard.grading.build import check_language
from steelyard.grading.grade import grade
from steelyard.grading.record import Graded
from steelyard.grading.task import load_task
from steelyard.sandbox.protocol import Sandbox

LIMITS = {"wall_s": 3, "memory_mb": 256, "pids": 16, "disk_mb": 8, "output_bytes": 500_000}
SUM = {"kind": "stdio", "cases": [["1 2\n", "3\n"], ["20 22\n", "42\n"]], "limits": LIMITS}
PYTHON = "print(sum(map(int, input().split())))"
LANGUAGES = {
    "python": PYTHON,
    "sh": "read a b; echo $((a + b))",
    "bash": "read -r a b; [[ $a ]] && echo $((a + b))",
    "javascript": "const t = require('fs').readFileSync(0, 'utf8').split(' ').map(Number); console.log(t[0] + t[1])",
    "perl": "my ($a, $b) = split ' ', <STDIN>; print $a + $b, qq(\\n);",
    "c": '#include <stdio.h>\nint main(void) { int a, b; scanf("%d %d", &a, &b); printf("%d\\n", a + b); return 0; }',
    "c++": "#include <iostream>\nint main() { int a, b; std::cin >> a >> b; std::cout << a + b << std::endl; }",
}
WRONG = {
    "wrong": ("print(3)", "wrong_answer", 0.5),
    "silent": ("input()", "wrong_answer", 0),
    "exit code": (PYTHON + "\nraise SystemExit(1)", "runtime_error", 0),
    "raises": ("1 / 0", "runtime_error", 0),
    "crash": ("import os\nos.abort()", "runtime_error", 0),
    "more": (PYTHON + "\nprint('accepted')", "wrong_answer", 0),
    "no text": ("import sys\nsys.stdout.buffer.write(bytes(range(256)))", "wrong_answer", 0),
    "endless": ("while True: pass", "time_limit", 0),
    "floods": ("while True: print('x' * 1000)", "output_limit", 0),
    "memory": ("x = [0] * 10**9", "memory_limit", 0),
    "disk": ("f = open('f', 'wb')\nwhile True: f.write(bytes(65536))", "disk_limit", 0),
    "forks": ("import os\nwhile True: os.fork()", "process_limit", 0),
}
needs_compiler = pytest.mark.skipif(
    not (shutil.which("gcc") and shutil.which("g++")), reason="no compiler"
)


def graded(sandbox: Sandbox, program: str, **changes: Any) -> Graded:
    return grade(load_task({**SUM, **changes}), program, sandbox=sandbox)


def test_every_language_of_the_table_has_a_program_here() -> None:
    assert LANGUAGES.keys() == languages.languages().keys()
    names = [name for own in languages.languages().values() for name in own.aliases]
    assert len(set(names)) == len(names)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_program_in_every_language(language: str, sandbox: Sandbox) -> None:
    needs = languages.languages()[language].needs
    if shutil.which(needs) is None:
        pytest.skip(f"this machine has no {needs}")
    check_language(language, sandbox)
    found = graded(sandbox, LANGUAGES[language], language=language)
    assert (found.verdict, found.value) == ("accepted", 1.0), found.reason + found.stderr


@pytest.mark.parametrize("name", WRONG)
def test_any_other_does_not_pass(name: str, sandbox: Sandbox) -> None:
    program, verdict, value = WRONG[name]
    found = graded(sandbox, program)
    assert (found.verdict, found.passed, found.value) == (verdict, False, value), found.reason


@pytest.mark.parametrize("language", ["c", "c++"])
@needs_compiler
def test_what_does_not_compile_is_the_attempts_fault(language: str, sandbox: Sandbox) -> None:
    found = graded(sandbox, "int main( {", language=language)
    assert found.verdict == "runtime_error"
    assert found.reason.startswith("case 1: does not compile: program.c")
    assert "error" in found.stderr


@needs_compiler
def test_a_compiler_that_never_ends_is_the_attempts_fault(
    sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    from steelyard.grading import build

    monkeypatch.setattr(build, "COMPILING", build.Limits(wall_s=1))
    found = graded(sandbox, '#include "/dev/stdin"\n#include __FILE__\n' * 2, language="c")
    assert (found.verdict, found.passed) == ("runtime_error", False)
    assert "does not compile" in found.reason


def test_a_language_that_the_sandbox_has_not_is_told(
    sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = {"klingon": languages.Language(file="p.kl", run=("klingon", "p.kl"))}
    monkeypatch.setattr("steelyard.grading.build.languages", lambda: table)
    with pytest.raises(SandboxError, match="tasks in klingon need klingon, which the sandbox"):
        check_language("klingon", sandbox)


def test_after_a_run_without_end_the_others_are_not_run(sandbox: Sandbox) -> None:
    cases = [["1 1", "2"], ["stop", "1"], ["2 2", "4"], ["3 3", "6"]]
    program = "line = input()\nwhile line == 'stop': pass\nprint(sum(map(int, line.split())))"
    found = graded(sandbox, program, cases=cases, limits={"wall_s": 0.5})
    assert [test.verdict for test in found.tests] == ["accepted", *["time_limit"] * 3]
    assert [test.reason for test in found.tests][1:] == [
        "the time limit was reached",
        *["not run: the time limit was reached"] * 2,
    ]
    assert found.wall_s < 2


def test_files_in_and_out(sandbox: Sandbox) -> None:
    case = {"files": {"in/data.txt": "abc"}, "expect_files": {"out/result.txt": "ABC\n"}}
    program = "import os\nos.makedirs('out')\nopen('out/result.txt', 'w').write(open('in/data.txt').read().upper())"
    assert graded(sandbox, program, cases=[case]).passed
    missing = graded(sandbox, "pass", cases=[case])
    assert missing.reason == "case 1: the file out/result.txt was not written"
    wrong = graded(sandbox, program.replace("upper", "title"), cases=[case])
    assert (
        wrong.reason
        == "case 1: in the file out/result.txt, line 1 is 'Abc', which is not the expected line"
    )


def test_a_link_in_place_of_a_file_shows_nothing(sandbox: Sandbox) -> None:
    case = {"expect_files": {"out.txt": "x"}}
    found = graded(sandbox, "import os\nos.symlink('/etc/passwd', 'out.txt')", cases=[case])
    assert found.passed is False
    assert "root" not in found.reason


def test_a_file_of_the_case_does_not_replace_the_program(sandbox: Sandbox) -> None:
    case = {"files": {"program.py": "print('theirs')"}, "stdout": "ours"}
    assert graded(sandbox, "print('ours')", cases=[case]).passed


@pytest.mark.parametrize(
    ("comparison", "program", "verdict"),
    [
        ("exact", "print('0.30', 'x')", "accepted"),
        ("exact", "print('0.30', 'x', '')", "wrong_answer"),
        ("lines", "print('0.30', 'x', '')", "accepted"),
        ("lines", "print('0.30'); print('x')", "wrong_answer"),
        ("tokens", "print('0.30'); print('x')", "accepted"),
        ("tokens", "print('0.3'); print('x')", "wrong_answer"),
        ("float", "print('0.3'); print('x')", "accepted"),
        ("float", "print('0.4'); print('x')", "wrong_answer"),
    ],
)
def test_comparisons(comparison: str, program: str, verdict: str, sandbox: Sandbox) -> None:
    assert (
        graded(sandbox, program, cases=[["", "0.30 x\n"]], comparison=comparison).verdict == verdict
    )


@pytest.mark.parametrize(
    ("language", "size", "verdict"),
    [
        ("python", 1_500_000, "disk_limit"),
        ("python", (1 << 20) + 1, "disk_limit"),
        ("python", (1 << 20) - 4096, "accepted"),
        ("sh", 1_500_000, "disk_limit"),
        pytest.param("c", 300 << 20, "disk_limit", marks=needs_compiler),
    ],
)
def test_a_program_that_does_not_fit_is_at_fault_itself(
    language: str, size: int, verdict: str, sandbox: Sandbox
) -> None:
    start = {"python": "print(3)\n#", "sh": "echo 3\n#", "c": "//"}[language]
    program = start + "x" * (size - len(start))
    found = graded(sandbox, program, language=language, cases=[["", "3"]], limits={"disk_mb": 1})
    assert (found.verdict, found.value) == (verdict, float(verdict == "accepted")), found.reason
    assert ("bytes, which is more than" in found.reason) is (verdict == "disk_limit")


def test_the_record_holds_no_truth(sandbox: Sandbox) -> None:
    found = graded(
        sandbox,
        "print(1)",
        cases=[["tell-nobody", "hunter2"], {"stdout": "1", "expect_files": {"f": "hunter2"}}],
    )
    text = json.dumps(found.to_dict())
    assert found.passed is False
    assert not any(secret in text for secret in ("hunter", "tell-nobody"))


def test_a_failure_is_told_with_the_programs_last_line(sandbox: Sandbox) -> None:
    found = graded(sandbox, "1 / 0")
    assert (
        found.reason
        == "case 1: the program ended with exit code 1: ZeroDivisionError: division by zero"
    )


def test_the_first_failure_is_shown(sandbox: Sandbox) -> None:
    program = "import sys\nn = input()\nprint(n)\nprint('about', n, file=sys.stderr)"
    found = graded(sandbox, program, cases=[["1", "1"], ["2", "0"], ["3", "0"]])
    assert (found.stdout, found.stderr) == ("2\n", "about 2\n")
