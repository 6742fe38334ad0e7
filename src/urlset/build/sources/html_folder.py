"""A folder of HTML: a URL for each page that is to be listed, by what the page says of itself."""

from __future__ import annotations

import os
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from urlset.bounded import MOST_OF_PAGE, read_whole
from urlset.build.sources.dating import Known
from urlset.build.sources.languages import Version, completed
from urlset.build.sources.page_store import Page
from urlset.build.sources.paths import alias_key, files_of, matcher, url_path
from urlset.build.sources.source import defaulted
from urlset.buildspec import ERROR_PAGES
from urlset.config import Progressed
from urlset.model.build import Reason
from urlset.net.urlparts import join_url, site_of, split_url
from urlset.page import read_page

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from urlset.build.sources.page_store import PageStore
    from urlset.build.sources.paths import Found
    from urlset.build.sources.source import Run
    from urlset.buildspec import HtmlFolder

INDEXES = ("index",)
"""Names, without ending, of the pages that stand for their folder."""

AT_ONCE = 64
"""Files that a thread reads in one go: less waiting for the interpreter's lock than one by one."""

NOINDEX = ("noindex", "none")


@dataclass(slots=True)
class _Listed:
    """A page that is to be listed."""

    file: Found
    page: Page
    entry: dict[str, Any]


def entries(spec: HtmlFolder, run: Run, store: PageStore) -> Iterator[dict[str, Any]]:
    """An entry for each page that is to be listed, in the order of their paths.

    Raises:
        InputError: The folder cannot be listed.
    """
    place = run.place(spec)
    judge = _Judge(run, place)
    listed: list[_Listed] = []
    for file, page in _pages(spec, run, store):
        url = place + url_path(file.name, spec.urls, INDEXES)
        found = judge.verdict(url, page)
        if isinstance(found, tuple):
            run.tally.leave_out(file.name, *found)
        elif run.lets_pass(found):
            listed.append(_Listed(file, page, {"loc": found}))
    judge.conclude(len(listed))
    if any(one.page.alternates for one in listed):
        versions = [Version(one.entry, _links(one), one.page.lang) for one in listed]
        completed([one for one in versions if one.links or one.lang], run.tally)
    fill, order = defaulted(spec), run.asked(spec)
    for one in listed:
        if spec.images and one.page.images:
            base = _base(one.entry["loc"], one.page)
            found_images = dict.fromkeys(join_url(base, image) for image in one.page.images)
            one.entry["images"] = [image for image in found_images if image.startswith(("https://", "http://"))]
        known = Known(
            dates=one.page.dates,
            path=one.file.path,
            mtime_ns=one.file.mtime_ns,
            content_hash=one.page.content_hash,
        )
        lastmod = run.dating.lastmod(one.entry["loc"], known, order, spec.folder)
        if lastmod is not None:
            one.entry["lastmod"] = lastmod
        yield fill(one.entry)


def _pages(spec: HtmlFolder, run: Run, store: PageStore) -> Iterator[tuple[Found, Page]]:
    """The pages of the folder, in their order: read, or known from the build before."""
    included, excluded, errors = matcher(spec.include), matcher(spec.exclude), matcher(ERROR_PAGES)
    meant: list[Found] = []
    for file in files_of(spec.folder):
        path = f"/{file.name}"
        if not included.fullmatch(path):
            continue
        if excluded.fullmatch(path):
            run.tally.leave_out(file.name, Reason.EXCLUDED)
        elif errors.fullmatch(path):
            run.tally.leave_out(file.name, Reason.ERROR_PAGE)
        else:
            meant.append(file)
    known = {file.path: page for file in meant if (page := store.known(file, images=spec.images)) is not None}
    unread = [file for file in meant if file.path not in known]
    read = iter(_read(unread, spec))
    for number, file in enumerate(meant, 1):
        page = known.get(file.path)
        if page is None:
            answer, read_at = next(read)
            if isinstance(answer, str):
                run.tally.leave_out(file.name, Reason.UNREADABLE, answer)
                continue
            page = answer
            store.keep(file, page, images=spec.images, read_at_ns=read_at)
        if run.progress is not None and number % AT_ONCE == 0:
            run.progress(Progressed(number, len(meant), file.name))
        yield file, page


