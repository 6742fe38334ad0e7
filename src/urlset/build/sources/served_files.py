"""A built directory as a web server would serve it: for each URL, the file that a response would have."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from urllib.parse import unquote

from urlset import _core
from urlset.build.sources.html_folder import INDEXES
from urlset.build.sources.paths import included_by, url_path
from urlset.fetch.response import Hop, Response
from urlset.files.bounded import MAX_PAGE_BYTES, read_file
from urlset.net.urlparts import split_url
from urlset.probe.facts import ProbeTarget, Row, row_of, skipped_row
from urlset.probe.usage import ProbeUsage
from urlset.processes.threads import in_order
from urlset.web.html_page import read_page

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from urlset.build.sources.source import RobotsFilter
    from urlset.options.sources import HtmlFolder

NO_FILE = "no-file"
"""The `error_kind` of a URL without a file."""

OUTSIDE = "outside"
"""The reason to skip a URL that no directory serves."""

UNREADABLE = "unreadable"
"""The reason to skip the URL of a file that cannot be read."""

AT_ONCE = 500
"""Number of pages to read before their rows are passed on."""

_FILE = "FILE"
_ENDINGS = (".html", ".htm", ".xhtml")


@dataclass(frozen=True, slots=True)
class ServedFolder:
    """A directory of pages, and where it is published.

    Attributes:
        place: Its URL, with a trailing slash.
    """

    spec: HtmlFolder
    place: str
    robots: RobotsFilter


@dataclass
class ServedFiles:
    """Built directories, and the URLs of the files that the build adds to them.

    Attributes:
        new: URLs of files that the build would write.
        unread: Number of listed pages without a file, or whose file cannot be read.
    """

    folders: Sequence[ServedFolder]
    new: frozenset[str] = frozenset()
    unread: int = 0
    _listed: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._folders = [
            (folder, included_by(folder.spec.include))
            for folder in sorted(self.folders, key=lambda folder: len(folder.place), reverse=True)
        ]

    def row(self, target: ProbeTarget) -> Row:
        """Return the row of a page, or of another file, as if it had been requested."""
        url = target.url.partition("#")[0]
        is_listed = "document_id" in target.listed
        served = next(
            ((candidate, is_page) for candidate, is_page in self._folders if url.startswith(candidate.place)), None
        )
        if served is None:
            self.unread += is_listed
            return skipped_row(target, OUTSIDE)
        folder, is_page = served
        if (line := folder.robots.forbidding_line(url)) is not None:
            return skipped_row(target, "robots", f"line {line} of {folder.robots.name}")
        name = _file_at(folder, url)
        if name is None and url in self.new:
            return row_of(target, _FILE, _response(target.url, "application/xml"), None)
        if name is None:
            if is_listed:
                # Another source lists it, and may know more than this directory.
                self.unread += 1
                return skipped_row(target, NO_FILE)
            return {**target.listed, "url": target.url, "page_hash": _core.page_hash(url), "error_kind": NO_FILE}
        if not is_page(name):
            return row_of(target, _FILE, _response(target.url, "application/octet-stream"), None)
        return self._page(folder, name, target, is_listed=is_listed)

    def _page(self, folder: ServedFolder, name: str, target: ProbeTarget, *, is_listed: bool) -> Row:
        path = str(folder.spec.folder / name)
        leads_to = None
        if not is_listed:
            # Another spelling of a page, such as /a/index.html for /a/, stands for the page.
            own = self._listed.get(path, folder.place + url_path(name, folder.spec.urls, INDEXES))
            is_same = _core.page_key(own) == _core.page_key(target.url.partition("?")[0])
            leads_to = None if is_same else own
        answer = _response(target.url, "text/html", leads_to)
        try:
            facts = read_page(read_file(path, MAX_PAGE_BYTES), url=answer.final_url)
        except OSError:
            self.unread += is_listed
            return skipped_row(target, UNREADABLE)
        if is_listed:
            self._listed.setdefault(path, target.url)
        return row_of(target, _FILE, answer, facts)


@dataclass
class FolderProber:
    """Reads pages of built directories instead of requesting them. Iterate over it once.

    Attributes:
        next_targets: `next_targets(number)` returns at most that number of next pages, and an empty list after the last
            one.
        usage: What was used: nothing, since nothing is requested.
    """

    files: ServedFiles
    next_targets: Callable[[int], Sequence[ProbeTarget]]
    usage: ProbeUsage = field(default_factory=ProbeUsage)

    def __iter__(self) -> Iterator[list[Row]]:
        """Yield rows of `pages` in batches."""
        while targets := self.next_targets(AT_ONCE):
            rows = list(in_order(self.files.row, targets, os.cpu_count() or 1, "urlset-links"))
            self.usage.pages += len(rows)
            yield rows


def _response(url: str, content_type: str, leads_to: str | None = None) -> Response:
    hops = () if leads_to is None else (Hop(url, 301, leads_to),)
    return Response(url=url, final_url=leads_to or url, status=200, hops=hops, headers={"content-type": content_type})


def _file_at(folder: ServedFolder, url: str) -> str | None:
    """Return the file that a web server returns for a URL, relative to the directory, or None."""
    path = unquote(split_url(url).path, errors="surrogateescape")
    name = path[len(unquote(split_url(folder.place).path, errors="surrogateescape")) :]
    if "\0" in name or ".." in name.split("/"):
        return None
    bare = name.rstrip("/")
    names = [name] if bare == name else []
    names += [f"{bare}/{index}{ending}".lstrip("/") for index in INDEXES for ending in _ENDINGS]
    names += [f"{bare}{ending}" for ending in _ENDINGS] if bare else []
    return next((candidate for candidate in names if candidate and (folder.spec.folder / candidate).is_file()), None)
