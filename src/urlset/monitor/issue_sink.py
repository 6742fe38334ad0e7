"""Keeps one issue per site up to date on GitHub or GitLab: what is open, and a comment on what is new.

The issue is found by its label and a mark in its text, so that nothing of it is stored. All that waits for a site is
told at once. What the token or the project stops waits, with one request per round; what an issue stops waits without
holding back other sites; a text that the service does not accept is not sent again.
https://docs.github.com/en/rest/issues/issues, https://docs.gitlab.com/api/issues/
"""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from enum import Enum, auto
from hashlib import sha256
from http import HTTPStatus
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import quote

from msgspec import Struct

from urlset.fetch import read_bytes
from urlset.fetch.politeness import seconds_of
from urlset.files.structured import decode_json
from urlset.model.monitoring import ClosedBy, Message, Sent
from urlset.net.origin import origin_url
from urlset.text.safe import code_span, quote_message, safe, shorten
from urlset.text.sizes import MiB, quantity

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

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


MOVED = frozenset({HTTPStatus.MOVED_PERMANENTLY, HTTPStatus.TEMPORARY_REDIRECT, HTTPStatus.PERMANENT_REDIRECT})
"""Answers to requests for a project that was renamed. They are not followed, since they would get the token."""

NOT_ACCEPTED = frozenset({HTTPStatus.BAD_REQUEST, HTTPStatus.REQUEST_ENTITY_TOO_LARGE, HTTPStatus.UNPROCESSABLE_ENTITY})
"""Answers to a text that is not accepted: 422 of GitHub, 400 of GitLab."""

DENIED = frozenset({HTTPStatus.FORBIDDEN, HTTPStatus.NOT_FOUND, HTTPStatus.GONE})
"""Answers to what the token may not do, or what is not there, such as comments on an issue that is locked."""

MAX_DEPTH = 4
"""Levels of the body of an error to read."""


class _Reach(Enum):
    """What a service refuses, and would refuse again."""

    MESSAGE = auto()
    """This text, whenever it is sent."""
    ISSUE = auto()
    """Changes of the issue of one site, until somebody changes it."""
    PROJECT = auto()
    """All requests, until somebody changes the token or the project, or for some time."""


