"""`urlset fix` as a user meets it: what it writes and says, its exit codes, its JSON held to the schema."""

from __future__ import annotations

import gzip
import io
import json
import os
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator, ValidationError

from urlset.cli.main import main
from urlset.report.json_schema import schema as schema_of

Cli = Callable[..., Any]

HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n'


def sitemap(*entries: str) -> bytes:
    return (HEAD + "".join(f"<url>{entry}</url>\n" for entry in entries) + "</urlset>\n").encode()


GOOD = sitemap("<loc>https://example.com/</loc>")
BAD = sitemap("<loc>https://example.com/?a&b</loc><lastmod>2024/01/05</lastmod>")
REPAIRED = sitemap("<loc>https://example.com/?a&amp;b</loc><lastmod>2024-01-05</lastmod>")
LOSSY = sitemap("<loc>https://example.com/?a&b</loc>", "<loc>/relative</loc>")
KEPT = sitemap("<loc>https://example.com/?a&amp;b</loc>")


def as_json(text: str) -> Any:
    report = json.loads(text)
    Draft202012Validator(schema_of("fix")).validate(report)
    return report


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name, content in (("good.xml", GOOD), ("bad.xml", BAD), ("lossy.xml", LOSSY)):
        (tmp_path / name).write_bytes(content)
    return tmp_path


