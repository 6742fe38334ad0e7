"""Reads what a request asks for from its address or its form, and checks it."""

from __future__ import annotations

import base64
import binascii
import json
import re
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Annotated

import msgspec

from urlset.errors import UsageError, reason_of
from urlset.files.structured import decode_json
from urlset.serve.jobs import FILES, MAX_FILES, MAX_UPLOADED, JobKind
from urlset.store.grid import GridFilter, GridView, Operator
from urlset.store.page_list import PageFilter
from urlset.tables import TABLES
from urlset.text.sizes import quantity, size
from urlset.web.indexability import PageReason

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from starlette.datastructures import QueryParams, UploadFile

    from urlset.store.grid import Place

LONGEST_TARGET = 2_048
"""Maximum characters of an address."""

LONGEST_TEXT = 20_000
"""Maximum characters of SQL, and of other texts."""

MAX_FILTERS = 10
"""Maximum conditions of a view."""

MAX_DEPTH = 40
"""Maximum folders above an uploaded file."""

_Value = str | int | float | bool | None
"""A value that a table is sorted by, as `begin_text` writes it."""

_RowNumber = Annotated[int, msgspec.Meta(ge=0, le=2**63 - 1)]

_CONTROL = re.compile(r"[\x00-\x1f\x7f]")


def number(text: str | None, name: str, *, least: int = 1, maximum: int = 2**31 - 1) -> int | None:
    """Return a number, None if there is none.

    Raises:
        UsageError: It is not a number in this range.
    """
    if not text:
        return None
    if not re.fullmatch(r"\d{1,10}", text) or not least <= int(text) <= maximum:
        raise UsageError(f"{name} must be an integer from {least:,} to {maximum:,}")
    return int(text)


def job_of(form: Mapping[str, str]) -> tuple[JobKind, str, dict[str, object]]:
    """Return the kind, target, and options of a job.

    Raises:
        UsageError: A value is invalid.
    """
    try:
        kind = JobKind(_text(form, "kind") or JobKind.AUDIT)
    except ValueError:
        raise UsageError(f"kind must be one of {', '.join(JobKind)}") from None
    target = _text(form, "target")
    if len(target) > LONGEST_TARGET or _CONTROL.search(target):
        raise UsageError(f"the address must be at most {LONGEST_TARGET:,} characters, without line breaks")
    options: dict[str, object] = {}
    if (sample := number(_text(form, "sample"), "sample", maximum=1_000_000)) is not None:
        options["sample"] = sample
    if form.get("crawl"):
        options["crawl"] = True
    for name in ("base_url", "host"):
        if text := _text(form, name):
            if len(text) > LONGEST_TARGET or _CONTROL.search(text):
                raise UsageError(f"{name} must be at most {LONGEST_TARGET:,} characters, without line breaks")
            options[name] = text
    return kind, target, options


def _text(form: Mapping[str, str], name: str) -> str:
    return form.get(name, "").strip()


async def stored_files(uploads: Iterable[UploadFile], folder: Path) -> int:
    """Write uploaded files to the folder of a job, and return their number.

    Raises:
        UsageError: There are too many, or a name leads elsewhere.
    """
    place = folder / FILES
    place.mkdir(mode=0o700)
    count = total = 0
    for upload in uploads:
        if not upload.filename:
            continue
        count += 1
        path = place.joinpath(*_parts(upload.filename))
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with path.open("xb") as file:
                while chunk := await upload.read(1 << 20):
                    total += len(chunk)
                    if count > MAX_FILES or total > MAX_UPLOADED:
                        raise UsageError(
                            f"an upload has at most {quantity(MAX_FILES, 'file')} and {size(MAX_UPLOADED)}; use "
                            "`urlset audit` for more"
                        )
                    file.write(chunk)
        except OSError as error:
            raise UsageError(f"{upload.filename[:200]!r} cannot be stored: {reason_of(error)}") from None
    return count


