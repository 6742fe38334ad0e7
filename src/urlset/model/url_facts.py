"""What a run has about one URL. Plain values."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from urlset.model.page_list import PageVerdict


@dataclass(frozen=True, slots=True)
class Place:
    """An entry of a sitemap.

    Attributes:
        document: URL or path of the sitemap.
        line: Its line, from 1; None if unknown.
        lastmod: Its lastmod as written; None if it has none.
    """

    document: str
    line: int | None
    lastmod: str | None


@dataclass(frozen=True, slots=True)
class NamingFinding:
    """A place of a finding that is about a URL, or has it as its value.

    Attributes:
        code: The rule.
        severity: Its severity.
        message: What is wrong.
        document: The document.
        line: The line, from 1; None if unknown.
    """

    code: str
    severity: str
    message: str
    document: str
    line: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class UrlFacts:
    """What a run has about one URL.

    Attributes:
        url: The URL.
        run_id: The run.
        places: The first entries that list it.
        verdict: Whether its page is indexable, and why not; None if the page was not requested.
        page: What is known of its page, by column of `tables.PAGES`.
        findings: The first places of findings that name it. Only the first places of each finding are stored.
        linked_from: The first pages that link to it, if links were read.
    """

    url: str
    run_id: int
    places: tuple[Place, ...] = ()
    verdict: PageVerdict | None = None
    page: Mapping[str, object] = field(default_factory=dict)
    findings: tuple[NamingFinding, ...] = ()
    linked_from: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class LanguageLink:
    """A language version of a URL, as sitemaps say.

    Attributes:
        code: Its hreflang code.
        url: Its URL.
        is_mutual: Whether each of the two names the other.
    """

    code: str
    url: str
    is_mutual: bool


@dataclass(frozen=True, slots=True)
class UrlOfRun:
    """What a run has about a URL.

    Attributes:
        run_id: The run.
        started_at: Time at which the run started.
        lastmod: Its lastmod as written; None if it has none.
        status: The status code of its page; None if there was no response, or it was not requested.
        reason: Why its page is not indexable; None if it is, or was not requested.
        was_checked: Whether its page was requested.
    """

    run_id: int
    started_at: datetime
    lastmod: str | None
    status: int | None
    reason: str | None
    was_checked: bool
