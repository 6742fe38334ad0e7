"""List the licenses of everything that is shipped with urlset, and fail if one is not accepted.

These are the crates that are compiled into the core, on any platform with a wheel, and the Python packages that
`pip install urlset` installs. The list is docs/reference/licenses.md. The texts of the licenses of the crates are
THIRD-PARTY-LICENSES.txt, which every wheel contains. `--check` compares both files instead of writing them.

    python scripts/licenses.py [--check]
"""

from __future__ import annotations

import importlib.metadata
import json
import re
import subprocess
import sys
import textwrap
import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from packaging.requirements import Requirement

if TYPE_CHECKING:
    from collections.abc import Iterable

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs" / "reference" / "licenses.md"
TEXTS = ROOT / "THIRD-PARTY-LICENSES.txt"

TARGETS = (
    "x86_64-unknown-linux-gnu",
    "aarch64-unknown-linux-gnu",
    "x86_64-unknown-linux-musl",
    "aarch64-unknown-linux-musl",
    "x86_64-apple-darwin",
    "aarch64-apple-darwin",
    "x86_64-pc-windows-msvc",
)
"""The platforms that have a wheel; `.github/workflows/release.yml` builds them."""

ACCEPTED = {
    "0BSD",
    "Apache-2.0",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "CC0-1.0",
    "MIT",
    "PSF-2.0",
    "Unicode-3.0",
    "Unlicense",
    "Zlib",
}
"""SPDX names of licenses that may be compiled into the core or required by the package."""

ACCEPTED_PACKAGES = {"pathspec": "MPL-2.0"}
"""Python packages under another license. They are installed next to urlset, unmodified, and not part of it."""

UNCLEAR = {
    "aiosignal": "Apache-2.0",
    "duckdb": "MIT",
    "jinja2": "BSD-3-Clause",
    "markdown-it-py": "MIT",
    "mdurl": "MIT",
    "pathspec": "MPL-2.0",
}
"""SPDX expressions for packages that state their license in words."""


@dataclass(frozen=True, order=True)
class Part:
    """A crate or package that is shipped."""

    name: str
    version: str
    license: str
    folder: Path | None = field(default=None, compare=False)
    """The source of a crate."""


def crates() -> list[Part]:
    """Return the crates that are compiled into the core on any platform with a wheel, in order.

    Crates that only build scripts, macros, and tests use are not part of the result.
    """
    command = ["cargo", "metadata", "--manifest-path", "core/Cargo.toml", "--format-version", "1", "--locked"]
    command += [word for target in TARGETS for word in ("--filter-platform", target)]
    metadata = json.loads(subprocess.run(command, cwd=ROOT, capture_output=True, check=True).stdout)
    packages = {package["id"]: package for package in metadata["packages"]}
    nodes = {node["id"]: node for node in metadata["resolve"]["nodes"]}
    [root] = metadata["workspace_default_members"]
    shipped: set[str] = set()
    waiting = [root]
    while waiting:
        crate = waiting.pop()
        if crate in shipped or any("proc-macro" in target["kind"] for target in packages[crate]["targets"]):
            continue
        shipped.add(crate)
        for dependency in nodes[crate]["deps"]:
            is_compiled_in = any(kind["kind"] is None for kind in dependency["dep_kinds"])
            waiting += [dependency["pkg"]] if is_compiled_in else []
    return sorted(
        Part(package["name"], package["version"], package["license"] or "", Path(package["manifest_path"]).parent)
        for package in (packages[crate] for crate in shipped - {root})
    )


