"""Where the results of `fix` go: one path for each source, decided before anything is written."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote

from urlset.errors import MisuseError
from urlset.net.urlparts import split_url
from urlset.sources import SourceKind

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from urlset.config import FixOptions
    from urlset.sources import Source, Target


@dataclass(frozen=True, slots=True)
class Plan:
    """Where the result of one document goes.

    Attributes:
        path: The file; None where it is handed back instead.
        is_in_place: Whether that is the document itself.
        taken: Paths that are some document's already.
    """

    path: Path | None
    is_in_place: bool = False
    taken: frozenset[Path] = frozenset()


def planned(sources: Sequence[Source], targets: Sequence[Target], options: FixOptions) -> list[Plan]:
    """A plan for each source.

    Raises:
        MisuseError: There is no one place for each.
    """
    if options.in_place and options.output is not None:
        raise MisuseError("--in-place and --output exclude each other: give one of them")
    if options.in_place:
        return [_in_place(source, sources) for source in sources]
    if options.output is None:
        if len(sources) > 1 and not options.dry_run:
            raise MisuseError(
                "several documents need a place each: give --output FOLDER or --in-place, or only look with --dry-run"
            )
        return [Plan(None) for _ in sources]
    output = Path(options.output)
    is_folder = len(targets) > 1 or any(source.is_searched for source in sources) or output.is_dir()
    if not is_folder:
        return [Plan(output) for _ in sources]
    if output.exists() and not output.is_dir():
        raise MisuseError(f"{output} is a file: several documents need a folder")
    paths = [output / _name_of(source) for source in sources]
    _no_two_alike(sources, paths)
    return [Plan(path, taken=frozenset(paths)) for path in paths]


def _in_place(source: Source, sources: Sequence[Source]) -> Plan:
    if source.kind is not SourceKind.PATH:
        raise MisuseError(f"--in-place is for files: {source.name} is none; give --output FILE")
    taken = frozenset(Path(str(each.place)) for each in sources if each.kind is SourceKind.PATH)
    return Plan(Path(str(source.place)), is_in_place=True, taken=taken)


def _name_of(source: Source) -> Path:
    """The path of a document below the folder of the results."""
    match source.kind:
        case SourceKind.PATH:
            return Path(str(source.site_path).lstrip("/"))
        case SourceKind.URL:
            name = unquote(split_url(source.name).path).rsplit("/", 1)[-1]
            is_safe = name not in ("", ".", "..") and not set(name) & {os.sep, "/", "\\", "\0"}
            return Path(name if is_safe else "sitemap.xml")
        case _:
            return Path("sitemap.xml")


def _no_two_alike(sources: Sequence[Source], paths: Sequence[Path]) -> None:
    first: dict[Path, Source] = {}
    for source, path in zip(sources, paths, strict=True):
        other = first.setdefault(path, source)
        if other is not source:
            raise MisuseError(f"{other.name} and {source.name} would both be written to {path}: fix them one by one")


def part_paths(place: Path, count: int, *, is_text: bool, plan: Plan) -> tuple[Path, list[Path]]:
    """Where a document goes that is split: its index, and its parts beside it.

    The index takes the name of the document, so that what points there stays right; that of a text sitemap cannot.

    Raises:
        MisuseError: Every name that would do is taken.
    """
    stem, ending = _split_name(place.name)
    index = place.with_name(f"{stem}-index.xml") if is_text else place
    for names in _series(stem, ending, count):
        paths = [place.with_name(name) for name in names]
        wanted = paths if index == place else [index, *paths]
        is_taken = any(path in plan.taken or (plan.is_in_place and path.exists()) for path in wanted)
        if not is_taken:
            return index, paths
    raise MisuseError(f"{place} is to be split, but files called {stem}-1{ending} and the like exist already")


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
