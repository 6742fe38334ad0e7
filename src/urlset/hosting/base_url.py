"""Decide at which URL a directory is published: compare what the sources say, and name those that differ.

The sources are the `--base-url` option, `CNAME` on GitHub Pages, the Sitemap lines of robots.txt, the sitemaps, and the
canonical links. The URL that most listed and canonical URLs have is that of the site, so that every page is checked. A
source that says something else is a `SiteFault`, for which the rules of the family SIT have the words.
"""

from __future__ import annotations

import re
from collections import Counter
from html import unescape
from itertools import islice
from typing import TYPE_CHECKING
from urllib.parse import unquote

from msgspec import Struct

from urlset.hosting.generators import MAX_PAGES, SampledPage, sample_pages, setting_of, unbuilt_site
from urlset.hosting.hosts import UNKNOWN
from urlset.hosting.identity import Identity, SiteFault, SiteProblem
from urlset.hosting.routes import HostRules
from urlset.hosting.site import FolderSite, is_sitemap
from urlset.net.origin import origin_url
from urlset.net.placeholders import is_placeholder
from urlset.net.urlparts import host_of, split_url
from urlset.text.sizes import enumeration, quantity

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from urlset.hosting.published_files import PublishedFolder

UNKNOWN_BASE = "https://unknown-host.invalid/"
"""The base URL of a directory whose URL is nowhere to be found."""

MAX_SITEMAPS = 20
"""Number of files with the name of a sitemap that are compared."""

MAX_LOCS = 50
"""Number of URLs of each that are compared."""

DEEPEST_BASE = 4
"""Maximum segments of the path of an inferred base URL."""

BASE_URL, CNAME, ROBOTS, SITEMAPS, CANONICALS = "--base-url", "CNAME", "robots.txt", "sitemaps", "canonical links"
"""The sources, in words."""

FEW_LETTERS = 2
"""Maximum number of letters in which two hosts differ if one of them is a typing error."""

_LOC = re.compile(r"<(?:\w+:)?loc>\s*+(?:<!\[CDATA\[\s*+)?(https?://[^<\]\s]+)", re.IGNORECASE)
_ROBOTS_LINE = re.compile(r"^[^\S\n]*+sitemap[^\S\n]*+:[^\S\n]*+(\S+)", re.IGNORECASE | re.MULTILINE)
_QUOTES = "\"'\N{LEFT DOUBLE QUOTATION MARK}\N{RIGHT DOUBLE QUOTATION MARK}\N{RIGHT SINGLE QUOTATION MARK}`"


class _Claim(Struct, frozen=True):
    """What a source says.

    Attributes:
        source: The source, in words.
        base: The base URL, or only the host of `CNAME` without a scheme.
        count: Number of its URLs that say so; None if it is a single statement.
        total: Number of its URLs.
    """

    source: str
    base: str
    count: int | None = None
    total: int = 0

    def __str__(self) -> str:
        is_whole = self.count in (None, self.total)
        return self.source if is_whole else f"{self.source} ({self.count:,} of {self.total:,} compared)"


