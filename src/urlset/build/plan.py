"""The plan of a set: the names of its files, and which index lists which files."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from msgspec.structs import replace

from urlset import _core
from urlset.build.options import for_core
from urlset.build.target import StagedFile
from urlset.errors import UsageError
from urlset.model.build import File

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from urlset.build.options import BaseUrl
    from urlset.options.writing import WriteOptions

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MONTH = re.compile(r"([A-Za-z0-9][A-Za-z0-9_-]*-)?\d{4}-(0[1-9]|1[0-2])")
_GROUP = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]*")


@dataclass(frozen=True, slots=True)
class PlannedFile:
    """A finished file and its destination."""

    file: File
    staged: StagedFile


def check_group(group: str) -> None:
    """Reject names of groups that are invalid in a file name, or that could be confused with another part.

    Raises:
        UsageError: The name is invalid.
    """
    if _MONTH.fullmatch(group):
        # It could only be confused with part 11 of a group such as 2025, and no group may end with such a number.
        return
    if group and (not _GROUP.fullmatch(group) or re.search(r"(^|-)\d+$|^index$", group)):
        raise UsageError(
            f"invalid group name {group!r}: it must consist of letters, digits, hyphens, and underscores, must not "
            "end with a separate number, and must not be 'index'"
        )


def part_label(group: str, number: int) -> str:
    """Return the name of a part without the name of its set.

    Example:
        >>> [part_label("", 1), part_label("shoes", 1), part_label("shoes", 2)]
        ['1', 'shoes', 'shoes-2']
    """
    if not group:
        return str(number)
    return group if number == 1 else f"{group}-{number}"


def part_of(label: str) -> tuple[str, int] | None:
    """Return the group and number of a part; None if no part has this name.

    Example:
        >>> [part_of("12"), part_of("shoes"), part_of("shoes-2"), part_of("2025-11"), part_of("index-2")]
        [('', 12), ('shoes', 1), ('shoes', 2), ('2025-11', 1), None]
    """
    stem, _, number = ("", "", label) if label.isdecimal() else label.rpartition("-")
    is_numbered = number.isascii() and number.isdecimal() and not _MONTH.fullmatch(label)
    # A longer number is that of no part; it does not fit into 64 bits.
    group, at = (stem, int(number[:18])) if is_numbered else (label, 1)
    try:
        check_group(group)
    except UsageError:
        return None
    return (group, at) if at and part_label(group, at) == label else None


def plan(
    folder: Path, saved: Sequence[_core.SavedPart], groups: Sequence[str], base: BaseUrl, options: WriteOptions
) -> list[PlannedFile]:
    """Name the parts, and write the indexes of them.

    Args:
        folder: The directory of the parts, which indexes are also written to.
        groups: The groups in the order of the index.

    Returns:
        The files in the order of publishing: parts, then further indexes, then the index with the name of the set.
    """
    order = {group: place for place, group in enumerate(groups)}
    saved = sorted(saved, key=lambda part: (order.get(part["group"], 0), part["number"] or int(part["file"])))
    ending = ".xml.gz" if options.gzip in ("parts", "all") else ".xml"
    if len(saved) == 1 and options.index == "auto" and options.layout == "sequential":
        # A single part is what robots.txt lists, so it is compressed only if the index would be.
        return [_part(folder, saved[0], "", ending, base, options)]
    counts: dict[str, int] = {}
    parts = []
    for part in saved:
        group = part["group"]
        counts[group] = counts.get(group, 0) + 1
        # With the stable layout, a part keeps its number.
        label = part_label(group, part["number"] or counts[group])
        parts.append(_part(folder, part, label, ending, base, options))
    children = [(part.file.url, part.file.lastmod) for part in parts]
    return [*parts, *index_over(folder, children, base, options)] if parts else []


def _part(
    folder: Path, part: _core.SavedPart, label: str, ending: str, base: BaseUrl, options: WriteOptions
) -> PlannedFile:
    name = f"{options.name}-{label}{ending}" if label else f"{options.name}{ending}"
    file = File(
        name=name,
        url=base.url(name),
        kind="urlset",
        group=part["group"],
        entries=part["entries"],
        bytes=part["bytes"],
        file_bytes=part["file_bytes"],
        digest=part["digest"],
        lastmod=_lastmod(part["newest"], options),
        changed=True,
        alternates=part["alternates"],
        images=part["images"],
        videos=part["videos"],
        news=part["news"],
        label=label,
    )
    return PlannedFile(file, StagedFile(folder / part["file"], name, part["digest"], urls=part["entries"]))


def _lastmod(newest: int | None, options: WriteOptions) -> str | None:
    """Return the newest lastmod of a part, in the form for an index."""
    if newest is None or options.index_lastmod == "none":
        return None
    at = _EPOCH + timedelta(microseconds=newest)
    return at.date().isoformat() if options.index_lastmod == "date" else at.isoformat()


def index_over(
    folder: Path, children: Sequence[tuple[str, str | None]], base: BaseUrl, options: WriteOptions
) -> list[PlannedFile]:
    """Write as many indexes as the limits require; the first has the name of the set and comes last.

    Args:
        children: URL and newest lastmod of each listed sitemap.
    """
    children = list(children)
    settings = for_core(options, base, index=True)
    ending = ".xml.gz" if options.gzip == "all" else ".xml"
    indexes: list[PlannedFile] = []
    while children:
        number = len(indexes) + 1
        path = folder / f"index-{number}"
        facts = _core.write_index(str(path), children, settings)
        if not facts["entries"]:
            raise UsageError(f"max_bytes is too small for an index with a single part: {options.max_bytes:,}")
        name = f"{options.name}{ending}" if number == 1 else f"{options.name}-index-{number}{ending}"
        file = File(
            name=name,
            url=base.url(name),
            kind="sitemapindex",
            group="",
            entries=facts["entries"],
            bytes=facts["bytes"],
            file_bytes=facts["file_bytes"],
            digest=facts["digest"],
            lastmod=None,
            changed=True,
        )
        indexes.append(PlannedFile(file, StagedFile(path, name, facts["digest"], is_index=True)))
        del children[: facts["entries"]]
    return indexes[::-1]


def published_files_of(planned: Sequence[PlannedFile], changed: frozenset[str]) -> tuple[File, ...]:
    """Return the files, indexes first, and whether each changed."""
    files = [replace(planned_file.file, changed=planned_file.file.name in changed) for planned_file in planned]
    indexes = [file for file in files if file.kind == "sitemapindex"]
    return (*indexes[::-1], *(file for file in files if file.kind == "urlset"))
