"""The issue of a site: opened, updated, and closed, with services on the loopback network that answer as documented."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from datetime import timedelta
from hashlib import sha256
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any, ClassVar
from urllib.parse import parse_qs, urlsplit

import pytest
from tests.loopback import served
from tests.monitor.test_rounds import SITE, Simulated

from urlset.errors import ConfigError
from urlset.options.monitoring import load_monitor
from urlset.pipeline.monitor import monitor

TOKEN = "token-that-nobody-sees"


class Service(BaseHTTPRequestHandler):
    """Answers like the REST API of GitHub or GitLab, with the fields that are used."""

    issues: ClassVar[list[dict[str, Any]]] = []
    comments: ClassVar[list[str]] = []
    requests: ClassVar[list[tuple[str, str]]] = []
    status = 200
    takes_labels = True
    longest = 65_536

    def do_GET(self) -> None:
        wanted = parse_qs(urlsplit(self.path).query)
        assert (wanted["labels"], wanted["state"]) == (["urlset-monitor"], ["all"])
        self.answer([issue for issue in self.issues if issue.get("labels", True)] if wanted["page"] == ["1"] else [])

    def do_POST(self) -> None:
        content = self.content()
        if any(isinstance(text, str) and len(text) > self.longest for text in content.values()):
            self.answer({"message": "body is too long"}, 422)
            return
        if not self.takes_labels:
            content["labels"] = []
        elif isinstance(content.get("labels"), str):
            content["labels"] = [content["labels"]]
        if urlsplit(self.path).path.endswith(("/comments", "/notes")):
            self.comments.append(content["body"])
            self.answer({"id": len(self.comments)}, 201)
            return
        number = len(self.issues) + 1
        self.issues.append({self.key: number, "state": "opened" if self.key == "iid" else "open", **content})
        self.answer(self.issues[-1], 201)

    def do_PUT(self) -> None:
        self.do_PATCH()

    def do_PATCH(self) -> None:
        number, content = int(self.path.rpartition("/")[2]), self.content()
        event = content.pop("state_event", None)
        self.issues[number - 1] |= content
        if event is not None:
            self.issues[number - 1]["state"] = {"close": "closed", "reopen": "opened"}[event]
        self.answer(self.issues[number - 1])

    @property
    def key(self) -> str:
        return "iid" if "PRIVATE-TOKEN" in self.headers else "number"

    def content(self) -> dict[str, Any]:
        content: dict[str, Any] = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        return content

    def answer(self, value: object, status: int = 200) -> None:
        self.requests.append((self.command, urlsplit(self.path).path))
        is_known = TOKEN in (self.headers.get("PRIVATE-TOKEN"), str(self.headers.get("Authorization"))[7:])
        body = json.dumps(value).encode()
        self.send_response(status if self.status == 200 and is_known else self.status if is_known else 401)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


@pytest.fixture
def service() -> Iterator[tuple[str, type[Service]]]:
    handler = type("OwnService", (Service,), {"issues": [], "comments": [], "requests": []})
    with served(handler) as origin:
        yield origin, handler


@pytest.fixture
def rounds(tmp_path: Path, service: tuple[str, type[Service]], monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    """Returns rounds whose file names a project on this service."""
    monkeypatch.setenv("URLSET_ISSUE_TOKEN", TOKEN)

    def make(name: str) -> Simulated:
        issue = f'project = "{service[0]}/acme/site"\nservice = "{name}"\ntoken-env = "URLSET_ISSUE_TOKEN"\n'
        return Allowed(tmp_path, f'[[site]]\nurl = "{SITE}"\n[issue]\n{issue}')

    return make


class Allowed(Simulated):
    """Rounds of a file whose variable is allowed on the command line, as a host of one's own needs."""

    def round(self, **_: Any) -> Any:
        path = self.folder / "monitor.toml"
        path.write_text(self.text)
        self.at += timedelta(days=1)
        plan = load_monitor(path, ["URLSET_ISSUE_TOKEN"])
        return monitor(plan, now=lambda: self.at, free=lambda _: self.free, look=self._look)


@pytest.mark.parametrize(
    ("name", "path", "text"),
    [
        ("github", "/api/v3/repos/acme/site/issues", "body"),
        ("gitlab", "/api/v4/projects/acme%2Fsite/issues", "description"),
    ],
)
def test_one_issue_is_opened_updated_closed_and_opened_again(
    rounds: Callable[..., Simulated], service: tuple[str, type[Service]], name: str, path: str, text: str
) -> None:
    _, handler = service
    monitored = rounds(name)
    monitored.round()
    assert handler.requests == []
    monitored.problems["A1"] = "wrong `@everyone`"
    monitored.round()
    [issue] = handler.issues
    assert issue["title"] == f"urlset monitor: {SITE}: 1 open alarm"
    assert "`` wrong `@everyone` ``" in issue[text]
    assert handler.requests == [("GET", path), ("POST", path)]
    monitored.round()
    assert len(handler.requests) == 2
    monitored.problems["B2"] = "also wrong"
    monitored.round()
    assert issue["title"] == f"urlset monitor: {SITE}: 2 open alarms"
    assert "also wrong" in issue[text]
    assert "@everyone" in issue[text]
    assert [("also wrong" in comment, "@everyone" in comment) for comment in handler.comments] == [(True, False)]
    monitored.problems.clear()
    monitored.round()
    assert issue["state"] == "closed"
    assert "No alarm is open." in issue[text]
    assert "over: `` wrong" in handler.comments[-1]
    monitored.problems["C3"] = "new"
    monitored.round()
    assert issue["state"] in ("open", "opened")
    assert len(handler.issues) == 1


