"""A directory of source files of pages, such as Markdown: a URL for each file, with data from its front matter."""

from __future__ import annotations

import re
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING

from urlset.build.sources import front_matter
from urlset.build.sources.languages import language_version
from urlset.build.sources.lastmod_resolver import PageDates
from urlset.build.sources.paths import files_of, included_by, matcher, url_path
from urlset.build.sources.source import default_filler, entry_of_file
from urlset.errors import reason_of
from urlset.files.bounded import MAX_PAGE_BYTES, read_file
from urlset.hosting.not_pages import by_place, error_pages
from urlset.model.build import Reason
from urlset.net.urlparts import join_url
from urlset.probe.directives import directives_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from urlset.build.sources.paths import FolderFile
    from urlset.build.sources.source import SourceContext
    from urlset.options.sources import FileFolder

INDEXES = ("index", "_index", "readme")
"""Names, without extension, of index files: of most generators, of Hugo, and of repositories."""

_WITH_FRONT_MATTER = frozenset({".md", ".markdown", ".mdx", ".rst", ".adoc", ".html", ".htm", ".txt", ".org"})


def entries(spec: FileFolder, context: SourceContext) -> Iterator[dict[str, object]]:
    """Yield an entry for each file.

    Raises:
        InputError: The directory cannot be listed.
    """
    included, excluded = included_by(spec.include), matcher(spec.exclude)
    place, fill, order = context.place(spec), default_filler(spec), context.lastmod_sources(spec)
    files = [file for file in files_of(spec.folder) if included(file.name)]
    names = frozenset(file.name for file in files)
    errors = error_pages(names)
    context.resolver.read_history(spec.folder, (file.path for file in files if not excluded(file.name)), order)
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
            if not content.strip() and Path(file.name).stem.lower() not in INDEXES:
                context.log.leave_out(file.name, Reason.EMPTY)
                continue
        refused = _omission_reason(front, context.now)
        if refused is not None:
            context.log.leave_out(file.name, *refused)
            continue
        url = _url_of(place, spec, file, front, names, context.base.text)
        if isinstance(url, tuple):
            context.log.leave_out(file.name, *url)
            continue
        if not context.lets_pass(url):
            continue
        entry = _entry(url, file.name, front)
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


def has_template(text: str) -> bool:
    """Return whether a text has a tag of a template, such as `{{ page.title }}`."""
    starts = ((text.find(opening), closing) for opening, closing in (("{{", "}}"), ("{%", "%}"), ("<%", "%>")))
    return any(text.find(closing, start + 2) >= 0 for start, closing in starts if start >= 0)


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


def _url_of(
    place: str, spec: FileFolder, file: FolderFile, front: dict[str, object], names: frozenset[str], base: str
) -> str | tuple[Reason, str]:
    """Return the URL of a page, or why it cannot be known; a path in front matter is relative to the base URL."""
    values = front_matter.values_by_key(front)
    for key in ("url", "permalink"):
        path = values.get(key, ("", None))[1]
        if not isinstance(path, str) or not path.strip():
            continue
        # Only the generator can fill in /:year/:title/ and {{ page.fileSlug }}.
        if "/:" in path.replace("://", "") or has_template(path):
            return Reason.UNKNOWN_URL, f"{key}: {path}"
        if path.startswith(("/", "http://", "https://")):
            return join_url(base, path if "://" in path else path.lstrip("/"))
        if key == "permalink" and path.endswith((".html", "/")):
            # Eleventy: the path of the file that it writes.
            return join_url(base, path.removesuffix("index.html"))
    folder, slash, last = file.name.rpartition("/")
    for part in file.name.split("/")[:-1]:
        if part.startswith("_"):
            return Reason.UNKNOWN_URL, f"in {part}/, and without a permalink"
    if re.search(r"(^|/)(\[[^/]*\]|\([^/]*\)/)", file.name):
        return Reason.UNKNOWN_URL, "the name is that of a dynamic route"
    stem, _, extension = last.rpartition(".")
    name = file.name
    if stem.lower() in INDEXES:
        name = f"{folder}{slash}index.{extension.lower()}"
    version = language_version(name, names)
    if version is not None:
        plain, language = version
        if not plain:
            return Reason.UNKNOWN_URL, f"its path depends on whether {language} is the default language"
        name, place = plain, f"{place}{language}/"
        folder, slash, last = name.rpartition("/")
        stem = last.rpartition(".")[0]
    slug = values.get("slug", ("", None))[1]
    if isinstance(slug, str | int) and not isinstance(slug, bool) and str(slug).strip() and stem.lower() != "_index":
        name = _with_slug(folder, stem, extension, str(slug).strip())
    return place + url_path(name, spec.urls, ("index",))


def _with_slug(folder: str, stem: str, extension: str, slug: str) -> str:
    """Return the name of a file whose URL ends in a slug; an absolute slug is relative to the source.

    The slug of `index.md` replaces the name of its directory, as in Hugo.
    """
    if slug.startswith("/"):
        folder = ""
    elif stem.lower() in INDEXES:
        folder = folder.rpartition("/")[0]
    parts: list[str] = []
    for part in f"{folder}/{slug}".split("/"):
        if part == "..":
            parts = parts[:-1]
        elif part not in ("", "."):
            parts.append(part)
    return f"{'/'.join(parts)}.{extension}" if parts else f"index.{extension.lower()}"


def _entry(url: str, name: str, front: dict[str, object]) -> dict[str, object]:
    entry: dict[str, object] = entry_of_file(url, name)
    sitemap = front.get("sitemap")
    if isinstance(sitemap, dict):
        hints = {key: sitemap.get(key) for key in ("changefreq", "priority")}
        entry |= {key: hint for key, hint in hints.items() if isinstance(hint, str | int | float) and hint != ""}
    return entry
