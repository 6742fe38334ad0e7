"""Output paths of `fix`: one per source, determined before anything is written."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote

from urlset.errors import UsageError
from urlset.net.urlparts import split_url
from urlset.objects.object_address import is_object
from urlset.objects.path import ObjectPath
from urlset.sources import SourceKind

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from urlset.options.fixing import FixOptions
    from urlset.sources import Source, Target

WRITABLE = (SourceKind.PATH, SourceKind.OBJECT)
"""Kinds of sources that can be replaced by their repaired version."""


@dataclass(frozen=True, slots=True)
class Plan:
    """Output of one document.

    Attributes:
        path: The file or object; None if the result is returned instead.
        is_in_place: Whether the file is the document itself.
        taken_paths: Paths that are in use by other documents.
    """

    path: Path | ObjectPath | None
    is_in_place: bool = False
    taken_paths: frozenset[Path | ObjectPath] = frozenset()


def plan_repairs(sources: Sequence[Source], targets: Sequence[Target], options: FixOptions) -> list[Plan]:
    """Return a plan for each source.

    Raises:
        UsageError: The options do not give each source an output path.
    """
    if options.in_place and options.output is not None:
        raise UsageError("--in-place and --output are mutually exclusive")
    if options.in_place:
        return [_in_place(source, sources) for source in sources]
    if options.output is None:
        if len(sources) > 1 and not options.dry_run:
            raise UsageError("several documents need --output DIRECTORY or --in-place; to write nothing, use --dry-run")
        return [Plan(None) for _ in sources]
    output = ObjectPath.of(options.output) or options.output
    is_folder = len(targets) > 1 or any(source.is_searched for source in sources) or output.is_dir()
    if not is_folder:
        return [Plan(output) for _ in sources]
    if output.exists() and not output.is_dir():
        raise UsageError(f"{output} is a file; several documents need a directory")
    paths: list[Path | ObjectPath] = [output / _name_of(source) for source in sources]
    _no_two_alike(sources, paths)
    return [Plan(path, taken_paths=frozenset(paths)) for path in paths]


def _in_place(source: Source, sources: Sequence[Source]) -> Plan:
    if source.kind not in WRITABLE:
        raise UsageError(f"--in-place requires files, and {source.name} is not a file; use --output FILE")
    taken_paths = frozenset(_own_path(each) for each in sources if each.kind in WRITABLE)
    return Plan(_own_path(source), is_in_place=True, taken_paths=taken_paths)


def _own_path(source: Source) -> Path | ObjectPath:
    place = str(source.place)
    return ObjectPath(place) if is_object(place) else Path(place)


def _name_of(source: Source) -> Path:
    """Return the path of a document relative to the output directory."""
    match source.kind:
        case SourceKind.PATH | SourceKind.OBJECT:
            return Path(str(source.site_path).lstrip("/"))
        case SourceKind.URL:
            name = unquote(split_url(source.name).path).rsplit("/", 1)[-1]
            # On Windows, a colon names a drive or a stream of a file.
            is_safe = name not in ("", ".", "..") and not set(name) & {"/", "\\", ":", "\0"}
            return Path(name if is_safe else "sitemap.xml")
        case _:
            return Path("sitemap.xml")


def _no_two_alike(sources: Sequence[Source], paths: Sequence[Path | ObjectPath]) -> None:
    first: dict[Path | ObjectPath, Source] = {}
    for source, path in zip(sources, paths, strict=True):
        other = first.setdefault(path, source)
        if other is not source:
            raise UsageError(f"{other.name} and {source.name} would both be written to {path}; fix them one at a time")


def part_paths(
    place: Path | ObjectPath, count: int, *, is_text: bool, plan: Plan
) -> tuple[Path | ObjectPath, list[Path | ObjectPath]]:
    """Return the paths of a split document: its index, and its parts next to it.

    The index takes the name of the document, so that existing references stay valid, except for a text sitemap.

    Raises:
        UsageError: All suitable names are in use.
    """
    stem, ending = _split_name(place.name)
    index = place.with_name(f"{stem}-index.xml") if is_text else place
    for names in _series(stem, ending, count):
        paths: list[Path | ObjectPath] = [place.with_name(name) for name in names]
        new_paths = paths if index == place else [index, *paths]
        is_taken = any(path in plan.taken_paths or (plan.is_in_place and path.exists()) for path in new_paths)
        if not is_taken:
            return index, paths
    raise UsageError(f"cannot split {place}: files with names such as {stem}-1{ending} already exist")


def _series(stem: str, ending: str, count: int) -> Iterator[list[str]]:
    for infix in ("-", "-part-"):
        yield [f"{stem}{infix}{number}{ending}" for number in range(1, count + 1)]


def _split_name(name: str) -> tuple[str, str]:
    """`sitemap.xml.gz` -> `sitemap`, `.xml.gz`."""
    path = Path(name)
    if path.suffix.lower() == ".gz":
        inner = Path(path.stem)
        return inner.stem, inner.suffix + path.suffix
    return path.stem, path.suffix