def identity_of(folder: PublishedFolder, given: str | None, domain: str | None) -> Identity:
    """Return the URL at which a directory is published, and the sources that say something else.

    Args:
        given: The base URL that the user gives, with a trailing slash.
        domain: The host in the `CNAME` of GitHub Pages; None if there is none, or another host.
    """
    probe = FolderSite(folder, "https://base.invalid/", UNKNOWN, HostRules())
    sample = list(sample_pages(folder, MAX_PAGES, lambda _: True))
    setting, unbuilt = setting_of(sample), unbuilt_site(folder, sample)
    listed, canonical, lines = list(_locs(folder)), list(_canonicals(sample)), list(_robots_lines(folder))
    pages = [url for url in listed if not is_sitemap(split_url(url).path)]
    claims = [
        *_claim(probe, ROBOTS, lines),
        *_claim(probe, SITEMAPS, pages or listed),
        *_claim(probe, CANONICALS, canonical),
    ]
    base = _majority(probe, [*pages, *canonical], given, domain) or _otherwise(claims, given, domain)
    if unbuilt is not None:
        base = given or (f"https://{domain}/" if domain is not None else base) or UNKNOWN_BASE
        what = f"{unbuilt}; {unbuilt.instead('audit')}"
        return Identity(base, "", setting, faults=(SiteFault(SiteProblem.NOT_BUILT, what, unbuilt.evidence),))
    stated = [_Claim(BASE_URL, given)] if given is not None else []
    if domain is not None:
        stated.append(_Claim(CNAME, domain))
    if base is None:
        return Identity(UNKNOWN_BASE, _how(UNKNOWN_BASE, claims), setting, faults=(_unknown(setting),))
    faults = tuple(_faults(base, [*stated, *claims], setting, given))
    aliases = dict.fromkeys(claim.base for claim in claims if not base.startswith(claim.base))
    moved = _moved_sitemaps(probe, base, [*lines, *(url for url in listed if url not in pages)], tuple(aliases))
    outside = (_outside(url, there, base, setting) for url, there in moved.items())
    about = "" if base == given else _how(base, [*stated, *claims])
    strays = tuple(alias for alias in aliases if clean(alias) == base)
    return Identity(base, about, setting, tuple(aliases), strays, moved, (*faults, *outside))


def canonical_base_of(
    folder: PublishedFolder, limit: int, is_wanted: Callable[[str], bool]
) -> tuple[str | None, list[str], str | None]:
    """Return the base URL that most canonical links have, these links, and the first one that does not have it."""
    links = list(_canonicals(sample_pages(folder, limit, is_wanted)))
    probe = FolderSite(folder, "https://base.invalid/", UNKNOWN, HostRules())
    base = _best(_votes(probe, links))
    other = next((link for link in links if (bases := _bases(probe, link)) and base not in bases), None)
    return base, links, other


# What the sources say.


def _locs(folder: PublishedFolder) -> Iterator[str]:
    """Yield the first URLs of files that have the name of a sitemap."""
    names = (name for name in folder.files if is_sitemap(name) and not name.endswith(".gz"))
    found_names = sorted(names, key=lambda name: (name.count("/"), name))
    for name in found_names[:MAX_SITEMAPS]:
        text = folder.start(name).decode("utf-8-sig", "replace")
        found = text.split() if name.endswith(".txt") else (unescape(url) for url in _LOC.findall(text))
        yield from islice((url for url in found if url.startswith(("https://", "http://"))), MAX_LOCS)


def _canonicals(pages: Iterable[SampledPage]) -> Iterator[str]:
    """Yield the absolute canonical links of pages."""
    for page in pages:
        yield from (link for link in page.facts.canonicals if link.startswith(("https://", "http://")))


def _robots_lines(folder: PublishedFolder) -> Iterator[str]:
    """Yield the URLs of the Sitemap lines of robots.txt."""
    if "robots.txt" in folder.files:
        for url in _ROBOTS_LINE.findall(folder.start("robots.txt").decode("utf-8-sig", "replace")):
            if url.startswith(("https://", "http://")):
                yield url


def _claim(probe: FolderSite, source: str, urls: list[str]) -> Iterator[_Claim]:
    """Yield the base URL below which most URLs of a source have a file, or else the origin that all of them have."""
    votes = _votes(probe, urls)
    if (base := _best(votes)) is not None:
        yield _Claim(source, base, votes[base], len(urls))
    elif len(origins := {origin_url(url) for url in urls}) == 1 and (origin := origins.pop()):
        yield _Claim(source, f"{origin}/", len(urls), len(urls))


def _votes(probe: FolderSite, urls: Iterable[str]) -> Counter[str]:
    """Return the number of URLs that have a file below each base URL."""
    votes: Counter[str] = Counter()
    for url in urls:
        votes.update(_bases(probe, url))
    return votes


def _best(votes: Counter[str]) -> str | None:
    """Return the base URL with most votes; the shortest of several."""
    return min(votes, key=lambda base: (-votes[base], len(base))) if votes else None


