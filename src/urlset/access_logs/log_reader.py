"""Reads one access log into a store, from where it was left."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import replace
from datetime import UTC, datetime
from itertools import chain
from typing import TYPE_CHECKING, Self

from urlset import _core
from urlset.access_logs.ranges import read_ranges
from urlset.access_logs.reverse_dns import Confirmation
from urlset.access_logs.visits import HEAD, LogPosition
from urlset.errors import InputError, UsageError
from urlset.model.access_log import MAX_UNREADABLE, LogRead
from urlset.options.reading_logs import LOG_FORMATS, LogFormat
from urlset.processes.threads import Behind, ahead
from urlset.store.possible import AHEAD
from urlset.store.sites import site_of_url
from urlset.tables import EPOCH, instant
from urlset.text.safe import safe, shorten
from urlset.text.sizes import enumeration, quantity
from urlset.web.agents import KNOWN_AGENTS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from types import TracebackType

    from urlset.access_logs.log_files import LogContent, LogFile
    from urlset.access_logs.reverse_dns import Resolver
    from urlset.access_logs.visits import LogStore
    from urlset.options.reading_logs import LogsOptions

SAMPLE = 256 * 1024
"""Bytes at the start of a log that decide which format it has."""

MAX_WEIGHT = 32 * 1024 * 1024
"""Memory of counts, beyond which they are written to the store, in bytes."""

LONGEST_LINE = 200
"""Characters of a line to show."""

CRAWLERS = tuple(agent for agent in KNOWN_AGENTS if agent.fetches)
"""The crawlers that can be in a log."""

_CALLED = {
    "cloudflare": {"time": "EdgeStartTimestamp", "url": "ClientRequestURI", "agent": "ClientRequestUserAgent"},
    "w3c": {"time": "date and time", "url": "cs-uri-stem", "agent": "cs(User-Agent)"},
    "cloudfront": {"time": "date and time", "url": "cs-uri-stem", "agent": "cs(User-Agent)"},
}
"""The names of required fields in each format."""

_ADD_AGENTS = {
    "haproxy": "capture the header (`capture request header User-Agent len 200`)",
    "custom": "log them, and add them to the pattern",
}
"""What gives a log user agents, by format."""


class UnknownFormatError(UsageError):
    """A log has no known format."""


class LogReading:
    """Reads the logs of a run.

    Attributes:
        assumed_site: The site of logs without host names if it is that of the only site in the store; None otherwise.
        documents: URLs of known sitemaps.

    Raises:
        UsageError: A list of addresses, or the pattern of lines, is invalid.
    """

    def __init__(self, options: LogsOptions, resolver: Resolver) -> None:
        self._names = options.names()
        self._format = None if options.log_format == LogFormat.AUTO else options.log_format
        if self._format is not None:
            try:
                _core.check_log_format(self._format)
            except ValueError as error:
                raise UsageError(f"log-format: {error}") from None
        self._options = options
        origin = options.origin()
        self._site_url = None if origin is None else origin.url
        self._only: str | None = None
        self._several = False
        self.assumed_site: str | None = None
        start = options.start(datetime.now(UTC))
        self._since = -(2**63) if start is None else int((start - EPOCH).total_seconds()) * 1_000_000
        self._until = int((datetime.now(UTC) + AHEAD - EPOCH).total_seconds()) * 1_000_000
        ranges, self.lists = ({}, ()) if options.ranges is None else read_ranges(options.ranges)
        self._has_ranges = bool(ranges)
        self._crawlers = [
            (agent.name, ranges.get(agent.name), options.dns and bool(agent.domains)) for agent in CRAWLERS
        ]
        self._confirmation = Confirmation(resolver) if options.dns else None
        self.documents: Sequence[str] = ()

    def know(self, sites: Sequence[str]) -> None:
        """Take scheme and host of the sites with a run in the store, newest run first."""
        self._site_url = _audited_site(self._options, sites)
        self._only = sites[0] if len(sites) == 1 else None
        self._several = len(sites) > 1

    @property
    def is_checking(self) -> bool:
        """Whether addresses are compared with lists or looked up in DNS."""
        return self._has_ranges or self._confirmation is not None

    @property
    def unconfirmed(self) -> int:
        return 0 if self._confirmation is None else self._confirmation.unconfirmed

    def read(self, log: LogFile, content: LogContent, store: LogStore) -> LogRead:
        """Read a log into a store.

        Raises:
            InputError: It cannot be read, or more than half of its lines cannot.
            OutputError: The store cannot be written.
            UnknownFormatError: It has no known format.
            UsageError: It lacks a field that is required, or was read for a single site before.
        """
        pieces = content.pieces()
        head = b"".join(_first_bytes(pieces, SAMPLE))
        body = head[_start_of_lines(head) :]
        if not body.strip():
            return LogRead(log.name, None, content.compression, damage=content.damage)
        origin = self._site_url or self._only_site(head)
        before = store.position(body[:HEAD], origin)
        if before is not None and before.site is not None and origin is None:
            raise UsageError(
                f"{log.name}: was read for {before.site} before; name the site with --site, or another store"
            )
        kind = self._kind(log.name, head, before, origin)
        first = (before or LogPosition(log.name, kind, origin, "", 0, None, 0)).identified_by(body)
        counting = _Counting(store, before, replace(first, name=log.name, format=kind))
        # A pattern has no name.
        reader = self._reader(self._format if self._format and kind == LogFormat.CUSTOM else kind, before, origin)
        start = 0 if before is None else before.offset
        read = 0
        # A thread that waits for standard input cannot be interrupted.
        following = nullcontext(pieces) if log.place is None else ahead(pieces, "urlset-log")
        with counting, following as rest:
            for piece in chain((head,), rest):
                read += len(piece)
                if read > start:
                    reader.push(piece[max(0, len(piece) - (read - start)) :])
                    self._confirm(reader)
                    reader.read()
                if reader.weight > MAX_WEIGHT:
                    counting.keep(reader, read - reader.pending)
            may_grow = log.may_grow and content.compression == "none"
            torn = reader.end(content.damage is None and not may_grow)
            if read - torn > start:
                counting.keep(reader, read - torn)
        earliest, latest = reader.window or (None, None)
        return LogRead(
            log.name,
            kind,
            content.compression,
            start,
            **reader.facts,
            first_at=instant(earliest),
            last_at=instant(latest),
            torn_bytes=torn,
            damage=content.damage,
        )

    def _only_site(self, head: bytes) -> str | None:
        """Return the only site in the store for a log that has no host names; None for other logs."""
        if self._only is None:
            return None
        sample = _core.sample_log(head[: head.rfind(b"\n") + 1] or head, self._names, self._format)
        if sample is None or not sample[1] or sample[5]:
            return None
        self.assumed_site = self._only
        return self._only

    def _reader(self, kind: str, before: LogPosition | None, origin: str | None) -> _core.LogReader:
        return _core.LogReader(
            kind,
            self._names,
            self._crawlers,
            header=None if before is None else before.header,
            site=None if origin is None else (origin.partition("://")[0], origin.partition("://")[2]),
            since=self._since,
            until=self._until,
            documents=self.documents,
        )

    def _confirm(self, reader: _core.LogReader) -> None:
        """Look up the addresses that DNS could say more about."""
        if self._confirmation is None:
            return
        questions = reader.questions()
        verdicts = self._confirmation.verdicts((CRAWLERS[number].name, address) for number, address in questions)
        for (number, address), verdict in zip(questions, verdicts, strict=True):
            reader.confirm(number, address, verdict.value)

    def _kind(self, name: str, head: bytes, before: LogPosition | None, origin: str | None) -> str:
        """Return the format of a log."""
        form = self._format or (None if before is None or before.format == LogFormat.CUSTOM else before.format)
        whole = head[: head.rfind(b"\n") + 1] or head
        sample = _core.sample_log(whole, self._names, form)
        if sample is None or (sample[1] and not sample[2]):
            line = whole[_start_of_lines(whole) :].split(b"\n", 1)[0].decode("utf-8", "replace")
            problem = "unknown log format" if form is None else f"the first lines are not in the format {safe(form)}"
            raise UnknownFormatError(
                f"{name}: {problem}; its first line is `{shorten(safe(line), LONGEST_LINE)}`; name the format with "
                f"--log-format ({', '.join(LOG_FORMATS)}, or a pattern such as '%h [%x] \"%r\" %s'), and the fields of "
                "JSON with --fields"
            )
        kind, lines, _, missing, has_agent, has_host = sample
        self._check(name, kind, missing)
        if lines and not has_agent and not self._has_ranges:
            add = _ADD_AGENTS.get(kind, "log the combined format")
            raise UsageError(
                f"{name}: the log has no user agents, so it does not show which requests are of crawlers; {add}, or "
                "pass --ranges to recognize crawlers by address"
            )
        if lines and not has_host and origin is None:
            several = ", and the store has runs of several sites" if self._several else ""
            raise UsageError(
                f"{name}: the log has no host names{several}; name its site with --site https://example.com"
            )
        return kind

    def _check(self, name: str, kind: str, missing: Iterable[str]) -> None:
        called = _CALLED.get(kind, {})
        if absent := [called.get(field, field) for field in missing]:
            lacking = f"{name}: the log ({kind}) does not have {enumeration(absent)}"
            if kind == "json":
                # In a directory, it may be any other JSON file, which is skipped.
                raise UnknownFormatError(f"{lacking}; name the fields with --fields FIELD=NAME")
            raise UsageError(f"{lacking}; add it to the fields of the log")


def _audited_site(options: LogsOptions, sites: Sequence[str]) -> str | None:
    """Return scheme and host of the given site; those of the store if they are not given completely."""
    origin = options.origin()
    if origin is None or options.site is None or "://" in options.site:
        return None if origin is None else origin.url
    name = origin.url.partition("://")[2]
    alike = [site for site in sites if site_of_url(site) == site_of_url(origin.url)]
    exact = [site for site in alike if site.partition("://")[2] == name]
    return next(iter(exact or alike), origin.url)


class _Counting:
    """Keeps the counts of a log with the position in it. A thread writes them while the log is read on.

    Args:
        before: The position before; None if the log is new.
        first: The same, with the name of the log and its format now.
    """

    def __init__(self, store: LogStore, before: LogPosition | None, first: LogPosition) -> None:
        self._store = store
        self._position = before
        self._first = first
        self._writing = Behind("urlset-store")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._writing.close()
        if error is None:
            self._writing.wait()

    def keep(self, reader: _core.LogReader, offset: int) -> None:
        """Keep what was counted up to an offset.

        Raises:
            InputError: More than half of the lines cannot be read.
            OutputError: The store cannot be written: these counts, or those before.
        """
        facts, first = reader.facts, self._first
        lines, unreadable = facts["lines"], facts["unreadable"]
        if unreadable > lines * MAX_UNREADABLE:
            raise InputError(
                first.name,
                f"{quantity(unreadable, 'line')} of {lines:,} cannot be read as {first.format}, so none of them count; "
                "name another format with --log-format",
            )
        if facts["future"] > lines * MAX_UNREADABLE:
            raise InputError(
                first.name,
                f"{quantity(facts['future'], 'line')} of {lines:,} are dated in the future, so none of them count; "
                "check the clocks of this machine and of the server",
            )
        earliest, latest = map(instant, reader.window or (None, None))
        after = replace(
            first,
            header=reader.header,
            offset=offset,
            first_at=min(filter(None, (first.first_at, earliest)), default=None),
            last_at=max(filter(None, (first.last_at, latest)), default=None),
            lines=first.lines + lines,
            unreadable=first.unreadable + unreadable,
            future=(first.future or 0) + facts["future"],
            hits=first.hits + facts["hits"],
        )
        # The counts of one piece at a time are in memory next to those that are read.
        self._writing.call(self._store.add, reader.take(), self._position, after)
        self._position = after


def _first_bytes(pieces: Iterator[bytes], size: int) -> Iterator[bytes]:
    for piece in pieces:
        yield piece
        size -= len(piece)
        if size <= 0:
            return


def _start_of_lines(head: bytes) -> int:
    """Return where the first line begins that is not a comment: logs can have the same comments."""
    start = 0
    while head.startswith(b"#", start):
        end = head.find(b"\n", start)
        if end < 0:
            return len(head)
        start = end + 1
    return start
