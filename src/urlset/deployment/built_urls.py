"""The URLs of a built directory that its site should serve."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from urlset.hosting.published_files import PAGE_ENDINGS
from urlset.hosting.site import is_sitemap
from urlset.model.deploy_check import ServedKind
from urlset.net.urlparts import split_url

if TYPE_CHECKING:
    from collections.abc import Sequence

    from urlset.hosting.site import FolderSite

_SITEMAP_ROOT = re.compile(rb"<(?:[\w-]+:)?(?:urlset|sitemapindex)\b")
_FEED_ROOT = re.compile(rb"<(?:[\w-]+:)?(?:rss|feed|RDF)\b")
_ROOT_SEARCHED = 4096
"""Bytes of a file that are searched for its root element."""

_LLMS = ("llms.txt", "llms-full.txt")


_ENDINGS = (*PAGE_ENDINGS, ".shtml", ".php", ".asp", ".aspx", ".jsp")
"""How the URL of a page ends, in place of that of a folder."""


class BuiltUrl(NamedTuple):
    """A URL of the directory."""

    url: str
    kind: ServedKind


class BuiltUrls(NamedTuple):
    """What the directory has. Files that nobody asks for, such as assets by default, are not in it."""

    pages: Sequence[BuiltUrl]
    files: Sequence[BuiltUrl]


def folder_url(url: str) -> str:
    """Return the URL of the folder that a URL names, or that the page that it names is in.

    Example:
        >>> [folder_url(f"https://example.com/{path}") for path in ("v1.2", "v1.2/index.html")]
        ['https://example.com/v1.2/', 'https://example.com/v1.2/']
    """
    if url.lower().endswith(_ENDINGS):
        url = url.rpartition("/")[0]
    return url if url.endswith("/") else f"{url}/"


def built_urls(site: FolderSite, *, assets: bool) -> BuiltUrls:
    """Return the URLs of a directory.

    Args:
        assets: Whether to return files other than pages, robots.txt, sitemaps, feeds, and llms.txt as well.
    """
    pages = [BuiltUrl(url, ServedKind.PAGE) for url in site.page_urls()]
    files = [BuiltUrl(url, _kind_of(site, name)) for name, url in site.other_files().items()]
    wanted = [file for file in files if assets or file.kind is not ServedKind.ASSET]
    # robots.txt first, since it is what crawlers read first.
    return BuiltUrls(pages, sorted(wanted, key=lambda file: list(ServedKind).index(file.kind)))


def _kind_of(site: FolderSite, name: str) -> ServedKind:
    if name == "robots.txt" and not site.is_below_path:
        return ServedKind.ROBOTS
    if name in _LLMS:
        return ServedKind.LLMS
    if name.lower().endswith((".xml", ".rss", ".atom")):
        start = site.folder.start(name)[:_ROOT_SEARCHED]
        if _SITEMAP_ROOT.search(start):
            return ServedKind.SITEMAP
        return ServedKind.FEED if _FEED_ROOT.search(start) else ServedKind.ASSET
    return ServedKind.SITEMAP if is_sitemap(name) else ServedKind.ASSET


def path_of(url: str) -> str:
    """Return path and query of a URL, for texts about a single site."""
    parts = split_url(url)
    return (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
