"""Language versions of pages: what each says of the others, made complete, so that every link has its way back.

A link that is not returned counts for nothing: https://developers.google.com/search/docs/specialty/international/localized-versions
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

    from urlset.build.sources.source import Tally


@dataclass(slots=True)
class Version:
    """A page, as one of the language versions that there may be of it.

    Attributes:
        entry: Its entry, which gets the links.
        links: The links that it has: language and URL.
        lang: The language that it says it is in, beside its links; None if it says none.
    """

    entry: dict[str, Any]
    links: list[tuple[str, str]]
    lang: str | None


def completed(pages: Sequence[Version], tally: Tally) -> None:
    """Gives each entry the links of the whole group that it belongs to, under `alternates`.

    Pages that link to each other, one way or both, are a group. A group in which one language has two pages
    contradicts itself: its entries get no links, and a note says so. Links to pages of this site that are not listed,
    or that are no versions of the page, are dropped; those to other hosts are kept.

    Args:
        pages: The pages that have links or a language.
        tally: Takes note of groups that contradict themselves.
    """
    by_url = {page.entry["loc"]: number for number, page in enumerate(pages)}
    for members in _groups(pages, by_url).values():
        if not any(pages[number].links for number in members):
            continue
        versions = _versions([pages[number] for number in members], by_url)
        contradicting = [code for code, urls in versions.items() if len(urls) > 1]
        if contradicting:
            code = contradicting[0]
            first, second = list(versions[code])[:2]
            tally.note(
                f"hreflang: {first} and {second} are both said to be the page for {code!r}; the {len(members):,} pages "
                "that link to each other there have no language links in the sitemap"
            )
            continue
        links = [{"hreflang": code, "href": next(iter(urls))} for code, urls in versions.items()]
        targets = {link["href"] for link in links}
        for number in members:
            entry = pages[number].entry
            # Without a language of its own a page cannot link to itself, and what it says is not complete.
            if len(links) > 1 and entry["loc"] in targets:
                entry["alternates"] = links


def _groups(pages: Sequence[Version], by_url: dict[str, int]) -> dict[int, list[int]]:
    """The pages that are connected by links, each group in the order of the pages."""
    leader = list(range(len(pages)))

    def find(number: int) -> int:
        while leader[number] != number:
            leader[number] = leader[leader[number]]
            number = leader[number]
        return number

    for number, page in enumerate(pages):
        for code, url in page.links:
            other = by_url.get(url)
            # Many pages may share one page for all other languages without being versions of each other.
            if other is not None and code.lower() != "x-default":
                one, two = find(number), find(other)
                leader[max(one, two)] = min(one, two)
    groups: dict[int, list[int]] = {}
    for number in range(len(pages)):
        groups.setdefault(find(number), []).append(number)
    return groups


def _versions(members: Sequence[Version], by_url: dict[str, int]) -> dict[str, dict[str, None]]:
    """The URLs of each language, as all pages of a group have it."""
    own = {page.entry["loc"] for page in members}
    hosts = {_host(url) for url in own}
    versions: dict[str, tuple[str, dict[str, None]]] = {}

    def add(code: str, url: str) -> None:
        _, urls = versions.setdefault(code.lower(), (code, {}))
        urls[url] = None

    for page in members:
        for code, url in page.links:
            if url in own or (url not in by_url and _host(url) not in hosts):
                add(code, url)
    named = {url for _, urls in versions.values() for url in urls}
    for page in members:
        if page.entry["loc"] not in named and page.lang:
            add(page.lang, page.entry["loc"])
    return dict(versions.values())


def _host(url: str) -> str:
    return url.split("/", 3)[2].lower() if "://" in url[:9] else ""
