"""Result of `notify`: what changed, what was sent to which endpoint, and what was not sent and why."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path
from typing import Annotated

from msgspec import Struct, field

from urlset.errors import ExitCode
from urlset.model.fields import NonNegativeInt, about, computed
from urlset.model.result import with_short_repr


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


class NewKey(Struct, frozen=True):
    """A key that was made."""

    key: Annotated[str, about("The key.")]
    path: Annotated[Path, about("Its file.")] = field(name="file")


class Notice(Struct, frozen=True):
    """A URL to send."""

    url: Annotated[str, about("The URL.")]
    kind: Annotated[NoticeKind, about("Why it is sent.")]
    version: Annotated[
        str, about("What distinguishes this state of the page from others, such as its lastmod; the ledger records it.")
    ]


class NotifyOutcome(StrEnum):
    """How sending ended."""

    SENT = "sent"
    """Everything was accepted, or there was nothing to send."""
    DRY_RUN = "dry-run"
    """Nothing was sent, as requested."""
    REFUSED = "refused"
    """An endpoint refused URLs or a key, or every endpoint received too many requests."""
    NOT_LIVE = "not-live"
    """Pages did not return their new main text in time, and were not sent."""
    UNREACHABLE = "unreachable"
    """No endpoint could be reached."""


_EXIT_CODES = {
    NotifyOutcome.REFUSED: ExitCode.FINDINGS,
    NotifyOutcome.NOT_LIVE: ExitCode.FINDINGS,
    NotifyOutcome.UNREACHABLE: ExitCode.UNREADABLE,
}


class HostNotices(Struct, frozen=True):
    """The URLs of a host that have to be sent."""

    host: Annotated[str, about("The host, with its port if that is not the default.")]
    urls: Annotated[NonNegativeInt, about("Number of URLs to send.")]
    accepted: Annotated[NonNegativeInt, about("Number of URLs that were accepted.")] = 0
    key_location: Annotated[str | None, about("URL of the key file; None in a dry run without a key.")] = None


class EndpointUse(Struct, frozen=True):
    """What one endpoint did."""

    endpoint: Annotated[str, about("Its URL; passwords are masked.")]
    accepted: Annotated[NonNegativeInt, about("Number of URLs that it accepted.")]
    statuses: Annotated[
        Mapping[int, NonNegativeInt],
        about("Number of responses by status code; 0 stands for requests without a response."),
    ]
    problem: Annotated[
        str | None, about("Its last response that did not accept URLs, as a message; None if it accepted all.")
    ] = None


@with_short_repr
class NotifyResult(Struct, frozen=True, kw_only=True):
    """Result of `notify`."""

    outcome: Annotated[NotifyOutcome, about("How sending ended.")]
    reason: Annotated[str | None, about("Why sending stopped, as a message; None if it did not.")] = None
    already: Annotated[NonNegativeInt, about("Number of URLs that an endpoint accepted in this version before.")] = (
        field(name="accepted_before")
    )
    listed: Annotated[
        NonNegativeInt | None, about("Number of URLs that the larger side lists; None for URLs from standard input.")
    ]
    found: Annotated[
        Mapping[NoticeKind, NonNegativeInt],
        about("Number of URLs by kind, before those that were already accepted are left out."),
    ]
    not_sent: Annotated[Mapping[NotSent, NonNegativeInt], about("Number of URLs that are not sent, by reason.")]
    altered: Annotated[
        Mapping[UrlChange, NonNegativeInt],
        about("Number of URLs that are sent in another form than they are listed in, by what differs."),
    ] = field(default_factory=dict)
    live_pages: Annotated[
        NonNegativeInt, about("Number of pages that returned their new main text before anything was sent.")
    ] = 0
    hosts: Annotated[tuple[HostNotices, ...], about("The URLs to send, by host.")]
    endpoints: Annotated[
        tuple[EndpointUse, ...], about("What each endpoint did, in the order in which they are tried.")
    ] = ()
    examples: Annotated[tuple[Notice, ...], about("The first URLs to send, of each kind.")]
    ledger: Annotated[Path, about("The store that records what was accepted.")]

    @property
    @computed(before="accepted_before")
    def urls(self) -> NonNegativeInt:
        """Number of URLs that had to be sent."""
        return sum(host.urls for host in self.hosts)

    @property
    @computed(before="accepted_before")
    def accepted(self) -> NonNegativeInt:
        """Number of URLs that were accepted."""
        return sum(host.accepted for host in self.hosts)

    @property
    def exit_code(self) -> ExitCode:
        return _EXIT_CODES.get(self.outcome, ExitCode.CLEAN)
