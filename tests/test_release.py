"""A release: the version in every place, the changelog, and the workflow that builds and publishes it."""

from __future__ import annotations

import datetime
import re
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "scripts"))

import release  # noqa: E402

DAY = datetime.date(2027, 1, 31)
WORKFLOW = ROOT / ".github" / "workflows" / "release.yml"


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """The files that a release changes, with a fragment of the changelog."""
    for name in ["CHANGELOG.md", *(place.path for place in release.PLACES), *release.REQUIRING]:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    (tmp_path / release.FRAGMENTS).mkdir()
    (tmp_path / release.FRAGMENTS / "+sample.fixed.md").write_text("Fix a sample.\n")
    return tmp_path


def contents(folder: Path) -> dict[str, str]:
    return {str(file.relative_to(folder)): file.read_text() for file in folder.rglob("*") if file.is_file()}


def test_a_release_writes_the_version_everywhere_and_the_changelog(checkout: Path) -> None:
    before = contents(checkout)
    release.release("9.8.7", checkout, DAY, dry_run=False)
    assert [place.read(checkout) for place in release.PLACES] == ["9.8.7"] * len(release.PLACES)
    changelog = (checkout / "CHANGELOG.md").read_text()
    assert "## [9.8.7] - 2027-01-31\n\n### Fixed\n\n- Fix a sample.\n" in changelog
    assert not list((checkout / release.FRAGMENTS).glob("*.md"))
    # The version is all that changed.
    old = release.PLACES[0].read(ROOT)
    for place in release.PLACES:
        was, now = before[place.path].splitlines(), (checkout / place.path).read_text().splitlines()
        assert [line.replace(old, "9.8.7") for line, other in zip(was, now, strict=True) if line != other] == [
            line for line, other in zip(now, was, strict=True) if line != other
        ]


