"""The directory with the state of builds, and the parts that builds wrote."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from msgspec import Struct

from urlset.files.bounded import MAX_MANIFEST_BYTES, read_own
from urlset.files.structured import decode_json
from urlset.files.user_folders import name_of_place, state_folder

if TYPE_CHECKING:
    from pathlib import Path

MIN_URLS = 1_000
"""Minimum URLs of a file to look for its manifest. Our choice: a search takes time, and only full files matter."""

MAX_SETS = 100
"""Maximum sets in a directory to look at."""


def builds_folder() -> Path:
    """Return the directory for what builds on this machine know."""
    return state_folder() / "builds"


def state_of(place: Path) -> Path:
    """Return the directory for what builds know of the sets in a directory."""
    return builds_folder() / name_of_place(place)


def is_built_part(path: Path, entries: int) -> bool:
    """Return whether a file is a part with this many URLs according to the manifest of a build.

    A manifest that cannot be read says nothing.
    """
    folder = state_of(path.parent)
    try:
        stats = [(manifest, manifest.stat()) for manifest in _manifests(folder, folder.stat().st_mtime_ns)]
    except OSError:
        return False
    return any(_urls(manifest, stat.st_mtime_ns, stat.st_size).get(path.name) == entries for manifest, stat in stats)


@lru_cache(maxsize=4)
def _manifests(folder: Path, changed: int) -> list[Path]:  # noqa: ARG001 - it detects new files
    return sorted(folder.glob("*.json"))[:MAX_SETS]


class _Counts(Struct):
    """The part of a manifest with the number of URLs of each file."""

    urls: dict[str, int]


@lru_cache(maxsize=4)
def _urls(manifest: Path, changed: int, size: int) -> dict[str, int]:  # noqa: ARG001 - they detect another content
    """Return the number of URLs of each file in a manifest."""
    try:
        return decode_json(read_own(manifest, MAX_MANIFEST_BYTES), _Counts).urls
    except (OSError, ValueError):
        # Other files of a build are there, too, and someone else may have written any of them.
        return {}