def packages() -> list[Part]:
    """Return the Python packages that an installation without extras consists of, on any platform, in order."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    found: dict[str, Part] = {}
    waiting = [Requirement(line) for line in project["dependencies"]]
    while waiting:
        requirement = waiting.pop()
        name = re.sub(r"[-_.]+", "-", requirement.name).lower()
        if name in found or not _can_apply(requirement):
            continue
        distribution = importlib.metadata.distribution(name)
        metadata = distribution.metadata.json
        stated = str(metadata.get("license_expression") or UNCLEAR.get(name) or metadata.get("license") or "")
        found[name] = Part(name, distribution.version, stated)
        waiting += [Requirement(line) for line in distribution.requires or []]
    return sorted(found.values())


def _can_apply(requirement: Requirement) -> bool:
    """Return whether a requirement applies to this Python without extras."""
    return requirement.marker is None or requirement.marker.evaluate({"extra": ""})


def refused(parts: Iterable[Part], exceptions: dict[str, str]) -> list[Part]:
    """Return the parts whose license is not accepted.

    Args:
        parts: Crates or packages.
        exceptions: Other licenses, accepted for a single part each.
    """
    return [part for part in parts if part.license != exceptions.get(part.name) and not is_accepted(part.license)]


def is_accepted(expression: str) -> bool:
    """Return whether an SPDX expression can be met with accepted licenses alone.

    Example:
        >>> is_accepted("(MIT OR GPL-3.0-only) AND Zlib"), is_accepted("MIT AND GPL-3.0-only"), is_accepted("")
        (True, False, False)
    """
    words = re.findall(r"[()]|[^\s()]+", re.sub(r" WITH \S+", "", expression.replace("/", " OR ")))
    accepted, rest = _any_of(words)
    return accepted and not rest


def _any_of(words: list[str]) -> tuple[bool, list[str]]:
    """Evaluate `a OR b …` at the start of a list of words; return the value and the words that follow."""
    accepted, rest = _all_of(words)
    while rest[:1] == ["OR"]:
        other, rest = _all_of(rest[1:])
        accepted = accepted or other
    return accepted, rest


def _all_of(words: list[str]) -> tuple[bool, list[str]]:
    accepted, rest = _one(words)
    while rest[:1] == ["AND"]:
        other, rest = _one(rest[1:])
        accepted = accepted and other
    return accepted, rest


def _one(words: list[str]) -> tuple[bool, list[str]]:
    if words[:1] == ["("]:
        accepted, rest = _any_of(words[1:])
        return accepted, rest[1:]
    return bool(words) and words[0] in ACCEPTED, words[1:]


def page(core: list[Part], python: list[Part]) -> str:
    """Return the page that lists all parts, in Markdown."""

    def table(parts: list[Part]) -> str:
        rows = "".join(f"| {part.name} | {part.version} | {part.license} |\n" for part in parts)
        return f"| part | version | license |\n|---|---|---|\n{rows}"

    return (
        "# Licenses\n\n"
        "<!-- Generated by scripts/licenses.py; do not edit. -->\n\n"
        "urlset is licensed under Apache-2.0. This page lists everything that is shipped with it. Each wheel also\n"
        "contains the texts of these licenses (`urlset-*.dist-info/licenses/`), and a list of the crates that it was\n"
        "built from, in CycloneDX (`urlset-*.dist-info/sboms/`).\n\n"
        "## Compiled into the core\n\n"
        f"{table(core)}\n"
        "## Installed with the package\n\n"
        "The versions are those that urlset is tested with; `pyproject.toml` has the ranges.\n\n"
        f"{table(python)}"
    )


_TEXT_FILE = re.compile(r"(un)?licen[cs]e|copying|copyright|notice", re.IGNORECASE)

_APACHE = re.compile(r"(.{0,80} )?Apache License,? Version 2\.0")


def license_files(part: Part) -> list[str]:
    """Return the texts of the license files of a crate, without the Apache License, which is the one of urlset."""
    assert part.folder is not None
    files = [file for file in part.folder.iterdir() if _TEXT_FILE.match(file.name) and file.is_file()]
    found = [file.read_text(encoding="utf-8").replace("\r\n", "\n") for file in sorted(files)]
    return [text for text in found if not _is_apache(text)]


def _is_apache(text: str) -> bool:
    words = " ".join(text.split())
    return _APACHE.match(words) is not None and "TERMS AND CONDITIONS FOR USE" in words[:200]


def has_no_text(part: Part) -> bool:
    """Return whether a license of a crate requires its text, but the crate has none."""
    return not license_files(part) and not re.search(r"Apache-2\.0(?! WITH)", part.license)


def texts(core: list[Part]) -> str:
    """Return the texts of the licenses of the crates, each text once."""
    crates_of: dict[str, tuple[str, list[str]]] = {}
    for part in core:
        for text in license_files(part):
            crates_of.setdefault(" ".join(text.split()), (text, []))[1].append(f"{part.name} {part.version}")
    line = "=" * 80
    listed = "".join(f"  {part.name} {part.version}: {part.license}\n" for part in core)
    sections = "".join(
        f"\n{line}\n{textwrap.fill(', '.join(names), 80)}\n{line}\n\n{_without_spaces_at_ends(text)}\n"
        for text, names in crates_of.values()
    )
    return (
        "The compiled core of urlset contains the following crates, and the standard library\n"
        "of Rust (MIT OR Apache-2.0, copyright The Rust Project Contributors). Where a crate\n"
        "can be used under the Apache License, Version 2.0, urlset uses it under that license;\n"
        "its text is in the file LICENSE. All other texts, and notices, follow.\n\n"
        f"{listed}{sections}"
    )


def _without_spaces_at_ends(text: str) -> str:
    return "\n".join(line.rstrip() for line in text.strip("\n\f ").splitlines())


def main() -> int:
    """Write or compare the page and the texts; return 1 if they differ, or if a license is not accepted."""
    core, python = crates(), packages()
    for part in [*refused(core, {}), *refused(python, ACCEPTED_PACKAGES)]:
        print(f"licenses: {part.name} {part.version}: {part.license or 'no license stated'!r} is not accepted")
    for part in filter(has_no_text, core):
        print(f"licenses: {part.name} {part.version}: the text of its license ({part.license}) is missing")
    if refused(core, {}) or refused(python, ACCEPTED_PACKAGES) or any(map(has_no_text, core)):
        return 1
    for file, text in ((PAGE, page(core, python)), (TEXTS, texts(core))):
        if "--check" not in sys.argv:
            file.write_text(text, encoding="utf-8")
        elif not file.exists() or file.read_text(encoding="utf-8") != text:
            print(f"{file.relative_to(ROOT)} is out of date; run `make docs`")
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