def _parts(name: str) -> tuple[str, ...]:
    """Return the folders and the name of an uploaded file, or raise a UsageError if its path is not relative."""
    parts = PurePosixPath(name.replace("\\", "/")).parts
    if (
        not parts
        or len(parts) > MAX_DEPTH
        or any(part in ("..", "/") or len(part.encode()) > 255 or _CONTROL.search(part) for part in parts)
        or re.match(r"[A-Za-z]:", name)
    ):
        raise UsageError(f"{name[:200]!r} is not the relative path of a file")
    return parts


def page_filter(params: QueryParams) -> PageFilter:
    """Return which pages to list.

    Raises:
        UsageError: A value is invalid.
    """
    reason = params.get("reason") or "lacking"
    if reason not in (*PageReason, "lacking", "all", "indexable"):
        raise UsageError(f"reason must be one of lacking, all, indexable, {', '.join(PageReason)}")
    return PageFilter(
        reason,
        params.get("under") or None,
        number(params.get("status"), "status", maximum=999),
        number(params.get("document"), "document", least=0),
        params.get("q") or None,
        params.get("template") or None,
    )


def grid_view(name: str, params: QueryParams) -> GridView:
    """Return which rows of a table to show: `columns`, `sort` (with `-` in front for descending), and `filter`.

    Raises:
        UsageError: The table or a column does not exist, or a filter is invalid.
    """
    table = TABLES.get(name)
    if table is None:
        raise UsageError(f"no table {name}")
    columns = tuple(params.getlist("columns")) or tuple(_default_columns(table.column_names))
    sort = params.get("sort") or None
    texts = [text for text in params.getlist("filter") if text]
    if where := params.get("where"):
        texts.append(f"{where}.{params.get('is', '')}.{params.get('value', '')}")
    if len(texts) > MAX_FILTERS or any(len(text) > LONGEST_TEXT for text in texts):
        raise UsageError(f"a view has at most {MAX_FILTERS} filters, of at most {LONGEST_TEXT:,} characters")
    filters = tuple(map(_filter, texts))
    descends = sort is not None and sort.startswith("-")
    return GridView(table, columns, filters, sort.removeprefix("-") if sort else None, descends)


def _filter(text: str) -> GridFilter:
    column, _, rest = text.partition(".")
    operator, _, value = rest.partition(".")
    try:
        return GridFilter(column, Operator(operator), value)
    except ValueError:
        raise UsageError(f"{operator}: must be one of {', '.join(Operator)}") from None


FIRST = (
    "url", "loc", "from_url", "to_url", "hreflang", "href", "code", "severity", "message", "kind", "entries", "reason",
    "status", "final_url", "title", "document", "line", "lastmod",
)  # fmt: skip
"""The columns that say most to a person, in this order."""

MAX_COLUMNS = 9
"""Maximum columns to show unless others are chosen."""


def _default_columns(names: Sequence[str]) -> list[str]:
    """Return the columns of a table to show unless others are chosen: those of `FIRST`, or else the first ones."""
    first_names = [name for name in FIRST if name in names]
    others = [name for name in names if name not in FIRST and not name.endswith(("_hash", "_id", "_line", "_col"))]
    return [*first_names, *others[: max(0, 4 - len(first_names))]][:MAX_COLUMNS] or list(names)


def begin_of(text: str | None) -> tuple[Place | None, int]:
    """Return where a page of a table begins.

    Raises:
        UsageError: The text is not from `begin_text`.
    """
    if not text:
        return None, 0
    try:
        content = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
        return decode_json(content, tuple[tuple[_Value, _RowNumber] | None, _RowNumber])
    except (ValueError, binascii.Error):
        raise UsageError("begin: not a place in a table; start at the first page") from None


def begin_text(begin: tuple[object, int] | None) -> str | None:
    """Return where a page of a table begins, for an address."""
    if begin is None:
        return None
    text = json.dumps(begin, default=str, separators=(",", ":"))
    return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


def parse_place(text: str | None) -> tuple[int, int] | None:
    """Return the place of a page after which to begin.

    Raises:
        UsageError: It is not two numbers.
    """
    if not text:
        return None
    match = re.fullmatch(r"(\d{1,10})-(\d{1,10})", text)
    if match is None:
        raise UsageError("after: not the place of a page; start at the first one")
    return int(match[1]), int(match[2])
