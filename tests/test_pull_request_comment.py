"""The comment that the action keeps on a pull request, with an API that answers as that of GitHub does.

`tests/hostile_text` has what others can write in it.
"""

from __future__ import annotations

import json
import re
import runpy
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from tests.loopback import served

SCRIPT = Path(__file__).parent.parent / "scripts" / "pull_request_comment.py"
MARKER = "<!-- urlset -->"
REPOSITORY = "shop/site"
SHA = "6dcb09b5b57875f334f61aebed695e2e4193db5e"
BOT = {"login": "github-actions[bot]", "id": 41898282, "type": "Bot"}
PERSON = {"login": "octocat", "id": 1, "type": "User"}
FORK = {"id": 7, "full_name": "octocat/site", "owner": PERSON}

EVENT: dict[str, Any] = {"action": "synchronize", "number": 12, "pull_request": {"number": 12, "head": {"sha": SHA}}}
LATER: dict[str, Any] = {
    "action": "completed",
    "workflow_run": {
        "id": 30433642,
        "event": "pull_request",
        "head_branch": "patch-1",
        "head_sha": SHA,
        "head_repository": FORK,
        # GitHub leaves it empty for forks.
        "pull_requests": [],
    },
}
PULL: dict[str, Any] = {"number": 12, "state": "open", "head": {"ref": "patch-1", "sha": SHA, "repo": FORK}}


def comment(number: int, body: str, user: dict[str, Any] = BOT) -> dict[str, Any]:
    return {"id": number, "user": user, "body": body, "created_at": "2026-01-05T12:00:00Z"}


@contextmanager
def api(
    comments: list[dict[str, Any]], pulls: list[dict[str, Any]], write_status: int = 201
) -> Iterator[tuple[str, list[tuple[str, str, str | None]]]]:
    """Serve the part of GitHub's API, and yield its origin and the requests that change something."""
    changes: list[tuple[str, str, str | None]] = []

    class Api(BaseHTTPRequestHandler):
        def answer(self) -> None:
            assert self.headers["Authorization"] == "Bearer secret"
            url = urlsplit(self.path)
            query = {name: values[0] for name, values in parse_qs(url.query).items()}
            size = int(self.headers.get("Content-Length") or 0)
            body = json.loads(self.rfile.read(size))["body"] if size else None
            status, content = 200, []
            if self.command != "GET":
                changes.append((self.command, url.path, body))
                status = write_status
            elif url.path == f"/repos/{REPOSITORY}/pulls":
                content = pulls if query["head"] == "octocat:patch-1" else []
            else:
                assert url.path == f"/repos/{REPOSITORY}/issues/12/comments"
                first = (int(query["page"]) - 1) * int(query["per_page"])
                content = comments[first : first + int(query["per_page"])]
            sent = json.dumps(content).encode()
            self.send_response(status)
            if 300 <= status < 400:
                self.send_header("Location", "http://127.0.0.1:1/elsewhere")
            self.send_header("Content-Type", "application/json; charset=utf-8")
            self.send_header("Content-Length", str(len(sent)))
            self.end_headers()
            self.wfile.write(sent)

        do_GET = do_POST = do_PATCH = do_DELETE = answer  # noqa: N815 - names of the base class

    with served(Api) as origin:
        yield origin, changes


@pytest.fixture
def ran(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., tuple[int, str, list[tuple[str, str, str | None]]]]:
    """Run the script, and return its exit code, what it printed, and the requests that change something."""

    def run(
        text: str | bytes,
        *comments: dict[str, Any],
        event: dict[str, Any] = EVENT,
        pulls: tuple[dict[str, Any], ...] = (PULL,),
        write_status: int = 201,
    ) -> tuple[int, str, list[tuple[str, str, str | None]]]:
        file, said = tmp_path / "urlset-comment.md", tmp_path / "event.json"
        file.write_bytes(text if isinstance(text, bytes) else text.encode())
        said.write_text(json.dumps(event))
        with api(list(comments), list(pulls), write_status) as (origin, changes):
            given = {
                "no_proxy": "*",
                "GITHUB_API_URL": origin,
                "GITHUB_TOKEN": "secret",
                "GITHUB_REPOSITORY": REPOSITORY,
                "GITHUB_EVENT_PATH": str(said),
            }
            for name, value in given.items():
                monkeypatch.setenv(name, value)
            code = runpy.run_path(str(SCRIPT))["main"](str(file))
        return code, capsys.readouterr().out, changes

    return run


TEXT = "**urlset:** 1 URL added\n"
COMMENTS = f"/repos/{REPOSITORY}/issues/12/comments"
COMMENT_5 = f"/repos/{REPOSITORY}/issues/comments/5"
CREATED = [("POST", COMMENTS, f"{MARKER}\n{TEXT.strip()}")]
UPDATED = [("PATCH", COMMENT_5, f"{MARKER}\n{TEXT.strip()}")]


