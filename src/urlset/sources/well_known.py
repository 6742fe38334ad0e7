"""Where sitemaps usually lie: the paths that discovery asks for, in order, each with its source."""

from __future__ import annotations

from dataclasses import dataclass

from urlset.errors import UsageError

SPECIFICATION = "check specification sitemap 1.0.0"
SEEN = "2,109 robots.txt files of about 2018, in github.com/scrapy/protego, that name a sitemap of their own host"
WORDPRESS = "https://make.wordpress.org/core/2020/07/22/new-xml-sitemaps-functionality-in-wordpress-5-5/"


@dataclass(frozen=True, slots=True)
class WellKnownPath:
    """A path where a sitemap may lie.

    Attributes:
        path: From the root of the site, with a slash at its beginning.
        source: Who says that it is worth asking for.
        reach: Of the sites in `SEEN`, how many percent this path and those before it find; None if it was not measured.
    """

    path: str
    source: str
    reach: float | None = None


CHECKED = (
    WellKnownPath("/sitemap.xml", SPECIFICATION, 51.2),
    WellKnownPath("/sitemap.txt", SPECIFICATION),
    WellKnownPath("/sitemap_index.xml", SPECIFICATION, 58.3),
    WellKnownPath("/sitemap-index.xml", SPECIFICATION, 61.0),
)
"""The conventional locations of the check specification."""

WELL_KNOWN = (
    *CHECKED,
    WellKnownPath("/wp-sitemap.xml", WORDPRESS),
    WellKnownPath("/sitemapindex.xml", SEEN, 62.7),
    WellKnownPath("/sitemap.xml.gz", SEEN, 64.4),
    WellKnownPath("/sitemap/sitemap.xml", SEEN, 65.3),
    WellKnownPath("/sitemap", SEEN, 66.2),
    WellKnownPath("/sitemap_index.xml/", SEEN, 67.0),
    WellKnownPath("/sitemap.php", SEEN, 67.5),
    WellKnownPath("/news-sitemap.xml", SEEN, 68.0),
    WellKnownPath("/sitemaps", SEEN, 68.5),
    WellKnownPath("/en/sitemap.xml", SEEN, 69.0),
    WellKnownPath("/siteindex.xml", SEEN, 69.4),
    WellKnownPath("/sitemap/index.xml", SEEN, 69.8),
    WellKnownPath("/sitemaps/index.xml", SEEN, 70.3),
    WellKnownPath("/sitemaps/sitemap.xml", SEEN),
    WellKnownPath("/sitemaps.xml", SEEN),
    WellKnownPath("/sitemaps/sitemap-index.xml", SEEN),
    WellKnownPath("/sitemap.aspx", SEEN, 72.5),
)
"""Every path that discovery asks for, the most likely first. Five of them find more sites than the fourteen that
ultimate-sitemap-parser asks for, and past the twentieth or so one more path finds next to nothing."""


def paths_of(texts: tuple[str, ...]) -> tuple[str, ...]:
    """Paths that a user adds, each with a slash at its beginning.

    Raises:
        UsageError: One of them is empty or a URL.
    """
    paths = []
    for text in texts:
        path = text.strip()
        if not path or "://" in path or path.startswith("//"):
            raise UsageError(f"{text!r} is no path; write it from the root of the site, as in /feeds/sitemap.xml")
        paths.append(path if path.startswith("/") else f"/{path}")
    return tuple(dict.fromkeys(paths))
