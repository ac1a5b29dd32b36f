"""The document is true: a program that knows nothing else of the service finds nothing that it does not say."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from servers import Player, Server

KEY_CHANGE = "/api/v1/agents/me/rotate-key"  # would take the key away from the other requests

# A match that was abandoned on the way is over, as it should be. Texts hold what can be seen, and no
# pattern that all programs read alike can say what that is: the service refuses more than the document does.
RULES = """
[checks.positive_data_acceptance]
expected-statuses = ["2xx", 401, 403, 404, 409, 410]
[[operations]]
include-path = "/api/v1/agents/register"
checks.positive_data_acceptance.expected-statuses = ["2xx", 409, 422]
"""


def schemathesis(server: Server, folder: Path, *options: object, config: str = "") -> None:
    settings = folder / "schemathesis.toml"
    settings.write_text(config + RULES)
    command = [
        sys.executable,
        "-m",
        "schemathesis.cli",
        "--config-file",
        str(settings),
        "run",
        f"{server.url}/api/v1/openapi.json",
        "--no-color",
        "--generation-database",
        "none",
        "--request-timeout",
        "30",
        "--continue-on-failure",
        *map(str, options),
    ]
    done = subprocess.run(
        command, capture_output=True, text=True, timeout=900, cwd=folder, check=False
    )
    assert done.returncode == 0, done.stdout[-8000:] + done.stderr[-2000:]


def known(player: Player) -> str:
    """What a stranger cannot guess: a match, a challenge, an agent."""
    match = player.enter("watch")["match_id"]
    return f'[parameters]\nmatch_id = "{match}"\nslug = "watch"\nagent_id = "{player.id}"\n'


def run(server: Server, folder: Path, *limits: object) -> None:
    player = Player(server)
    header = ("-H", f"Authorization: Bearer {player.key}")
    schemathesis(server, folder, *header, *limits, "--exclude-path", KEY_CHANGE)
    schemathesis(
        server,
        folder,
        *header,
        *limits,
        "--exclude-path",
        KEY_CHANGE,
        "--phases",
        "coverage,fuzzing",
        config=known(player),
    )
    schemathesis(
        server, folder, *limits, "--include-path", KEY_CHANGE, "--phases", "coverage,fuzzing"
    )


@pytest.mark.slow
def test_a_program_that_reads_the_document_finds_nothing(server: Server, tmp_path: Path) -> None:
    run(
        server, tmp_path, "--max-examples", 25, "--seed", 1
    )  # the longer one tries others each time


@pytest.mark.slow
def test_nor_does_one_that_tries_longer(server: Server, tmp_path: Path) -> None:
    run(server, tmp_path, "--max-examples", 100)


@pytest.mark.parametrize("path", ["/api/v1/leaderboard", "/api/v1/agents/{agent}/ratings", "/"])
def test_a_line_break_at_the_end_is_refused_like_any_other(server: Server, path: str) -> None:
    player = Player(server)
    for category in ("maths%0A", "%0Amaths", "ma%0Aths"):
        told = server.call("GET", f"{path.format(agent=player.id)}?category={category}")
        assert told.status in {400, 422}, (category, told.status)


def operations(document: Any) -> list[tuple[str, Any]]:
    return [
        (f"{method} {path}", one)
        for path, item in document["paths"].items()
        for method, one in item.items()
    ]


def test_every_operation_tells_its_errors_and_its_key(server: Server) -> None:
    document = server.api("GET", "/openapi.json").json
    assert document["components"]["securitySchemes"]["key"]["scheme"] == "bearer"
    wrong = {"$ref": "#/components/schemas/Wrong"}
    for name, one in operations(document):
        assert one["summary"], name
        assert one["description"], name
        keyed = one.get("security") == [{"key": []}]
        assert keyed == ("401" in one["responses"]), name
        assert {"400", "429", "500", "503"} <= one["responses"].keys(), name
        assert ("413" in one["responses"]) == ("requestBody" in one), name
        for status, response in one["responses"].items():
            if not status.startswith("2"):
                assert response["content"]["application/json"]["schema"] == wrong, (name, status)
    assert len({one["operationId"] for _, one in operations(document)}) == len(operations(document))


def test_types_are_told_by_their_plain_names(server: Server) -> None:
    document = server.api("GET", "/openapi.json")
    assert b"steelyard." not in document.body
    schemas = document.json["components"]["schemas"]
    assert {"Registration", "Entry", "Payload", "Outcome", "MatchView", "Wrong"} <= schemas.keys()
    assert schemas["Registration"]["additionalProperties"] is False


def test_the_served_document_is_made_without_a_warning(server: Server) -> None:
    from steelyard.web.app import API  # every warning is an error in the tests' own process
    from steelyard.web.document import describe

    assert describe(API) == server.api("GET", "/openapi.json").body
