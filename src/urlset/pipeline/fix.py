"""`fix`: repair the documents of targets concurrently, and write the results."""

from __future__ import annotations

import gzip
from contextlib import ExitStack, closing
from os import cpu_count
from pathlib import Path
from tempfile import SpooledTemporaryFile
from typing import IO, TYPE_CHECKING, NamedTuple

from msgspec.structs import replace

from urlset.build.stream import index_document
from urlset.errors import InputError, OutputError, Unreadable, internal_error, reason_of
from urlset.files.gunzip import MAGIC, gunzip_bytes
from urlset.files.publish import replacing
from urlset.model.fix import Change, FixedDocument, FixOutcome, FixReport, Omission, Repair
from urlset.net.urlparts import join_url
from urlset.objects.path import ObjectPath
from urlset.processes.threads import in_order
from urlset.repair.output_paths import Plan, part_paths, plan_repairs
from urlset.repair.remaining import Remaining
from urlset.repair.reread import reread
from urlset.repair.unified_diff import patch_of, shown_lines
from urlset.rules.rule import Severity
from urlset.sources import Source, SourceKind
from urlset.stages.named import trust_in
from urlset.stages.open_target import is_left_out, list_sources
from urlset.stages.scheduler import MAX_READERS
from urlset.stages.session import Session
from urlset.text.masking import without_user
from urlset.text.progress import ProgressEvent
from urlset.text.sizes import quantity

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from urlset.fetch.fetched_source import FetchedSource
    from urlset.model.fix import RemainingFinding
    from urlset.options.fixing import FixOptions
    from urlset.sources import BinaryFile, Target
    from urlset.text.progress import Progress

IN_MEMORY = 16 * 1024 * 1024
"""Maximum bytes of a document to hold in memory; larger documents go to a temporary file."""

PIECE = 1024 * 1024
"""Bytes to copy at a time."""

GZIP_LAYERS = 2
"""Maximum nested gzip layers to decompress; a crafted file can contain itself endlessly."""

PACKED = (
    "search engines read no compression but gzip; decompress the document, or compress it with gzip, and fix it then"
)

FEED_KINDS = frozenset({"rss", "atom"})
"""Kinds that are never modified."""

SPLIT_LIKE = frozenset({"urlset", "text"})
"""Kinds that can be split; an index of indexes is not allowed."""


def fix(targets: Sequence[Target], options: FixOptions, progress: Progress | None = None) -> FixReport:
    """Make repairs that have only one possible result, and write the documents according to the options.

    Raises:
        UsageError: The options conflict with the targets or with each other.
        OutputError: A result cannot be written.
    """
    listed = list(list_sources(targets))
    sources = [each for each in listed if isinstance(each, Source)]
    plans = dict(zip(sources, plan_repairs(sources, targets, options), strict=True))
    documents: list[FixedDocument] = []
    unreadable: list[Unreadable] = []
    workers = min(len(listed), cpu_count() or 1, MAX_READERS) or 1
    with Session(options, trust_in(targets, options, discover=False)) as session, Remaining(options) as remaining:

        def outcome(each: Source | Unreadable) -> _Result | Unreadable:
            return _try_to_fix(each, plans[each], options, session) if isinstance(each, Source) else each

        with closing(in_order(outcome, listed, workers, "urlset-fix")) as outcomes:
            for count, (source, result) in enumerate(zip(listed, outcomes, strict=True), start=1):
                if isinstance(result, Unreadable):
                    unreadable.append(result)
                else:
                    with result.opened:
                        for pieces in result.parts:
                            remaining.take(len(documents), result.source, result.fetched, pieces)
                    documents.append(result.document)
                if progress is not None:
                    name = source.name if isinstance(source, Source) else source.target
                    progress(ProgressEvent(count, len(listed), name))
        findings = remaining.finish()
    judged = (_judged(document, findings.get(index, {})) for index, document in enumerate(documents))
    return FixReport(dry_run=options.dry_run, documents=tuple(judged), unreadable=tuple(unreadable))


class _Result(NamedTuple):
    """A document that was repaired, as it is opened: its parts can still be read."""

    source: Source
    fetched: FetchedSource
    document: FixedDocument
    parts: Sequence[Iterator[bytes]]
    opened: ExitStack


def _judged(document: FixedDocument, findings: Mapping[Severity, tuple[RemainingFinding, ...]]) -> FixedDocument:
    """Return a document with the findings that remain in it; a feed without errors needs no repair."""
    document = replace(document, warnings=findings.get(Severity.WARNING, ()))
    if errors := findings.get(Severity.ERROR):
        return replace(document, remaining=errors)
    if document.kind in FEED_KINDS:
        return replace(document, outcome=FixOutcome.RIGHT, reason=None)
    return document


