"""Previews: hosts that answer for a site before it is published, and what they add to its responses."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from urlset.net.origin import parse_origin, split

if TYPE_CHECKING:
    from collections.abc import Iterable

    from urlset.net.origin import Origin

HOSTS_OF_PREVIEWS = (
    "[.](?:pages[.]dev|workers[.]dev|vercel[.]app|netlify[.]app|web[.]app|firebaseapp[.]com|onrender[.]com|"
    "azurestaticapps[.]net|amplifyapp[.]com|herokuapp[.]com|surge[.]sh|fly[.]dev|render[.]com|ngrok[.]io)$"
    "|^localhost$|^127[.]"
)
"""Pattern of hosts that deployments have besides that of the site, also in SQL."""

PREVIEW_PREFIXES = "^(?:staging|stage|preview|dev|test|beta)[.-]"
"""Pattern of the start of such hosts below the host of the site. Other sites begin like this, too: dev.to."""


def is_preview_of(host: str, site: str) -> bool:
    """Return whether a host is one that deployments of a site have besides its own.

    Example:
        >>> [is_preview_of(host, "www.example.com") for host in ("p42.pages.dev", "staging.example.com", "dev.to")]
        [True, True, False]
        >>> is_preview_of("dev.bookshop.example", "shop.example")
        False
    """
    if host == site:
        return False
    is_below = host.endswith(f".{site.removeprefix('www.')}") and re.search(PREVIEW_PREFIXES, host) is not None
    return is_below or re.search(HOSTS_OF_PREVIEWS, host) is not None


@dataclass(eq=False, slots=True)
class Preview:
    """A preview or staging host that answers for a site, which is not contacted.

    Attributes:
        site: The origin of the site.
        origin: The origin of the preview.
        directives: The directives of X-Robots-Tag that the preview adds to all responses, in lowercase.
        pages: Hashes of the URLs of pages that it returned, some of which are requested several times.
        pages_with_directives: Those of the pages from whose headers these directives were removed.
        disallow_line: The line of its robots.txt that disallows everything for all crawlers; None if there is none.
    """

    site: Origin
    origin: Origin
    directives: tuple[str, ...] = ()
    pages: set[int] = field(default_factory=set)
    pages_with_directives: set[int] = field(default_factory=set)
    disallow_line: int | None = None

    def is_at(self, origin: Origin) -> bool:
        """Return whether an origin is the preview, or its host with the other scheme."""
        return origin in self.origin.siblings

    def notes(self) -> Iterable[str]:
        """Yield what was read in place of the site, and what of its robots.txt was not applied."""
        yield (
            f"{self.site.url} was not requested: its preview {self.origin.url} was read instead, so TLS and the "
            "server of the site were not checked"
        )
        if self.disallow_line is not None:
            yield (
                f"robots.txt of the preview disallows everything for all crawlers (line {self.disallow_line}), as "
                f"is usual for previews; this was ignored. Make sure that {self.site.url}/robots.txt does not"
            )

    def notes_on_pages(self) -> Iterable[str]:
        """Yield what the preview adds to pages, and was not applied."""
        if self.pages_with_directives:
            tag = f"X-Robots-Tag: {', '.join(self.directives)}"
            count, total = len(self.pages_with_directives), len(self.pages)
            of_all = f"all {count:,}" if count == total else f"{count:,} of {total:,}"
            yield (
                f"{tag} is on all responses of the preview, and was ignored on {of_all} pages. Unless your own "
                f"configuration sends it, the host of the preview adds it. Make sure that {self.site.url} does not "
                "send it"
            )


def previews_of(texts: Iterable[str]) -> tuple[Preview, ...]:
    """Return the previews that are written as `SITE=PREVIEW`, two origins.

    Raises:
        ValueError: One is not written like this, or origins occur more than once; the message says why.

    Example:
        >>> [preview.origin.url for preview in previews_of(["https://www.example.com=https://p42.pages.dev"])]
        ['https://p42.pages.dev']
    """
    previews: list[Preview] = []
    seen: set[Origin] = set()
    for text in texts:
        site, equals, preview = text.partition("=")
        if not equals:
            raise ValueError("must be written as SITE=PREVIEW, such as https://www.example.com=https://p42.pages.dev")
        origins = _bare_origin(site), _bare_origin(preview)
        for origin in origins:
            if not seen.isdisjoint(origin.siblings):
                raise ValueError(f"{origin.host} occurs more than once")
            seen.add(origin)
        previews.append(Preview(*origins))
    return tuple(previews)


def _bare_origin(url: str) -> Origin:
    """Return the origin that a URL consists of."""
    try:
        parts, _ = split(url.strip())
        origin = parse_origin(url)
    except ValueError as error:
        raise ValueError(f"both sides must be http(s) URLs: {error}") from None
    if parts.username is not None:
        raise ValueError("must not contain a user name or password; use --auth instead")
    if parts.path not in ("", "/") or parts.query or parts.fragment:
        raise ValueError(f"both sides must be URLs without a path; remove everything after {origin.url}")
    return origin
