"""The user's directories for what urlset keeps between runs."""

from __future__ import annotations

import os
import re
from pathlib import Path


def cache_folder() -> Path:
    """Return the directory of the cache: URLSET_CACHE_DIR, or the cache directory of the platform."""
    if folder := os.environ.get("URLSET_CACHE_DIR"):
        return Path(folder)
    # Imported here because most runs of a file ask for no directory.
    from platformdirs import user_cache_path

    return user_cache_path("urlset", appauthor=False)


def state_folder() -> Path:
    """Return the state directory of the platform."""
    from platformdirs import user_state_path

    return user_state_path("urlset", appauthor=False)


def name_of_place(place: Path) -> str:
    """Return a file name for what is kept of a place on this machine: its readable name, and a digest of its path."""
    import hashlib

    path = place.resolve()
    digest = hashlib.sha256(os.fsencode(path)).hexdigest()[:16]
    readable = re.sub(r"[^A-Za-z0-9._-]", "_", path.name)[:40]
    return f"{readable}-{digest}"