def _try_to_fix(source: Source, plan: Plan, options: FixOptions, session: Session) -> _Result | Unreadable:
    """Fix one document; an error in it does not end the run."""
    try:
        return _fix_one(source, plan, options, session)
    except InputError as error:
        return Unreadable.of(error)
    except Exception as error:  # noqa: BLE001 (errors of the whole run are raised again)
        return Unreadable(source.name, internal_error(error))


def _fix_one(source: Source, plan: Plan, options: FixOptions, session: Session) -> _Result:
    with ExitStack() as stack:
        fetched = session.fetch(source)
        stack.callback(fetched.close)
        original = stack.enter_context(_Original(source, fetched, options.max_document_bytes))
        body = stack.enter_context(SpooledTemporaryFile(max_size=IN_MEMORY))
        work = _Work(source, plan, options, original, body)
        document = work.run()
        return _Result(source, fetched, document, list(work.parts(document.outcome)), stack.pop_all())


class _Original:
    """The original bytes of a document, which are read twice: by the rewriter, and to copy an unchanged document."""

    def __init__(self, source: Source, fetched: FetchedSource, max_bytes: int) -> None:
        self._content = fetched.content
        self._max_bytes = max_bytes
        self._name = source.name
        self._spool: SpooledTemporaryFile[bytes] | None = None

    def __enter__(self) -> _Original:
        content = self._content
        try:
            if isinstance(content, str):
                # A device may have no end.
                if not Path(content).is_file():
                    with Path(content).open("rb") as file:
                        self._keep(file)
            elif not isinstance(content, bytes):
                self._keep(content)
        except OSError as error:
            raise InputError(self._name, reason_of(error)) from error
        return self

    def _keep(self, stream: BinaryFile) -> None:
        self._spool = SpooledTemporaryFile(max_size=IN_MEMORY)  # noqa: SIM115 (closed by `__exit__`)
        while piece := stream.read(PIECE):
            self._spool.write(piece)
            if self._spool.tell() > self._max_bytes:
                self._spool.close()
                more = "raise the limit with --max-document-bytes"
                raise InputError(self._name, f"larger than {quantity(self._max_bytes, 'byte')}; {more}")

    def __exit__(self, *_: object) -> None:
        if self._spool is not None:
            self._spool.close()

    @property
    def readable(self) -> str | bytes | IO[bytes]:
        """Return the object that the core reads."""
        if self._spool is not None:
            self._spool.seek(0)
            return self._spool
        assert isinstance(self._content, str | bytes)
        return self._content

    def pieces(self) -> Iterator[bytes]:
        readable = self.readable
        if isinstance(readable, bytes):
            yield readable
        elif isinstance(readable, str):
            with Path(readable).open("rb") as file:
                while piece := file.read(PIECE):
                    yield piece
        else:
            while piece := readable.read(PIECE):
                yield piece