def contents(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_a_file_to_a_file(cli: Cli, here: Path) -> None:
    done = cli("fix", "bad.xml", "-o", "new/fixed.xml")
    assert (done.code, done.err) == (0, "")
    assert (here / "new" / "fixed.xml").read_bytes() == REPAIRED
    assert (here / "bad.xml").read_bytes() == BAD
    assert done.out.splitlines() == [
        "bad.xml: repaired, 1 entry, written to new/fixed.xml",
        "  escaping (1 place): Characters and references were escaped as XML requires.",
        "    line 3: &b",
        "  date (1 place): A date was converted to W3C datetime.",
        "    line 3: 2024/01/05 → 2024-01-05",
        "",
        "1 document: 2 repairs made, 0 items left out.",
    ]


def test_to_standard_output_go_the_bytes_alone(cli: Cli, here: Path) -> None:
    done = cli("fix", "lossy.xml")
    assert (done.code, done.out.encode()) == (1, KEPT)
    assert "line 4: /relative: The URL is relative" in done.err


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_a_full_disk_is_said_in_one_line(here: Path) -> None:
    command = [sys.executable, "-m", "urlset", "fix", "bad.xml"]
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(command, cwd=here, stdout=full, stderr=subprocess.PIPE, check=False)
    assert done.returncode == 3
    assert done.stderr == b"urlset: output cannot be written: no space left on device\n"


def test_nothing_to_repair(cli: Cli, here: Path) -> None:
    done = cli("fix", "good.xml", "-o", "fixed.xml")
    assert (done.code, done.out) == (0, "1 document, 1 already correct: 0 repairs made, 0 items left out.\n")
    assert (here / "fixed.xml").read_bytes() == GOOD
    assert cli("fix", "good.xml", "--dry-run").code == 0
    done = cli("fix", "good.xml", "--diff")
    assert (done.code, done.out) == (0, "")
    assert done.err == "1 document, 1 already correct: 0 repairs would be made, 0 items would be left out.\n"


def test_several_targets_to_a_folder(cli: Cli, here: Path) -> None:
    (here / "sub").mkdir()
    (here / "sub" / "packed.xml.gz").write_bytes(gzip.compress(BAD))
    done = cli("fix", "bad.xml", "good.xml", "sub", "-o", "out")
    assert done.code == 0
    after = contents(here / "out")
    assert (after["bad.xml"], after["good.xml"]) == (REPAIRED, GOOD)
    assert gzip.decompress(after["packed.xml.gz"]) == REPAIRED
    assert done.out.splitlines()[-1] == "3 documents, 1 already correct: 4 repairs made, 0 items left out."


def test_several_targets_need_a_place_each(cli: Cli, here: Path) -> None:
    before = contents(here)
    done = cli("fix", "bad.xml", "good.xml")
    assert (done.code, done.out) == (2, "")
    assert done.err == (
        "urlset: several documents need --output DIRECTORY or --in-place; to write nothing, use --dry-run\n"
    )
    assert contents(here) == before


def test_in_place_replaces_whole_files_and_keeps_their_mode(cli: Cli, here: Path) -> None:
    for name in ("bad.xml", "good.xml"):
        (here / name).chmod(0o640)
    inodes = {name: (here / name).stat().st_ino for name in ("bad.xml", "good.xml")}
    reader = (here / "bad.xml").open("rb")
    done = cli("fix", ".", "--in-place", "--base-url", "https://example.com/")
    with reader:
        # Somebody who reads the file meanwhile has the old one whole: it was replaced, and not written over.
        assert reader.read() == BAD
    assert done.code == 0
    assert (here / "bad.xml").read_bytes() == REPAIRED
    assert (here / "bad.xml").stat().st_ino != inodes["bad.xml"]
    assert (here / "good.xml").stat().st_ino == inodes["good.xml"]
    assert stat.S_IMODE((here / "bad.xml").stat().st_mode) == 0o640
    assert sorted(contents(here)) == ["bad.xml", "good.xml", "lossy.xml"]
    assert cli("fix", ".", "--dry-run").code == 0


def test_in_place_that_fails_half_way_leaves_the_old_file(
    cli: Cli, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("urlset.files.publish.os.fsync", full)
    done = cli("fix", "bad.xml", "--in-place")
    assert done.code == 3
    assert done.err.endswith("bad.xml: cannot be written: no space left on device\n")
    assert contents(here) == {"good.xml": GOOD, "bad.xml": BAD, "lossy.xml": LOSSY}


def test_a_diff_shows_and_writes_nothing(cli: Cli, here: Path) -> None:
    before = contents(here)
    done = cli("fix", "bad.xml", "--in-place", "--diff")
    assert done.code == 1
    assert done.out.splitlines()[:7] == [
        "--- a/bad.xml",
        "+++ b/bad.xml",
        "@@ -1,4 +1,4 @@",
        ' <?xml version="1.0" encoding="UTF-8"?>',
        ' <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">',
        "-<url><loc>https://example.com/?a&b</loc><lastmod>2024/01/05</lastmod></url>",
        "+<url><loc>https://example.com/?a&amp;b</loc><lastmod>2024-01-05</lastmod></url>",
    ]
    assert "bad.xml: would be repaired, 1 entry\n" in done.err
    assert contents(here) == before


def test_git_applies_a_diff(here: Path, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    tabs = BAD.replace(b"<loc>", b"\t<loc>").replace(b"\n", b"\r\n")
    bad = {
        "tabs and CRLF.xml": tabs,
        "bom.xml": b"\xef\xbb\xbf" + BAD,
        "no line end.xml": BAD.rstrip(),
        'quote".xml': BAD,
        "latin.xml": BAD.replace(b"UTF-8", b"ISO-8859-1").replace(b"?a&b", b"?\xe9&b"),
        "utf-16.xml": BAD.decode().replace("UTF-8", "UTF-16").encode("utf-16"),
    }
    for name in contents(here):
        (here / name).unlink()
    for name, content in bad.items():
        (here / name).write_bytes(content)
    main(["fix", ".", "--diff"])
    patch = capsysbinary.readouterr().out
    fixed = {}
    for name in bad:
        main(["fix", name])
        fixed[name] = capsysbinary.readouterr().out
    subprocess.run(["git", "init", "-q", "."], check=True)
    subprocess.run(["git", "apply", "-"], input=patch, check=True)
    assert {name: (here / name).read_bytes() for name in bad} == fixed


def test_gzip_in_and_out(cli: Cli, here: Path) -> None:
    (here / "packed.xml.gz").write_bytes(gzip.compress(BAD))
    assert cli("fix", "packed.xml.gz", "-o", "one.xml.gz").code == 0
    assert cli("fix", "packed.xml.gz", "-o", "two.xml.gz").code == 0
    assert gzip.decompress((here / "one.xml.gz").read_bytes()) == REPAIRED
    assert (here / "one.xml.gz").read_bytes() == (here / "two.xml.gz").read_bytes()
    assert cli("fix", "packed.xml.gz", "--in-place").code == 0
    assert (here / "packed.xml.gz").read_bytes() == (here / "one.xml.gz").read_bytes()
    # By its bytes and not by its name.
    (here / "packed.xml").write_bytes(gzip.compress(GOOD, mtime=5))
    assert cli("fix", "packed.xml", "-o", "same.xml").code == 0
    assert (here / "same.xml").read_bytes() == gzip.compress(GOOD, mtime=5)


def test_what_is_left_out_is_listed_and_counts(cli: Cli, here: Path) -> None:
    done = cli("fix", "lossy.xml", "-o", "fixed.xml")
    assert done.code == 1
    assert "  left out (1):\n    line 4: /relative: The URL is relative, and there is no base URL" in done.out
    assert (here / "fixed.xml").read_bytes() == KEPT
    assert cli("fix", "lossy.xml", "-o", "fixed.xml", "--base-url", "https://example.com/").code == 0


@pytest.mark.parametrize(
    ("content", "code", "said"),
    [
        (b"<html><body>Not Found</body></html>", 1, "not repaired: The document is not a sitemap."),
        (b"", 1, "not repaired: The document is not a sitemap."),
        (sitemap("<loc>/a</loc>"), 1, "not repaired: The document has no entry that can be kept."),
        (GOOD[:-8], 1, "repaired, 1 entry, written to fixed.xml"),
        (GOOD[:-20], 1, "not repaired: The document has no entry that can be kept."),
        (gzip.compress(BAD)[:-4], 1, "repaired, 1 entry, written to fixed.xml"),
        (b"\x1f\x8b\x08\x00broken", 1, "not repaired: The document is not a sitemap."),
    ],
)
def test_broken_input_is_told_what_it_is(cli: Cli, here: Path, content: bytes, code: int, said: str) -> None:
    (here / "broken.xml").write_bytes(content)
    done = cli("fix", "broken.xml", "-o", "fixed.xml")
    assert done.out.startswith(f"broken.xml: {said}")
    assert (done.code, done.err) == (code, "")
    assert (here / "broken.xml").read_bytes() == content


def test_a_missing_file_is_told_and_the_others_are_fixed(cli: Cli, here: Path) -> None:
    done = cli("fix", "none.xml", "bad.xml", "-o", "out")
    assert (done.code, done.err) == (3, "urlset: none.xml: no such file\n")
    assert (here / "out" / "bad.xml").read_bytes() == REPAIRED
    assert done.out.splitlines()[-1] == "1 document: 2 repairs made, 0 items left out."


@pytest.mark.skipif(os.name != "posix", reason="goes by what POSIX says of places that cannot be written")
def test_an_output_that_cannot_be_written(cli: Cli, here: Path) -> None:
    done = cli("fix", "bad.xml", "-o", "good.xml/fixed.xml")
    assert (done.code, done.out) == (3, "")
    assert done.err.startswith("urlset: good.xml: cannot create the directory: ")
    (here / "folder.xml").mkdir()
    assert cli("fix", "bad.xml", "good.xml", "-o", "good.xml").code == 2
    # An output that is a folder gets the file in it.
    assert cli("fix", "bad.xml", "-o", "folder.xml").code == 0
    assert (here / "folder.xml" / "bad.xml").read_bytes() == REPAIRED
    assert (here / "good.xml").read_bytes() == GOOD


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["bad.xml", "--in-place", "-o", "x.xml"], "--in-place and --output are mutually exclusive"),
        (["-", "--in-place"], "--in-place requires files, and <stdin> is not a file; use --output FILE"),
        (["bad.xml", "--base-url", "foo"], "the base URL must be an absolute http(s) URL, not 'foo'"),
        (
            ["bad.xml", "--format", "json"],
            "the repaired document goes to standard output; add --output FILE for the report as JSON",
        ),
    ],
)
def test_what_does_not_go_together(
    cli: Cli, here: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], said: str
) -> None:
    before = contents(here)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(BAD)))
    done = cli("fix", *arguments)
    assert (done.code, done.out, done.err) == (2, "", f"urlset: {said}\n")
    assert contents(here) == before