def test_long_texts_are_cut(rounds: Callable[..., Simulated], service: tuple[str, type[Service]]) -> None:
    _, handler = service
    monitored = rounds("github")
    monitored.round()
    monitored.problems["A1"] = "wrong"
    monitored.round()
    codes = [f"B{number}" for number in range(300)]
    monitored.codes |= {*codes}
    monitored.round()
    monitored.problems |= dict.fromkeys(codes, "`" * 300)
    assert monitored.round().undelivered == {}
    [comment] = handler.comments
    for text in (comment, handler.issues[0]["body"]):
        assert len(text) < 65_536
        assert re.search(r"- and [0-9]+ more lines(\n|$)", text)


def test_a_text_with_the_mark_of_another_site_is_not_its_issue(
    rounds: Callable[..., Simulated], service: tuple[str, type[Service]]
) -> None:
    _, handler = service
    mark = f"<!-- urlset-monitor {sha256(SITE.encode()).hexdigest()[:16]} -->"
    other = {"number": 1, "state": "open", "body": f"- **error** `{mark}`\n\n<!-- urlset-monitor 0 -->"}
    handler.issues.append({**other})
    monitored = rounds("github")
    monitored.round()
    monitored.problems["A1"] = "wrong"
    monitored.round()
    assert handler.issues[0] == other
    assert len(handler.issues) == 2


def test_an_issue_whose_label_was_dropped_is_not_opened_again(
    rounds: Callable[..., Simulated], service: tuple[str, type[Service]]
) -> None:
    _, handler = service
    handler.takes_labels = False
    monitored = rounds("github")
    monitored.round()
    monitored.problems["A1"] = "wrong"
    for _ in range(2):
        [problem] = monitored.round().undelivered.values()
        assert problem == "the token may not label issues; add the label urlset-monitor to issue 1"
    assert len(handler.issues) == 1


def test_what_is_refused_is_sent_again_without_the_token_in_any_file(
    rounds: Callable[..., Simulated], service: tuple[str, type[Service]], tmp_path: Path
) -> None:
    _, handler = service
    monitored = rounds("github")
    monitored.round()
    handler.status = 403
    monitored.problems["A1"] = "wrong"
    result = monitored.round()
    [problem] = result.undelivered.values()
    assert problem == "returned HTTP 403; the token may not have access to the issues of the project"
    handler.status = 200
    assert monitored.round().undelivered == {}
    assert len(handler.issues) == 1
    assert not [path for path in tmp_path.iterdir() if TOKEN.encode() in path.read_bytes()]


def test_a_token_goes_to_another_host_only_if_the_command_line_allows_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("URLSET_ISSUE_TOKEN", TOKEN)
    path = tmp_path / "monitor.toml"
    start = f'[[site]]\nurl = "{SITE}"\n[issue]\ntoken-env = "URLSET_ISSUE_TOKEN"\n'
    path.write_text(f'{start}project = "https://git.example.com/acme/site"\nservice = "gitlab"\n')
    with pytest.raises(ConfigError, match=r"sends a token to https://git\.example\.com; to allow it, pass --env"):
        load_monitor(path)
    assert load_monitor(path, ["URLSET_ISSUE_TOKEN"]).issue is not None
    path.write_text(f'{start}project = "https://github.com/acme/site"\n')
    issue = load_monitor(path).issue
    assert issue is not None
    assert issue.api_url == "https://api.github.com"


@pytest.mark.parametrize(
    ("project", "message"),
    [
        ('http://git.example.com/acme/site"\nservice = "gitlab', "project must be an https URL"),
        ('https://github.com/acme/site"\napi = "http://git.example.com', "api must be an https URL"),
        ("https://github.com/acme", "must be the URL of a project"),
        ("https://github.com/acme/site/issues", "must have an owner and a name"),
        ("https://git.example.com/acme/site", "missing for this host"),
        ("acme/site", "must be the URL of a project"),
    ],
)
def test_a_project_that_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, project: str, message: str) -> None:
    monkeypatch.setenv("URLSET_ISSUE_TOKEN", TOKEN)
    path = tmp_path / "monitor.toml"
    path.write_text(f'[[site]]\nurl = "{SITE}"\n[issue]\nproject = "{project}"\ntoken-env = "URLSET_ISSUE_TOKEN"\n')
    with pytest.raises(ConfigError, match=message):
        load_monitor(path)
