"""What is kept between builds: damage is said and costs no more than reading again; another core keeps what it may."""

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from urlset.build.sources.page_store import VERSION, PageStore

NOW = datetime(2026, 1, 1, tzinfo=UTC)


def _kept(path: Path) -> None:
    """Two builds, between which the text of a page changed."""
    for content_hash, moment in ((1, NOW), (2, NOW + timedelta(days=1))):
        store = PageStore(path)
        store.content_date("a.html", content_hash, moment, is_extracted=True)
        store.save()


def test_the_moment_of_a_change_is_kept_until_the_next_one(tmp_path: Path) -> None:
    path = tmp_path / "state.json"
    _kept(path)
    store = PageStore(path)
    assert store.loss is None
    assert store.content_date("a.html", 2, NOW + timedelta(days=9), is_extracted=True) == NOW + timedelta(days=1)
    assert store.content_date("a.html", 3, NOW + timedelta(days=9), is_extracted=True) == NOW + timedelta(days=9)
    assert store.content_date("new.html", 1, NOW, is_extracted=True) is None


def test_a_first_build_has_lost_nothing(tmp_path: Path) -> None:
    assert PageStore(tmp_path / "none.json").loss is None
    assert PageStore(None).loss is None


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"\xff\xfe",
        b"[]",
        b"null",
        b'{"version": 1}',
    ],
)
def test_damage_is_said_and_the_state_is_built_anew(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "state.json"
    path.write_bytes(content)
    store = PageStore(path)
    assert store.loss is not None
    assert store.loss.startswith(f"{path} is damaged; all pages are read again")
    assert store.content_date("a.html", 1, NOW, is_extracted=True) is None
    store.save()
    assert PageStore(path).loss is None


def test_dates_are_kept_if_only_the_data_of_pages_cannot_be_read(tmp_path: Path) -> None:
    path = tmp_path / "state.json"
    _kept(path)
    path.write_text(json.dumps(json.loads(path.read_text()) | {"files": 5}))
    store = PageStore(path)
    note = "is damaged, or was written by another version of urlset; all pages are read again"
    assert store.loss == f"{path} {note}"
    assert store.content_date("a.html", 2, NOW + timedelta(days=9), is_extracted=True) == NOW + timedelta(days=1)


def test_a_file_that_is_cut_anywhere_is_damaged_or_whole(tmp_path: Path) -> None:
    path = tmp_path / "state.json"
    _kept(path)
    whole = path.read_bytes()
    for end in range(len(whole)):
        path.write_bytes(whole[:end])
        assert PageStore(path).loss is not None


def test_another_version_is_said(tmp_path: Path) -> None:
    path = tmp_path / "state.json"
    path.write_text(json.dumps({"version": VERSION + 1}))
    assert "another version of urlset" in (PageStore(path).loss or "")


def test_what_cannot_be_read_is_said(tmp_path: Path) -> None:
    assert "cannot be read" in (PageStore(tmp_path).loss or "")


def test_a_text_that_another_version_extracted_cannot_be_compared(tmp_path: Path) -> None:
    path = tmp_path / "state.json"
    _kept(path)
    later = NOW + timedelta(days=9)
    for other in ({"text_version": 0}, {"text_version": 0, "files": 5}):
        path.write_text(json.dumps(json.loads(path.read_text()) | other))
        store = PageStore(path)
        assert store.content_date("a.html", 3, later, is_extracted=True) == NOW + timedelta(days=1)
        assert store.incomparable == {"a.html"}
        # Of a source, the whole file was compared, without extraction.
        assert store.content_date("a.html", 3, later, is_extracted=False) == later
    store.content_date("a.html", 3, later, is_extracted=True)
    store.save()
    again = PageStore(path)
    assert again.content_date("a.html", 3, later, is_extracted=True) == NOW + timedelta(days=1)
    assert again.incomparable == set()
    assert again.content_date("a.html", 4, later, is_extracted=True) == later


def test_another_core_reads_pages_again_but_knows_since_when_a_text_is_what_it_is(tmp_path: Path) -> None:
    path = tmp_path / "state.json"
    _kept(path)
    path.write_text(json.dumps(json.loads(path.read_text()) | {"core": "0"}))
    store = PageStore(path)
    assert store.loss is None
    assert store.content_date("a.html", 2, NOW + timedelta(days=9), is_extracted=True) == NOW + timedelta(days=1)
