"""A directory of HTML: a URL for each indexable page, according to its meta tags and links."""

from __future__ import annotations

import os
import time
from dataclasses import dataclass
from textwrap import shorten
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from urlset.build.layouts.page_sources import PageSources
from urlset.build.sources.languages import Version, complete_clusters
from urlset.build.sources.lastmod_resolver import PageDates
from urlset.build.sources.page_store import PageRecord
from urlset.build.sources.paths import alias_key, files_of, included_by, matcher, url_path
from urlset.build.sources.source import default_filler, entry_of_file
from urlset.errors import reason_of
from urlset.files.bounded import MAX_PAGE_BYTES, FileTooLargeError
from urlset.hosting.not_pages import (
    HAS_LINKS,
    OTHER_CONTENT,
    NotAPage,
    by_place,
    looks_unfinished,
    not_a_page,
    status_documentation,
)
from urlset.hosting.opening import unlisted_of
from urlset.model.build import Reason
from urlset.net.origin import origin_url
from urlset.net.urlparts import join_url, split_url
from urlset.options.sources import LastmodSource
from urlset.probe.directives import directives_of, of_meta
from urlset.processes.threads import in_order
from urlset.text.progress import ProgressEvent
from urlset.text.sizes import quantity
from urlset.web.html_page import read_page_files
from urlset.web.indexability import MIN_WORDS, RELOADED_WORDS, SHELL_WORDS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from urlset.build.sources.page_store import PageStore
    from urlset.build.sources.paths import FolderFile
    from urlset.build.sources.source import SourceContext
    from urlset.options.sources import HtmlFolder
    from urlset.web.html_page import PageFacts

INDEXES = ("index",)
"""Names, without extension, of index pages."""

AT_ONCE = 64
"""Files that a thread reads per batch, without the GIL."""


@dataclass(slots=True)
class _ListedPage:
    file: FolderFile
    page: PageRecord
    entry: dict[str, Any]


def entries(spec: HtmlFolder, context: SourceContext, store: PageStore) -> Iterator[dict[str, object]]:
    """Yield an entry for each page to list, in the order of their paths.

    Raises:
        InputError: The directory cannot be listed.
    """
    place = context.place(spec)
    judge = _Judge(context, place)
    listed: list[_ListedPage] = []
    for file, page, is_error_page in _pages(spec, context, store):
        url = place + url_path(file.name, spec.urls, INDEXES)
        why = not_a_page(file.name, page, is_error_page=is_error_page)
        verdict = judge.verdict(url, page) if why is None or why[0] in HAS_LINKS else _omission(*why)
        if why is not None and isinstance(verdict, str):
            verdict = _omission(*why)
        if isinstance(verdict, tuple):
            context.log.leave_out(file.name, *verdict)
        elif context.lets_pass(verdict):
            listed.append(_ListedPage(file, page, entry_of_file(verdict, file.name)))
    judge.conclude(len(listed))
    _note_unfinished(listed, context)
    _note_copies(listed, context)
    if any(listed_page.page.alternates for listed_page in listed):
        versions = [Version(listed_page.entry, _links(listed_page), listed_page.page.lang) for listed_page in listed]
        complete_clusters([version for version in versions if version.links or version.lang], context.log)
    fill, order = default_filler(spec), context.lastmod_sources(spec)
    sources = _page_sources(spec, context, [listed_page.entry["loc"] for listed_page in listed])
    own = [listed.file.path for listed in listed if sources is None or not sources.files(listed.entry["loc"])]
    if sources is not None:
        context.resolver.read_history(sources.source.top, sources.all_files(), order, sources.code)
    context.resolver.read_history(spec.folder, own, order)
    dated = ((listed_page.entry["loc"], _known_dates(listed_page, sources)) for listed_page in listed)
    for listed_page, lastmod in zip(listed, context.resolver.lastmods(dated, order, spec.folder), strict=True):
        if spec.images and listed_page.page.images:
            base = _base(listed_page.entry["loc"], listed_page.page)
            found_images = dict.fromkeys(join_url(base, image) for image in listed_page.page.images)
            listed_page.entry["images"] = [image for image in found_images if image.startswith(("https://", "http://"))]
        if lastmod is not None:
            listed_page.entry["lastmod"] = lastmod
        if context.files is not None:
            context.files[listed_page.entry["loc"]] = listed_page.file.path, spec
        yield fill(listed_page.entry)


def _note_unfinished(listed: Sequence[_ListedPage], context: SourceContext) -> None:
    """Add a note on listed pages that look like drafts, templates, or examples, which no name or title proves."""
    found = [page for page in listed if looks_unfinished(page.file.name, page.page.title)]
    if found:
        first, title = found[0].file.name, found[0].page.title
        shown = f" ({shorten(title, 60)})" if title else ""
        pages = quantity(len(found), "listed page has", "listed pages have")
        context.log.note(
            f"{pages} the name or title of a draft, template, or example, such as {first}{shown}; to leave out such a "
            "page, add noindex to it, or use --exclude"
        )