def _bases(probe: FolderSite, url: str) -> list[str]:
    """Return the base URLs below which a URL has a file."""
    origin, path = origin_url(url), split_url(url).path
    segments = path.split("/")[1:] or [""]
    return [
        f"{origin}/" + "".join(f"{part}/" for part in segments[:depth])
        for depth in range(min(len(segments), DEEPEST_BASE + 1))
        if origin and probe.has_file(unquote("/".join(segments[depth:]), errors="surrogateescape"))
    ]


# The decision.


def _majority(probe: FolderSite, urls: list[str], given: str | None, domain: str | None) -> str | None:
    """Return the base URL that most URLs have, without stray characters; None if they do not outvote the given one."""
    votes: Counter[str] = Counter()
    for url in urls:
        votes.update({clean(base) for base in _bases(probe, url)})
    if not votes:
        return None
    most = max(votes.values())
    best = [base for base in votes if votes[base] == most]
    if given in best:
        return given
    base = min(best, key=lambda base: (host_of(base) != domain, len(base)))
    if given is not None and ((votes[given] and origin_url(base) == origin_url(given)) or most * 2 < len(urls)):
        return given
    return base


def _otherwise(claims: list[_Claim], given: str | None, domain: str | None) -> str | None:
    """Return the base URL if no listed page and no canonical link has a file."""
    if given is not None:
        return given
    if domain is not None:
        return f"https://{domain}/"
    return next((clean(claim.base) for claim in claims), None)


def clean(base: str) -> str:
    """Return a base URL without stray quotation marks, spaces, and empty segments in its path."""
    if "://" not in base:
        return base
    origin = origin_url(base)
    parts = (unquote(part).strip(f"{_QUOTES} ") for part in split_url(base).path.split("/"))
    kept = [raw for raw, part in zip(split_url(base).path.split("/"), parts, strict=True) if part]
    return f"{origin}/" + "".join(f"{part.strip(_QUOTES).removesuffix('%22').removeprefix('%22')}/" for part in kept)


# What differs.


def _faults(base: str, claims: list[_Claim], setting: str, given: str | None) -> Iterator[SiteFault]:
    host = host_of(base) or ""
    others = {_host(claim) for claim in claims} - {host}
    strays = [claim for claim in claims if claim.base not in (base, host) and clean(claim.base) == base]
    agreeing = [claim for claim in claims if claim in strays or _agrees(claim, base)]
    has_real = any(not is_placeholder(other, also_reserved=True) for other in others)
    if is_placeholder(host, also_reserved=has_real) and (given is None or host_of(given) != host):
        where = f"in {_sources(agreeing)}"
        of_others = "".join(f", but {claim.base} in {claim.source}" for claim in claims if _host(claim) != host)
        yield SiteFault(SiteProblem.PLACEHOLDER, base, f"{base} {where}{of_others}; set {setting}")
        return
    if strays:
        written = strays[-1].base
        extra = written.removeprefix(base).strip("/") or "/"
        about = f"{written} in {_sources(strays)} has a stray {extra}; {base} is meant; correct {setting}"
        yield SiteFault(SiteProblem.STRAY, written, about)
    differing: dict[tuple[SiteProblem, str], list[_Claim]] = {}
    for claim in claims:
        # Single pages may have their canonical on another site.
        is_minority = claim.source == CANONICALS and claim.count is not None and claim.count * 2 < claim.total
        if claim not in agreeing and not (is_minority and _bare(_host(claim)) != _bare(host)):
            differing.setdefault((_difference(claim, base), _bare(_host(claim))), []).append(claim)
    for (problem, _), group in differing.items():
        # A host and one below it, such as `x.example.com`, are meant to differ.
        alike = (_host(claim) for claim in group if not _is_below(_host(claim), host))
        letters = min((_distance(other, host) for other in alike), default=FEW_LETTERS + 1)
        is_typed = problem is SiteProblem.OTHER_HOST and letters <= FEW_LETTERS
        typed = f": they differ in {quantity(letters, 'letter')}, so one has a typing error" if is_typed else ""
        if problem is SiteProblem.OTHER_HOST and not is_typed and all(claim.source == BASE_URL for claim in group):
            # The preview of a site is published at another URL than the one that its pages name.
            problem = SiteProblem.OTHER_SPELLING
        sources = [claim.source for claim in group]
        # A workflow of GitHub Actions publishes without regard to the file, so that the host may be another.
        is_redirected = sources == [CNAME] and problem is SiteProblem.OTHER_SPELLING
        redirected = "; GitHub Pages redirects to the host in CNAME if it publishes a branch" if is_redirected else ""
        both = f"{_written(group)}, but {base} in {_sources(agreeing)}{typed}{redirected}"
        # Which of the two is right is not known: the majority may be of an old URL.
        what = f"CNAME, or {setting}" if sources == [CNAME] else setting
        if sources == [ROBOTS]:
            what = "the Sitemap lines of robots.txt"
        yield SiteFault(problem, group[0].base, f"{both}; correct {what}")