class _Work:
    """A document that is being repaired and written."""

    def __init__(
        self,
        source: Source,
        plan: Plan,
        options: FixOptions,
        original: _Original,
        body: SpooledTemporaryFile[bytes],
    ) -> None:
        self._source = source
        self._plan = plan
        self._options = options
        self._original = original
        self._body = body

    def run(self) -> FixedDocument:
        """Rewrite the document, and write the result."""
        from urlset import _core

        options = self._options
        try:
            rewriter = _core.Rewriter(
                self._original.readable,
                max_inflated=options.max_document_bytes,
                base_url=options.base_url,
                max_entries=options.max_entries,
                max_bytes=options.max_bytes,
            )
            for piece in rewriter:
                self._body.write(piece)
        except OSError as error:
            raise InputError(self._source.name, reason_of(error)) from error
        self._facts = rewriter.result()
        self._words = _core.vocabularies()
        if self._facts["refusal"] is not None:
            is_packed = (self._facts["kind"], Path(self._source.name).suffix) in (("zstd", ".zst"), ("binary", ".br"))
            return self._unmodified_document(PACKED if is_packed else self._words["refusals"][self._facts["refusal"]])
        if self._is_other_file:
            return self._unmodified_document(self._words["refusals"]["no-sitemap"])
        reason = self._why_not_split()
        if (unrepaired := self._unrepaired_entries()) is not None:
            if not self._is_changed:
                return self._unchanged_document(FixOutcome.NOT_REPAIRED, unrepaired)
            reason = unrepaired if reason is None else f"{reason}; {unrepaired}"
        if not self._is_changed and not self._is_split:
            if self._facts["was_well_formed"] is False:
                return self._unchanged_document(
                    FixOutcome.NOT_REPAIRED, "the document is not well-formed XML, and fix cannot repair it"
                )
            return self._unchanged_document(FixOutcome.RIGHT, reason)
        if (fault := self._fault()) is not None:
            return self._unchanged_document(
                FixOutcome.NOT_REPAIRED,
                f"internal error: the result would be invalid: {fault}; please report this document",
            )
        return self._fixed_document(reason)

    def parts(self, outcome: FixOutcome) -> Iterator[Iterator[bytes]]:
        """Yield each document that a validator would read instead of this one, in pieces."""
        if outcome is not FixOutcome.REPAIRED:
            if not self._is_other_file:
                yield self._original.pieces()
        elif self._is_split:
            begin = 0
            for end, _ in self._facts["parts"]:
                yield self._extract(begin, end)
                begin = end
        else:
            yield self._result()

    @property
    def _is_changed(self) -> bool:
        return bool(self._facts["repairs"] or self._facts["left_out_count"] or self._facts["is_cut_off"])

    @property
    def _is_other_file(self) -> bool:
        """Return whether `validate`, too, would leave the file out of a directory."""
        kept, omitted = self._facts["entries"], self._facts["left_out_count"]
        return is_left_out(self._source, {"kind": self._facts["kind"], "entries": kept + omitted, "loc_absolute": kept})

    def _fault(self) -> str | None:
        """Read the result like a validator before it is written, and return what is wrong with it, if anything."""
        begin, size = 0, self._body.tell() + len(self._facts["head"]) + len(self._facts["tail"])
        for end, entries in self._facts["parts"] if self._is_split else [(None, self._facts["entries"])]:
            fault = reread(self._extract(begin, end), size, entries)
            if fault is not None:
                return fault
            begin = end or 0
        return None

    @property
    def _base(self) -> str | None:
        """Return the URL next to which the parts will be published."""
        if self._options.base_url is not None:
            return self._options.base_url
        return without_user(str(self._source.place)) if self._source.kind is SourceKind.URL else None

    @property
    def _is_split(self) -> bool:
        return bool(self._facts["parts"]) and self._why_not_split() is None

    def _why_not_split(self) -> str | None:
        if not self._facts["parts"]:
            return None
        what = f"{quantity(self._facts['entries'], 'entry', 'entries')} exceed the limits of one sitemap"
        if self._facts["kind"] not in SPLIT_LIKE:
            return f"{what}; an index cannot be split, so create several indexes and submit each"
        if self._base is None:
            return f"{what}; to split it, add --base-url with the URL of the directory of the files"
        if self._plan.path is None and not self._options.dry_run:
            return f"{what}; to split it into several files, add -o FILE"
        return None

    def _unmodified_document(self, reason: str) -> FixedDocument:
        is_beside = self._is_other_file or (self._source.is_searched and self._facts["refusal"] == "feed")
        return self._unchanged_document(FixOutcome.NOT_REPAIRED, reason, is_unmodified_feed=is_beside)

    def _unchanged_document(
        self, outcome: FixOutcome, reason: str | None, *, is_unmodified_feed: bool = False
    ) -> FixedDocument:
        """Return the result for an unchanged document, copying it if the output is a different file."""
        files, content = self._write(self._original.pieces, is_same=True)
        return self._document(outcome, reason, files, content, is_unmodified_feed=is_unmodified_feed)

    def _fixed_document(self, reason: str | None) -> FixedDocument:
        patch = b""
        if self._options.diff:
            patch = patch_of(
                self._source.name,
                self._decompressed(),
                b"".join(self._extract(0, None)),
                is_packed=self._facts["is_gzip"],
            )
        if self._is_split:
            files, content = self._write_parts(), None
        else:
            files, content = self._write(self._result)
        return self._document(FixOutcome.REPAIRED, reason, files, content, patch=patch)

    def _result(self) -> Iterator[bytes]:
        pieces = self._extract(0, None)
        yield from _gzip(pieces) if self._facts["is_gzip"] else pieces

    def _extract(self, begin: int, end: int | None) -> Iterator[bytes]:
        """Return part of the body as a separate document; from 0 to None, the whole body."""
        yield self._facts["head"]
        self._body.seek(begin)
        remaining = end - begin if end is not None else None
        while piece := self._body.read(PIECE if remaining is None else min(PIECE, remaining)):
            if remaining is not None:
                remaining -= len(piece)
            yield piece
        yield self._facts["tail"]

    def _write(self, pieces: _Pieces, *, is_same: bool = False) -> tuple[tuple[str, ...], bytes | None]:
        """Write a result, and return the files, or the content if there is no output file."""
        if self._options.dry_run or (is_same and self._plan.is_in_place):
            return (), None
        if self._plan.path is None:
            return (), b"".join(pieces())
        _publish(self._plan.path, pieces())
        return (str(self._plan.path),), None

    def _write_parts(self) -> tuple[str, ...]:
        place, base = self._plan.path, self._base
        if place is None or base is None or self._options.dry_run:
            return ()
        index, paths = part_paths(
            place, len(self._facts["parts"]), is_text=self._facts["kind"] == "text", plan=self._plan
        )
        # Before any file is written, because an invalid base URL raises an error.
        index_content = index_document((join_url(base, path.name), None) for path in paths)
        begin = 0
        for path, (end, _) in zip(paths, self._facts["parts"], strict=True):
            pieces = self._extract(begin, end)
            _publish(path, _gzip(pieces) if self._facts["is_gzip"] else pieces)
            begin = end
        pieces = iter([index_content])
        _publish(index, _gzip(pieces) if index.name.lower().endswith(".gz") else pieces)
        if index != place and self._plan.is_in_place:
            # The text sitemap that the parts replace.
            place.unlink(missing_ok=True)
        return (str(index), *map(str, paths))

    def _decompressed(self) -> bytes:
        raw = b"".join(self._original.pieces())
        limit = self._options.max_document_bytes
        for _ in range(GZIP_LAYERS):
            if raw.startswith(MAGIC):
                raw = gunzip_bytes(raw, limit)
        return raw[:limit]

    def _unrepaired_entries(self) -> str | None:
        """Return which entries stay as they are, although they are wrong; None if there are none."""
        if self._facts["left_alone"] is None:
            return None
        count = self._facts["left_alone_count"]
        line, url = self._facts["left_alone"]
        entries = quantity(count, "entry stays", "entries stay")
        first = f"{url} on line {line}" if line else url
        return (
            f"{entries} unchanged, because the URL contains a variable without a value ({first}); set the base URL in "
            "the program that writes the sitemap, and write it again."
        )

    def _document(
        self,
        outcome: FixOutcome,
        reason: str | None,
        files: tuple[str, ...],
        content: bytes | None,
        *,
        patch: bytes = b"",
        is_unmodified_feed: bool = False,
    ) -> FixedDocument:
        facts, abouts, reasons = self._facts, self._words["repairs"], self._words["left_out"]
        repairs = [
            Repair(kind, abouts[kind], count, tuple(Change(*example) for example in examples))
            for kind, count, examples in facts["repairs"]
        ]
        if self._is_split:
            parts = len(facts["parts"])
            example = Change(0, quantity(facts["entries"], "entry", "entries"), quantity(parts, "part"))
            repairs.append(Repair("split", abouts["split"], 1, (example,)))
        is_refused = outcome is FixOutcome.NOT_REPAIRED
        omissions = tuple(Omission(kind, reasons[kind], line, text) for kind, line, text in facts["left_out"])
        return FixedDocument(
            target=self._source.name,
            kind=facts["kind"],
            outcome=outcome,
            reason=reason,
            entries=facts["entries"],
            repairs=() if is_refused else tuple(repairs),
            omissions=() if is_refused else omissions,
            cut_off=self._facts["is_cut_off"] and not is_refused,
            omitted=0 if is_refused else facts["left_out_count"],
            files=files,
            content=content,
            diff=shown_lines(patch),
            patch=patch,
            is_unmodified_feed=is_unmodified_feed,
        )


if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeAlias

    _Pieces: TypeAlias = Callable[[], Iterator[bytes]]


def _publish(path: Path | ObjectPath, pieces: Iterator[bytes]) -> None:
    if isinstance(path, ObjectPath):
        path.write(pieces)
        return
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OutputError(f"{path.parent}: cannot create the directory: {reason_of(error)}") from error
    with replacing(path) as place, place.open("wb") as file:
        file.writelines(pieces)


def _gzip(pieces: Iterator[bytes]) -> Iterator[bytes]:
    """Yield the chunks as one gzip stream, which is reproducible."""
    with SpooledTemporaryFile(max_size=IN_MEMORY) as spool:
        with gzip.GzipFile(filename="", mode="wb", fileobj=spool, mtime=0) as packed:
            for piece in pieces:
                packed.write(piece)
        spool.seek(0)
        while piece := spool.read(PIECE):
            yield piece
