"""The stores of audited directories in the user's cache: how many there are, and how to remove them."""

from __future__ import annotations

import re
from contextlib import suppress
from typing import TYPE_CHECKING

from urlset.errors import reason_of
from urlset.files.user_folders import cache_folder
from urlset.model.reference import CachedStores
from urlset.options.storing import STORES

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

NAME = re.compile(r".*-[0-9a-f]{16}\.duckdb")
"""The names that `store_of_builds` makes."""


def cached_stores() -> CachedStores:
    """Return the number and the size of the stores.

    Raises:
        OSError: Their directory cannot be read.
    """
    return _counted(_size(path) for path in _stores())


def remove_cached_stores() -> tuple[CachedStores, list[str]]:
    """Remove the stores that are not in use. Other files in the directory stay.

    Returns:
        How much was removed, and why each of the other stores was not.

    Raises:
        OSError: Their directory cannot be read.
    """
    from urlset.store.file import is_in_use

    sizes, kept = [], []
    for path in _stores():
        try:
            if is_in_use(path):
                kept.append(f"{path} is in use by another process, so it is not removed")
                continue
            size = _size(path)
            # The log goes first: without its store, it would belong to the next one with this name.
            for file in reversed(_files(path)):
                file.unlink(missing_ok=True)
            sizes.append(size)
        except OSError as error:
            kept.append(f"{path}: cannot be removed: {reason_of(error)}")
    return _counted(sizes), kept


def _counted(sizes: Iterable[int]) -> CachedStores:
    listed = list(sizes)
    return CachedStores(cache_folder() / STORES, len(listed), sum(listed))


def _files(store: Path) -> list[Path]:
    from urlset.database.connections import FILE_SUFFIXES

    return [store.with_name(store.name + suffix) for suffix in FILE_SUFFIXES]


def _size(store: Path) -> int:
    size = 0
    for file in _files(store):
        # Another process may remove it.
        with suppress(FileNotFoundError):
            size += file.lstat().st_size
    return size


def _stores() -> Iterator[Path]:
    folder = cache_folder() / STORES
    if folder.is_dir():
        yield from sorted(path for path in folder.iterdir() if NAME.fullmatch(path.name) and path.is_file())