def _written(group: list[_Claim]) -> str:
    """Return what sources say, with the sources."""
    bases = dict.fromkeys(claim.base for claim in group if "://" in claim.base) or {group[0].base: None}
    return f"{enumeration(list(bases))} in {_sources(group)}"


def _difference(claim: _Claim, base: str) -> SiteProblem:
    """Return how a source differs: in the host, or only in `www.`, the scheme, or the path."""
    is_same = _bare(_host(claim)) == _bare(host_of(base) or "")
    return SiteProblem.OTHER_SPELLING if is_same else SiteProblem.OTHER_HOST


def _agrees(claim: _Claim, base: str) -> bool:
    return claim.base in (base, host_of(base)) or (claim.source == ROBOTS and base.startswith(claim.base))


def _sources(claims: list[_Claim]) -> str:
    return enumeration([str(claim) for claim in claims]) if claims else "most URLs"


def _unknown(setting: str) -> SiteFault:
    about = f"nothing names it, so the pages were checked at the placeholder {UNKNOWN_BASE}"
    return SiteFault(SiteProblem.URL_UNKNOWN, UNKNOWN_BASE, f"{about}; set {setting}")


def _moved_sitemaps(probe: FolderSite, base: str, urls: Iterable[str], aliases: tuple[str, ...]) -> Mapping[str, str]:
    """Return the URLs of sitemaps that are not below the base URL, with the URL of the file that is meant."""
    moved = {}
    for url in urls:
        if url.startswith((base, *aliases)) or origin_url(url) != origin_url(base):
            continue
        if (root := next(iter(_bases(probe, url)), None)) is not None:
            moved[url] = base + url.removeprefix(root)
    return moved


def _outside(url: str, there: str, base: str, setting: str) -> SiteFault:
    return SiteFault(SiteProblem.OUTSIDE, url, f"{url} is not below {base}; {there} is meant; correct {setting}")


def _how(base: str, claims: list[_Claim]) -> str:
    if base == UNKNOWN_BASE:
        return f"the base URL is unknown, so the pages were checked at {base}; name it with --base-url"
    where = [claim.source for claim in claims if _agrees(claim, base) or clean(claim.base) == base]
    return f"the base URL is {base}, as in {enumeration(where)}" if where else f"the base URL is {base}"


def _host(claim: _Claim) -> str:
    return (host_of(claim.base) or "") if "://" in claim.base else claim.base


def _bare(host: str) -> str:
    return host.removeprefix("www.")


def _is_below(one: str, other: str) -> bool:
    """Return whether one of two hosts is below the other."""
    return one.endswith(f".{other}") or other.endswith(f".{one}")


def _distance(one: str, other: str) -> int:
    """Return the number of letters to insert, delete, replace, or swap with their neighbor to turn one into another."""
    before: list[int] = []
    row = list(range(len(other) + 1))
    for at, letter in enumerate(one, start=1):
        earlier, before, row = before, row, [at]
        for place, expected in enumerate(other, start=1):
            cost = min(before[place] + 1, row[-1] + 1, before[place - 1] + (letter != expected))
            if at > 1 and place > 1 and letter == other[place - 2] and one[at - 2] == expected:
                cost = min(cost, earlier[place - 2] + 1)
            row.append(cost)
    return row[-1]
