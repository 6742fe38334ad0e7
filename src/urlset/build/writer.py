"""The writer, which turns entries into a published set of sitemaps."""

from __future__ import annotations

import os
from pathlib import Path
from threading import RLock
from typing import TYPE_CHECKING, Self, TypeAlias

from urlset import _core
from urlset.build.empty_set import empty_set_error
from urlset.build.folder import Folder, convert_write_errors
from urlset.build.options import BaseUrl, for_core
from urlset.build.plan import check_group, plan, published_files_of
from urlset.build.published import shrink
from urlset.build.refusal_log import RefusalLog
from urlset.build.target import NO_LEDGER
from urlset.errors import UsageError
from urlset.model.build import Feed, Refusal, Summary
from urlset.options.merge import merge
from urlset.options.writing import WriteOptions

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from types import TracebackType
    from typing import Unpack

    from urlset.build.stable import StableSet
    from urlset.build.target import Target
    from urlset.model.build import LeftOutPage
    from urlset.model.entry import Url
    from urlset.options.fields import WriteFields

    class ArrowStream:
        """An object with Arrow's PyCapsule interface: tables of pyarrow, Polars, pandas, DuckDB, and urlset."""

        def __arrow_c_stream__(self, requested_schema: object = None) -> object:
            """Return the rows as an Arrow stream."""

    OneEntry: TypeAlias = str | Mapping[str, object] | Url
    Entries: TypeAlias = Iterable[OneEntry] | ArrowStream