class _RefusedError(Exception):
    """The service did not do it; the reason is a message."""

    def __init__(self, reason: str, reach: _Reach = _Reach.PROJECT) -> None:
        super().__init__(reason)
        self.reach = reach


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
        self._spec, self._service, self._fetcher = spec, _service_of(spec), fetcher
        self.name = f"issue {origin_url(spec.project)}/{spec.path}"

    def send(self, deliveries: Sequence[Delivery]) -> Iterator[Sent]:
        by_site: dict[str, tuple[list[Delivery], list[Message]]] = {}
        for delivery in deliveries:
            message = decode_json(delivery.content, Message)
            waiting, messages = by_site.setdefault(message.site, ([], []))
            waiting.append(delivery)
            messages.append(message)
        for waiting, messages in by_site.values():
            problems = [delivery.problem for delivery in waiting if delivery.problem is not None]
            try:
                self._update(messages, problems)
            except _RefusedError as refusal:
                # No later message closes an issue whose alarms are all over.
                last = messages[-1]
                is_refused = refusal.reach is _Reach.MESSAGE and bool(last.opened or last.still_open)
                yield Sent(deliveries=tuple(waiting), problem=str(refusal), is_refused=is_refused)
                if refusal.reach is _Reach.PROJECT:
                    return
            else:
                yield Sent(deliveries=tuple(waiting))

    def _update(self, messages: Sequence[Message], problems: Sequence[str]) -> None:
        """Bring the issue of a site up to date with the last one of some messages, and tell the news of all of them.

        A new issue has the alarms that are open, so a comment is only about those that ended while the messages waited.
        """
        message = messages[-1]
        mark = f"<!-- {LABEL} {sha256(message.site.encode()).hexdigest()[:16]} -->"
        alarms = (*message.opened, *message.still_open)
        issue = self._find(mark)
        content: dict[str, object] = {
            "title": f"urlset monitor: {shorten(safe(message.site), MAX_NAME)}: {quantity(len(alarms), 'open alarm')}",
            self._service.text: "\n".join([*_text(alarms), "", mark]),
        }
        if issue is None:
            for problem in problems:
                if problem.startswith(NOT_LABELED):
                    raise _RefusedError(problem, _Reach.ISSUE)
            if not any(waiting.opened for waiting in messages) and not alarms:
                return
            number, is_open = self._open(content), True
            if number is None or not any(waiting.closed for waiting in messages):
                return
        else:
            number, is_open = issue
        if self._service.is_gitlab:
            # A change of the state that changes nothing is an error.
            event = {"state_event": "reopen" if alarms else "close"} if bool(alarms) != is_open else {}
        else:
            event = {"state": "open" if alarms else "closed"}
        path = f"{self._service.issues}/{number:d}"
        self._call(self._service.update, path, {**content, **event}, number)
        # Last, so that a message that is sent again has no second comment.
        news = "\n".join(_bounded(_news(messages)))
        self._call("POST", f"{path}/{self._service.comments}", {"body": news}, number)

    def _open(self, content: Mapping[str, object]) -> int | None:
        labels: object = LABEL if self._service.is_gitlab else [LABEL]
        created, _ = self._call("POST", self._service.issues, {**content, "labels": labels})
        try:
            issue = decode_json(created, _Issue)
        except ValueError:
            raise _RefusedError("the response is not an issue") from None
        number = issue.iid if self._service.is_gitlab else issue.number
        if number is not None and not issue.labels:
            # Labels of those who may not label are dropped, and an issue without its label is not found again.
            raise _RefusedError(f"{NOT_LABELED} {number:d}", _Reach.ISSUE)
        return number

    def _find(self, mark: str) -> tuple[int, bool] | None:
        """Return the number of the issue of a site, and whether it is open; the newest one if there are several."""
        for page in range(1, MAX_PAGES + 1):
            query = f"?state=all&labels={LABEL}&per_page={PER_PAGE}&page={page}"
            content, answer = self._call("GET", self._service.issues + query)
            try:
                issues = decode_json(content, list[_Issue])
            except ValueError:
                raise _RefusedError("the response is not a list of issues") from None
            for issue in issues:
                number = issue.iid if self._service.is_gitlab else issue.number
                text = issue.description if self._service.is_gitlab else issue.body
                if number is not None and text is not None and text.rstrip().rpartition("\n")[2] == mark:
                    return number, issue.state != "closed"
            # A service may have fewer issues on a page than the request allows.
            if len(issues) < PER_PAGE and 'rel="next"' not in answer.headers.get("link", ""):
                return None
        raise _RefusedError(f"more than {PER_PAGE * MAX_PAGES:,} issues have the label {LABEL}")

    def _call(
        self, method: str, path: str, body: Mapping[str, object] | None = None, issue: int | None = None
    ) -> tuple[bytes, Response]:
        """Send a request, and return the content of the response.

        Args:
            issue: The number of the issue that it changes.

        Raises:
            _RefusedError: The service did not do it.
        """
        headers = dict(self._service.headers)
        if body is not None:
            headers["Content-Type"] = "application/json"
        sent = None if body is None else json.dumps(body).encode()
        answer = self._fetcher().call(
            method, self._spec.api_url + path, headers=headers, body=sent, max_bytes=MAX_RESPONSE_BYTES
        )
        content = read_bytes(answer.content, MAX_RESPONSE_BYTES)
        answer.close()
        if answer.error_kind is None and answer.status in (HTTPStatus.OK, HTTPStatus.CREATED):
            return content, answer
        raise self._refusal(answer, content, issue, has_text=body is not None)

    def _refusal(self, answer: Response, content: bytes, issue: int | None, *, has_text: bool) -> _RefusedError:
        """Return why a request was refused, and what to do."""
        status = answer.status
        if answer.error_kind is not None or status is None:
            return _RefusedError(answer.reason or "no response")
        # The message is that of a server, which has the token.
        said = quote_message(_words(content).replace(self._spec.token, "***")).rstrip(".")
        reason = f"returned HTTP {status}" + (f" ({said})" if said else "")
        if _is_limit(answer, said):
            until = _allowed_at(answer)
            when = "" if until is None else f"; it takes requests again at {until:%Y-%m-%d %H:%M} UTC"
            return _RefusedError(reason + when)
        if status in NOT_ACCEPTED and has_text:
            return _RefusedError(reason, _Reach.MESSAGE)
        token = f"the token of {self._spec.token_env}"
        if issue is not None and status in DENIED:
            way_out = f"let {token} change issue {issue:d}, unlock it, or remove its label {LABEL} to get a new one"
            return _RefusedError(f"{reason}; {way_out}", _Reach.ISSUE)
        if status in MOVED:
            return _RefusedError(f"{reason}; the project was renamed or moved: set `project` to its new URL")
        match status:
            case HTTPStatus.UNAUTHORIZED:
                return _RefusedError(f"{reason}; set {self._spec.token_env} to a token that is valid")
            case HTTPStatus.FORBIDDEN:
                return _RefusedError(f"{reason}; let {token} read and write the issues of the project")
            case HTTPStatus.NOT_FOUND:
                return _RefusedError(f"{reason}; check `project`, and that {token} may read and write its issues")
            case HTTPStatus.GONE:
                return _RefusedError(f"{reason}; turn on the issues of the project, or set another `project`")
            case _:
                return _RefusedError(reason)


