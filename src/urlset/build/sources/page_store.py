"""Data of pages, stored between builds, so that unchanged files need not be read again."""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, TypeAlias

from msgspec import Struct, to_builtins
from msgspec.structs import replace

from urlset import _core
from urlset.build.lastmod.kept_history import KeptDate, KeptHistory  # noqa: TC001 - msgspec resolves it
from urlset.errors import InputError, OutputError, reason_of
from urlset.files.bounded import MAX_STATE_BYTES, read_file, read_own
from urlset.files.publish import publish
from urlset.files.structured import decode_json

if TYPE_CHECKING:
    from pathlib import Path

    from urlset.build.sources.paths import FolderFile
    from urlset.web.html_page import PageFacts

VERSION = 1

ENDING = ".pages.json"
"""The end of the name of such a file in the state directory of a build."""

RACY_NS = 2_000_000_000
"""A file modified less than this before it was read may be modified again without a change of its timestamp: some
file systems have a resolution of two seconds. git has the same problem: https://git-scm.com/docs/racy-git."""

Pairs: TypeAlias = tuple[tuple[str, str], ...]
Texts: TypeAlias = tuple[str, ...]
Refresh: TypeAlias = tuple[float, str | None] | None

Fields: TypeAlias = tuple[
    str | None, str | None, Texts, Pairs, Pairs, Refresh, str | None, Pairs, Texts, int, str | None, int, bool, str
]
"""The fields of a `PageRecord`."""

Row: TypeAlias = tuple[
    int, int, int,
    str | None, str | None, Texts, Pairs, Pairs, Refresh, str | None, Pairs, Texts, int, str | None, int, bool, str,
]  # fmt: skip
"""Size and mtime of a file in nanoseconds, whether its images were read, and the fields of a `PageRecord`."""

Since: TypeAlias = tuple[int, datetime | None]
"""The hash of the main text of a page, and since when it has this text; None since before the first build."""


class _Version(Struct):
    version: int


class _Contents(_Version):
    """The part of the file that other versions of urlset can read.

    Attributes:
        text_version: How the hashes of main texts were computed; 0 if it is unknown.
    """

    contents: dict[str, Since]
    text_version: int = 0


class _StoreContent(_Contents):
    """The content of the file."""

    files: dict[str, Row] = {}
    core: str = ""
    histories: dict[str, KeptHistory] = {}
    lastmods: dict[str, str] = {}
    dates: dict[str, KeptDate] = {}


class _Dates(_Version):
    """The part of the file with the dates of pages.

    Attributes:
        text_version: How the hashes of texts were computed; 0 if the file has none.
    """

    text_version: int = 0
    dates: dict[str, KeptDate] = {}


@dataclass(slots=True)
class PageRecord:
    """Data of a page that a build needs, unparsed.

    Attributes:
        lang: `<html lang>`.
        base: `<base href>`.
        robots: Robots meta tags: name and content; those of the body if the head has none, since Google obeys them.
        alternates: hreflang and URL of each language version.
        refresh: Seconds and target of a meta refresh.
        script_target: Target of a redirect by script.
        dates: Place and value of each date.
        images: URLs of images; empty unless requested.
        content_hash: Hash of the main text.
        title: `<title>`.
        words: Number of words in the main text.
        kind: What the content is; see `PageFacts`.
    """

    lang: str | None
    base: str | None
    canonicals: Texts
    robots: Pairs
    alternates: Pairs
    refresh: Refresh
    script_target: str | None
    dates: Pairs
    images: Texts
    content_hash: int
    title: str | None
    words: int
    has_script: bool
    kind: str

    @classmethod
    def of(cls, facts: PageFacts) -> PageRecord:
        return cls(
            lang=facts.lang,
            base=facts.base,
            canonicals=facts.canonicals,
            robots=facts.robots or facts.body_robots,
            alternates=facts.alternates,
            refresh=facts.refresh,
            script_target=facts.script_target,
            dates=facts.dates,
            images=facts.images,
            content_hash=facts.content_hash,
            title=facts.title,
            words=facts.words,
            has_script=facts.has_script,
            kind=facts.kind,
        )

    def fields(self) -> Fields:
        return (
            self.lang, self.base, self.canonicals, self.robots, self.alternates, self.refresh, self.script_target,
            self.dates, self.images, self.content_hash, self.title, self.words, self.has_script, self.kind,
        )  # fmt: skip


