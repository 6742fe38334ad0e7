"""The files of real sites that tests read; they are not part of this repository."""

from __future__ import annotations

import os
import tarfile
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
ARCHIVE = Path(os.environ.get("URLSET_CORPUS", ROOT.parent / "shared" / "corpus")) / "real.tar.xz"

ABSENT = "real.tar.xz is absent: URLSET_CORPUS names its folder"


IS_ABSENT = not ARCHIVE.is_file()


@cache
def files() -> dict[str, bytes]:
    """Every file of the archive by its name, without the folder that they all lie in."""
    with tarfile.open(ARCHIVE) as archive:
        members = [member for member in archive.getmembers() if member.isfile()]
        return {
            member.name.partition("/")[2]: content.read()
            for member in members
            if (content := archive.extractfile(member)) is not None
        }