class Writer:
    r"""Writes a set of sitemaps: parts within the limits, and an index if there are several parts.

    `close` publishes the whole set; before that, and after an error, the previously published files are unchanged. As a
    context manager, it closes at the end of the block, and discards the set if the block raises.

    Threads can share a writer; their calls are serialized. An iterable passed to `extend` can write to the same writer,
    but must not wait for another thread that does.

    Args:
        base_url: The URL of the sitemaps' directory, such as `https://example.com/`.
        out_dir: A directory, which is created if it does not exist; a URL that fsspec supports, such as
            `s3://bucket/site`; or `-` for standard output, which takes a set with a single file.
        on_refused: Called with each entry or field that is left out, in addition to logging and counting it.
        target: The target that publishes the files; by default, it is chosen by `out_dir`.
        options: How to validate and write entries, and how to split them into files.
        fields: Single options, which override `options`; see `urlset.options.WriteOptions`.

    Raises:
        UsageError: An argument is invalid.
        MissingExtraError: `out_dir` is a URL, and fsspec or a package that it requires is not installed.

    Example:
        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     with Writer("https://example.com/", folder) as writer:
        ...         writer.write("https://example.com/")
        ...         writer.write({"loc": "https://example.com/a", "lastmod": "2025-11-14"})
        ...     writer.summary.robots
        1
        1
        ('Sitemap: https://example.com/sitemap.xml',)
    """

    def __init__(
        self,
        base_url: str,
        out_dir: str | os.PathLike[str],
        options: WriteOptions | None = None,
        *,
        on_refused: Callable[[Refusal], None] | None = None,
        target: Target | None = None,
        **fields: Unpack[WriteFields],
    ) -> None:
        self._options = merge(WriteOptions, options, fields)
        self._base = BaseUrl.of(base_url)
        self._place = os.fspath(out_dir)
        self._target = target or target_of(self._place, self._options)
        self._refusals = RefusalLog(self._options, on_refused)
        self._groups: dict[str, None] = {}
        self._core: _core.SetWriter | None = None
        self._folder = Path()
        self._is_ended = False
        self._written = 0
        self._summary: Summary | None = None
        # Reentrant, because an iterable that is being written may write as well.
        self._lock = RLock()

    def write(self, entry: OneEntry, *, group: str = "") -> int:
        """Write an entry.

        Args:
            entry: A URL, a mapping of fields, or a typed entry. If its `loc` is a mapping from language code to URL, it
                represents an entry for each URL, all linked to each other.
            group: The name of its group; each group has separate parts.

        Returns:
            The number of written entries: 0 if it was left out, more than 1 for several languages. With the stable
            layout, a repeated URL is counted here, and left out by `close`.

        Raises:
            EntryRefusedError: It is invalid, and `strict` is set.
            UsageError: It has an unknown field.
            OutputError: A part could not be written.
        """
        return self._extend([entry], group)

    def extend(self, entries: Entries, *, group: str = "") -> int:
        """Write entries, in constant memory.

        Args:
            entries: An iterable of entries as for `write`, or an Arrow table or stream, which is read without copying.
                Consecutive entries with the same value in their field `group` are language versions of one page, each
                with its code in `hreflang`, and are linked to each other.
            group: As for `write`.

        Returns:
            The number of written entries.

        Raises:
            EntryRefusedError: An entry is invalid, and `strict` is set.
            UsageError: An entry has an unknown field, or the table an unknown column.
            OutputError: A part could not be written.
        """
        return self._extend(entries, group)

    def _extend(self, entries: object, group: str) -> int:
        with self._lock:
            core = self._writer()
            if group not in self._groups:
                check_group(group)
                self._groups[group] = None
            try:
                with convert_write_errors(self._place):
                    if hasattr(entries, "__arrow_c_stream__"):
                        count = core.extend_arrow(entries, group)
                    elif isinstance(entries, str | bytes | dict) or not hasattr(entries, "__iter__"):
                        raise UsageError(
                            f"entries must be an iterable, not {type(entries).__name__}; use `write` for a single entry"
                        )
                    else:
                        count = core.extend(entries, group)
            except _core.EntryError as error:
                raise UsageError(str(error)) from None
            self._written += count
            return count

    def close(self) -> Summary:
        """Complete the set and publish it.

        Returns:
            The summary, which is then also available as `summary`.

        Raises:
            EmptySetError: Every entry was left out; see `empty`.
            OutputError: A file could not be written; the published files are unchanged.
            ShrinkError: The set has no URLs, or less than half as many as published; see `allow_shrink`.
        """
        with self._lock:
            if self._summary is None:
                self._summary = self._close()
            return self._summary

    def _close(self) -> Summary:
        core = self._writer()
        try:
            self.check_left_out({}, ())
            with convert_write_errors(self._place):
                stable = self._match(core)
                saved = core.finish(self._options.empty != "none")
                planned = plan(self._folder, saved, [*self._groups], self._base, self._options)
                changes = None if stable is None else stable.changes()
            written = sum(part["entries"] for part in saved)
            before = self._target.count_urls()
            if not self._options.allow_shrink and (error := shrink(before, written)) is not None:
                raise error
            path, entries, content = self._feed(core)
            with convert_write_errors(self._place):
                ledger = NO_LEDGER if stable is None or changes is None else stable.next_ledger(changes, self._folder)
            published = self._target.publish([file.staged for file in planned], ledger=ledger)
            feed = None if path is None else Feed(str(path), entries, self._target.put(path, content))
        finally:
            self._end()
        return Summary(
            files=published_files_of(planned, published.changed),
            received=core.offered,
            written=written,
            refused=dict(self._refusals.refused),
            fields_left_out=dict(self._refusals.fields),
            examples=tuple(self._refusals.examples),
            removed=published.removed,
            left=published.remaining,
            before=before,
            dated=sum(part["dated"] for part in saved),
            unescaped=sum(part["unescaped"] for part in saved),
            deprecated=sum(part["deprecated"] for part in saved),
            deprecated_fields=tuple(dict.fromkeys(name for part in saved for name in part["deprecated_fields"])),
            feed=feed,
            stable=changes,
            ledger_note="" if stable is None else stable.note,
        )

    def check_left_out(self, left_out: Mapping[str, int], pages: Sequence[LeftOutPage]) -> None:
        """Check that something is left to write, if `empty` is refuse.

        Args:
            left_out: Number of pages that the sources left out, by reason.
            pages: The first of these pages.

        Raises:
            EmptySetError: Everything was left out.
        """
        refused, examples = self._refusals.refused, self._refusals.examples
        error = empty_set_error(self._options.empty, self._written, self._base, left_out, pages, refused, examples)
        if error is not None:
            raise error

    def _match(self, core: _core.SetWriter) -> StableSet | None:
        """Match the entries with the published set if the layout is stable."""
        if self._options.layout != "stable":
            return None
        # Imported here because other layouts need no database.
        from urlset.build.stable import StableSet

        stable = StableSet(core, self._options.name)
        stable.match(self._target)
        return stable

    def _feed(self, core: _core.SetWriter) -> tuple[Path | None, int, bytes]:
        """Return the file of the feed, its number of entries, and its content."""
        if self._options.feed is None:
            return None, 0, b""
        from urlset.build.feed import feed

        path = Path(self._options.feed)
        newest = core.newest()
        folder = None if "://" in self._place or self._place == STDOUT else Path(self._place)
        return path, len(newest), feed(newest, path, self._base, folder)

    def give_up(self) -> None:
        """End without publishing; the published files are unchanged."""
        with self._lock:
            if not self._is_ended:
                self._end()

    @property
    def summary(self) -> Summary:
        """The summary of the set.

        Raises:
            UsageError: The writer is not closed yet.
        """
        if self._summary is None:
            raise UsageError("the summary is available once the writer is closed")
        return self._summary

    def _writer(self) -> _core.SetWriter:
        """Return the core's writer, preparing the directory on the first call."""
        if self._is_ended:
            raise UsageError("the writer is closed")
        if self._core is None:
            settings = for_core(self._options, self._base)
            self._folder = self._target.open()
            self._core = _core.SetWriter(str(self._folder), settings, self._refusals.note)
        return self._core

    def _end(self) -> None:
        self._is_ended = True
        core, self._core = self._core, None
        try:
            # No thread may write to the directory once it is removed.
            if core is not None:
                core.stop()
        finally:
            self._target.close()
            self._refusals.close()

    def __enter__(self) -> Self:
        with self._lock:
            self._writer()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is None:
            self.close()
        else:
            self.give_up()


