"""`diff` says what each side lacks, since URLs that could not be read look as if they had been removed."""

from __future__ import annotations

import gzip
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest
from jsonschema import Draft202012Validator
from tests.pipeline.test_diff import folder, index, schema, sitemap

from urlset.cli.main import main
from urlset.errors import ExitCode

if TYPE_CHECKING:
    from pathlib import Path

WHOLE = sitemap(*((f"page-{number}", None) for number in range(10)))
CUT_OFF = WHOLE[: WHOLE.index("page-9")]
PRIVATE = index("a.xml", "b.xml").replace("https://example.com", "http://127.0.0.1:9")
OTHER_XML = '<?xml version="1.0"?>\n<catalog><item/></catalog>\n'
HTML = "<!doctype html><title>Not found</title><p>Nothing here."

WHY_PRIVATE = "the host has a private IP address (127.0.0.1); pass --allow-private to allow it"


@dataclass(frozen=True)
class Case:
    """A folder that lacks URLs.

    Attributes:
        files: Its files besides a whole sitemap, by name.
        options: Options of the command.
        incomplete: The expected incomplete documents, by name, with reasons.
        skipped: The expected skipped files, by name, with kinds.
    """

    files: dict[str, str | bytes]
    options: tuple[str, ...] = ()
    incomplete: tuple[tuple[str, str], ...] = ()
    skipped: tuple[tuple[str, str], ...] = ()


CASES = {
    "cut off": Case(
        {"cut.xml": CUT_OFF},
        incomplete=(("cut.xml", "incomplete: it ends too early or exceeds a limit; 9 entries read"),),
    ),
    "cut off, compressed": Case(
        {"cut.xml.gz": gzip.compress(WHOLE.encode(), mtime=0)[:-4]},
        incomplete=(("cut.xml.gz", "incomplete: it ends too early or exceeds a limit; 10 entries read"),),
    ),
    "beyond a limit of bytes": Case(
        {"large.xml": WHOLE.replace("</urlset>", f"<!--{'x' * 5_000}--></urlset>")},
        options=("--max-document-bytes", "4096"),
        incomplete=(("large.xml", "incomplete: it ends too early or exceeds a limit; 10 entries read"),),
    ),
    "HTML": Case({"page.xml": HTML}, incomplete=(("page.xml", "not a sitemap (html)"),)),
    "empty": Case({"sitemap-2.xml": ""}, incomplete=(("sitemap-2.xml", "not a sitemap (empty)"),)),
    "other XML": Case({"catalog.xml": OTHER_XML}, skipped=(("catalog.xml", "xml"),)),
    "listed, not fetched": Case(
        {"index.xml": PRIVATE},
        options=("--expand",),
        incomplete=(("http://127.0.0.1:9/a.xml", WHY_PRIVATE), ("http://127.0.0.1:9/b.xml", WHY_PRIVATE)),
    ),
    "listed, beyond a limit": Case(
        {"index.xml": PRIVATE},
        options=("--expand", "--max-documents", "2"),
        incomplete=(("index.xml", "2 listed sitemaps not read: maximum number of documents reached"),),
    ),
    "robots.txt": Case({"robots.txt": "User-agent: *\nDisallow:\n"}, skipped=(("robots.txt", "robots"),)),
    "nothing": Case({"image.png": b"\x89PNG"}),
}


@pytest.fixture
def before(tmp_path: Path) -> str:
    return folder(tmp_path / "before", whole=WHOLE)


def later(tmp_path: Path, case: Case) -> Path:
    path = tmp_path / "after"
    folder(path, whole=WHOLE)
    for name, content in case.files.items():
        path.joinpath(name).write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def named(path: Path, pairs: tuple[tuple[str, str], ...]) -> list[tuple[str, str]]:
    return [(name if name.startswith("http") else str(path / name), reason) for name, reason in pairs]


def side_of(printed: str, validator: Draft202012Validator, name: str = "after") -> dict[str, Any]:
    values = json.loads(printed)
    validator.validate(values)
    side: dict[str, Any] = values[name]
    return side