def _is_limit(answer: Response, said: str) -> bool:
    """Return whether the service takes no requests for some time. GitHub also says so with 403.

    https://docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api
    """
    if answer.status != HTTPStatus.FORBIDDEN:
        return answer.status == HTTPStatus.TOO_MANY_REQUESTS
    headers = answer.headers
    return "retry-after" in headers or headers.get("x-ratelimit-remaining") == "0" or "rate limit" in said.lower()


def _allowed_at(answer: Response) -> datetime | None:
    """Return when the service takes requests again, UTC; None if it does not say so.

    https://docs.gitlab.com/administration/settings/user_and_ip_rate_limits/#response-headers
    """
    headers = answer.headers
    if (wait := seconds_of(headers.get("retry-after"), answer.fetched_at)) is not None:
        return answer.fetched_at + timedelta(seconds=wait)
    reset = headers.get("x-ratelimit-reset", "")
    if headers.get("x-ratelimit-remaining") != "0" or not (reset.isascii() and reset.isdigit() and len(reset) <= 10):
        return None
    return datetime.fromtimestamp(int(reset), UTC)


def _words(content: bytes) -> str:
    """Return what the body of an error says; nothing if it is not JSON."""
    try:
        facts = decode_json(content)
    except ValueError:
        return ""
    if not isinstance(facts, dict):
        return ""
    said = (facts.get("message"), facts.get("error_description") or facts.get("error"), facts.get("errors"))
    return ": ".join(filter(None, map(_flat, said)))


def _flat(value: object, depth: int = MAX_DEPTH) -> str:
    """Return an error as a text. GitHub has a list of objects, GitLab lists by field."""
    if isinstance(value, str):
        return value
    if depth and isinstance(value, list):
        return ", ".join(filter(None, (_flat(part, depth - 1) for part in value)))
    if depth and isinstance(value, dict):
        if "message" in value:
            return _flat(value["message"], depth - 1)
        if "field" in value:
            return f"{_flat(value['field'], 0)} {_flat(value.get('code'), 0)}"
        return ", ".join(f"{field} {_flat(part, depth - 1)}" for field, part in value.items())
    return ""


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


def _news(messages: Sequence[Message]) -> Iterable[str]:
    for message in messages:
        if len(messages) > 1:
            yield from ("", f"{code_span(message.at[:10])}:", "")
        for alarm in message.opened:
            yield from _alarm(alarm)
        for alarm in message.closed:
            yield f"- {(alarm.closed_by or ClosedBy.USUAL).words}: {code_span(alarm.title)}"