class PageStore:
    """Stored pages of a site, by the path of their file.

    Args:
        path: The file that stores them; None to store nothing.
        follow: Whether the file may be a link.

    Attributes:
        histories: What git's history says of texts, by the top directory of each repository.
        dates: The date of each page of this build, by its URL, if git-text is one of its sources of dates.
        loss: A note on lost data if the file cannot be read; None otherwise.
        incomparable: The paths of pages whose main text was not the same in the last build, of which it is unknown
            whether they changed, because another version of urlset extracted it.
    """

    def __init__(self, path: Path | None, *, follow: bool = True) -> None:
        self._path = path
        self._follow = follow
        stored, self.loss = (None, None) if path is None else _read(path, follow=follow)
        self._same_texts = stored is None or stored.text_version == _core.TEXT_VERSION
        # Page data of another version is discarded, but the dates of text changes are kept.
        is_readable = stored is not None and stored.core == _core.__version__ and self._same_texts
        self._stored_rows = stored.files if stored is not None and is_readable else {}
        self.incomparable: set[str] = set()
        self._rows: dict[str, Row] = {}
        self._stored_contents = {} if stored is None else stored.contents
        self._contents: dict[str, Since] = {}
        self._stored_lastmods = {} if stored is None else stored.lastmods
        self._lastmods: dict[str, str] = {}
        self._stored_histories = {} if stored is None else stored.histories
        self.histories = dict(self._stored_histories)
        self._stored_dates = {} if stored is None else stored.dates
        self.dates: dict[str, KeptDate] = {}

    def stored_page(self, file: FolderFile, *, images: bool) -> PageRecord | None:
        """Return the data of a file, if it is unchanged and the stored data is sufficient."""
        row = self._stored_rows.get(file.path)
        if row is None or row[0] != file.size or row[1] != file.mtime_ns or row[2] < images:
            return None
        self._rows[file.path] = row
        return PageRecord(*row[3:])

    def keep(self, file: FolderFile, page: PageRecord, *, images: bool, read_at_ns: int) -> None:
        if file.mtime_ns < read_at_ns - RACY_NS:
            self._rows[file.path] = (file.size, file.mtime_ns, int(images), *page.fields())

    def content_date(self, path: str, content_hash: int, now: datetime, *, is_extracted: bool) -> datetime | None:
        """Return since when a file has had its text; None if it has not changed since it was first read.

        Args:
            is_extracted: Whether the hash is that of the main text of a page, instead of all of its source.
        """
        row = self._stored_contents.get(path)
        if row is None:
            row = (content_hash, None)
        elif is_extracted and not self._same_texts:
            if row[0] != content_hash:
                self.incomparable.add(path)
            row = (content_hash, row[1])
        elif row[0] != content_hash:
            row = (content_hash, now.replace(microsecond=0))
        self._contents[path] = row
        return row[1]

    def keep_lastmod(self, path: str, lastmod: str) -> None:
        """Record the date that a file got with its current main text."""
        self._lastmods[path] = lastmod

    def last_lastmod(self, path: str, content_hash: int) -> str | None:
        """Return the date that a file got in the last build; None if there was none, or the main text was another."""
        row = self._stored_contents.get(path)
        return self._stored_lastmods.get(path) if row is not None and row[0] == content_hash else None

    def save(self) -> None:
        """Write the file atomically, if there is new data.

        Raises:
            OutputError: It cannot be written.
        """
        same = (
            self._same_texts
            and self._rows == self._stored_rows
            and self._contents == self._stored_contents
            and self._lastmods == self._stored_lastmods
            and self.histories == self._stored_histories
            and self.dates == self._stored_dates
        )
        if self._path is None or same:
            return
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            content = {
                "version": VERSION,
                "core": _core.__version__,
                "text_version": _core.TEXT_VERSION,
                "files": self._rows,
                "contents": self._contents,
                **({"lastmods": self._lastmods} if self._lastmods else {}),
                **({"histories": to_builtins(self.histories)} if self.histories else {}),
                **({"dates": to_builtins(self.dates)} if self.dates else {}),
            }
            text = json.dumps(content, ensure_ascii=False, separators=(",", ":"), default=datetime.isoformat)
            publish(self._path, text.encode(errors="replace"), follow=self._follow)
        except OSError as error:
            raise OutputError(f"{self._path}: cannot be written: {reason_of(error)}") from error


MAX_FILES = 2**31 - 1
"""Maximum number of source files with the same change, as stores have it."""


def kept_dates(path: Path, *, follow: bool = True) -> dict[str, KeptDate]:
    """Return the date of each page that a build stored, by its URL.

    Hashes of texts that another version of urlset computed are left out, because they cannot be compared.

    Raises:
        InputError: The file cannot be read, or is not the state of a build.
    """
    try:
        stored = decode_json((read_file if follow else read_own)(path, MAX_STATE_BYTES), _Dates)
    except OSError as error:
        raise InputError(str(path), f"cannot be read: {reason_of(error)}") from None
    except ValueError:
        raise InputError(str(path), "is not the state file of a build") from None
    if stored.version != VERSION:
        raise InputError(str(path), "was written by another version of urlset")
    proofs = [date.proof for date in stored.dates.values() if date.proof is not None]
    if any(proof.committed.tzinfo is None or proof.files > MAX_FILES for proof in proofs):
        raise InputError(str(path), "is not the state file of a build")
    if stored.text_version != _core.TEXT_VERSION:
        return {url: replace(date, text=None) for url, date in stored.dates.items()}
    return stored.dates


def _read(path: Path, *, follow: bool) -> tuple[_StoreContent | None, str | None]:
    """Return the stored data, and a note if it cannot be read, in which case all pages are read again.

    Of data on pages that this version cannot read, only the dates of text changes are returned.
    """
    lost = f"{path} %s; all pages are read again, and the dates of text changes are lost"
    try:
        content = (read_file if follow else read_own)(path, MAX_STATE_BYTES)
    except FileNotFoundError:
        return None, None
    except OSError as error:
        return None, lost % f"cannot be read ({reason_of(error)})"
    for kind in (_StoreContent, _Contents, _Version):
        with suppress(ValueError):
            stored = decode_json(content, kind)
            if stored.version != VERSION:
                return None, lost % "was written by another version of urlset"
            if isinstance(stored, _StoreContent):
                return stored, None
            if isinstance(stored, _Contents):
                note = f"{path} is damaged, or was written by another version of urlset; all pages are read again"
                return _StoreContent(stored.version, stored.contents, stored.text_version), note
    return None, lost % "is damaged"
