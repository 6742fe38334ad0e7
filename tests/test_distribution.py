"""What is distributed: the files of the sdist, the texts of licenses, and the same platforms everywhere."""

from __future__ import annotations

import re
import subprocess
import sys
import tarfile
import tomllib
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "scripts"))

import licenses  # noqa: E402

TEXTS = (ROOT / "THIRD-PARTY-LICENSES.txt").read_text(encoding="utf-8")
PAGE = (ROOT / "docs" / "reference" / "licenses.md").read_text(encoding="utf-8")
DENY = tomllib.loads((ROOT / "core" / "deny.toml").read_text(encoding="utf-8"))
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]

TOP = {"LICENSE", "PKG-INFO", "README.md", "THIRD-PARTY-LICENSES.txt", "pyproject.toml"}
BACKEND = {"scripts/backend.py", "scripts/make_rules.py", "scripts/option_fields.py"}
GENERATED = {
    "src/urlset/options/fields.py",
    "src/urlset/rules/explanations.json",
    "src/urlset/rules/rules.json",
}
"""What the backend generates."""
CORE = {"core/Cargo.lock", "core/Cargo.toml", "core/deny.toml", "core/rustfmt.toml"}


def test_the_sdist_has_the_sources_and_nothing_else(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "maturin", "sdist", "--out", str(tmp_path)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    (archive,) = tmp_path.iterdir()
    with tarfile.open(archive) as opened:
        names = {name.partition("/")[2] for name in opened.getnames()}
    sources = {str(path.relative_to(ROOT)) for path in (ROOT / "core" / "src").rglob("*") if path.is_file()}
    package = {str(path.relative_to(ROOT)) for path in (ROOT / "src").rglob("*") if path.is_file()}
    package = {name for name in package if "__pycache__" not in name and not name.endswith(".so")}
    assert names == TOP | CORE | BACKEND | sources | package - GENERATED


def test_every_crate_of_the_list_has_its_line_and_its_text() -> None:
    (table,) = re.findall(r"## Compiled into the core\n\n(.*?)\n\n", PAGE, re.DOTALL)
    crates = re.findall(r"^\| (\S+) \| (\S+) \| (.+?) \|$", table, re.MULTILINE)
    assert len(crates) > 50
    headings = " ".join(re.findall(r"^=+\n(.*?)\n=+$", TEXTS, re.DOTALL | re.MULTILINE))
    covered = set(re.findall(r"[\w-]+ \d[\w.+-]*", " ".join(headings.split())))
    for name, version, expression in crates:
        if name == "part":
            continue
        assert f"\n  {name} {version}: {expression}\n" in TEXTS
        # The Apache License is the one of urlset.
        assert f"{name} {version}" in covered or "Apache-2.0" in expression, name
    for text in ("Permission is hereby granted, free of charge", "UNICODE LICENSE V3", "Apache Arrow", "WHATWG"):
        assert text in TEXTS


def test_the_texts_are_in_the_package() -> None:
    assert PROJECT["license-files"] == ["LICENSE", "THIRD-PARTY-LICENSES.txt"]


@pytest.mark.parametrize(
    ("text", "is_apache"),
    [
        ((ROOT / "LICENSE").read_text(encoding="utf-8"), True),
        ("MIT License\n\nPermission is hereby granted", False),
        ("Licensed under the Apache License, Version 2.0, or the MIT license, at your option.", False),
    ],
)
def test_only_the_text_of_the_apache_license_is_left_out(text: str, is_apache: bool) -> None:
    assert licenses._is_apache(text) is is_apache


@pytest.mark.parametrize(("expression", "is_missing"), [("MIT", True), ("MIT OR Apache-2.0", False), ("Zlib", True)])
def test_a_crate_without_the_text_of_its_license_is_refused(expression: str, is_missing: bool, tmp_path: Path) -> None:
    part = licenses.Part("sample", "1.0.0", expression, tmp_path)
    assert licenses.has_no_text(part) is is_missing
    (tmp_path / "LICENSE-MIT").write_text("Permission is hereby granted")
    assert not licenses.has_no_text(part)


def test_every_list_of_platforms_and_licenses_is_the_same() -> None:
    workflow = yaml.safe_load((ROOT / ".github" / "workflows" / "release.yml").read_text(encoding="utf-8"))
    built = {row["target"] for row in workflow["jobs"]["wheels"]["strategy"]["matrix"]["include"]}
    assert built == set(licenses.TARGETS) == set(DENY["graph"]["targets"])
    assert set(DENY["licenses"]["allow"]) == licenses.ACCEPTED


def test_the_image_is_small_and_unprivileged_and_its_test_has_the_same_packages() -> None:
    dockerfile = (ROOT / "docker" / "Dockerfile").read_text(encoding="utf-8")
    script = (ROOT / "scripts" / "test_image.sh").read_text(encoding="utf-8")
    assert re.findall(r"^USER (.+)$", dockerfile, re.MULTILINE) == ["urlset"]
    assert dockerfile.endswith('ENTRYPOINT ["urlset"]\nCMD ["--help"]\n')
    installed = re.findall(
        r"apt-get install --yes --no-install-recommends ([a-z0-9 -]+?)(?: &&|$)", dockerfile, re.MULTILINE
    )
    assert [set(words.split()) for words in installed] == [
        set(words.split(",")) for words in re.findall(r'^root_with "\$work/\w+" (\S+)$', script, re.MULTILINE)
    ]
    for command in ("useradd --create-home --uid 1000 urlset", "/tmp/install.sh /tmp/dist /opt/urlset"):
        assert command in dockerfile
        assert command in script
    releases = set(re.findall(r"^FROM debian:(\w+)-slim", dockerfile, re.MULTILINE))
    assert releases == {"bookworm"}
    assert 'bookworm "$1"' in script
