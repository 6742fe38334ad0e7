"""The writer: entries in, a published set of sitemaps out."""

from __future__ import annotations

import os
from pathlib import Path
from threading import RLock
from typing import TYPE_CHECKING, Any, Self, TypeAlias

from urlset import _core
from urlset.build.folder import Folder, cannot_be_written
from urlset.build.ledger import Ledger
from urlset.build.options import BaseUrl, WriteArguments, WriteOptions
from urlset.build.plan import as_published, check_group, plan
from urlset.build.published import shrink
from urlset.errors import MisuseError
from urlset.model.build import Feed, Refused, Summary

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from types import TracebackType
    from typing import Unpack

    from urlset.build.target import Target
    from urlset.model.entry import Url

    class ArrowStream:
        """Anything that speaks Arrow's PyCapsule interface: tables of pyarrow, Polars, pandas, DuckDB, and urlset."""

        def __arrow_c_stream__(self, requested_schema: object = None) -> object:
            """The rows as a stream of Arrow."""

    OneEntry: TypeAlias = str | Mapping[str, Any] | Url
    Entries: TypeAlias = Iterable[OneEntry] | ArrowStream


class Writer:
    r"""Writes a set of sitemaps: parts within the limits, and an index over them where there are several.

    Nothing is published before `close`, and then everything: until then, and when anything fails, what was published
    before stands. As a context manager it closes at the end, and gives up when the block raises.

    Threads may share a writer: their calls run one after the other. An iterable given to `extend` may write to the
    writer itself, but must not wait for another thread that does.

    Args:
        base_url: The address that the folder of the sitemaps has, such as `https://example.com/`.
        out_dir: A folder, which is made if it is not there; a URL that fsspec knows, such as `s3://bucket/site`; or
            `-` for standard output, which takes a set of one file.
        told: Called with each entry or field that is left out, besides its being logged and counted.
        target: What publishes the files, if it is not to be what suits `out_dir`.
        options: See `urlset.WriteOptions`.

    Raises:
        MisuseError: An argument cannot be meant.
        MissingExtraError: `out_dir` is a URL, and fsspec or what it needs for it is not installed.

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
        *,
        told: Callable[[Refused], None] | None = None,
        target: Target | None = None,
        **options: Unpack[WriteArguments],
    ) -> None:
        self._options = WriteOptions.of(options)
        self._base = BaseUrl.of(base_url)
        self._place = os.fspath(out_dir)
        self._target = target or target_of(self._place, self._options)
        self._ledger = Ledger(self._options, told)
        self._groups: dict[str, None] = {}
        self._core: _core.SetWriter | None = None
        self._folder = Path()
        self._written = 0
        self._ended = False
        self._summary: Summary | None = None
        # Reentrant, since an iterable that is being written may itself write.
        self._lock = RLock()

    def write(self, entry: OneEntry, *, group: str = "") -> int:
        """Writes one entry.

        Args:
            entry: A URL, a mapping of fields, or a typed entry. Where its `loc` is a mapping from language code to
                URL, it stands for one entry for each URL, all linked with each other.
            group: The name of the group that it belongs to: a group has parts of its own.

        Returns:
            How many entries were written: 0 if it was left out, more than 1 for several languages.

        Raises:
            EntryRefusedError: It is bad, and strictness was asked for.
            MisuseError: It has a field that there is not.
            OutputError: A part could not be written.
        """
        return self._extend([entry], group)

    def extend(self, entries: Entries, *, group: str = "") -> int:
        """Writes entries one after the other, in constant memory.

        Args:
            entries: An iterable of what `write` takes; or a table or stream of Arrow, which is read without a copy.
                Entries that follow each other with the same value in their field `group` are language versions of one
                page, each with its code in `hreflang`; they are linked with each other.
            group: As for `write`.

        Returns:
            How many were written.

        Raises:
            EntryRefusedError: One is bad, and strictness was asked for.
            MisuseError: One has a field that there is not, or the table a column.
            OutputError: A part could not be written.
        """
        return self._extend(entries, group)

    def _extend(self, entries: Any, group: str) -> int:
        with self._lock:
            core = self._begun()
            if group not in self._groups:
                check_group(group)
                self._groups[group] = None
            try:
                with cannot_be_written(self._place):
                    if hasattr(entries, "__arrow_c_stream__"):
                        count = core.extend_arrow(entries, group)
                    elif isinstance(entries, str | bytes | dict) or not hasattr(entries, "__iter__"):
                        raise MisuseError(f"entries are several: {type(entries).__name__} is none; `write` takes one")
                    else:
                        count = core.extend(entries, group)
            except _core.EntryError as error:
                raise MisuseError(str(error)) from None
            self._written += count
            return count

    def close(self) -> Summary:
        """Ends the set and publishes it.

        Returns:
            What became of it; afterwards `summary` has it, too.

        Raises:
            OutputError: It could not be written; what was published before stands.
            ShrinkError: It has no URLs, or less than half of those that are published; `allow_shrink` publishes it.
        """
        with self._lock:
            if self._summary is None:
                self._summary = self._close()
            return self._summary

    def _close(self) -> Summary:
        core = self._begun()
        try:
            with cannot_be_written(self._place):
                saved = core.finish(self._options.empty == "write")
                planned = plan(self._folder, saved, [*self._groups], self._base, self._options)
            before = self._target.count_urls()
            if not self._options.allow_shrink and (error := shrink(before, self._written)) is not None:
                raise error
            path, entries, content = self._feed(core)
            published = self._target.publish([one.staged for one in planned])
            feed = None if path is None else Feed(str(path), entries, self._target.put(path, content))
        finally:
            self._end()
        return Summary(
            files=as_published(planned, published.changed),
            offered=core.offered,
            written=self._written,
            refused=dict(self._ledger.refused),
            fields_left_out=dict(self._ledger.fields),
            examples=tuple(self._ledger.examples),
            removed=published.removed,
            before=before,
            unescaped=sum(one["unescaped"] for one in saved),
            deprecated=sum(one["deprecated"] for one in saved),
            feed=feed,
        )

    def _feed(self, core: _core.SetWriter) -> tuple[Path | None, int, bytes]:
        """The file of the feed, how many entries it has, and its content."""
        if self._options.feed is None:
            return None, 0, b""
        from urlset.build.feed import feed

        path = Path(self._options.feed)
        newest = core.newest()
        folder = None if "://" in self._place or self._place == STDOUT else Path(self._place)
        return path, len(newest), feed(newest, path, self._base, folder)

    def give_up(self) -> None:
        """Ends without publishing anything: what was published before stands."""
        with self._lock:
            if not self._ended:
                self._end()

    @property
    def summary(self) -> Summary:
        """What became of the set.

        Raises:
            MisuseError: It is not closed yet.
        """
        if self._summary is None:
            raise MisuseError("there is a summary once the writer is closed")
        return self._summary

    def _begun(self) -> _core.SetWriter:
        """The core's writer, with its folder made ready at the first call."""
        if self._ended:
            raise MisuseError("the writer is closed")
        if self._core is None:
            given = self._options.for_core(self._base)
            self._folder = self._target.open()
            self._core = _core.SetWriter(str(self._folder), given, self._ledger.note)
        return self._core

    def _end(self) -> None:
        self._ended = True
        # Joins the thread that writes, before its folder goes.
        self._core = None
        self._target.close()
        self._ledger.close()

    def __enter__(self) -> Self:
        with self._lock:
            self._begun()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is None:
            self.close()
        else:
            self.give_up()


