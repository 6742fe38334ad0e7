"""Writes directories of pages for tests."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from urlset.hosting.opening import open_site
from urlset.hosting.published_files import PublishedFolder
from urlset.hosting.site import FolderSite
from urlset.options.publishing import HostName

BASE = "https://example.com/"


def write(root: Path, files: Mapping[str, str | bytes]) -> Path:
    """Write files below a directory, by name."""
    for name, content in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return root


def opened(root: Path, base: str | None, host: HostName | None) -> FolderSite:
    """Return a directory as a site."""
    return open_site(PublishedFolder.of(root), base, host)


def page(url: str | None, *, head: str = "", links: Sequence[str] = (), text: str = "") -> str:
    """Return a page with its canonical link and enough text of its own."""
    canonical = "" if url is None else f'<link rel="canonical" href="{url}">'
    own = hash_of(str(url) + text)
    words = " ".join(f"word{number}{own}" for number in range(300))
    anchors = "".join(f'<a href="{link}">more</a> ' for link in links)
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Page at {url} {text}</title>{canonical}'
        f"{head}</head><body><main><h1>{url}</h1>{text} {words} {anchors}</main></body></html>"
    )


def hash_of(text: str) -> int:
    """Return a number for a text, the same in every process."""
    return sum(ord(character) * (at + 1) for at, character in enumerate(text))


def urlset(*locs: str, more: Mapping[str, str] | None = None) -> str:
    """Return a sitemap; `more` is XML to add to entries, by URL."""
    entries = "\n".join(f"<url><loc>{loc}</loc>{(more or {}).get(loc, '')}</url>" for loc in locs)
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">'
        f"\n{entries}\n</urlset>\n"
    )
