"""Dates of texts in a repository with many histories whose true dates are known."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from pathlib import Path

import pytest
from tests.build.lastmod.planted_histories import PlantedRepository
from tests.build.lastmod.test_git import own_settings  # noqa: F401 - a fixture

import urlset
from urlset.build.lastmod.text_history import TextHistory
from urlset.options import FileFolder, HtmlFolder, Site
from urlset.options.sources import LastmodSource, UrlStyle

NOW = datetime(2026, 1, 1, tzinfo=UTC)
PLACE = "https://example.org/"


@pytest.fixture(scope="module")
def planted(tmp_path_factory: pytest.TempPathFactory) -> PlantedRepository:
    return PlantedRepository(tmp_path_factory.mktemp("planted") / "site")


def test_a_build_gives_each_page_the_date_of_its_text(planted: PlantedRepository, tmp_path: Path) -> None:
    order = (LastmodSource.GIT_TEXT,)
    pages = FileFolder(folder=planted.folder, urls=UrlStyle.EXACT, lastmod_from=order)
    html = HtmlFolder(folder=planted.folder, urls=UrlStyle.EXACT, lastmod_from=order)
    urlset.build_sitemaps(Site(base_url=PLACE, out=str(tmp_path), sources=(pages, html)), now=NOW)
    listed = re.findall(r"<loc>([^<]*)</loc>(?:<lastmod>([^<]*))?", (tmp_path / "sitemap.xml").read_text())
    given = {planted.page(loc.removeprefix(PLACE)): lastmod or None for loc, lastmod in listed}
    true = {page: None if commit is None else f"{commit.date:%Y-%m-%d}" for page, commit in planted.pages.items()}
    assert given == true


def test_each_date_has_its_proof(planted: PlantedRepository) -> None:
    history = TextHistory(NOW)
    history.read(planted.folder, [planted.folder / page for page in planted.pages])
    for page, commit in planted.pages.items():
        name, sweep = planted.history_of(page)
        if name == "include":
            # The proof is that of the included file, which the page names.
            continue
        date = history.date(planted.folder / page, planted.folder)
        if commit is None:
            assert (date.value, date.proof) == (None, None), name
            continue
        assert date.value == commit.date, name
        assert date.proof is not None, name
        proof = date.proof
        assert (proof.commit, proof.committed, proof.subject) == (commit.hash, commit.date, commit.subject), name
        assert proof.words, name
        assert proof.path == page, name
        assert not sweep or proof.files == sweep, name


@pytest.mark.parametrize("options", [("--depth=1",), ("--depth=60",), ("--filter=blob:none",)], ids=lambda one: one[0])
def test_a_clone_without_the_whole_history_gives_no_wrong_date(
    planted: PlantedRepository, tmp_path: Path, options: tuple[str, ...]
) -> None:
    clone = planted.clone(tmp_path / "clone", *options)
    history = TextHistory(NOW)
    history.read(clone, [clone / page for page in planted.pages])
    dates = {page: history.date(clone / page, clone).value for page in planted.pages}
    true = {page: None if commit is None else commit.date for page, commit in planted.pages.items()}
    known = {page: date for page, date in dates.items() if date is not None and page not in planted.including}
    assert known == {page: true[page] for page in known}
    assert history.notes
    assert len(known) < len(true)
