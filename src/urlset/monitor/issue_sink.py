"""Keeps one issue per site up to date on GitHub or GitLab: what is open, and a comment on what is new.

The issue is found by its label and a mark in its text, so that nothing of it is stored.
https://docs.github.com/en/rest/issues/issues, https://docs.gitlab.com/api/issues/
"""

from __future__ import annotations

import json
from hashlib import sha256
from http import HTTPStatus
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import quote

from msgspec import Struct

from urlset.fetch import read_bytes
from urlset.files.structured import decode_json
from urlset.model.monitoring import ClosedBy, Message
from urlset.net.origin import origin_url
from urlset.text.safe import code_span, safe, shorten
from urlset.text.sizes import MiB, quantity

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from urlset.fetch.fetcher import Fetcher
    from urlset.fetch.response import Response
    from urlset.model.monitoring import AlarmInMessage, Delivery
    from urlset.options.monitoring import IssueSpec

LABEL = "urlset-monitor"
"""The label of the issues. Only those who may label issues of a project can make one look like it."""

NOT_LABELED = f"the token may not label issues; add the label {LABEL} to issue"
"""Begins the reason, which ends with the number of the issue."""

PER_PAGE, MAX_PAGES = 100, 10
"""Issues with the label per request, and requests at most."""

MAX_LENGTH = 50_000
"""Characters of the lines of an issue or a comment; GitHub takes 65,536 with the mark."""

MAX_NAME = 150
"""Characters of the site in the title, of which GitHub takes 256."""

MAX_RESPONSE_BYTES = 16 * MiB
"""Maximum bytes of a response to read: 100 issues with long texts."""


class _Issue(Struct):
    """An issue in a response; GitHub has `number` and `body`, GitLab `iid` and `description`."""

    number: int | None = None
    iid: int | None = None
    state: str = ""
    body: str | None = None
    description: str | None = None
    labels: list[object] | None = None


class _RefusedError(Exception):
    """The service did not do it; the reason is a message."""


class _Service(NamedTuple):
    """How the API of a service is called.

    Attributes:
        issues: Path of the issues of the project.
        text: The field with the text of an issue.
        update: The method that changes one.
        comments: Path of its comments, below the issue.
    """

    issues: str
    headers: Mapping[str, str]
    text: str
    update: str
    comments: str
    is_gitlab: bool


def _service_of(spec: IssueSpec) -> _Service:
    if spec.is_gitlab:
        path = f"/projects/{quote(spec.path, safe='')}/issues"
        return _Service(path, {"PRIVATE-TOKEN": spec.token}, "description", "PUT", "notes", is_gitlab=True)
    headers = {
        "Authorization": f"Bearer {spec.token}",
        "Accept": "application/vnd.github+json",
        "X-GitHub-Api-Version": "2022-11-28",
    }
    return _Service(f"/repos/{quote(spec.path)}/issues", headers, "body", "PATCH", "comments", is_gitlab=False)


