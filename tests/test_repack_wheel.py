"""Wheels that are compressed again: smaller, and otherwise the same."""

from __future__ import annotations

import sys
import zipfile
import zlib
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "scripts"))

import repack_wheel  # noqa: E402

MEMBERS = {"urlset/a.py": b"value = 1\n" * 400 + bytes(range(256)) * 8, "urlset/empty.py": b"", "é.txt": b"short"}


def made(path: Path, members: dict[str, bytes]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for name, data in members.items():
            member = zipfile.ZipInfo(name, (2026, 1, 2, 3, 4, 6))
            member.external_attr = 0o100755 << 16
            member.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(member, data)
    return path


def test_members_stay_the_same(tmp_path: Path) -> None:
    wheel = made(tmp_path / "a-1-py3-none-any.whl", MEMBERS)
    before = wheel.stat().st_size
    repack_wheel.repack(wheel)
    assert wheel.stat().st_size < before
    assert [path.name for path in tmp_path.iterdir()] == [wheel.name]
    with zipfile.ZipFile(wheel) as archive:
        assert archive.testzip() is None
        assert {name: archive.read(name) for name in archive.namelist()} == MEMBERS
        assert {(one.date_time, one.external_attr) for one in archive.infolist()} == {
            ((2026, 1, 2, 3, 4, 6), 0o100755 << 16)
        }


@pytest.mark.parametrize("other", [MEMBERS | {"urlset/a.py": b"other"}, dict(reversed(MEMBERS.items()))])
def test_a_difference_is_an_error(tmp_path: Path, other: dict[str, bytes]) -> None:
    with pytest.raises(zlib.error, match="changed"):
        repack_wheel.check_equal(made(tmp_path / "a.whl", MEMBERS), made(tmp_path / "b.whl", other))