@pytest.mark.sampled(3)
@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
@pytest.mark.parametrize("reads", ["rules", "no rules", "run"])
def test_each_gap_is_reported(
    case: Case, reads: str, before: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, options = later(tmp_path, case), ["--no-config", "--select", "LOC001", *case.options]
    after = str(path)
    if reads == "run":
        after = str(tmp_path / "kept.duckdb")
        main(["audit", str(path), "--no-pages", "--no-score", "--store", after, *options])
        capsys.readouterr()
    if reads == "no rules":
        options.append("--no-rules")
    code = main(["diff", before, after, *options, "--format", "json", "--fail-on", "never"])
    side = side_of(capsys.readouterr().out, schema("diff"))
    assert [tuple(one.values()) for one in side["incomplete"]["examples"]] == named(path, case.incomplete)
    assert side["incomplete"]["count"] == len(case.incomplete)
    assert [tuple(one.values()) for one in side["skipped"]] == named(path, case.skipped)
    assert code == (ExitCode.UNREADABLE if case.incomplete and reads == "no rules" else ExitCode.CLEAN)

    main(["diff", before, after, *options])
    lines = capsys.readouterr().out.splitlines()
    below = lines[2 : lines.index("")]
    for target, reason in named(path, case.incomplete):
        assert f"        {target}: {reason}" in below
    for name, kind in case.skipped:
        assert f"        Skipped 1 file that is not a sitemap: {name} ({kind})." in below
    assert len(below) == len(case.incomplete) + len(case.skipped)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_each_gap_is_reported_beside_rows(
    case: Case, before: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = later(tmp_path, case)
    mapped = tmp_path / "map.csv"
    mapped.write_text("old,new\nhttp://127.0.0.1:9/old,\n")
    asked = {"--urls=all": ExitCode.UNREADABLE if case.incomplete else ExitCode.CLEAN, f"--redirects={mapped}": 3}
    for option, expected in asked.items():
        assert main(["diff", before, str(path), option, "--no-config", *case.options]) == expected
        complaints = [line for line in capsys.readouterr().err.splitlines() if line.startswith("urlset: after: ")]
        wanted = [f"{target}: {reason}" for target, reason in named(path, case.incomplete)]
        wanted += [f"Skipped 1 file that is not a sitemap: {name} ({kind})." for name, kind in case.skipped]
        assert complaints == [f"urlset: after: {line}" for line in wanted]


@pytest.mark.long("slow cases")
def test_the_earlier_side_and_only_the_first_examples(
    tmp_path: Path, before: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "broken"
    folder(path, **{f"cut-{number:02}": CUT_OFF for number in range(15)})
    main(["diff", str(path), before, "--no-config", "--no-rules", "--max-examples", "3"])
    lines = capsys.readouterr().out.splitlines()
    assert lines[4] == "        12 more documents are incomplete"
    assert lines[5].startswith("after   ")
    main(["diff", str(path), before, "--no-config", "--no-rules", "--max-examples", "3", "--format", "json"])
    incomplete = side_of(capsys.readouterr().out, schema("diff"), "before")["incomplete"]
    assert (incomplete["count"], len(incomplete["examples"])) == (15, 3)


@pytest.mark.long("slow cases")
def test_a_target_that_a_run_could_not_read(tmp_path: Path, before: str, capsys: pytest.CaptureFixture[str]) -> None:
    store = str(tmp_path / "kept.duckdb")
    missing = str(tmp_path / "missing.xml")
    assert (
        main(["audit", before, missing, "--no-pages", "--no-score", "--store", store, "--no-config"])
        == ExitCode.UNREADABLE
    )
    capsys.readouterr()
    for options in ([], ["--no-rules"], ["--urls", "all"]):
        assert main(["diff", before, store, "--no-config", *options]) == ExitCode.UNREADABLE
        printed = capsys.readouterr()
        assert f"{missing}: no such file" in (printed.err if options == ["--urls", "all"] else printed.out)