class IssueSink:
    """Opens an issue for the alarms of a site, keeps its text up to date, and closes it with the last alarm."""

    def __init__(self, spec: IssueSpec, fetcher: Callable[[], Fetcher]) -> None:
        self._api, self._service, self._fetcher = spec.api_url, _service_of(spec), fetcher
        self.name = f"issue {origin_url(spec.project)}/{spec.path}"

    def send(self, delivery: Delivery) -> str | None:
        message = decode_json(delivery.content, Message)
        try:
            self._update(message, delivery.problem or "")
        except _RefusedError as failure:
            return str(failure)
        return None

    def _update(self, message: Message, problem: str) -> None:
        mark = f"<!-- {LABEL} {sha256(message.site.encode()).hexdigest()[:16]} -->"
        alarms = (*message.opened, *message.still_open)
        issue = self._find(mark)
        content: dict[str, object] = {
            "title": f"urlset monitor: {shorten(safe(message.site), MAX_NAME)}: {quantity(len(alarms), 'open alarm')}",
            self._service.text: "\n".join([*_text(alarms), "", mark]),
        }
        if issue is None:
            if problem.startswith(NOT_LABELED):
                raise _RefusedError(problem)
            if alarms:
                self._open(content)
            return
        number, is_open = issue
        if self._service.is_gitlab:
            # A change of the state that changes nothing is an error.
            event = {"state_event": "reopen" if alarms else "close"} if bool(alarms) != is_open else {}
        else:
            event = {"state": "open" if alarms else "closed"}
        path = f"{self._service.issues}/{number:d}"
        self._call(self._service.update, path, {**content, **event})
        # Last, so that a message that is sent again has no second comment.
        self._call("POST", f"{path}/{self._service.comments}", {"body": "\n".join(_bounded(_news(message)))})

    def _open(self, content: Mapping[str, object]) -> None:
        labels: object = LABEL if self._service.is_gitlab else [LABEL]
        answer = self._call("POST", self._service.issues, {**content, "labels": labels})
        try:
            issue = decode_json(answer, _Issue)
        except ValueError:
            raise _RefusedError("the response is not an issue") from None
        number = issue.iid if self._service.is_gitlab else issue.number
        if number is not None and not issue.labels:
            # Labels of those who may not label are dropped, and an issue without its label is not found again.
            raise _RefusedError(f"{NOT_LABELED} {number:d}")

    def _find(self, mark: str) -> tuple[int, bool] | None:
        """Return the number of the issue of a site, and whether it is open; the newest one if there are several."""
        for page in range(1, MAX_PAGES + 1):
            query = f"?state=all&labels={LABEL}&per_page={PER_PAGE}&page={page}"
            content = self._call("GET", self._service.issues + query)
            try:
                issues = decode_json(content, list[_Issue])
            except ValueError:
                raise _RefusedError("the response is not a list of issues") from None
            for issue in issues:
                number = issue.iid if self._service.is_gitlab else issue.number
                text = issue.description if self._service.is_gitlab else issue.body
                if number is not None and text is not None and text.rstrip().rpartition("\n")[2] == mark:
                    return number, issue.state != "closed"
            if len(issues) < PER_PAGE:
                return None
        raise _RefusedError(f"more than {PER_PAGE * MAX_PAGES:,} issues have the label {LABEL}")

    def _call(self, method: str, path: str, body: Mapping[str, object] | None = None) -> bytes:
        headers = dict(self._service.headers)
        if body is not None:
            headers["Content-Type"] = "application/json"
        sent = None if body is None else json.dumps(body).encode()
        answer = self._fetcher().call(
            method, self._api + path, headers=headers, body=sent, max_bytes=MAX_RESPONSE_BYTES
        )
        return _content(answer)


def _content(answer: Response) -> bytes:
    content = read_bytes(answer.content, MAX_RESPONSE_BYTES)
    answer.close()
    if answer.status in (HTTPStatus.OK, HTTPStatus.CREATED):
        return content
    if answer.status in (HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN, HTTPStatus.NOT_FOUND):
        raise _RefusedError(
            f"returned HTTP {answer.status}; the token may not have access to the issues of the project"
        )
    raise _RefusedError(answer.reason or f"returned HTTP {answer.status}")


def _text(alarms: Sequence[AlarmInMessage]) -> list[str]:
    """Return the text of an issue. What is from outside is in code spans, which mention nobody and link nothing."""
    if not alarms:
        return ["No alarm is open."]
    return _bounded(line for alarm in alarms for line in _alarm(alarm))


def _bounded(lines: Iterable[str]) -> list[str]:
    """Return the first lines that fit, and how many more there are."""
    fitting, length, more = list[str](), 0, 0
    for line in lines:
        length += len(line) + 1
        if length > MAX_LENGTH:
            more += 1
        else:
            fitting.append(line)
    return [*fitting, f"- and {quantity(more, 'more line')}"] if more else fitting


def _alarm(alarm: AlarmInMessage) -> Iterable[str]:
    yield f"- **{alarm.severity}** {code_span(alarm.title)}"
    yield from (f"  - {code_span(detail)}" for detail in alarm.details)


def _news(message: Message) -> Iterable[str]:
    for alarm in message.opened:
        yield from _alarm(alarm)
    for alarm in message.closed:
        yield f"- {(alarm.closed_by or ClosedBy.USUAL).words}: {code_span(alarm.title)}"
