"""What a run has about one URL. Plain values."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated

from msgspec import Struct, field

from urlset.model.fields import about
from urlset.model.page_list import PageVerdict


class Place(Struct, frozen=True):
    """An entry of a sitemap."""

    document: Annotated[str, about("URL or path of the sitemap.")]
    line: Annotated[int | None, about("Its line, from 1; None if unknown.")]
    lastmod: Annotated[str | None, about("Its lastmod as written; None if it has none.")]


class NamingFinding(Struct, frozen=True):
    """A place of a finding that is about a URL, or has it as its value."""

    code: Annotated[str, about("The rule.")]
    severity: Annotated[str, about("Its severity.")]
    message: Annotated[str, about("What is wrong.")]
    document: Annotated[str, about("The document.")]
    line: Annotated[int | None, about("The line, from 1; None if unknown.")]


class UrlFacts(Struct, frozen=True, kw_only=True):
    """What a run has about one URL."""

    url: Annotated[str, about("The URL.")]
    run_id: Annotated[int, about("The run.")]
    places: Annotated[tuple[Place, ...], about("The first entries that list it.")] = ()
    verdict: Annotated[
        PageVerdict | None, about("Whether its page is indexable, and why not; None if the page was not requested.")
    ] = None
    page: Annotated[Mapping[str, object], about("What is known of its page, by column of `tables.PAGES`.")] = field(
        default_factory=dict
    )
    findings: Annotated[
        tuple[NamingFinding, ...],
        about("The first places of findings that name it. Only the first places of each finding are stored."),
    ] = ()
    linked_from: Annotated[tuple[str, ...], about("The first pages that link to it, if links were read.")] = ()


class LanguageLink(Struct, frozen=True):
    """A language version of a URL, as sitemaps say."""

    code: Annotated[str, about("Its hreflang code.")]
    url: Annotated[str, about("Its URL.")]
    is_mutual: Annotated[bool, about("Whether each of the two names the other.")]


class UrlOfRun(Struct, frozen=True):
    """What a run has about a URL."""

    run_id: Annotated[int, about("The run.")]
    started_at: Annotated[datetime, about("Time at which the run started.")]
    lastmod: Annotated[str | None, about("Its lastmod as written; None if it has none.")]
    status: Annotated[
        int | None, about("The status code of its page; None if there was no response, or it was not requested.")
    ]
    reason: Annotated[str | None, about("Why its page is not indexable; None if it is, or was not requested.")]
    was_checked: Annotated[bool, about("Whether its page was requested.")]
