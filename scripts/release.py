"""Prepare a release: write its version and its changelog section. Committing and tagging are up to you.

python scripts/release.py 0.2.0              change the files
python scripts/release.py 0.2.0 --dry-run    show the changelog section, change nothing
"""

from __future__ import annotations

import argparse
import datetime
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from packaging.version import InvalidVersion, Version

ROOT = Path(__file__).parent.parent


class ReleaseError(Exception):
    """The release cannot be made; the message says why, and what to do."""


@dataclass(frozen=True)
class Place:
    """A place that contains the version.

    Attributes:
        path: The file, relative to the root.
        pattern: Finds the version as its only group, exactly once.
    """

    path: str
    pattern: str

    def read(self, root: Path) -> str:
        """Return the version in this place.

        Raises:
            ReleaseError: It is missing, or there is more than one.
        """
        return self._match((root / self.path).read_text(encoding="utf-8"))[1]

    def write(self, root: Path, version: str) -> None:
        """Replace the version."""
        file = root / self.path
        text = file.read_text(encoding="utf-8")
        start, end = self._match(text).span(1)
        file.write_text(text[:start] + version + text[end:], encoding="utf-8")

    def _match(self, text: str) -> re.Match[str]:
        matches = list(re.finditer(self.pattern, text, re.MULTILINE))
        if len(matches) != 1:
            raise ReleaseError(f"{self.path}: expected one version, found {len(matches)}")
        return matches[0]


PLACES = (
    Place("pyproject.toml", r'^\[project\]\nname = "urlset"\nversion = "([^"]+)"$'),
    Place("core/Cargo.toml", r'^\[package\]\nname = "urlset-core"\nversion = "([^"]+)"$'),
    Place("core/Cargo.lock", r'^name = "urlset-core"\nversion = "([^"]+)"$'),
)
"""Every place that contains the version."""

ON_INDEX = False
"""Whether releases are on PyPI. Set this to True for the first one that is: everything then installs from there."""

REQUIRING = (
    "action.yml",
    "examples/ci/gitlab-ci.yml",
    "examples/ci/pre-commit-config.yaml",
    "docs/README.md",
    "docs/how-to/install.md",
    "src/urlset/monitor/schedules.py",
)
"""The files that say what pip installs."""

_DEFAULT = re.compile(r"(?<=^    default: )(\"\"|urlset==[\d.]+)  # of install$", re.MULTILINE)
"""What the action installs by default; nothing means its own source."""

_REQUIREMENT = re.compile(r"urlset(?:==[\d.]+| @ git\+https://[\w./-]+@v[\d.]+)")


def requirement(version: str) -> str:
    """Return what pip installs: a release on PyPI, or a tag of the repository, which pip builds from source."""
    return f"urlset=={version}" if ON_INDEX else f"urlset @ git+https://github.com/OWNER/urlset@v{version}"


FRAGMENTS = "changelog.d"
CHANGELOG = "CHANGELOG.md"
UNRELEASED = "unreleased"
"""In place of the date of a section of the changelog that is written by hand, before its release."""


def next_version(text: str, root: Path) -> str:
    """Return the version to release.

    Args:
        text: The argument of the command.
        root: The checkout.

    Raises:
        ReleaseError: It is not a version, or not later than the last one in the changelog, or the places disagree.
    """
    try:
        version = Version(text)
    except InvalidVersion as error:
        raise ReleaseError(f"{text}: not a version; write it as 0.2.0") from error
    if str(version) != text or version.is_prerelease or version.local or len(version.release) != 3:
        raise ReleaseError(f"{text}: releases have three numbers, such as 0.2.0")
    present = {place.path: place.read(root) for place in PLACES}
    if len(set(present.values())) > 1:
        raise ReleaseError(f"the version differs between files: {present}")
    sections = dict(
        re.findall(r"^## \[([\d.]+)\] - (.+)$", (root / CHANGELOG).read_text(encoding="utf-8"), re.MULTILINE)
    )
    for released, date in sections.items():
        if date != UNRELEASED and version <= Version(released):
            raise ReleaseError(f"{text}: {released} is already released; choose a later version")
    if version < Version(present[PLACES[0].path]):
        raise ReleaseError(f"{text}: the files already have {present[PLACES[0].path]}; choose that or a later version")
    has_fragments = any((root / FRAGMENTS).glob("*.*.md"))
    if text in sections and has_fragments:
        raise ReleaseError(f"{CHANGELOG}: has a section for {text} already; move into it what it lacks of {FRAGMENTS}/")
    if text not in sections and not has_fragments:
        raise ReleaseError(f"{FRAGMENTS}/ is empty: nothing to release")
    return text


def release(text: str, root: Path, date: datetime.date, *, dry_run: bool) -> str:
    """Write version and changelog, and return the section of the changelog.

    Args:
        text: The version.
        root: The checkout.
        date: The day of the release.
        dry_run: Change nothing.

    Raises:
        ReleaseError: It cannot be released.
    """
    version = next_version(text, root)
    changelog = (root / CHANGELOG).read_text(encoding="utf-8")
    dated = changelog.replace(f"## [{version}] - {UNRELEASED}", f"## [{version}] - {date.isoformat()}")
    is_written = dated != changelog
    if is_written:
        section = "## " + next(part for part in dated.split("\n## ") if part.startswith(f"[{version}]"))
    else:
        section = _towncrier(root, version, date, "--draft")
    if not dry_run:
        for place in PLACES:
            place.write(root, version)
        write_requirements(root, version)
        if is_written:
            (root / CHANGELOG).write_text(dated, encoding="utf-8")
        else:
            _towncrier(root, version, date, "--yes")
    return section


def find_requirements(text: str) -> set[str]:
    """Return what pip installs according to a file."""
    return set(_REQUIREMENT.findall(text))


def write_requirements(root: Path, version: str) -> None:
    """Replace what pip installs in all files.

    Raises:
        ReleaseError: A file does not say it.
    """
    for path in REQUIRING:
        text, count = _REQUIREMENT.subn(requirement(version), (root / path).read_text(encoding="utf-8"))
        if not count:
            raise ReleaseError(f"{path}: does not say what pip installs; write {requirement(version)!r}")
        default = requirement(version) if ON_INDEX else '""'
        (root / path).write_text(_DEFAULT.sub(f"{default}  # of install", text), encoding="utf-8")


def _towncrier(root: Path, version: str, date: datetime.date, mode: str) -> str:
    command = [sys.executable, "-m", "towncrier", "build", mode, "--version", version, "--date", date.isoformat()]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
    if done.returncode:
        raise ReleaseError(f"towncrier failed: {done.stderr.strip()}")
    return done.stdout


def main() -> int:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description="Prepare a release.")
    parser.add_argument("version", help="the version to release, such as 0.2.0")
    parser.add_argument("--dry-run", action="store_true", help="show the changelog section and change nothing")
    parser.add_argument("--root", type=Path, default=ROOT, help="the checkout [default: this one]")
    given = parser.parse_args()
    today = datetime.datetime.now(datetime.UTC).date()
    try:
        print(release(given.version, given.root, today, dry_run=given.dry_run), end="")
    except ReleaseError as error:
        print(f"release: {error}", file=sys.stderr)
        return 1
    if not given.dry_run:
        print(
            f"\nNext: read the diff, then\n  git commit -am 'Release {given.version}'\n"
            f"  git tag v{given.version}\n  git push --follow-tags\nThe tag starts .github/workflows/release.yml."
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