STDOUT = "-"
"""Represents standard output as an output directory."""


def target_of(place: str, options: WriteOptions) -> Target:
    """Return the target for a directory, a URL that fsspec supports, or standard output.

    Raises:
        UsageError: The place cannot be written to, or does not support the stable layout.
        MissingExtraError: It is a URL, and fsspec or what it needs for it is not installed.
    """
    if "://" not in place and place != STDOUT:
        return Folder(Path(place), options.name)
    if place == STDOUT:
        if options.layout == "stable":
            raise UsageError("layout = stable requires a directory that keeps the sitemaps, not standard output")
        from urlset.build.standard_output import StandardOutput

        return StandardOutput()
    from urlset.build.remote import Remote

    return Remote(place, options.name)


def write(
    entries: Entries,
    base_url: str,
    out_dir: str | os.PathLike[str],
    options: WriteOptions | None = None,
    *,
    on_refused: Callable[[Refusal], None] | None = None,
    **fields: Unpack[WriteFields],
) -> Summary:
    """Write a set of sitemaps from entries and publish it; see `Writer` for the arguments.

    Returns:
        The summary: files, counts, what was left out and why, and the lines for robots.txt.

    Raises:
        EntryRefusedError: An entry is invalid, and `strict` is set.
        EmptySetError: Every entry was left out; see `empty`.
        UsageError: An argument is invalid, or an entry has an unknown field.
        MissingExtraError: `out_dir` is a URL, and fsspec or a package that it requires is not installed.
        OutputError: A file could not be written; the published files are unchanged.
        ShrinkError: The set has no URLs, or less than half as many as published; see `allow_shrink`.

    Example:
        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     summary = write(["https://example.com/", "mailto:me@example.com"], "https://example.com/", folder)
        >>> summary.urls, summary.refused
        (1, {'url-invalid': 1})
    """
    with Writer(base_url, out_dir, options, on_refused=on_refused, **fields) as writer:
        writer.extend(entries)
    return writer.summary