def test_json(cli: Cli, here: Path) -> None:
    (here / "page.html").write_bytes(b"<html></html>")
    done = cli("fix", "lossy.xml", "good.xml", "page.html", "none.xml", "-o", "out", "--format", "json")
    report = as_json(done.out)
    assert (done.code, done.err) == (3, "urlset: none.xml: no such file\n")
    assert report["summary"] == {
        "documents": 3,
        "repairs": 1,
        "omitted": 1,
        "cut_off": 0,
        "remaining": ["STR001"],
        "whole": False,
    }
    assert [one["outcome"] for one in report["documents"]] == ["repaired", "right", "not-repaired"]
    lossy, _, page = report["documents"]
    assert lossy["files"] == [str(Path("out") / "lossy.xml")]
    assert lossy["repairs"][0]["examples"] == [{"line": 3, "before": "&b", "after": ""}]
    assert [(one["kind"], one["line"], one["text"]) for one in lossy["omissions"]] == [("relative-url", 4, "/relative")]
    assert page["reason"] == "The document is not a sitemap."
    assert report["unreadable"] == [{"target": "none.xml", "reason": "no such file"}]


def test_json_of_a_look(cli: Cli) -> None:
    done = cli("fix", "bad.xml", "--diff", "--format", "json")
    report = as_json(done.out)
    assert (done.code, report["dry_run"], report["documents"][0]["files"]) == (1, True, [])
    assert "+<url><loc>https://example.com/?a&amp;b</loc>" in "\n".join(report["documents"][0]["diff"])