def _read(files: list[Found], spec: HtmlFolder) -> Iterator[tuple[Page | str, int]]:
    """What was read of files, in their order: the page, or why it cannot be read; and when."""
    if not files:
        return

    def several(some: list[Found]) -> list[tuple[Page | str, int]]:
        return [_one(file, spec.images) for file in some]

    pieces = [files[at : at + AT_ONCE] for at in range(0, len(files), AT_ONCE)]
    with ThreadPoolExecutor(os.cpu_count() or 1, thread_name_prefix="urlset-build") as pool:
        for piece in pool.map(several, pieces):
            yield from piece


def _one(file: Found, images: bool) -> tuple[Page | str, int]:
    read_at = time.time_ns()
    try:
        content = read_whole(file.path, MOST_OF_PAGE)
    except OSError as error:
        return (error.strerror or str(error)).lower(), read_at
    return Page.of(read_page(content, images=images)), read_at


class _Judge:
    """Says of a page whether it is to be listed, and under which URL."""

    def __init__(self, run: Run, place: str) -> None:
        self._run = run
        self._agents = {"robots", run.gate.agent.lower()}
        self._origin = _origin(place)
        self._elsewhere: dict[str, int] = {}

    def verdict(self, url: str, page: Page) -> str | tuple[Reason, str]:
        """The URL that it is listed under, or why it is not."""
        if page.refresh is not None:
            target = join_url(_base(url, page), page.refresh)
            if not _is_same_page(target, url):
                return Reason.REDIRECT, target
        for name, content in page.robots:
            if name in self._agents and any(word in NOINDEX for word in _words(content)):
                return Reason.NOINDEX, f"{name}: {content}"
        if len(page.canonicals) == 1 and page.canonicals[0] == url:
            return url
        canonicals = {self._canonical(url, page, written) for written in page.canonicals if written}
        if not canonicals or url in canonicals:
            return url
        own = sorted(canonical for canonical in canonicals if _is_same_page(canonical, url))
        if own:
            # The page says itself how its URL is written.
            return own[0]
        canonical = min(canonicals)
        origin = _origin(canonical)
        if origin != self._origin:
            self._elsewhere[origin] = self._elsewhere.get(origin, 0) + 1
        return Reason.CANONICAL, canonical

    def _canonical(self, url: str, page: Page, written: str) -> str:
        if not written.startswith(("https://", "http://")):
            written = join_url(_base(url, page), written)
        return written.partition("#")[0]

    def conclude(self, listed: int) -> None:
        """Says what all pages together show: canonical URLs on another host mean that the base URL is wrong."""
        for origin, count in self._elsewhere.items():
            if count > listed:
                self._run.tally.note(
                    f"{count:,} pages say that their canonical URL is on {origin}, and the base URL is "
                    f"{self._run.base.text}: is it the right one?"
                )


def _words(content: str) -> Iterable[str]:
    return (word.strip() for word in content.lower().split(","))


def _base(url: str, page: Page) -> str:
    return url if page.base is None else join_url(url, page.base)


def _origin(url: str) -> str:
    return site_of(url).lower()


def _is_same_page(one: str, other: str) -> bool:
    """Whether two URLs are ways to write that of one page: with or without index.html, ending, last slash."""
    if one == other:
        return True
    first, second = split_url(one), split_url(other)
    return (
        (first.scheme.lower(), first.netloc.lower(), first.query) == (second.scheme.lower(), second.netloc.lower(), "")
        and alias_key(unquote(first.path)) == alias_key(unquote(second.path))
    )  # fmt: skip


def _links(one: _Listed) -> list[tuple[str, str]]:
    base = _base(one.entry["loc"], one.page)
    return [(code, join_url(base, href).partition("#")[0]) for code, href in one.page.alternates]
