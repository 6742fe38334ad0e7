"""A directory of source files of pages, such as Markdown: a URL for each file, with data from its front matter."""

from __future__ import annotations

from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Any

from urlset.bounded import MOST_OF_PAGE, read_whole
from urlset.build.sources import front_matter
from urlset.build.sources.lastmod_resolver import PageDates
from urlset.build.sources.paths import files_of, matcher, url_path
from urlset.build.sources.source import defaulted
from urlset.errors import reason_of
from urlset.model.build import Reason
from urlset.net.urlparts import join_url

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from urlset.build.sources.source import SourceContext
    from urlset.options.sources import FileFolder

INDEXES = ("index", "_index", "readme")
"""Names, without extension, of index files: of most generators, of Hugo, and of repositories."""

_WITH_FRONT_MATTER = frozenset({".md", ".markdown", ".mdx", ".rst", ".adoc", ".html", ".htm", ".txt", ".org"})


def entries(spec: FileFolder, context: SourceContext) -> Iterator[dict[str, Any]]:
    """Yield an entry for each file.

    Raises:
        InputError: The directory cannot be listed.
    """
    included, excluded = matcher(spec.include), matcher(spec.exclude)
    place, fill, order = context.place(spec), defaulted(spec), context.asked(spec)
    for file in files_of(spec.folder):
        if not included(file.name):
            continue
        if excluded(file.name):
            context.log.leave_out(file.name, Reason.EXCLUDED)
            continue
        try:
            content = read_whole(file.path, MOST_OF_PAGE)
        except OSError as error:
            context.log.leave_out(file.name, Reason.UNREADABLE, reason_of(error))
            continue
        front: dict[str, Any] = {}
        if Path(file.name).suffix.lower() in _WITH_FRONT_MATTER:
            try:
                front = front_matter.parse(content[: front_matter.MAX_BYTES].decode("utf-8", "replace"))
            except front_matter.FrontMatterError as error:
                # It may say that the page is a draft.
                context.log.leave_out(file.name, Reason.UNREADABLE, f"{front_matter.FRONT_MATTER}{error}")
                continue
        refused = _not_listed(front, context.now)
        if refused is not None:
            context.log.leave_out(file.name, *refused)
            continue
        url = _given_url(context.base.text, front) or place + url_path(file.name, spec.urls, INDEXES)
        if not context.lets_pass(url):
            continue
        entry = _entry(url, front)
        dates = PageDates(
            dates=front_matter.dates(front),
            path=file.path,
            mtime_ns=file.mtime_ns,
            content_hash=int.from_bytes(blake2b(content, digest_size=8).digest(), "big", signed=True),
        )
        lastmod = context.resolver.lastmod(url, dates, order, spec.folder)
        if lastmod is not None:
            entry["lastmod"] = lastmod
        yield fill(entry)


def _not_listed(front: dict[str, Any], now: datetime) -> tuple[Reason, str] | None:
    """Return why a page is left out, according to its front matter."""
    if front_matter.flag(front, "draft") or front_matter.flag(front, "published") is False:
        return Reason.DRAFT, ""
    robots = front.get("robots")
    if front_matter.flag(front, "noindex") or (isinstance(robots, str) and "noindex" in robots.lower()):
        return Reason.NOINDEX, ""
    sitemap = front.get("sitemap")
    if sitemap is False or (isinstance(sitemap, dict) and _is_excluded(sitemap)):
        return Reason.DRAFT, "sitemap: false" if sitemap is False else "sitemap: excluded"
    for key in front_matter.PUBLISHED_FROM[:1]:
        begins = front_matter.instant(front.get(key))
        if begins is not None and begins > now:
            return Reason.NOT_YET, f"{key}: {front[key]}"
    for key in front_matter.EXPIRES:
        ends = front_matter.instant(front.get(key))
        if ends is not None and ends <= now:
            return Reason.NOT_YET, f"{key}: {front[key]}"
    return None


def _is_excluded(sitemap: dict[str, Any]) -> bool:
    return bool(front_matter.flag(sitemap, "exclude") or front_matter.flag(sitemap, "disable"))


def _given_url(base: str, front: dict[str, Any]) -> str | None:
    """Return the URL of the page from its front matter, if any; a path is relative to the base URL."""
    for key in ("permalink", "url"):
        given = front.get(key)
        # Permalinks in Jekyll may be patterns such as /:year/:title, which only Jekyll can resolve.
        if isinstance(given, str) and given.startswith(("/", "http://", "https://")) and "/:" not in given:
            return join_url(base, given if "://" in given else given.lstrip("/"))
    return None


def _entry(url: str, front: dict[str, Any]) -> dict[str, Any]:
    entry: dict[str, Any] = {"loc": url}
    sitemap = front.get("sitemap")
    if isinstance(sitemap, dict):
        hints = {key: sitemap.get(key) for key in ("changefreq", "priority")}
        entry |= {key: hint for key, hint in hints.items() if isinstance(hint, str | int | float) and hint != ""}
    return entry