@pytest.mark.parametrize("is_on_index", [False, True])
def test_one_line_changes_where_everything_installs_from(
    is_on_index: bool, checkout: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(release, "ON_INDEX", is_on_index)
    release.release("9.8.7", checkout, DAY, dry_run=False)
    wanted = "urlset==9.8.7" if is_on_index else "urlset @ git+https://github.com/OWNER/urlset@v9.8.7"
    for path in release.REQUIRING:
        assert release.find_requirements((checkout / path).read_text(encoding="utf-8")) == {wanted}, path
    action = yaml.safe_load((checkout / "action.yml").read_text(encoding="utf-8"))
    assert action["inputs"]["install"]["default"] == (wanted if is_on_index else "")


def test_the_present_version_has_its_section_in_the_changelog() -> None:
    version = release.PLACES[0].read(ROOT)
    heading = rf"^## \[{re.escape(version)}\] - (unreleased|20\d\d-\d\d-\d\d)$"
    assert len(re.findall(heading, (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)) == 1


def test_the_documentation_says_whether_there_is_a_release() -> None:
    version = release.PLACES[0].read(ROOT)
    is_unreleased = f"## [{version}] - unreleased\n" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    pages = ("README.md", "docs/README.md", "docs/tutorial.md", "docs/how-to/ci.md", "docs/how-to/install.md")
    says = {page: "no release yet" in (ROOT / page).read_text(encoding="utf-8") for page in pages}
    assert says == dict.fromkeys(pages, is_unreleased)


def test_a_dry_run_shows_the_section_and_changes_nothing(checkout: Path) -> None:
    before = contents(checkout)
    section = release.release("9.8.7", checkout, DAY, dry_run=True)
    assert "## [9.8.7] - 2027-01-31" in section
    assert "- Fix a sample." in section
    assert contents(checkout) == before


@pytest.mark.parametrize(
    ("version", "why"),
    [
        ("next", "not a version"),
        ("1.2", "three numbers"),
        ("v1.2.3", "three numbers"),
        ("1.2.3rc1", "three numbers"),
        ("1.2.3+local", "three numbers"),
        ("0.0.1", "already"),
    ],
)
def test_what_is_not_a_later_release_is_refused(checkout: Path, version: str, why: str) -> None:
    before = contents(checkout)
    with pytest.raises(release.ReleaseError, match=why):
        release.release(version, checkout, DAY, dry_run=False)
    assert contents(checkout) == before


def test_a_released_version_is_refused(checkout: Path) -> None:
    release.release("9.8.7", checkout, DAY, dry_run=False)
    (checkout / release.FRAGMENTS / "+more.fixed.md").write_text("Fix more.\n")
    with pytest.raises(release.ReleaseError, match="already released"):
        release.release("9.8.7", checkout, DAY, dry_run=False)


def test_a_section_that_is_written_gets_its_date(checkout: Path) -> None:
    version = release.PLACES[0].read(ROOT)
    changelog = checkout / "CHANGELOG.md"
    changelog.write_text(re.sub(r"(?<=\] - )20[\d-]+$", "unreleased", changelog.read_text(), flags=re.MULTILINE))
    with pytest.raises(release.ReleaseError, match=r"has a section for [0-9.]+ already; move into it"):
        release.release(version, checkout, DAY, dry_run=False)
    (checkout / release.FRAGMENTS / "+sample.fixed.md").unlink()
    written = changelog.read_text()
    section = release.release(version, checkout, DAY, dry_run=True)
    assert section.startswith(f"## [{version}] - 2027-01-31\n\n")
    assert changelog.read_text() == written
    assert release.release(version, checkout, DAY, dry_run=False) == section
    assert changelog.read_text() == written.replace(f"[{version}] - unreleased", f"[{version}] - 2027-01-31")
    (checkout / release.FRAGMENTS / "+more.fixed.md").write_text("Fix more.\n")
    with pytest.raises(release.ReleaseError, match="already released"):
        release.release(version, checkout, DAY, dry_run=False)


def test_files_that_disagree_and_empty_releases_are_refused(checkout: Path) -> None:
    release.PLACES[1].write(checkout, "5.5.5")
    with pytest.raises(release.ReleaseError, match=r"differs between files.*5\.5\.5"):
        release.release("9.8.7", checkout, DAY, dry_run=False)
    release.PLACES[1].write(checkout, release.PLACES[0].read(ROOT))
    (checkout / release.FRAGMENTS / "+sample.fixed.md").unlink()
    with pytest.raises(release.ReleaseError, match="nothing to release"):
        release.release("9.8.7", checkout, DAY, dry_run=False)


def workflow() -> Any:
    return yaml.safe_load(WORKFLOW.read_text(encoding="utf-8"))


def test_every_platform_has_a_wheel_and_is_tested() -> None:
    jobs = workflow()["jobs"]
    built = {row["tag"] for row in jobs["wheels"]["strategy"]["matrix"]["include"]}
    tested = set(jobs["test"]["strategy"]["matrix"]["tag"])
    tested |= {f"musllinux-{row['arch']}" for row in jobs["test-musl"]["strategy"]["matrix"]["include"]}
    assert built == tested
    assert built == {
        *("manylinux-x86_64", "manylinux-aarch64", "musllinux-x86_64", "musllinux-aarch64"),
        *("macos-x86_64", "macos-aarch64", "windows-x86_64"),
    }


def test_only_a_tested_tag_is_published() -> None:
    jobs = workflow()["jobs"]
    assert jobs["publish"]["if"] == "github.ref_type == 'tag'"
    assert {"sdist", "test", "test-musl", "image"} <= set(jobs["publish"]["needs"])
    writers = {name for name, job in jobs.items() if "write" in str(job.get("permissions", ""))}
    assert writers == {"publish", "pages"}
    assert workflow()["permissions"] == {"contents": "read"}


def test_workflows_use_files_that_exist_and_the_pinned_builder() -> None:
    text = WORKFLOW.read_text(encoding="utf-8")
    for name in ("scripts/test_wheel.py", "docker/Dockerfile"):
        assert name in text
        assert (ROOT / name).is_file()
    assert f"maturin=={workflow()['env']['MATURIN']}" in (ROOT / "pyproject.toml").read_text(encoding="utf-8")
