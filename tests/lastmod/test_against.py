"""`lastmod --against`: published dates compared with the history of the files that pages are generated from."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest
from tests.build.lastmod.test_git import Repository, own_settings  # noqa: F401 - a fixture

from urlset import api
from urlset.cli.main import main
from urlset.comparison.render import dates as render
from urlset.errors import InputError
from urlset.model.build import DateProof
from urlset.model.lastmod import TextDateOfPage
from urlset.rules.date_verdict import DateVerdict

BASE = "https://example.org/"
PAGES = 31
WRITTEN = datetime(2021, 1, 1, 12, tzinfo=UTC)
FIRST_WORDS = "The cellar is open from Tuesday to"
TEXT = "The cellar is open from Tuesday to Saturday, and closed on public holidays of the region."


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A site whose sitemap has the date of the build for all pages, and that of the text for one."""
    # git does not search above the directory of a test.
    tmp_path = tmp_path / "site"
    entries = ""
    for number in range(PAGES):
        page = tmp_path / "dist" / f"wine{number}" / "index.html"
        page.parent.mkdir(parents=True)
        url = f"{BASE}wine{number}/"
        page.write_text(f"<!doctype html><title>{number}</title><link rel=canonical href={url}><main>{TEXT}</main>")
        lastmod = "2021-01-01" if number == 0 else "2025-06-01"
        entries += f"<url><loc>{url}</loc><lastmod>{lastmod}</lastmod></url>"
        source = tmp_path / "content" / f"wine{number}.md"
        source.parent.mkdir(exist_ok=True)
        source.write_text(f"---\ntitle: Wine\n---\n{TEXT} {number}\n")
    (tmp_path / "dist" / "sitemap.xml").write_text(
        f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{entries}</urlset>'
    )
    (tmp_path / "hugo.toml").write_text("")
    repository = Repository(tmp_path)
    repository.run("add", "content", "hugo.toml")
    repository.run("commit", "-q", "-m", "Write texts", day="2021-01-01")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_false_dates_are_listed_with_their_commits(project: Path) -> None:
    dates = api.lastmod("dist", against=project / "content", no_store=True)
    total = dates.total
    assert (total.true, total.inflated, total.frozen, total.unknown) == (1, PAGES - 1, 0, 0)
    assert dates.fails(0.9)
    assert "MOD014" in dates.sitemaps[0].rules
    assert dates.mapping is not None
    assert (dates.mapping.generator, dates.mapping.pages, dates.mapping.mapped) == ("Hugo", PAGES, PAGES)
    commit = Repository(project).run("rev-parse", "HEAD").strip()
    assert [text.verdict for text in dates.texts] == ["inflated"] * (PAGES - 1) + ["true"]
    number = dates.texts[0].url.removeprefix(f"{BASE}wine").strip("/")
    assert dates.texts[0] == TextDateOfPage(
        url=f"{BASE}wine{number}/",
        lastmod="2025-06-01",
        proof=DateProof(f"content/wine{number}.md", commit, WRITTEN, "Write texts", f'added "Wine {FIRST_WORDS} …"'),
        days=1612,
        verdict=DateVerdict.INFLATED,
    )
    shown = "\n".join(render(dates))
    assert f"{PAGES - 1} of {PAGES} dates contradicted by the history of the text" in shown
    assert f"1,612 days too late; its text dates from 2021-01-01, commit {commit[:12]} added" in shown


def test_the_state_of_a_build_proves_dates_without_a_repository(project: Path) -> None:
    building = ("--base-url", BASE, "-o", "built", "--state", "state.json", "--lastmod-from", "git-text")
    assert main(["build", "files:content", *building]) == 0
    (project / ".git").rename(project / "elsewhere")
    dates = api.lastmod("dist", against=project / "state.json", no_store=True)
    assert (dates.total.true, dates.total.inflated, dates.mapping) == (1, PAGES - 1, None)
    assert {text.proof.subject for text in dates.texts} == {"Write texts"}
    with pytest.raises(InputError, match=r"sitemap\.xml: is not the state file of a build"):
        api.lastmod("dist", against=project / "dist" / "sitemap.xml", no_store=True)


def test_pages_without_a_known_source_have_unknown_dates(project: Path) -> None:
    (project / "content" / "wine1.md").unlink()
    dates = api.lastmod("dist", against=project / "content", no_store=True)
    assert (dates.total.unknown, dates.total.inflated) == (1, PAGES - 2)
    assert dates.mapping is not None
    assert [unmapped.what for unmapped in dates.mapping.unmapped] == [f"{BASE}wine1/"]
