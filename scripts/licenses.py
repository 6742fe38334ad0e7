"""List the licenses of everything that is shipped with urlset, and fail if one is not accepted.

These are the crates that are compiled into the core, on any platform, and the Python packages that
`pip install urlset` installs. The list is docs/reference/licenses.md; `--check` compares it instead of writing it.

    python scripts/licenses.py [--check]
"""

from __future__ import annotations

import importlib.metadata
import json
import re
import subprocess
import sys
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from packaging.requirements import Requirement

if TYPE_CHECKING:
    from collections.abc import Iterable

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs" / "reference" / "licenses.md"

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


def crates() -> list[Part]:
    """Return the crates that are compiled into the core on any platform, in order.

    Crates that only build scripts, macros, and tests use are not part of the result.
    """
    command = ["cargo", "metadata", "--manifest-path", "core/Cargo.toml", "--format-version", "1", "--locked"]
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
        Part(package["name"], package["version"], package["license"] or "")
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
        "contains a list of the crates that it was built from, in CycloneDX (`urlset-*.dist-info/sboms/`).\n\n"
        "## Compiled into the core\n\n"
        f"{table(core)}\n"
        "## Installed with the package\n\n"
        "The versions are those that urlset is tested with; `pyproject.toml` has the ranges.\n\n"
        f"{table(python)}"
    )


def main() -> int:
    """Write or compare the page; return 1 if it differs, or if a license is not accepted."""
    core, python = crates(), packages()
    for part in [*refused(core, {}), *refused(python, ACCEPTED_PACKAGES)]:
        print(f"licenses: {part.name} {part.version}: {part.license or 'no license stated'!r} is not accepted")
    if refused(core, {}) or refused(python, ACCEPTED_PACKAGES):
        return 1
    text = page(core, python)
    if "--check" not in sys.argv:
        PAGE.write_text(text, encoding="utf-8")
    elif not PAGE.exists() or PAGE.read_text(encoding="utf-8") != text:
        print(f"{PAGE.relative_to(ROOT)} is out of date; run `make docs`")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