@pytest.mark.parametrize(
    ("text", "comments", "changes"),
    [
        pytest.param(TEXT, [], CREATED, id="the first is created"),
        pytest.param(TEXT, [comment(5, f"{MARKER}\nold")], UPDATED, id="an earlier one is updated"),
        pytest.param(TEXT, [comment(5, f"{MARKER}\r\n{TEXT}")], [], id="the same one is left alone"),
        pytest.param("", [], [], id="nothing changed"),
        pytest.param(
            "",
            [comment(5, f"{MARKER}\n{TEXT}")],
            [("PATCH", COMMENT_5, f"{MARKER}\n**urlset:** no changes")],
            id="nothing is different anymore",
        ),
        pytest.param(TEXT, [comment(5, f"{MARKER}\nmine", PERSON)], CREATED, id="a person starts alike"),
        pytest.param(TEXT, [comment(5, f"see {MARKER}")], CREATED, id="another bot quotes it"),
        pytest.param(TEXT, [comment(4, "hello", None) | {"body": None}], CREATED, id="a deleted user"),  # type: ignore[arg-type]
        pytest.param(
            TEXT,
            [*(comment(n, "hello", PERSON) for n in range(100, 230)), comment(5, f"{MARKER}\nold")],
            UPDATED,
            id="on the second page",
        ),
        pytest.param(
            TEXT,
            [comment(5, f"{MARKER}\nold"), comment(6, f"{MARKER}\nolder")],
            [("DELETE", f"/repos/{REPOSITORY}/issues/comments/6", None), *UPDATED],
            id="two runs created one each",
        ),
    ],
)
def test_one_comment_is_kept(
    text: str,
    comments: list[dict[str, Any]],
    changes: list[Any],
    ran: Callable[..., tuple[int, str, list[Any]]],
) -> None:
    for event in (EVENT, LATER):
        code, said, made = ran(text, *comments, event=event)
        assert (code, made) == (0, changes), said
        assert said.startswith("pull request 12: ")


@pytest.mark.parametrize(
    ("event", "pulls", "words"),
    [
        pytest.param(LATER, [], "no open pull request has commit", id="closed"),
        pytest.param(
            LATER,
            [PULL | {"head": PULL["head"] | {"sha": "0" * 40}}],
            "no open",
            id="a newer commit came",
        ),
        pytest.param(LATER, [PULL | {"head": PULL["head"] | {"repo": None}}], "no open", id="no fork"),
        pytest.param(LATER, [PULL, PULL | {"number": 13}], "2 open pull requests have", id="two of one commit"),
        pytest.param({"ref": "refs/heads/main"}, [PULL], "not about a pull request", id="a push"),
        pytest.param(
            {"workflow_run": LATER["workflow_run"] | {"event": "push"}}, [PULL], "not about a pull", id="after a push"
        ),
        pytest.param(
            {"workflow_run": LATER["workflow_run"] | {"head_repository": None}}, [], "not about", id="a deleted fork"
        ),
    ],
)
def test_only_the_pull_request_of_the_commit_gets_it(
    event: dict[str, Any], pulls: list[dict[str, Any]], words: str, ran: Callable[..., tuple[int, str, list[Any]]]
) -> None:
    code, said, changes = ran(TEXT, event=event, pulls=tuple(pulls))
    assert (code, changes) == (1, [])
    assert said.startswith("::error::no comment: ")
    assert words in said


@pytest.mark.parametrize(
    "text",
    [
        "**urlset:** [click](https://evil.example)\n",
        "https://evil.example\n",
        "www.evil.example\n",
        "@octocat\n",
        "closes #1\n",
        "<img src=x>\n",
        "<details open><summary>Added URLs: 1</summary>\n",
        "- `a\n- @octocat`\n",
        "- ``a` @octocat\n",
        "- \\`a` @octocat `b`\n",
        "- `a` @octocat `b`\n",
        "```\n",
        "# Title\n",
        "| a | b |\n",
        "a\r@octocat\n",
        "&commat;octocat\n",
        # Plain words that urlset does not write.
        "**urlset:** approved by the maintainers\n",
        "- approved\n",
        b"\xff\n",
        "- `" + "a" * 60_000 + "`\n",
    ],
)
def test_only_what_urlset_writes_is_posted(text: str | bytes, ran: Callable[..., tuple[int, str, list[Any]]]) -> None:
    code, said, changes = ran(text, event=LATER)
    assert (code, changes) == (1, [])
    assert re.match(r"::error::no comment: (line \d+ of )?urlset-comment.md ", said)


def test_a_token_that_only_reads(ran: Callable[..., tuple[int, str, list[Any]]]) -> None:
    """As of a pull request from a fork, whose comment another workflow writes."""
    code, said, _ = ran(TEXT, write_status=403)
    assert (
        code,
        said.startswith("::notice::no comment: POST /repos/shop/site/issues/12/comments returns HTTP 403"),
    ) == (
        0,
        True,
    )
    code, said, _ = ran(TEXT, event=LATER, write_status=403)
    assert (code, said.startswith("::error::no comment: ")) == (1, True)


@pytest.mark.parametrize("status", [301, 404, 422, 500])
def test_the_api_answers_with_an_error(status: int, ran: Callable[..., tuple[int, str, list[Any]]]) -> None:
    code, said, changes = ran(TEXT, write_status=status)
    assert (code, len(changes)) == (1, 1)
    assert said == f"::error::no comment: POST {COMMENTS} returns HTTP {status}\n"
