"""`lastmod --against`: published dates compared with the history of the files that pages are generated from."""

from __future__ import annotations

import json
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
    _build_state("html:dist")
    (project / ".git").rename(project / "elsewhere")
    dates = api.lastmod("dist", against=project / "state.json", no_store=True)
    assert (dates.total.true, dates.total.inflated, dates.mapping) == (1, PAGES - 1, None)
    assert {text.proof.subject for text in dates.texts} == {"Write texts"}
    with pytest.raises(InputError, match=r"sitemap\.xml: is not the state file of a build"):
        api.lastmod("dist", against=project / "dist" / "sitemap.xml", no_store=True)


def _build_state(source: str) -> None:
    building = ("--base-url", BASE, "-o", "built", "--state", "state.json", "--lastmod-from", "git-text")
    assert main(["build", source, *building]) == 0


def test_a_proof_in_a_state_counts_for_the_text_of_that_build_only(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _build_state("html:dist")
    changed = project / "dist" / "wine1" / "index.html"
    changed.write_text(changed.read_text().replace("Tuesday", "Wednesday"))
    state = json.loads(Path("state.json").read_text())
    del state["dates"][f"{BASE}wine2/"]["text"]
    Path("state.json").write_text(json.dumps(state))
    assert main(["lastmod", "dist", "--against", "state.json", "--no-store"]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert f"state.json, which proves the date of {PAGES - 2} of {PAGES} pages" in shown
    assert "; 1 page has another text than in that build" in shown
    assert "; the proofs of 1 page are not used, because the text of that build is unknown" in shown
    dates = api.lastmod("dist", against=project / "state.json", no_store=True)
    assert not {text.url for text in dates.texts} & {f"{BASE}wine1/", f"{BASE}wine2/"}
    assert dates.total.unknown == 2


@pytest.mark.parametrize("version", [None, 10**9], ids=["none", "another"])
def test_texts_of_another_version_are_unknown(project: Path, version: int | None) -> None:
    _build_state("html:dist")
    state = json.loads(Path("state.json").read_text())
    state["text_version"] = version
    Path("state.json").write_text(json.dumps({key: value for key, value in state.items() if value is not None}))
    dates = api.lastmod("dist", against=project / "state.json", no_store=True)
    assert dates.texts == ()
    assert f"the proofs of {PAGES} pages are not used" in dates.notes[0]


def test_the_text_of_pages_built_from_their_sources_is_unknown(project: Path) -> None:
    _build_state("files:content")
    dates = api.lastmod("dist", against=project / "state.json", no_store=True)
    assert dates.total.unknown == PAGES
    assert f"the proofs of {PAGES} pages are not used" in dates.notes[0]


def test_an_incomplete_history_is_noted(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (project / ".git" / "shallow").write_text(Repository(project).run("rev-parse", "HEAD"))
    assert main(["lastmod", "dist", "--against", "content", "--no-store"]) == 0
    assert f"note: the clone is shallow: {PAGES} source files without a date" in capsys.readouterr().out


def test_pages_without_a_known_source_have_unknown_dates(project: Path) -> None:
    (project / "content" / "wine1.md").unlink()
    dates = api.lastmod("dist", against=project / "content", no_store=True)
    assert (dates.total.unknown, dates.total.inflated) == (1, PAGES - 2)
    assert dates.mapping is not None
    assert [unmapped.what for unmapped in dates.mapping.unmapped] == [f"{BASE}wine1/"]
