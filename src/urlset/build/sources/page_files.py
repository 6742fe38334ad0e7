"""A directory of source files of pages, such as Markdown: a URL for each file, with data from its front matter."""

from __future__ import annotations

from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Any

from urlset.build.layouts.includes import Includes
from urlset.build.layouts.layout_table import PLAIN
from urlset.build.layouts.source_folder import SourceFolder
from urlset.build.sources import front_matter
from urlset.build.sources.lastmod_resolver import PageDates
from urlset.build.sources.paths import files_of, included_by, matcher
from urlset.build.sources.source import default_filler, entry_of_file
from urlset.build.sources.source_urls import has_template, url_of_source
from urlset.errors import reason_of
from urlset.files.bounded import MAX_PAGE_BYTES, read_file
from urlset.hosting.not_pages import by_place, error_pages
from urlset.model.build import Reason
from urlset.options.sources import LastmodSource, UrlStyle
from urlset.probe.directives import directives_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import datetime

    from urlset.build.sources.source import SourceContext
    from urlset.options.sources import FileFolder

_WITH_FRONT_MATTER = frozenset({".md", ".markdown", ".mdx", ".rst", ".adoc", ".html", ".htm", ".txt", ".org"})


def entries(spec: FileFolder, context: SourceContext) -> Iterator[dict[str, object]]:
    """Yield an entry for each file.

    Raises:
        InputError: The directory cannot be listed.
    """
    fill, order = default_filler(spec), context.lastmod_sources(spec)
    source = SourceFolder.of(spec.folder)
    includes = Includes.of(source) if LastmodSource.GIT_TEXT in order else None
    if spec.urls is UrlStyle.SLASHES and not source.layout.ends_in_slash:
        context.log.note(
            f"the URLs end in a slash, as those of {source.layout.generator} do not unless it is configured so; if the "
            f"site has others, build its generated pages, with --content {spec.folder} for dates"
        )
    pages = list(_pages(spec, context, includes))
    files = (file for _, dates in pages for file in dates.sources)
    context.resolver.read_history(spec.folder, files, order, () if includes is None else includes.code)
    lastmods = context.resolver.lastmods([(entry["loc"], dates) for entry, dates in pages], order, spec.folder)
    for (entry, _), lastmod in zip(pages, lastmods, strict=True):
        if lastmod is not None:
            entry["lastmod"] = lastmod
        yield fill(entry)


def _pages(
    spec: FileFolder, context: SourceContext, includes: Includes | None
) -> Iterator[tuple[dict[str, Any], PageDates]]:
    """Yield the entry of each page without its date, and what is known about the date.

    Args:
        includes: Finds the files that pages include; None if nobody needs their dates.
    """
    included, excluded = included_by(spec.include), matcher(spec.exclude)
    place = context.place(spec)
    files = [file for file in files_of(spec.folder) if included(file.name)]
    names = frozenset(file.name for file in files)
    errors = error_pages(names)
    for file in files:
        if excluded(file.name):
            context.log.leave_out(file.name, Reason.EXCLUDED)
            continue
        if file.name in errors:
            context.log.leave_out(file.name, Reason.ERROR_PAGE)
            continue
        if (why := by_place(file.name)) is not None:
            context.log.leave_out(file.name, Reason(why[0].value), why[1])
            continue
        try:
            content = read_file(file.path, MAX_PAGE_BYTES)
        except OSError as error:
            context.log.leave_out(file.name, Reason.UNREADABLE, reason_of(error))
            continue
        front: dict[str, object] = {}
        if Path(file.name).suffix.lower() in _WITH_FRONT_MATTER:
            try:
                front = front_matter.parse(content[: front_matter.MAX_BYTES].decode("utf-8", "replace"))
            except front_matter.FrontMatterError as error:
                # It may say that the page is a draft.
                context.log.leave_out(file.name, Reason.UNREADABLE, f"{front_matter.FRONT_MATTER}{error}")
                continue
            if not content.strip() and Path(file.name).stem.lower() not in PLAIN.indexes:
                context.log.leave_out(file.name, Reason.EMPTY)
                continue
        refused = _omission_reason(front, context.now)
        if refused is not None:
            context.log.leave_out(file.name, *refused)
            continue
        url = url_of_source(file.name, front, names, place=place, base=context.base.text, style=spec.urls)
        if isinstance(url, tuple):
            context.log.leave_out(file.name, *url)
            continue
        if not context.lets_pass(url):
            continue
        others = [] if includes is None else includes.files_of(file.path, content.decode("utf-8", "replace"))
        included_files = [] if isinstance(others, str) else others
        yield (
            _entry(url, file.name, front),
            PageDates(
                dates=front_matter.dates(front),
                path=file.path,
                mtime_ns=file.mtime_ns,
                content_hash=_hash(content, included_files),
                sources=() if isinstance(others, str) else (file.path, *included_files),
                sources_unknown=others if isinstance(others, str) else "",
            ),
        )


