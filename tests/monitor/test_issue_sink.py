"""The issue of a site: opened, updated, and closed, with services on the loopback network that answer as real ones.

The form of answers follows recorded ones of GitHub (https://github.com/octokit/fixtures: paginate-issues,
add-labels-to-issue, errors, rename-repository) and the documentation of GitLab (https://docs.gitlab.com/api/issues/).
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any, ClassVar
from urllib.parse import parse_qs, urlsplit

import pytest
from tests.cases import case_table
from tests.loopback import served
from tests.monitor.test_rounds import SITE, Simulated

from urlset.errors import ConfigError
from urlset.model.monitoring import Alarm, AlarmKind, ClosedBy, Delivery
from urlset.monitor.issue_sink import IssueSink
from urlset.monitor.sinks import message_of
from urlset.options.monitoring import load_monitor
from urlset.options.verbs import ReadOptions
from urlset.pipeline.monitor import monitor
from urlset.rules.rule import Severity
from urlset.stages.named import trust_in_none
from urlset.stages.session import Session

TOKEN = "token-that-nobody-sees"


class Service(BaseHTTPRequestHandler):
    """Answers like the REST API of GitHub or GitLab, with the fields that are used.

    Attributes:
        refusals: Other answers, by method and last part of the path: status, headers, and body.
        page_size: Issues on a page at most, whatever is asked for.
    """

    refusals: ClassVar[dict[str, tuple[int, dict[str, str], object]]] = {}
    page_size = 100
    issues: ClassVar[list[dict[str, Any]]] = []
    comments: ClassVar[list[str]] = []
    requests: ClassVar[list[tuple[str, str]]] = []
    status = 200
    takes_labels = True
    longest = 65_536

    def do_GET(self) -> None:
        if self.refuses():
            return
        wanted = parse_qs(urlsplit(self.path).query)
        assert (wanted["labels"], wanted["state"]) == (["urlset-monitor"], ["all"])
        found = [issue for issue in reversed(self.issues) if issue.get("labels", True)]
        size, page = min(self.page_size, int(wanted["per_page"][0])), int(wanted["page"][0])
        links = [f'<{self.path}>; rel="first"']
        if page * size < len(found):
            links.append(f'<{self.path}&page={page + 1}>; rel="next"')
        self.answer(found[(page - 1) * size : page * size], headers={"Link": ", ".join(links)})

    def do_POST(self) -> None:
        content = self.content()
        if self.refuses():
            return
        if any(isinstance(text, str) and len(text) > self.longest for text in content.values()):
            self.answer({"message": "body is too long"}, 422)
            return
        if not self.takes_labels:
            content["labels"] = []
        elif isinstance(content.get("labels"), str):
            content["labels"] = content["labels"].split(",")
        elif "labels" in content:
            content["labels"] = [{"name": name, "color": "ededed", "default": False} for name in content["labels"]]
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
        if self.refuses():
            return
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

    def refuses(self) -> bool:
        """Send the other answer to this request, if there is one."""
        other = self.refusals.get(f"{self.command} {urlsplit(self.path).path.rpartition('/')[2]}")
        if other is not None:
            status, headers, body = other
            self.answer(body, status, headers)
        return other is not None

    def answer(self, value: object, status: int = 200, headers: Mapping[str, str] = {}) -> None:
        self.requests.append((self.command, urlsplit(self.path).path))
        is_known = TOKEN in (self.headers.get("PRIVATE-TOKEN"), str(self.headers.get("Authorization"))[7:])
        status = status if self.status == 200 and is_known else self.status if is_known else 401
        own = {"X-RateLimit-Limit": "5000", "X-RateLimit-Remaining": "4970", "X-RateLimit-Reset": "1767225600"}
        body = value.encode() if isinstance(value, str) else json.dumps(value).encode()
        self.send_response(status)
        for name, text in {**own, **headers, "Content-Length": str(len(body))}.items():
            self.send_header(name, text)
        self.end_headers()
        self.wfile.write(body)


@pytest.fixture
def service() -> Iterator[tuple[str, type[Service]]]:
    handler = type("OwnService", (Service,), {"issues": [], "comments": [], "requests": [], "refusals": {}})
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
    assert problem == (
        "returned HTTP 403; let the token of URLSET_ISSUE_TOKEN read and write the issues of the project"
    )
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


@dataclass
class Sink:
    """The sink of issues alone, with messages about alarms of two sites."""

    sink: IssueSink
    handler: type[Service]
    waiting: list[Delivery] = field(default_factory=list)

    def add(self, site: str, opened: str | None = None, closed: str | None = None, day: int = 1) -> None:
        at = datetime(2026, 3, day, tzinfo=UTC)
        about = {"site": site, "kind": AlarmKind.FINDING, "name": "A1", "severity": Severity.ERROR}
        make: dict[str, Any] = {**about, "opened_at": at}
        news = [[Alarm(**make, title=title)] if title else [] for title in (opened, closed)]
        over = [Alarm(**make, title=closed, closed_at=at, closed_by=ClosedBy.FIXED)] if closed else []
        content = message_of(site, at.isoformat(), news[0], over, [])
        self.waiting.append(Delivery(len(self.waiting), self.sink.name, content))

    def send(self) -> list[tuple[list[int], str | None, bool]]:
        """Send what waits, and return what became of it; what was not taken waits on."""
        self.handler.requests.clear()
        sent = [
            ([each.delivery_id for each in one.deliveries], one.problem, one.is_refused)
            for one in self.sink.send(self.waiting)
        ]
        done = {number for numbers, problem, is_refused in sent if problem is None or is_refused for number in numbers}
        self.waiting = [each for each in self.waiting if each.delivery_id not in done]
        return sent


@pytest.fixture
def sink_of(
    tmp_path: Path, service: tuple[str, type[Service]], monkeypatch: pytest.MonkeyPatch
) -> Iterator[Callable[[str], Sink]]:
    """Returns the sink for a project on this service."""
    monkeypatch.setenv("URLSET_ISSUE_TOKEN", TOKEN)
    origin, handler = service
    with Session(ReadOptions(), trust_in_none()) as session:

        def make(name: str) -> Sink:
            for kept in (handler.issues, handler.comments, handler.refusals):
                kept.clear()
            path = tmp_path / "monitor.toml"
            issue = f'project = "{origin}/acme/site"\nservice = "{name}"\ntoken-env = "URLSET_ISSUE_TOKEN"\n'
            path.write_text(f'[[site]]\nurl = "{SITE}"\n[issue]\n{issue}')
            spec = load_monitor(path, ["URLSET_ISSUE_TOKEN"]).issue
            assert spec is not None
            return Sink(IssueSink(spec, lambda: session.sinks([spec.api_url], 10)), handler)

        yield make


LIST, OPEN, CHANGE, COMMENT, NOTE = "GET issues", "POST issues", "PATCH 1", "POST comments", "POST notes"
TOKEN_OF = "the token of URLSET_ISSUE_TOKEN"
CHANGE_OF = f"let {TOKEN_OF} change issue 1, unlock it, or remove its label urlset-monitor to get a new one"

# What stops a project, by service, request, status, headers, and body. The messages are those of octokit/fixtures, of
# https://docs.gitlab.com/administration/settings/user_and_ip_rate_limits/, and of what users reported:
# ansible/ansibullbot#845, mozilla-mobile/firefox-android@6e9f56f, KnpLabs/php-github-api#1070,
# fh1ch/passport-gitlab2#5.
PROJECT_REFUSALS: dict[str, tuple[str, str, int, dict[str, str], object, str]] = {
    "a token that expired": (
        "github", LIST, 401, {}, {"message": "Bad credentials", "status": "401"},
        "returned HTTP 401 (Bad credentials); set URLSET_ISSUE_TOKEN to a token that is valid",
    ),
    "a project that is not there": (
        "github", LIST, 404, {}, {"message": "Not Found", "status": "404"},
        f"returned HTTP 404 (Not Found); check `project`, and that {TOKEN_OF} may read and write its issues",
    ),
    "a project that was renamed": (
        "github", LIST, 301, {"Location": "https://api.github.com/repositories/515436299"},
        {"message": "Moved Permanently", "url": "https://api.github.com/repositories/515436299"},
        "returned HTTP 301 (Moved Permanently); the project was renamed or moved: set `project` to its new URL",
    ),
    "a token that may only read": (
        "github", OPEN, 403, {}, {"message": "Resource not accessible by personal access token"},
        f"returned HTTP 403 (Resource not accessible by personal access token); let {TOKEN_OF} read and write the "
        "issues of the project",
    ),
    "issues that are turned off": (
        "github", OPEN, 410, {}, {"message": "Issues are disabled for this repo"},
        "returned HTTP 410 (Issues are disabled for this repo); turn on the issues of the project, or set another "
        "`project`",
    ),
    "a primary limit": (
        "github", LIST, 403, {"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "1767225600"},
        {"message": "API rate limit exceeded for ID 1."},
        "returned HTTP 403 (API rate limit exceeded for ID 1); it takes requests again at 2026-01-01 00:00 UTC",
    ),
    "a primary limit with a reset that is no time": (
        "github", LIST, 429, {"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "9" * 30}, {}, "returned HTTP 429",
    ),
    "a secondary limit without a time": (
        "github", LIST, 403, {},
        {"message": "You have exceeded a secondary rate limit. Please wait a few minutes before you try again."},
        "returned HTTP 403 (You have exceeded a secondary rate limit. Please wait a few minutes before you try again)",
    ),
    "a secondary limit": (
        "github", OPEN, 403, {"Retry-After": "Thu, 01 Jan 2026 00:00:00 GMT"},
        {"message": "You have exceeded a secondary rate limit and have been temporarily blocked."},
        "returned HTTP 403 (You have exceeded a secondary rate limit and have been temporarily blocked); it takes "
        "requests again at ",
    ),
    "a message with the token": (
        "github", LIST, 403, {}, {"message": f"no {TOKEN}\u001b[2J"},
        f"returned HTTP 403 (no ***\\u{{1b}}[2J); let {TOKEN_OF} read and write the issues of the project",
    ),
    "GitLab, a token that expired": (
        "gitlab", LIST, 401, {}, {"message": "401 Unauthorized"},
        "returned HTTP 401 (401 Unauthorized); set URLSET_ISSUE_TOKEN to a token that is valid",
    ),
    "GitLab, a scope that lacks": (
        "gitlab", OPEN, 403, {},
        {"error": "insufficient_scope", "error_description": "The request requires higher privileges", "scope": "api"},
        f"returned HTTP 403 (The request requires higher privileges); let {TOKEN_OF} read and write the issues of the "
        "project",
    ),
    "GitLab, a project that is not there": (
        "gitlab", LIST, 404, {}, {"message": "404 Project Not Found"},
        f"returned HTTP 404 (404 Project Not Found); check `project`, and that {TOKEN_OF} may read and write its "
        "issues",
    ),
    "GitLab, a limit": (
        "gitlab", LIST, 429, {"RateLimit-Remaining": "0", "Retry-After": "Thu, 01 Jan 2026 00:00:00 GMT"},
        "Retry later\n", "returned HTTP 429; it takes requests again at ",
    ),
    "an answer that is no list": (
        "github", LIST, 200, {}, {"message": "hello"}, "the response is not a list of issues",
    ),
    "a server that fails": ("gitlab", LIST, 503, {}, "<html>busy</html>", "returned HTTP 503"),
}  # fmt: skip


@case_table("name,request_of,status,headers,body,reason", PROJECT_REFUSALS)
def test_what_stops_a_project_is_asked_once_a_round_and_loses_nothing(
    sink_of: Callable[[str], Sink],
    name: str,
    request_of: str,
    status: int,
    headers: dict[str, str],
    body: object,
    reason: str,
) -> None:
    sink = sink_of(name)
    sink.add("https://a.example", "wrong")
    sink.add("https://b.example", "also wrong")
    sink.handler.refusals[request_of] = (status, headers, body)
    for _ in range(2):
        [(numbers, problem, is_refused)] = sink.send()
        assert (numbers, is_refused) == ([0], False)
        assert problem is not None
        assert problem == reason or (reason.endswith(" at ") and problem.startswith(reason))
        assert len([one for one in sink.handler.requests if one[0] == request_of.partition(" ")[0]]) == 1
    sink.handler.refusals.clear()
    sink.add("https://a.example", closed="wrong", day=2)
    sink.add("https://a.example", "worse", day=3)
    assert sink.send() == [([0, 2, 3], None, False), ([1], None, False)]
    assert [issue["title"].partition(": ")[2] for issue in sink.handler.issues] == [
        "https://a.example: 1 open alarm",
        "https://b.example: 1 open alarm",
    ]
    assert sink.send() == []


# What stops one issue: renovatebot/renovate#6215, digitaldrywood/detent#1540, dust-tt/dust#10314
ISSUE_REFUSALS: dict[str, tuple[str, str, int, object, str]] = {
    "locked": (
        "github", COMMENT, 403, {"message": "Unable to create comment because issue is locked."},
        f"returned HTTP 403 (Unable to create comment because issue is locked); {CHANGE_OF}",
    ),
    "full": (
        "github", COMMENT, 403, {"message": "Commenting is disabled on issues with more than 2500 comments"},
        f"returned HTTP 403 (Commenting is disabled on issues with more than 2500 comments); {CHANGE_OF}",
    ),
    "deleted meanwhile": (
        "github", CHANGE, 410, {"message": "This issue was deleted"},
        f"returned HTTP 410 (This issue was deleted); {CHANGE_OF}",
    ),
    "GitLab, locked": (
        "gitlab", NOTE, 403, {"message": "403 Forbidden"}, f"returned HTTP 403 (403 Forbidden); {CHANGE_OF}",
    ),
}  # fmt: skip


@case_table("name,request_of,status,body,reason", ISSUE_REFUSALS)
def test_what_stops_one_issue_does_not_hold_back_other_sites(
    sink_of: Callable[[str], Sink], name: str, request_of: str, status: int, body: object, reason: str
) -> None:
    sink = sink_of(name)
    sink.add("https://a.example", "wrong")
    sink.send()
    sink.add("https://a.example", "worse", day=2)
    sink.add("https://b.example", "also wrong", day=2)
    sink.handler.refusals[request_of] = (status, {}, body)
    first, second = [each.delivery_id for each in sink.waiting]
    assert sink.send() == [([first], reason, False), ([second], None, False)]
    sink.add("https://a.example", "worst", day=3)
    [(numbers, problem, _)] = sink.send()
    assert (len(numbers), problem) == (2, reason)
    # Without its label, the issue is not found.
    sink.handler.issues[0]["labels"] = []
    sink.handler.refusals.clear()
    [(_, problem, _)] = sink.send()
    assert (problem, len(sink.handler.issues)) == (None, 3)


# What is never accepted: cpp-linter/cpp-linter#89, https://docs.gitlab.com/api/rest/troubleshooting/
TEXT_REFUSALS: dict[str, tuple[str, int, object, str]] = {
    "too long": (
        "github", 422,
        {
            "message": "Validation Failed",
            "errors": [{"resource": "Issue", "code": "custom", "field": "body", "message": "body is too long"}],
        },
        "returned HTTP 422 (Validation Failed: body is too long)",
    ),
    "without words": (
        "github", 422, {"message": "Validation Failed", "errors": [{"code": "invalid", "field": "labels"}]},
        "returned HTTP 422 (Validation Failed: labels invalid)",
    ),
    "GitLab, too long": (
        "gitlab", 400, {"message": {"title": ["is too long (maximum is 255 characters)"]}},
        "returned HTTP 400 (title is too long (maximum is 255 characters))",
    ),
    "GitLab, spam": (
        "gitlab", 400, {"message": {"error": "Your issue has been recognized as spam and has been discarded."}},
        "returned HTTP 400 (error Your issue has been recognized as spam and has been discarded)",
    ),
    "an error of many levels": (
        "gitlab", 400, {"message": {"a": {"b": {"c": {"d": {"e": "f"}}}}}}, "returned HTTP 400 (a b c d)",
    ),
}  # fmt: skip


@case_table("name,status,body,reason", TEXT_REFUSALS)
def test_a_text_that_is_not_accepted_is_not_sent_again(
    sink_of: Callable[[str], Sink], name: str, status: int, body: object, reason: str
) -> None:
    sink = sink_of(name)
    sink.add("https://a.example", "wrong")
    sink.add("https://b.example", "also wrong")
    sink.handler.refusals[OPEN] = (status, {}, body)
    assert sink.send() == [([0], reason, True), ([1], reason, True)]
    assert sink.send() == []
    sink.handler.refusals.clear()
    sink.add("https://a.example", "worse")
    assert [problem for _, problem, _ in sink.send()] == [None]
    assert len(sink.handler.issues) == 1


def test_what_waited_is_told_in_one_comment(sink_of: Callable[[str], Sink]) -> None:
    sink = sink_of("github")
    sink.add("https://a.example", "wrong")
    sink.send()
    sink.add("https://a.example", closed="wrong", day=2)
    sink.add("https://a.example", "worse", day=3)
    sink.send()
    [comment] = sink.handler.comments
    assert comment.split("\n") == [
        "", "`2026-03-02`:", "", "- over: `wrong`", "", "`2026-03-03`:", "", "- **error** `worse`",
    ]  # fmt: skip


@pytest.mark.parametrize("name", ["github", "gitlab"])
def test_alarms_that_ended_while_the_service_was_away_are_told(sink_of: Callable[[str], Sink], name: str) -> None:
    sink = sink_of(name)
    sink.add("https://a.example", "over now")
    sink.add("https://a.example", closed="over now", day=2)
    sink.add("https://b.example", "over, too")
    sink.add("https://b.example", "wrong", closed="over, too", day=2)
    assert [problem for _, problem, _ in sink.send()] == [None, None]
    over, still = sink.handler.issues
    text = "description" if name == "gitlab" else "body"
    assert (over["state"], over[text].partition("\n")[0]) == ("closed", "No alarm is open.")
    assert (still["state"] != "closed", still[text].partition("\n")[0]) == (True, "- **error** `wrong`")
    assert [re.findall("`([^`]+)`", comment) for comment in sink.handler.comments] == [
        ["2026-03-01", "over now", "2026-03-02", "over now"],
        ["2026-03-01", "over, too", "2026-03-02", "wrong", "over, too"],
    ]
    # The end of an alarm that nobody was told of here, such as one from before the issues were turned on.
    sink.add("https://c.example", closed="wrong", day=3)
    assert [problem for _, problem, _ in sink.send()] == [None]
    assert len(sink.handler.issues) == 2


@pytest.mark.parametrize("name", ["github", "gitlab"])
def test_the_issue_is_found_on_a_later_page_that_is_shorter_than_asked(
    sink_of: Callable[[str], Sink], name: str
) -> None:
    sink = sink_of(name)
    for number in range(7):
        sink.add(f"https://{number}.example", "wrong")
    sink.send()
    sink.handler.page_size = 3
    sink.add("https://0.example", "worse", day=2)
    assert [problem for _, problem, _ in sink.send()] == [None]
    assert (len(sink.handler.issues), len(sink.handler.comments)) == (7, 1)
    update = "PUT" if name == "gitlab" else "PATCH"
    assert [method for method, _ in sink.handler.requests] == ["GET", "GET", "GET", update, "POST"]


def test_a_round_says_what_is_refused_and_forgets_it(
    rounds: Callable[..., Simulated], service: tuple[str, type[Service]]
) -> None:
    _, handler = service
    monitored = rounds("github")
    monitored.round()
    handler.refusals[OPEN] = (422, {}, {"message": "Validation Failed"})
    monitored.problems["A1"] = "wrong"
    result = monitored.round()
    assert (result.undelivered, [*result.refused.values()]) == ({}, ["returned HTTP 422 (Validation Failed)"])
    assert not {**(after := monitored.round()).undelivered, **after.refused}
    handler.refusals.clear()
    monitored.problems["B2"] = "also wrong"
    monitored.round()
    [issue] = handler.issues
    assert issue["title"].endswith(": 2 open alarms")


def test_a_refused_end_of_all_alarms_is_sent_again(
    rounds: Callable[..., Simulated], service: tuple[str, type[Service]]
) -> None:
    _, handler = service
    monitored = rounds("github")
    monitored.round()
    monitored.problems["A1"] = "wrong"
    monitored.round()
    [issue] = handler.issues
    handler.refusals[CHANGE] = (422, {}, {"message": "spammed"})
    monitored.problems.clear()
    result = monitored.round()
    assert (len(result.undelivered), result.refused) == (1, {})
    handler.refusals.clear()
    assert not monitored.round().undelivered
    assert issue["state"] == "closed"
