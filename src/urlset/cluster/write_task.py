"""Tasks of executors that write a set: check entries, and write the parts of a chunk, with the core's writer."""

from __future__ import annotations

import json
import shutil
from dataclasses import dataclass
from pathlib import Path
from secrets import token_hex
from typing import TYPE_CHECKING

from urlset import _core
from urlset.errors import OutputError
from urlset.files.scratch import Scratch
from urlset.net.urlparts import site_of
from urlset.objects.object_address import is_object
from urlset.objects.path import ObjectPath

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    import pyarrow as pa

KEY, OMITTED, COPY = "urlset_key", "urlset_omitted", "urlset_copy"
"""Columns in addition to the fields: the normalized URL, what is left out, and the number among equal URLs."""

RANK, CHUNK = "urlset_rank", "urlset_chunk"
"""The same, once only the entries to write are left: the number of the entry, and the chunk."""

REFUSALS: Mapping[str, str] = {
    "number": "bigint",
    "url": "string",
    "reason": "string",
    "field": "string",
    "detail": "string",
    "value": "string",
    "whole": "boolean",
}
"""The columns of the table of omissions; see `urlset.model.build.Refusal`. A frame has no order, so a number is 0."""

OMISSION = ", ".join(f"{name} {kind}" for name, kind in REFUSALS.items())
"""The schema of an item of `OMITTED`, which is null for an entry that is written with all its fields."""

PART = "part"
"""The column with what the core reports about a part, as JSON."""

WRITTEN = f"{PART} string, {OMISSION}"
"""The result of a task: a row per part, and a row per omission."""

MAX_FILES_OF_A_CHUNK = 1_000
"""Maximum files that the entries of one chunk are split into by size."""


UNLIMITED = 1 << 62
"""For the limits of a part, which do not apply to checking."""


@dataclass(frozen=True)
class CheckTask:
    """Checks entries like the writer, and adds the URL in the form in which it would be written.

    Attributes:
        settings: The options of the core's writer.
    """

    settings: Mapping[str, object]

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Yield the batches with the columns `KEY` and `OMITTED`."""
        import pyarrow as pa

        for batch in batches:
            keys = [self._key(loc) for loc in batch.column("loc").to_pylist()]
            keyed = batch.append_column(KEY, pa.array(keys, pa.string()))
            yield keyed.append_column(OMITTED, pa.array(self._omissions(batch), pa.list_(_struct())))

    def _omissions(self, batch: pa.RecordBatch) -> list[list[dict[str, object]] | None]:
        """Return what the writer leaves out, by entry, other than duplicates."""
        import pyarrow as pa

        omitted: list[list[dict[str, object]] | None] = [None] * batch.num_rows

        def note(number: int, *rest: object) -> None:
            noted = omitted[number - 1] or []
            omitted[number - 1] = [*noted, _refusal(rest)]

        settings = {
            **self.settings,
            "unique": False,
            "max_entries": UNLIMITED,
            "max_bytes": UNLIMITED,
            "max_news": UNLIMITED,
        }
        core = _core.StreamWriter(settings, note)
        rows = core.batches(pa.Table.from_batches([batch]))
        while core.add_batch(rows):
            core.take()
        return omitted

    def _key(self, loc: str | None) -> str | None:
        if not loc:
            return None
        absolute, base = loc, str(self.settings["base"])
        if loc.startswith("/") and not loc.startswith("//"):
            absolute = site_of(base) + loc
        elif self.settings["bare_paths"] and "://" not in loc:
            absolute = base + loc
        return _core.good_url(absolute) or loc


@dataclass(frozen=True)
class WriteTask:
    """Writes the entries of a chunk.

    Attributes:
        staging: The folder for the parts, or their prefix in an object store.
    """

    settings: Mapping[str, object]
    staging: str

    def __call__(self, table: pa.Table) -> pa.Table:
        """Write the entries, and return a row per part and per omission."""
        import pyarrow as pa

        table = table.sort_by(RANK)
        chunk = table.column(CHUNK)[0].as_py()
        notes: list[tuple[object, ...]] = []
        settings = {**self.settings, "unique": False}
        with Scratch() as scratch:
            core = _core.SetWriter(str(scratch.path), settings, lambda *note: notes.append(note), 1)
            core.extend_arrow(table.drop_columns([KEY, RANK, CHUNK]), "")
            saved = [self._stage(scratch.path, part, chunk) for part in core.finish(False)]
        rows: list[dict[str, object]] = [{PART: json.dumps(part)} for part in saved]
        # What concerns single fields is known from the check. An entry that no part can hold is found only here.
        rows += [_refusal(rest) for _, *rest in notes if rest[-1]]
        return pa.Table.from_pylist(rows, pa.schema([(PART, pa.string()), *_struct()]))

    def _stage(self, folder: Path, part: _core.SavedPart, chunk: int) -> _core.SavedPart:
        """Move a part to the folder for all parts, where its number is unique, and return its facts."""
        number = int(part["file"])
        if number >= MAX_FILES_OF_A_CHUNK:
            raise OutputError(f"max_bytes is too small: the entries of one part need {MAX_FILES_OF_A_CHUNK:,} files")
        name = str(chunk * MAX_FILES_OF_A_CHUNK + number)
        # Another attempt at the same task may write the same bytes at the same time.
        if is_object(self.staging):
            ObjectPath(f"{self.staging}/{name}").put(folder / part["file"])
        else:
            place = Path(self.staging) / name
            beside = place.with_name(f".{name}.{token_hex(8)}")
            shutil.copyfile(folder / part["file"], beside)
            beside.replace(place)
        return {**part, "file": name}


def _refusal(values: Iterable[object]) -> dict[str, object]:
    """Return an omission, from the values that the core reports after the number."""
    return dict(zip(REFUSALS, (0, *values), strict=True))


def _struct() -> pa.StructType:
    """Return the type of an omission."""
    import pyarrow as pa

    kinds = {"bigint": pa.int64(), "string": pa.string(), "boolean": pa.bool_()}
    return pa.struct([(name, kinds[kind]) for name, kind in REFUSALS.items()])
