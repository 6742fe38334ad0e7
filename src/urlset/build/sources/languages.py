"""Language versions of pages: complete the hreflang links of each cluster, so that every link has a return link.

A link without a return link is ignored: https://developers.google.com/search/docs/specialty/international/localized-versions
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from urlset.text.sizes import quantity

if TYPE_CHECKING:
    from collections.abc import Sequence

    from urlset.build.sources.source import SiteLog

_CODES = (
    "aaabaeafakamanarasavayazbabebgbhbibmbnbobrbscacechcocrcscucvcydadedvdzeeeleneoeseteufafffifjfofrfyga"
    "gdglgngugvhahehihohrhthuhyhziaidieigiiikisitiujajvkakgkikjkkklkmknkokrkskukvkwkylalblglilnloltlulvmg"
    "mhmimkmlmnmrmsmtmynanbndnengnlnnnonrnvnyocojomorospapiplpsptqurmrnrorurwsascsdsesgsiskslsmsnsosqsrss"
    "stsusvswtatetgthtitktltntotrtstttwtyugukuruzvevivowawoxhyiyozazhzu"
)
LANGUAGES = frozenset(_CODES[at : at + 2] for at in range(0, len(_CODES), 2))
"""The languages of ISO 639-1, without Ido, whose code is part of names such as socket.io."""

_LANGUAGE = re.compile(r"(?P<stem>.+)\.(?P<language>[a-z]{2}(?:[-_][A-Za-z]{2,4})?)")


def language_version(name: str, names: frozenset[str]) -> tuple[str, str] | None:
    """Return the name without language, and the language, of a file such as `about.de.md` next to `about.md`.

    Hugo and the i18n plugin of MkDocs publish it below `/de/`.

    Args:
        names: The paths of all files.

    Returns:
        None if the name has no language. The name without language is empty if there is no file with this name, in
        which case the language may be the default one, which has no directory.

    Example:
        >>> language_version("blog/about.de.md", frozenset({"blog/about.md"}))
        ('blog/about.md', 'de')
        >>> language_version("about.de.md", frozenset()), language_version("v1.2.md", frozenset())
        (('', 'de'), None)
    """
    folder, slash, file = name.rpartition("/")
    stem, _, extension = file.rpartition(".")
    match = _LANGUAGE.fullmatch(stem)
    if match is None or match["language"][:2] not in LANGUAGES:
        return None
    plain = f"{folder}{slash}{match['stem']}.{extension}"
    return (plain if plain in names else ""), match["language"].replace("_", "-").lower()


@dataclass(slots=True)
class Version:
    """A page that may have language versions.

    Attributes:
        entry: Its entry, which receives the links.
        links: Its hreflang links: language and URL.
        lang: Its own language, from `<html lang>`; None if it has none.
    """

    entry: dict[str, Any]
    links: list[tuple[str, str]]
    lang: str | None


def complete_clusters(pages: Sequence[Version], log: SiteLog) -> None:
    """Set `alternates` of each entry to the links of its cluster.

    Pages that link to each other, in one or both directions, are a cluster. A cluster with two pages for the same
    language is contradictory: its entries get no links, and a note reports it. Links to unlisted pages of this site,
    and to pages that are not versions of the page, are dropped. Links to other hosts are kept.

    Args:
        pages: The pages with links or a language.
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
            log.note(
                f"hreflang: {first} and {second} are both declared as the page for {code!r}; hreflang links are "
                f"omitted for the {quantity(len(members), 'page')} of this cluster"
            )
            continue
        links = [{"hreflang": code, "href": next(iter(urls))} for code, urls in versions.items()]
        targets = {link["href"] for link in links}
        for number in members:
            entry = pages[number].entry
            # A page without a language cannot link to itself, so its links are incomplete.
            if len(links) > 1 and entry["loc"] in targets:
                entry["alternates"] = links


def _groups(pages: Sequence[Version], by_url: dict[str, int]) -> dict[int, list[int]]:
    """Return the clusters of connected pages, in the order of the pages."""
    leader = list(range(len(pages)))

    def find(number: int) -> int:
        while leader[number] != number:
            leader[number] = leader[leader[number]]
            number = leader[number]
        return number

    for number, page in enumerate(pages):
        for code, url in page.links:
            other = by_url.get(url)
            # Many pages may share one x-default page without being versions of each other.
            if other is not None and code.lower() != "x-default":
                first, second = find(number), find(other)
                leader[max(first, second)] = min(first, second)
    groups: dict[int, list[int]] = {}
    for number in range(len(pages)):
        groups.setdefault(find(number), []).append(number)
    return groups


def _versions(members: Sequence[Version], by_url: dict[str, int]) -> dict[str, dict[str, None]]:
    """Return the URLs of each language, according to all pages of a cluster."""
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
    linked_urls = {url for _, urls in versions.values() for url in urls}
    for page in members:
        if page.entry["loc"] not in linked_urls and page.lang:
            add(page.lang, page.entry["loc"])
    return dict(versions.values())


def _host(url: str) -> str:
    return url.split("/", 3)[2].lower() if "://" in url[:9] else ""
