"""Fuzz targets: everything that lists them agrees, and so does the list of unsafe code that Miri runs."""

from __future__ import annotations

import gzip
import re
import tomllib
from pathlib import Path

import pytest

import fuzz_corpus

ROOT = Path(__file__).parent.parent
FUZZ = ROOT / "core" / "fuzz"
INVARIANTS = ROOT / "core" / "testing" / "invariants" / "mod.rs"
HOW_TO = ROOT / "docs" / "contributing" / "fuzz.md"
TARGETS = re.findall(r"^pub fn (\w+)\(bytes: &\[u8\]\) \{$", INVARIANTS.read_text(encoding="utf-8"), re.MULTILINE)


def rows(columns: int) -> list[str]:
    """The first cell of each row of the tables with so many columns in the how-to."""
    row = r"^\| `([^`]+)` " + r"\| [^|]+ " * (columns - 1) + r"\|$"
    return re.findall(row, HOW_TO.read_text(encoding="utf-8"), re.MULTILINE)


def test_each_target_is_a_function_of_the_core() -> None:
    assert len(TARGETS) == 5
    programs = {path.stem: path.read_text(encoding="utf-8") for path in (FUZZ / "fuzz_targets").iterdir()}
    assert sorted(programs) == sorted(TARGETS)
    for target, program in programs.items():
        assert re.findall(r"_core::(.+?)\(", program) == [f"invariants::{target}"]
    manifest = tomllib.loads((FUZZ / "Cargo.toml").read_text(encoding="utf-8"))
    assert {each["name"]: each["path"] for each in manifest["bin"]} == {
        target: f"fuzz_targets/{target}.rs" for target in TARGETS
    }


def test_the_how_to_the_makefile_and_the_cases_know_every_target() -> None:
    listed = [name for name in rows(3) if not name.startswith("core/")]
    assert listed == TARGETS
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    described = re.search(r"^fuzz: ## .*?TARGET=([^.]+)\.", makefile, re.MULTILINE)
    assert described is not None
    assert re.findall(r"\w+", described[1].replace(" or ", " ")) == TARGETS
    tests = (INVARIANTS.parent / "tests.rs").read_text(encoding="utf-8")
    assert re.findall(r'^ +\("(\w+)", super::(\w+)\),$', tests, re.MULTILINE) == [(name, name) for name in TARGETS]
    assert {path.name for path in (ROOT / "tests" / "fuzz").iterdir()} <= set(TARGETS)


def test_the_fuzzer_has_the_versions_of_the_core() -> None:
    def versions(lock: Path) -> dict[str, set[str]]:
        found: dict[str, set[str]] = {}
        for package in tomllib.loads(lock.read_text(encoding="utf-8"))["package"]:
            found.setdefault(package["name"], set()).add(package["version"])
        return found

    core, fuzz = versions(ROOT / "core" / "Cargo.lock"), versions(FUZZ / "Cargo.lock")
    assert {name for name in core.keys() & fuzz.keys() if not fuzz[name] <= core[name]} == set()
    assert fuzz.keys() - core.keys() == {"arbitrary", "jobserver", "libfuzzer-sys", "urlset-fuzz"}


def test_unsafe_code_is_listed() -> None:
    sources = (ROOT / "core" / "src", ROOT / "core" / "testing")
    unsafe = {
        path.relative_to(ROOT).as_posix()
        for path in (path for folder in sources for path in folder.rglob("*.rs"))
        if re.search(r"\bunsafe\b", re.sub(r"//[^\n]*", "", path.read_text(encoding="utf-8")))
    }
    assert {name for name in rows(3) if name.startswith("core/")} == unsafe


def test_the_dictionary_is_one_that_libfuzzer_reads() -> None:
    entry = re.compile(r'"(?:[ !#-\[\]-~]|\\x[0-9a-f]{2})+"')
    lines = (FUZZ / "pieces.dict").read_text(encoding="ascii").splitlines()
    assert [line for line in lines if line[0] != "#" and not entry.fullmatch(line)] == []
    assert len(lines) > 50


def test_a_corpus_is_filled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "cases").mkdir()
    (tmp_path / "cases" / "a.xml").write_bytes(b"<urlset/>")
    (tmp_path / "cases" / "a.py").write_bytes(b"pass")
    (tmp_path / "cases" / "b.toml").write_text(
        '[[case]]\nabout = "words"\npage = "<p>"\nbase64 = "/w=="\nrobots_hex = "00ff"\nlines = ["a\\nb"]\n'
    )
    fuzz = tmp_path / "fuzz"
    for target in ("gzip", "read"):
        (fuzz / "fuzz_targets").mkdir(parents=True, exist_ok=True)
        (fuzz / "fuzz_targets" / f"{target}.rs").touch()
    (fuzz / "seeds.txt").write_text("cases\n")
    monkeypatch.setattr(fuzz_corpus, "ROOT", tmp_path)
    monkeypatch.setattr(fuzz_corpus, "FUZZ", fuzz)
    fuzz_corpus.main()
    fuzz_corpus.main()
    seeds = {b"<urlset/>", b"<p>", b"\xff", b"\0\xff", b"a\nb"}
    assert {path.read_bytes() for path in (fuzz / "corpus" / "read").iterdir()} == seeds
    compressed = {gzip.compress(seed, mtime=0) for seed in seeds}
    assert {path.read_bytes() for path in (fuzz / "corpus" / "gzip").iterdir()} == seeds | compressed


def test_every_folder_of_seeds_has_some() -> None:
    for folder in (FUZZ / "seeds.txt").read_text(encoding="utf-8").splitlines():
        assert any(path.suffix in {*fuzz_corpus.DOCUMENTS, ".toml"} for path in (ROOT / folder).rglob("*")), folder