def _note_copies(listed: Sequence[_ListedPage], context: SourceContext) -> None:
    """Add a note on listed pages that an audit reports as copies (PGE019), which search engines leave out."""
    firsts: dict[object, _ListedPage] = {}
    copies: list[tuple[_ListedPage, _ListedPage]] = []
    for listed_page in sorted(listed, key=lambda each: (len(each.entry["loc"]), each.entry["loc"])):
        page = listed_page.page
        # Language versions may have the same text; of short pages, only the same response at two URLs is a copy.
        if page.alternates or page.words < (SHELL_WORDS if not page.canonicals else MIN_WORDS):
            continue
        response = (page.title, listed_page.file.size) if page.words < MIN_WORDS else ()
        first = firsts.setdefault((page.content_hash, *response), listed_page)
        if first is not listed_page:
            copies.append((listed_page, first))
    if copies:
        copy, first = copies[0]
        pages = quantity(len(copies), "listed page has", "listed pages have")
        context.log.note(
            f"{pages} the same content as another, such as {copy.file.name} (as {first.file.name}); search engines "
            "index one of them: make it the canonical of the others, or use --exclude to leave the others out"
        )


def _known_dates(listed_page: _ListedPage, sources: PageSources | None) -> PageDates:
    return PageDates(
        dates=listed_page.page.dates,
        path=listed_page.file.path,
        mtime_ns=listed_page.file.mtime_ns,
        content_hash=listed_page.page.content_hash,
        is_page=True,
        words=listed_page.page.words,
        sources=() if sources is None else sources.files(listed_page.entry["loc"]),
        why_unmapped="" if sources is None else sources.why_unmapped(listed_page.entry["loc"]),
    )


def _page_sources(spec: HtmlFolder, context: SourceContext, urls: Sequence[str]) -> PageSources | None:
    """Return the files that pages are generated from, if their history gives dates; None if they are not known."""
    if LastmodSource.GIT_TEXT not in context.lastmod_sources(spec) or not urls:
        return None
    sources = PageSources.find(context.content, spec.folder, urls, context.place(spec))
    if sources is not None:
        context.log.mappings.append(sources.mapping)
    return sources


def _pages(
    spec: HtmlFolder, context: SourceContext, store: PageStore
) -> Iterator[tuple[FolderFile, PageRecord, bool | None]]:
    """Yield the pages of the directory in order, read from their files or known from the previous build.

    Each comes with whether it is an error page, or None if its name and its content decide.
    """
    included, excluded = included_by(spec.include), matcher(spec.exclude)
    files = [file for file in files_of(spec.folder) if included(file.name)]
    names = [file.name for file in files]
    unlisted, documentation = unlisted_of(spec.folder, names, context.place(spec)), status_documentation(names)
    meant: list[FolderFile] = []
    for file in files:
        if excluded(file.name):
            context.log.leave_out(file.name, Reason.EXCLUDED)
        elif (why := by_place(file.name)) is not None:
            context.log.leave_out(file.name, *_omission(*why))
        elif (hidden := unlisted.hidden.get(file.name)) is not None:
            context.log.leave_out(file.name, Reason.HIDDEN, hidden)
        else:
            meant.append(file)
    stored = {file.path: page for file in meant if (page := store.stored_page(file, images=spec.images)) is not None}
    unread = [file for file in meant if file.path not in stored]
    read = iter(_read(unread, spec))
    for number, file in enumerate(meant, 1):
        page = stored.get(file.path)
        if page is None:
            answer, read_at = next(read)
            if isinstance(answer, str):
                context.log.leave_out(file.name, Reason.UNREADABLE, answer)
                continue
            page = answer
            store.keep(file, page, images=spec.images, read_at_ns=read_at)
        if context.progress is not None and number % AT_ONCE == 0:
            context.progress(ProgressEvent(number, len(meant), file.name))
        yield file, page, True if file.name in unlisted.error_pages else False if file.name in documentation else None


def _read(files: list[FolderFile], spec: HtmlFolder) -> Iterator[tuple[PageRecord | str, int]]:
    """Yield the result for each file in order: the page, or why it cannot be read, and the time of reading."""
    if not files:
        return

    def several(batch: list[FolderFile]) -> list[tuple[PageRecord | str, int]]:
        read_at = time.time_ns()
        pages = read_page_files([(file.path, None, None) for file in batch], MAX_PAGE_BYTES, images=spec.images)
        return [(_record(page), read_at) for page in pages]

    pieces = [files[at : at + AT_ONCE] for at in range(0, len(files), AT_ONCE)]
    for piece in in_order(several, pieces, os.cpu_count() or 1, "urlset-build"):
        yield from piece


def _record(page: PageFacts | OSError | None) -> PageRecord | str:
    """Return the data of a page, or why it cannot be read."""
    if page is None:
        page = FileTooLargeError(MAX_PAGE_BYTES)
    return reason_of(page) if isinstance(page, OSError) else PageRecord.of(page)