@pytest.mark.parametrize(
    "change",
    [
        lambda report: report.update(version=2),
        lambda report: report.update(extra=1),
        lambda report: report.pop("summary"),
        lambda report: report["documents"][0].update(outcome="mended"),
        lambda report: report["documents"][0]["repairs"][0].update(count=-1),
        lambda report: report["documents"][0]["repairs"][0]["examples"][0].update(line=0),
        lambda report: report["documents"][0]["omissions"][0].pop("reason"),
    ],
)
def test_the_schema_is_strict(cli: Cli, change: Callable[[Any], Any]) -> None:
    report = json.loads(cli("fix", "lossy.xml", "--dry-run", "--format", "json").out)
    as_json(json.dumps(report))
    change(report)
    with pytest.raises(ValidationError):
        as_json(json.dumps(report))


def test_what_remains_is_counted_with_the_way_out(cli: Cli, here: Path) -> None:
    entries = "<url><loc> http://localhost:5173/</loc></url><url><loc>http://localhost:5173/a</loc></url>"
    (here / "a.xml").write_text(f"{HEAD}{entries}</urlset>")
    done = cli("fix", "a.xml", "-o", "b.xml")
    assert done.code == 1
    assert "    Set the URL of the site in the configuration of its generator" in done.out
    assert "or replace the host with `urlset fix --base-url URL`." in done.out
    done = cli("fix", "a.xml", "-o", "b.xml", "--base-url", "http://localhost:3000/")
    assert done.code == 1
    assert (
        "--base-url has no effect: no URL is relative or, for a public base URL, on the host of a development server"
        in done.err
    )
    done = cli("fix", "a.xml", "-o", "b.xml", "--base-url", "https://chairs.org/")
    assert (done.code, done.err) == (0, "")
    assert "  url-host (2 places): " in done.out
    (here / "a.xml").write_text(f"{HEAD}<url><loc>https://chairs.org/</loc></url>")
    done = cli("fix", "a.xml", "-o", "b.xml")
    assert done.code == 1
    assert "  cut off: the document ends too early; how many entries are lost is unknown" in done.out
    assert done.out.splitlines()[-1] == (
        "1 document: 1 repair made, 0 items left out; 1 document is cut off, so an unknown number of entries is lost."
    )
    news = "<news:news><news:publication><news:name>A</news:name><news:language>en</news:language></news:publication>"
    dated = f"{news}<news:publication_date>2021-12-08</news:publication_date><news:title>B</news:title></news:news>"
    head = HEAD.replace('0.9">', '0.9" xmlns:news="http://www.google.com/schemas/sitemap-news/0.9">')
    (here / "a.xml").write_text(f"{head}<url><loc> https://chairs.org/</loc>{dated}</url></urlset>")
    done = cli("fix", "a.xml", "-o", "b.xml")
    assert done.code == 0
    assert done.out.splitlines()[-1] == (
        "1 warning remains in 1 place (NWS014); use `urlset validate b.xml` to show it."
    )
    assert "--base-url" not in done.err


def test_an_error_that_remains_has_the_status_of_validate(cli: Cli, here: Path) -> None:
    (here / "wrong.xml").write_text(
        '<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">'
        "<sitemap><loc>https://example.com/1.xml</loc></sitemap></urlset>\n"
    )
    done = cli("fix", "wrong.xml", "--in-place")
    assert (done.code, cli("validate", "wrong.xml").code) == (1, 1)
    assert "remains: STR011 Entry is in the wrong place (1 place)" in done.out
    assert done.out.endswith("1 document: 0 repairs; 1 error remains (STR011).\n")
