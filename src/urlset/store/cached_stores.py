"""The stores of audited directories in the user's cache: how many there are, and how to remove them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from urlset.errors import OutputError
from urlset.files.user_folders import cache_folder
from urlset.model.reference import CachedStores
from urlset.options.storing import STORES

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

NAME = re.compile(r".*-[0-9a-f]{16}\.duckdb")
"""The names that `store_of_builds` makes."""


def cached_stores() -> CachedStores:
    """Return the number and the size of the stores."""
    stores = list(_stores())
    return CachedStores(cache_folder() / STORES, len(stores), sum(path.lstat().st_size for path in stores))


def remove_cached_stores() -> CachedStores:
    """Remove the stores, and return how much there was. Other files in the directory stay.

    Raises:
        OutputError: A store is in use. The others are removed.
        OSError: One cannot be removed.
    """
    from urlset.database.connections import FILE_SUFFIXES
    from urlset.store.file import is_in_use

    stores = cached_stores()
    in_use = [path for path in _stores() if is_in_use(path)]
    for path in _stores():
        if path not in in_use:
            for suffix in reversed(FILE_SUFFIXES):
                path.with_name(path.name + suffix).unlink(missing_ok=True)
    if in_use:
        raise OutputError(f"{in_use[0]} is in use by another process, so it is not removed")
    return stores


def _stores() -> Iterator[Path]:
    folder = cache_folder() / STORES
    if folder.is_dir():
        yield from sorted(path for path in folder.iterdir() if NAME.fullmatch(path.name) and path.is_file())