STDOUT = "-"
"""Stands for standard output where a folder is asked for."""


def target_of(place: str, options: WriteOptions) -> Target:
    """What publishes a set to a folder, to a URL that fsspec knows, or to standard output.

    Raises:
        MisuseError: It is a URL that nothing can be written to, or publishing at once was asked for where it cannot be.
        MissingExtraError: It is a URL, and fsspec or what it needs for it is not installed.
    """
    is_atomic = options.publish == "atomic"
    if "://" not in place and place != STDOUT:
        return Folder(Path(place), options.name, atomic=is_atomic)
    if is_atomic:
        raise MisuseError(f"publish = atomic is for local folders, not for {place}")
    if place == STDOUT:
        from urlset.build.standard_output import StandardOutput

        return StandardOutput()
    from urlset.build.remote import Remote

    return Remote(place, options.name)


def write(
    entries: Entries,
    base_url: str,
    out_dir: str | os.PathLike[str],
    *,
    told: Callable[[Refused], None] | None = None,
    **options: Unpack[WriteArguments],
) -> Summary:
    """Writes a set of sitemaps from entries and publishes it; see `Writer` for each argument.

    Returns:
        What became of it: its files, counts, what was left out and why, the lines for robots.txt.

    Raises:
        EntryRefusedError: An entry is bad, and strictness was asked for.
        MisuseError: An argument cannot be meant, or an entry has a field that there is not.
        MissingExtraError: `out_dir` is a URL, and fsspec or what it needs for it is not installed.
        OutputError: It could not be written; what was published before stands.
        ShrinkError: It has no URLs, or less than half of those that are published; `allow_shrink` publishes it.

    Example:
        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     summary = write(["https://example.com/", "mailto:me@example.com"], "https://example.com/", folder)
        >>> summary.written, summary.refused
        (1, {'url-invalid': 1})
    """
    with Writer(base_url, out_dir, told=told, **options) as writer:
        writer.extend(entries)
    return writer.summary
