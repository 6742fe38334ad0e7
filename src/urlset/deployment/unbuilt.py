"""Find URLs that a site serves and the directory lacks: listed URLs, well-known files, pages of an earlier run."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from urlset import _core
from urlset.deployment.answers import ask
from urlset.deployment.built_urls import BuiltUrl, path_of
from urlset.deployment.differences import Found
from urlset.fetch.response import FetchError
from urlset.model.deploy_check import DeployCause, Difference, ServedKind

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from urlset.deployment.answers import Answer
    from urlset.deployment.comparer import Comparer
    from urlset.fetch.client import Client
    from urlset.options.deployment import DeployCheckOptions

MAX_ASKED = 200
"""Number of URLs to request that the directory does not have."""

_WELL_KNOWN = {"robots.txt": ServedKind.ROBOTS, "sitemap.xml": ServedKind.SITEMAP}
"""Files that hosts and CDNs add by themselves."""


class Candidate(NamedTuple):
    """A URL that the directory does not have.

    Attributes:
        reason: Where it comes from, as the end of a sentence.
    """

    url: str
    reason: str
    cause: DeployCause | None = None


async def listed_only_there(
    built: Client, served: Client, sitemaps: Iterable[BuiltUrl], options: DeployCheckOptions
) -> list[Candidate]:
    """Return the URLs that a served sitemap lists and the built one does not.

    Args:
        sitemaps: The sitemaps that differ.
    """
    candidates = []
    for sitemap in sitemaps:
        was = await ask(built, sitemap, sitemap.url, options.max_page_bytes, options.max_document_bytes)
        now = await ask(served, sitemap, sitemap.url, options.max_page_bytes, options.max_document_bytes)
        before = {_core.page_key(url) for url in _listed(was)}
        where = f"the served {path_of(sitemap.url)} lists it, and the built one does not"
        candidates += [Candidate(url, where) for url in _listed(now) if _core.page_key(url) not in before]
    return candidates


def _listed(answer: Answer) -> list[str]:
    """Return the URLs that a sitemap lists; none if it is too large to keep."""
    text = None if answer.body is None or not answer.is_success else answer.body.text
    if text is None:
        return []
    return [
        str(loc)
        for tables in _core.Reader(text, document_id=0)
        if "urls" in tables
        for loc in tables["urls"].column("loc")
        if loc is not None
    ]


def unlisted_of(
    candidates: Iterable[Candidate], base: str, has: Callable[[str], bool]
) -> tuple[Sequence[Candidate], int]:
    """Return the candidates below the URL of a site that the directory does not have, and the number of those left out.

    Args:
        has: Whether the directory has a URL.
    """
    by_url = {each.url: each for each in candidates if each.url.startswith(base) and not has(each.url)}
    chosen = list(by_url.values())
    return chosen[:MAX_ASKED], max(0, len(chosen) - MAX_ASKED)


async def served_though_unbuilt(comparer: Comparer, candidates: Sequence[Candidate]) -> list[Found]:
    """Return the candidates that the site serves with content of their own."""
    base, by_url = comparer.around.base, {each.url: each for each in candidates}
    answers = await comparer.served_pages(by_url)
    return [
        Found(
            url=answer.url,
            file=base,
            kind=ServedKind.PAGE,
            difference=Difference.NOT_BUILT,
            cause=by_url[answer.url].cause,
            about=f"{path_of(answer.url)}: HTTP {answer.status}; {by_url[answer.url].reason}",
            served=f"HTTP {answer.status}",
            status=answer.status,
        )
        for answer in answers
        if answer.url in by_url
    ]


async def well_known_files(
    client: Client, base: str, built: Mapping[str, BuiltUrl], options: DeployCheckOptions
) -> list[Found]:
    """Return the well-known files that a host serves by itself.

    Args:
        built: The files of the directory, by URL.
    """
    found = []
    for name, kind in _WELL_KNOWN.items():
        url = base + name
        if url in built or (kind is ServedKind.ROBOTS and base.count("/") > 3):
            continue
        answer = await ask(client, BuiltUrl(url, kind), url, options.max_page_bytes, options.max_document_bytes)
        body = answer.body
        is_there = answer.unknown is None and answer.is_success and not answer.is_redirected
        if not is_there or body is None or body.is_html or not body.size or answer.error is FetchError.CUT_OFF:
            continue
        about = f"{path_of(url)}: HTTP {answer.status} with {body.size:,} bytes; the directory has no {name}"
        found.append(
            Found(
                url=url,
                file=url,
                kind=kind,
                difference=Difference.NOT_BUILT,
                about=about,
                status=answer.status,
                age=answer.age,
                cache_status=answer.cache_status,
                served=f"{body.size:,} bytes",
            )
        )
    return found
