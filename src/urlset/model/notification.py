"""Result of `notify`: what changed, what was sent to which endpoint, and what was not sent and why."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

from urlset.errors import ExitCode
from urlset.model.result import with_short_repr

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path


class NoticeKind(StrEnum):
    """Why a URL is sent."""

    NEW = "new"
    """Only the later side lists it."""
    CHANGED = "changed"
    """Its lastmod is later than before, or, without a lastmod, its content changed."""
    REMOVED = "removed"
    """It is no longer listed, and returns 404 or 410, or redirects."""
    GIVEN = "given"
    """Standard input names it."""


class NotSent(StrEnum):
    """Why a URL that differs, or was named, is not sent."""

    SAME_CONTENT = "same-content"
    """Its lastmod is later, but the content of the page is the same."""
    NO_LATER_LASTMOD = "no-later-lastmod"
    """Its lastmod was added, removed, rewritten, or moved back."""
    LASTMOD_UNCHANGED = "lastmod-unchanged"
    """Its content changed, but its lastmod did not."""
    STILL_THERE = "still-there"
    """It is no longer listed, but its page still exists."""
    UNKNOWN = "unknown"
    """It is no longer listed, and the server does not say whether it is gone."""
    NO_RESPONSE = "no-response"
    """It is no longer listed, and its page could not be requested, or did not respond."""
    NOT_A_URL = "not-a-url"
    """It is not an absolute http(s) URL."""


class UrlChange(StrEnum):
    """How a URL that is sent differs from the URL that is listed or named."""

    ESCAPED = "escaped"
    """Characters that RFC 3986 does not allow there are percent-encoded, or the host is in ASCII."""
    FRAGMENT_REMOVED = "fragment-removed"
    """It had a fragment, which is not part of the URL of a page."""
    CREDENTIALS_REMOVED = "credentials-removed"
    """It had a user name or password, which search engines must not receive."""


@dataclass(frozen=True, slots=True)
class NewKey:
    """A key that was made.

    Attributes:
        key: The key.
        path: Its file.
    """

    key: str
    path: Path


@dataclass(frozen=True, slots=True)
class Notice:
    """A URL to send.

    Attributes:
        url: The URL.
        kind: Why it is sent.
        version: What distinguishes this state of the page from others, such as its lastmod; the ledger records it.
    """

    url: str
    kind: NoticeKind
    version: str


class NotifyOutcome(StrEnum):
    """How sending ended."""

    SENT = "sent"
    """Everything was accepted, or there was nothing to send."""
    DRY_RUN = "dry-run"
    """Nothing was sent, as requested."""
    REFUSED = "refused"
    """An endpoint refused URLs or a key, or every endpoint received too many requests."""
    UNREACHABLE = "unreachable"
    """No endpoint could be reached."""


_EXIT_CODES = {NotifyOutcome.REFUSED: ExitCode.FINDINGS, NotifyOutcome.UNREACHABLE: ExitCode.UNREADABLE}


@dataclass(frozen=True, slots=True)
class HostNotices:
    """The URLs of a host that have to be sent.

    Attributes:
        host: The host, with its port if that is not the default.
        urls: Number of URLs to send.
        accepted: Number of URLs that were accepted.
        key_location: URL of the key file; None in a dry run without a key.
    """

    host: str
    urls: int
    accepted: int = 0
    key_location: str | None = None


@dataclass(frozen=True, slots=True)
class EndpointUse:
    """What one endpoint did.

    Attributes:
        endpoint: Its URL; passwords are masked.
        accepted: Number of URLs that it accepted.
        statuses: Number of responses by status code; 0 stands for requests without a response.
        problem: Its last response that did not accept URLs, as a message; None if it accepted all.
    """

    endpoint: str
    accepted: int
    statuses: Mapping[int, int]
    problem: str | None = None


@with_short_repr
@dataclass(frozen=True, slots=True)
class NotifyResult:
    """Result of `notify`.

    Attributes:
        outcome: How sending ended.
        found: Number of URLs by kind, before those that were already accepted are left out.
        not_sent: Number of URLs that are not sent, by reason.
        already: Number of URLs that an endpoint accepted in this version before.
        examples: The first URLs to send, of each kind.
        hosts: The URLs to send, by host.
        listed: Number of URLs that the larger side lists; None for URLs from standard input.
        ledger: The store that records what was accepted.
        endpoints: What each endpoint did, in the order in which they are tried.
        reason: Why sending stopped, as a message; None if it did not.
        altered: Number of URLs that are sent in another form than they are listed in, by what differs.
    """

    outcome: NotifyOutcome
    found: Mapping[NoticeKind, int]
    not_sent: Mapping[NotSent, int]
    already: int
    examples: tuple[Notice, ...]
    hosts: tuple[HostNotices, ...]
    listed: int | None
    ledger: Path
    endpoints: tuple[EndpointUse, ...] = ()
    reason: str | None = None
    altered: Mapping[UrlChange, int] = field(default_factory=dict)

    @property
    def urls(self) -> int:
        """Number of URLs that had to be sent."""
        return sum(host.urls for host in self.hosts)

    @property
    def accepted(self) -> int:
        """Number of URLs that were accepted."""
        return sum(host.accepted for host in self.hosts)

    @property
    def exit_code(self) -> ExitCode:
        return _EXIT_CODES.get(self.outcome, ExitCode.CLEAN)
