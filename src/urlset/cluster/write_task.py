"""What the executors do to write a set: normalize URLs, and write the parts of a chunk with the core's writer."""

from __future__ import annotations

import json
import shutil
from dataclasses import dataclass
from pathlib import Path
from secrets import token_hex
from typing import TYPE_CHECKING, Any

from urlset import _core
from urlset.errors import OutputError
from urlset.net.urlparts import site_of
from urlset.scratch import Scratch

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    import pyarrow as pa

KEY, COPY, RANK, CHUNK = "urlset_key", "urlset_copy", "urlset_rank", "urlset_chunk"
"""Columns in addition to the fields: the normalized URL, the number among equal ones, the number, and the chunk."""

REFUSALS: Mapping[str, str] = {
    "number": "bigint",
    "url": "string",
    "reason": "string",
    "field": "string",
    "detail": "string",
    "value": "string",
    "whole": "boolean",
}
"""The columns of the table of omissions; see `urlset.model.build.Refusal`."""

PART = "part"
"""The column with what the core reports about a part, as JSON."""

WRITTEN = ", ".join(f"{name} {kind}" for name, kind in ({PART: "string"} | dict(REFUSALS)).items())
"""The result of a task: a row per part, and a row per omission."""

MOST_FILES_OF_A_CHUNK = 1_000
"""Maximum files that the entries of one chunk are split into by size."""


@dataclass(frozen=True)
class KeyTask:
    """Adds the URL in the form in which it would be written, to recognize duplicates.

    Attributes:
        base: The base URL of the set.
        bare_paths: Whether a `loc` without a scheme is a path.
    """

    base: str
    bare_paths: bool

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Yield the batches with the column `KEY`."""
        import pyarrow as pa

        for batch in batches:
            keys = [self._key(loc) for loc in batch.column("loc").to_pylist()]
            yield batch.append_column(KEY, pa.array(keys, pa.string()))

    def _key(self, loc: str | None) -> str | None:
        if not loc:
            return None
        absolute = loc
        if loc.startswith("/") and not loc.startswith("//"):
            absolute = site_of(self.base) + loc
        elif self.bare_paths and "://" not in loc:
            absolute = self.base + loc
        return _core.good_url(absolute) or loc


@dataclass(frozen=True)
class WriteTask:
    """Writes the entries of a chunk.

    Attributes:
        given: The options of the core's writer.
        staging: The folder for the parts.
    """

    given: Mapping[str, Any]
    staging: str

    def __call__(self, table: pa.Table) -> pa.Table:
        """Write the entries, and return a row per part and per omission."""
        import pyarrow as pa

        table = table.sort_by(RANK)
        ranks = table.column(RANK).to_pylist()
        chunk = table.column(CHUNK)[0].as_py()
        notes: list[tuple[Any, ...]] = []
        with Scratch() as scratch:
            core = _core.SetWriter(str(scratch.path), self.given, lambda *note: notes.append(note), 1)
            core.extend_arrow(table.drop_columns([KEY, RANK, CHUNK]), "")
            saved = [self._staged(scratch.path, one, chunk) for one in core.finish(False)]
        rows = [{PART: json.dumps(one)} for one in saved]
        rows += [dict(zip(REFUSALS, (ranks[number - 1] + 1, *rest), strict=True)) for number, *rest in notes]
        kinds = {"bigint": pa.int64(), "string": pa.string(), "boolean": pa.bool_()}
        schema = pa.schema([(PART, pa.string()), *((name, kinds[kind]) for name, kind in REFUSALS.items())])
        return pa.Table.from_pylist(rows, schema)

    def _staged(self, folder: Path, one: dict[str, Any], chunk: int) -> dict[str, Any]:
        """Move a part to the folder for all parts, where its number is unique, and return its facts."""
        number = int(one["file"])
        if number >= MOST_FILES_OF_A_CHUNK:
            raise OutputError(f"max_bytes is too small: the entries of one part need {MOST_FILES_OF_A_CHUNK:,} files")
        place = Path(self.staging) / str(chunk * MOST_FILES_OF_A_CHUNK + number)
        # Another attempt at the same task may write the same bytes at the same time.
        beside = place.with_name(f".{place.name}.{token_hex(8)}")
        shutil.copyfile(folder / one["file"], beside)
        beside.replace(place)
        return {**one, "file": place.name}