def _hash(content: bytes, included_files: Sequence[str]) -> int:
    """Return a hash of a file and of those that it includes, whose words are on the page, too."""
    digest = blake2b(content, digest_size=8)
    for path in included_files:
        try:
            digest.update(b"\0" + read_file(path, MAX_PAGE_BYTES))
        except OSError as error:
            # It has just changed: the hash is that of no earlier text.
            digest.update(f"{path}: {reason_of(error)}".encode(errors="surrogateescape"))
    return int.from_bytes(digest.digest(), "big", signed=True)


def _omission_reason(front: dict[str, object], now: datetime) -> tuple[Reason, str] | None:
    """Return why a page is left out, according to its front matter."""
    values = front_matter.values_by_key(front)

    def value(key: str) -> tuple[str, object]:
        return values.get(front_matter.normalize_key(key), (key, None))

    for key in front_matter.UNWANTED:
        if front_matter.flag(front, key):
            return Reason.DRAFT, "" if key == "draft" else f"{value(key)[0]}: true"
    for key in front_matter.LISTING_KEYS:
        if front_matter.flag(front, key) is False:
            return Reason.DRAFT, "" if key == "published" else f"{value(key)[0]}: false"
    status = value("status")[1]
    if isinstance(status, str) and status.lower() in front_matter.STATES:
        return Reason.DRAFT, f"status: {status}"
    if _has_noindex(front):
        return Reason.NOINDEX, ""
    sitemap = value("sitemap")[1]
    is_off = front_matter.flag(front, "sitemap") is False
    if is_off or (isinstance(sitemap, dict) and _is_excluded(sitemap)):
        return Reason.DRAFT, "sitemap: false" if is_off else "sitemap: excluded"
    for key in ("build", "_build"):
        # Hugo: https://gohugo.io/content-management/build-options/
        options = front.get(key)
        if not isinstance(options, dict):
            continue
        for name in ("render", "list"):
            if options.get(name) == "never" or front_matter.flag(options, name) is False:
                return Reason.DRAFT, f"{key}: {name}: {options[name]}"
    if front_matter.flag(front, "permalink") is False:
        return Reason.DRAFT, "permalink: false"
    begins = next((dated for key in front_matter.PUBLISHED_FROM if (dated := _date_of(value(key))) is not None), None)
    if begins is not None and begins[1] > now:
        return Reason.NOT_YET, begins[0]
    for key in front_matter.EXPIRES:
        ends = _date_of(value(key))
        if ends is not None and ends[1] <= now:
            return Reason.NOT_YET, ends[0]
    title = value("title")[1]
    if isinstance(title, str) and has_template(title):
        return Reason.TEMPLATE, f"title: {title}"
    return None


def _date_of(dated: tuple[str, object]) -> tuple[str, datetime] | None:
    key, value = dated
    moment = front_matter.instant(value)
    return None if moment is None else (f"{key}: {value}", moment)


def _has_noindex(front: dict[str, object]) -> bool:
    """Return whether front matter asks search engines not to index the page, itself or in `seo` or `robots`."""
    values = front_matter.values_by_key(front)
    robots, seo = (values.get(key, ("", None))[1] for key in ("robots", "seo"))
    if any(front_matter.flag(front, key) for key in front_matter.NOINDEX):
        return True
    if isinstance(seo, dict) and _has_noindex(seo):
        return True
    if isinstance(robots, dict):
        return front_matter.flag(robots, "index") is False or _has_noindex(robots)
    words = robots if isinstance(robots, list) else [robots]
    directives = directives_of([("robots", ",".join(word for word in words if isinstance(word, str)))], None)
    return directives.noindex is not None or front_matter.flag(front, "robots") is False


def _is_excluded(sitemap: dict[str, object]) -> bool:
    return any(front_matter.flag(sitemap, key) for key in ("exclude", "excluded", "disable", "ignore", "noindex"))


def _entry(url: str, name: str, front: dict[str, object]) -> dict[str, Any]:
    entry: dict[str, Any] = entry_of_file(url, name)
    sitemap = front.get("sitemap")
    if isinstance(sitemap, dict):
        hints = {key: sitemap.get(key) for key in ("changefreq", "priority")}
        entry |= {key: hint for key, hint in hints.items() if isinstance(hint, str | int | float) and hint != ""}
    return entry
