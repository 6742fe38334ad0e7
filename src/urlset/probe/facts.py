"""Turn the response for a page into its row of `pages`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from urlset import _core
from urlset.hosting.not_pages import HAS_LINKS, name_of_url, not_a_page
from urlset.net.urlparts import split_url
from urlset.probe.directives import directives_of, moment_of
from urlset.sources.sitemap_links import absolute_url, link_values
from urlset.text.masking import mask_url
from urlset.web.html_page import MODIFIED

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from datetime import datetime

    from urlset.fetch.response import Response
    from urlset.net.origin import Origin
    from urlset.web.html_page import PageFacts

Row = dict[str, Any]

MAX_DIGITS = 18
"""Digits of the largest Content-Length that a column holds."""

PAGE_LINKS = "page_links"
"""The key of a row for the links of its page, which are rows of `links`, whether none of them may be followed, and
whether a fragment in its URL is still there when the page is shown."""

MAX_TITLE = 300
"""Maximum characters of a title to record."""

MAX_EVIDENCE = 120
"""Maximum characters of an invalid part of a header to record."""

PRIVATE = "private"
"""The reason to skip a page that the address guard blocks."""

PAGE_VERSIONS = "page_versions"
"""The key of a row for the language versions of its page: code and absolute URL."""

OUTSIDE = "outside"
"""The reason to skip a page that an audited directory does not have, because it is not below the base URL."""

UNDECIDED = "undecided"
"""The reason for no response of a page without a file, which a rule of the host that is not applied could answer."""


class ProbeTarget(Struct, frozen=True):
    """A listed page to fetch.

    Attributes:
        url: Its URL as in the entry.
        listed: Columns of `pages` that its entry fills: place, hash, dates.
        via: The origin of the document that lists it; None for a local file.
    """

    url: str
    listed: Mapping[str, Any]
    via: Origin | None


def skipped_row(target: ProbeTarget, why: str, blocked_by: str | None = None, error: str | None = None) -> Row:
    return {**target.listed, **_address(target.url), "skipped": why, "blocked_by": blocked_by, "error": error}


def _address(url: str) -> Row:
    return {"url": url, "page_hash": _core.page_hash(url), "spelling_hash": _core.spelling_hash(url)}


def row_of(
    target: ProbeTarget,
    method: str,
    answer: Response,
    page: PageFacts | None,
    *,
    keeps_versions: bool = False,
    is_error_page: bool | None = None,
    made_with: Sequence[str] = (),
) -> Row:
    """Return the row of a page.

    Args:
        method: The HTTP method of the last request.
        page: The facts of its HTML; None if it has none or was not read.
        keeps_versions: Whether the row has the language versions under `PAGE_VERSIONS`.
        is_error_page: Whether the host shows the page in place of missing ones; None if its name and content decide.
        made_with: The systems that made it.
    """
    headers = answer.headers
    content_type = headers.get("content-type")
    header_links = headers.get("link", "")
    directives = directives_of(() if page is None else page.robots, headers.get("x-robots-tag"))
    row: Row = {
        **target.listed,
        **_address(target.url),
        "method": method,
        "status": answer.status,
        "final_url": answer.final_url,
        "final_hash": None if answer.status is None else _core.page_hash(answer.final_url),
        "final_spelling_hash": None if answer.status is None else _core.spelling_hash(answer.final_url),
        "error_kind": answer.error_kind,
        "error": answer.reason if answer.error_kind is not None else None,
        "fetched_at": answer.fetched_at,
        "elapsed_ms": answer.elapsed_ms,
        "bytes": _size(answer),
        "content_length": content_length(headers),
        "http_problems": list(answer.problems) or None,
        "content_type": content_type,
        "last_modified": headers.get("last-modified"),
        "last_modified_at": moment_of(headers.get("last-modified", "")),
        "etag": headers.get("etag"),
        "x_robots": [headers["x-robots-tag"]] if "x-robots-tag" in headers else None,
        "noindex": directives.noindex,
        "noindex_agents": list(directives.noindex_agents) or None,
        "unavailable_after_at": directives.unavailable_after,
        "canonical_headers": [target for target, _ in link_values(header_links, "canonical")] or None,
        "made_with": list(made_with) or None,
        **_content_usage(headers.get("content-usage")),
    }
    if answer.hops:
        targets = [hop.url for hop in answer.hops][1:]
        row |= {"hops": [*targets, answer.final_url], "hop_statuses": [hop.status for hop in answer.hops]}
    base = answer.final_url
    if page is not None:
        base = _absolute(base, page.base) or base if page.base else base
        row |= (
            _of_page(page)
            | _in_body(page, row["canonical_headers"])
            | {"complete": page.complete and answer.error_kind is None}
        )
        if page.script_target is not None:
            row["script_url"] = _absolute(base, page.script_target) or base
        why = not_a_page(name_of_url(split_url(answer.final_url).path), page, is_error_page=is_error_page)
        if why is not None:
            row["not_a_page"] = why[0].value
        if page.links is not None and (why is None or why[0] in HAS_LINKS):
            row |= {"links": len(page.links), "links_skipped": page.links.skipped}
    row |= _refresh(page, headers.get("refresh"), base)
    for name in ("refresh_url", "script_url"):
        leads_to = row.get(name)
        # The same URL in another spelling reloads the page.
        if leads_to is not None and _core.page_key(str(leads_to)) in map(
            _core.page_key, (target.url, answer.final_url)
        ):
            row[name] = answer.final_url
    if page is not None and "links" in row:
        row[PAGE_LINKS] = page.links, directives.nofollow, _keeps_fragment(row, answer)
    row |= _canonical(target.url, answer.final_url, row, base)
    versions = list(_versions(page, base, header_links, answer.final_url))
    if versions:
        row["hreflang_codes"] = [code for code, _ in versions]
        row["hreflang_hashes"] = [_core.url_hash(url) for _, url in versions]
        row["hreflang_urls"] = [url for _, url in versions]
    row |= _for_agents(page, header_links, base, answer.final_url)
    if keeps_versions:
        row[PAGE_VERSIONS] = versions
    return row


def _keeps_fragment(row: Row, answer: Response) -> bool:
    """Return whether a fragment in the URL of a page is still there after its redirects.

    A redirect keeps it unless its Location has one: https://www.rfc-editor.org/rfc/rfc9110#section-10.2.2
    """
    redirects = row["refresh_url"] is not None or row.get("script_url") is not None
    return not redirects and not any("#" in hop.location for hop in answer.hops)


def _refresh(page: PageFacts | None, header: str | None, base: str) -> Row:
    """Return the refresh of a page, or else that of its headers, which browsers treat in the same way."""
    refresh = None if page is None else page.refresh
    if refresh is None and header is not None:
        refresh = _core.read_refresh(header)
    seconds, target = refresh or (None, None)
    return {"refresh_seconds": seconds, "refresh_url": _absolute(base, target) if target else None}


def _content_usage(header: str | None) -> Row:
    problem, evidence = (None if header is None else _core.content_usage_problem(header)) or (None, None)
    start = None if evidence is None else evidence[:MAX_EVIDENCE]
    return {"content_usage": header, "content_usage_problem": problem, "content_usage_evidence": start}


def _of_page(page: PageFacts) -> Row:
    date = _modification_date(page.dates)
    return {
        "meta_robots": [f"{name}: {content}" for name, content in page.robots] or None,
        "canonical_links": list(page.canonicals) or None,
        "html_lang": page.lang,
        "title": None if page.title is None else page.title[:MAX_TITLE],
        "words": page.words,
        "content_hash": page.content_hash,
        "has_password": page.has_password_field,
        "has_script": page.has_script,
        "page_modified_from": date and date[0],
        "page_modified": date and date[1],
        "page_modified_at": date and date[2],
    }


def _in_body(page: PageFacts, canonical_headers: Sequence[str] | None) -> Row:
    """Return what the body of a page has, and its head and its headers lack."""
    robots = (
        [] if page.robots else [(name, content) for name, content in page.body_robots if _RESTRICTS.search(content)]
    )
    found = [] if page.canonicals or canonical_headers else [f"canonical: {href}" for href in page.body_canonicals]
    found += [f"{name}: {content}" for name, content in robots]
    if page.body_alternates and not page.alternates:
        found.append(f"hreflang: {', '.join(dict.fromkeys(code for code, _ in page.body_alternates))}")
    if not found or page.head_end is None:
        return {}
    what, line = page.head_end
    noindex = directives_of(robots, None).noindex
    return {"in_body": found, "head_end": what, "head_end_line": line, "body_noindex": noindex}


_RESTRICTS = re.compile(r"\b(?!(?:index|follow|all)\b)[a-z]", re.IGNORECASE)
"""A directive other than those that allow everything anyway."""


def _modification_date(dates: Sequence[tuple[str, str]]) -> tuple[str, str, datetime | None] | None:
    """Return the place, text, and time of the first readable modification date of a page."""
    by_place = sorted((date for date in dates if date[0] in MODIFIED), key=lambda date: MODIFIED.index(date[0]))
    read = [(where, value, moment_of(value)) for where, value in by_place]
    return next((date for date in read if date[2] is not None), read[0] if read else None)


def _canonical(url: str, final_url: str, row: Row, base: str) -> Row:
    """Return the canonical that counts: the first one in the page, else the first one in its headers."""
    written = [(base, href) for href in row.get("canonical_links") or ()]
    written += [(final_url, href) for href in row.get("canonical_headers") or ()]
    for start, href in written:
        canonical = _absolute(start, href)
        if canonical is not None:
            is_self = _core.page_key(canonical) in (_core.page_key(final_url), _core.page_key(url))
            return {
                "canonical": canonical,
                "canonical_hash": _core.url_hash(canonical),
                "canonical_spelling_hash": _core.spelling_hash(canonical),
                "canonical_is_self": is_self,
            }
    return {}


def _versions(page: PageFacts | None, base: str, links: str, final_url: str) -> Iterator[tuple[str, str]]:
    """Yield the language versions in page and headers: code and absolute URL."""
    for code, href in () if page is None else page.alternates:
        if (url := _absolute(base, href)) is not None:
            yield code, url
    for target, parameters in link_values(links, "alternate"):
        language = parameters.get("hreflang")
        if language and (url := _absolute(final_url, target)) is not None:
            yield language, url


def _for_agents(page: PageFacts | None, links: str, base: str, final_url: str) -> Row:
    """Return the Markdown version and the llms.txt that a page declares, in its head or else in its headers."""
    row: Row = {}
    written = [("link", base, href) for href in (() if page is None else page.markdown)]
    written += [
        ("header", final_url, target)
        for target, parameters in link_values(links, "alternate")
        if parameters.get("type", "").partition(";")[0].strip().lower() == "text/markdown"
    ]
    for where, start, href in written:
        if (url := _absolute(start, href)) is not None:
            row |= {"markdown": url, "markdown_from": where}
            break
    named = [(base, href) for href in (() if page is None else page.described_by)]
    named += [(final_url, target) for target, _ in link_values(links, "describedby")]
    urls = (_absolute(start, href) for start, href in named)
    found = next((url for url in urls if url is not None and split_url(url).path.endswith("/llms.txt")), None)
    if found is not None:
        row["described_by"] = found
    return row


def _absolute(base: str, target: str) -> str | None:
    url = absolute_url(base, target)
    return None if url is None else mask_url(url)


def _size(answer: Response) -> int | None:
    content = answer.content
    return len(content) if isinstance(content, bytes) else answer.wire_bytes if content is not None else None


def content_length(headers: Mapping[str, str]) -> int | None:
    """Return the Content-Length of a response; None if it has none, or an invalid one."""
    first = headers.get("content-length", "").partition(",")[0].strip()
    return int(first) if first.isascii() and first.isdigit() and len(first) <= MAX_DIGITS else None