def _omission(what: NotAPage, detail: str) -> tuple[Reason, str]:
    """Return the reason to leave out a file that is not a page."""
    return _REASONS[what], detail


_REASONS = {
    NotAPage.ERROR_PAGE: Reason.ERROR_PAGE,
    NotAPage.ERROR_TITLE: Reason.ERROR_PAGE,
    NotAPage.VERIFICATION: Reason.VERIFICATION,
    NotAPage.TOOLING: Reason.TOOLING,
    NotAPage.PARTIAL: Reason.PARTIAL,
    NotAPage.DRAFT: Reason.DRAFT,
    NotAPage.TEMPLATE: Reason.TEMPLATE,
    NotAPage.CMS_ADMIN: Reason.CMS_ADMIN,
    NotAPage.EMPTY: Reason.EMPTY,
    NotAPage.NO_TEXT: Reason.EMPTY,
    **dict.fromkeys(OTHER_CONTENT, Reason.NOT_HTML),
}


class _Judge:
    """Decides whether to list a page, and at which URL."""

    def __init__(self, context: SourceContext, place: str) -> None:
        self._context = context
        self._agent = context.robots_filter.agent.lower()
        self._without_text: list[str] = []
        self._origin = origin_url(place)
        self._elsewhere: dict[str, int] = {}

    def verdict(self, url: str, page: PageRecord) -> str | tuple[Reason, str]:
        """Return the URL of a page, or why it is left out."""
        seconds, written = page.refresh or (None, None)
        for leads_to in (written, page.script_target):
            if leads_to is not None and (target := join_url(_base(url, page), leads_to)) != url:
                return Reason.REDIRECT, target
        if page.words < RELOADED_WORDS and (page.script_target is not None or (seconds is not None and seconds < 1)):
            return Reason.EMPTY, "reloads itself at once"
        if page.robots and (why := self._noindex_reason(page)) is not None:
            return why
        if page.words == 0 and page.has_script:
            self._without_text.append(url)
        if len(page.canonicals) == 1 and page.canonicals[0] == url:
            return url
        # The first one counts, as in an audit.
        canonical = next((self._canonical(url, page, written) for written in page.canonicals if written), url)
        if _is_same_page(canonical, url):
            # The canonical link determines the spelling of the URL.
            return canonical
        origin = origin_url(canonical)
        if origin not in ("", self._origin):
            self._elsewhere[origin] = self._elsewhere.get(origin, 0) + 1
        return Reason.CANONICAL, canonical

    def _noindex_reason(self, page: PageRecord) -> tuple[Reason, str] | None:
        """Return the directive that keeps a page out of a large search engine, or the given crawler."""
        directives = directives_of(page.robots, None)
        named = [
            directive
            for name, content in page.robots
            for directive in of_meta(name, content)
            if directive.agent == self._agent
        ]
        if directives.noindex is not None:
            return Reason.NOINDEX, directives.noindex.removeprefix("meta ")
        for directive in named:
            if directive.name in ("noindex", "none"):
                return Reason.NOINDEX, f"{directive.agent}: {directive.name}"
        if directives.unavailable_after is not None and directives.unavailable_after <= self._context.now:
            return Reason.NOT_YET, f"unavailable_after: {directives.unavailable_after:%Y-%m-%d}"
        return None

    def _canonical(self, url: str, page: PageRecord, written: str) -> str:
        if not written.startswith(("https://", "http://")):
            written = join_url(_base(url, page), written)
        return written.partition("#")[0]

    def conclude(self, listed: int) -> None:
        """Add notes on all pages: canonical URLs on a different host suggest that the base URL is wrong."""
        if self._without_text:
            pages = quantity(len(self._without_text), "listed page has", "listed pages have")
            self._context.log.note(
                f"{pages} no main text in the HTML, such as {self._without_text[0]}; use --exclude to leave out pages "
                "without content; if scripts render it, Google runs them later, and most other crawlers do not"
            )
        for origin, count in self._elsewhere.items():
            if count > listed:
                self._context.log.note(
                    f"{quantity(count, 'page has a canonical URL', 'pages have canonical URLs')} on {origin}, but the "
                    f"base URL is {self._context.base.text}; check the base URL"
                )


def _base(url: str, page: PageRecord) -> str:
    return url if page.base is None else join_url(url, page.base)


def _is_same_page(url: str, other: str) -> bool:
    """Return whether two URLs only differ in index.html, extension, or trailing slash."""
    if url == other:
        return True
    first, second = split_url(url), split_url(other)
    return (
        origin_url(url) == origin_url(other)
        and first.query == ""
        and alias_key(unquote(first.path)) == alias_key(unquote(second.path))
    )  # fmt: skip


def _links(listed_page: _ListedPage) -> list[tuple[str, str]]:
    base = _base(listed_page.entry["loc"], listed_page.page)
    return [(code, join_url(base, href).partition("#")[0]) for code, href in listed_page.page.alternates]
