"""Real files, where there is an archive of them: `URLSET_CORPUS` names it. None of them is ours to ship."""

from __future__ import annotations

import os
import tarfile
from pathlib import Path

import pytest
from tests.fix.test_properties import check

ARCHIVE = os.environ.get("URLSET_CORPUS")


@pytest.mark.skipif(ARCHIVE is None, reason="URLSET_CORPUS names no archive of real files")
def test_real_files_go_through() -> None:
    failures = []
    checked = 0
    with tarfile.open(Path(ARCHIVE or "")) as archive:
        for member in archive:
            file = archive.extractfile(member) if member.isfile() else None
            if file is None:
                continue
            checked += 1
            try:
                check(file.read())
            except Exception as error:
                failures.append(f"{member.name}: {type(error).__name__}: {error}")
    assert checked
    assert failures == []
