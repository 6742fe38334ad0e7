"""Where results go: files, folders, in place, gzipped, split into parts; and what a run leaves behind."""

from __future__ import annotations

import gzip
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

import urlset
from urlset import _core
from urlset.cli.main import main
from urlset.errors import OutputError, UsageError
from urlset.model.fix import FixOutcome
from urlset.options import FixOptions
from urlset.pipeline.fix import fix
from urlset.repair.unified_diff import patch_of

CoreRewriter = _core.Rewriter
HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n'
GOOD = f"{HEAD}<url><loc>https://example.com/</loc></url>\n</urlset>\n".encode()
BAD = GOOD.replace(b"com/<", b"com/?a&b<")
REPAIRED = GOOD.replace(b"com/<", b"com/?a&amp;b<")


def site(folder: Path) -> Path:
    (folder / "de").mkdir(parents=True)
    (folder / "sitemap.xml").write_bytes(BAD)
    (folder / "de" / "sitemap.xml.gz").write_bytes(gzip.compress(BAD, mtime=7))
    (folder / "good.xml").write_bytes(GOOD)
    (folder / "other.xml").write_bytes(b"<project/>")
    return folder


def files(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def unzipped(content: bytes) -> bytes:
    return gzip.decompress(content)


def test_a_folder_to_a_folder(tmp_path: Path) -> None:
    source = site(tmp_path / "in")
    before = files(source)
    report = urlset.fix(source, output=tmp_path / "out")
    after = files(tmp_path / "out")
    assert files(source) == before
    assert after["sitemap.xml"] == REPAIRED
    assert unzipped(after["de/sitemap.xml.gz"]) == REPAIRED
    assert (after["good.xml"], after["other.xml"]) == (GOOD, b"<project/>")
    outcomes = {Path(each.target).name: each.outcome for each in report.documents}
    assert outcomes["good.xml"] is FixOutcome.RIGHT
    assert outcomes["other.xml"] is FixOutcome.NOT_REPAIRED
    assert report.is_whole
    again = urlset.fix(tmp_path / "out", output=tmp_path / "again")
    assert again.is_right
    assert files(tmp_path / "again") == after


def test_a_text_of_a_folder_is_a_sitemap_if_nearly_all_of_its_lines_are_urls(tmp_path: Path) -> None:
    """So does `validate` decide; of a license that begins with a URL, `fix` would leave just that."""
    urls = "https://example.com/\n https://example.com/a\n"
    for name, text in (("urls.txt", urls), ("notes.txt", f"{urls}Permission is\nhereby granted\n")):
        (tmp_path / name).write_text(text)
    report = urlset.fix(tmp_path, in_place=True)
    assert files(tmp_path) == {
        "urls.txt": urls.replace(" ", "").encode(),
        "notes.txt": f"{urls}Permission is\nhereby granted\n".encode(),
    }
    assert (report.repaired, report.is_whole) == (1, True)
    assert urlset.fix(tmp_path, output=tmp_path / "out").is_right


def test_in_place_touches_only_what_changes(tmp_path: Path) -> None:
    source = site(tmp_path)
    kept = (source / "good.xml").stat()
    urlset.fix(source, in_place=True)
    assert (source / "sitemap.xml").read_bytes() == REPAIRED
    assert unzipped((source / "de" / "sitemap.xml.gz").read_bytes()) == REPAIRED
    now = (source / "good.xml").stat()
    assert (now.st_ino, now.st_mtime_ns) == (kept.st_ino, kept.st_mtime_ns)
    assert sorted(files(source)) == ["de/sitemap.xml.gz", "good.xml", "other.xml", "sitemap.xml"]


def test_gzip_is_the_same_each_time_and_kept_where_nothing_changes() -> None:
    packed = gzip.compress(GOOD, mtime=7)
    assert urlset.fix(packed).documents[0].content == packed
    results = {urlset.fix(gzip.compress(BAD, mtime=time)).documents[0].content for time in (1, 2)}
    assert len(results) == 1


def test_a_dry_run_writes_nothing(tmp_path: Path) -> None:
    source = site(tmp_path)
    before = files(source)
    report = urlset.fix(source, in_place=True, dry_run=True, diff=True)
    assert files(source) == before
    assert not report.is_right
    (diff,) = {each.diff for each in report.documents if each.target.endswith("sitemap.xml")}
    assert [line for line in diff if line[:1] in "+-" and line[:3] not in ("+++", "---")] == [
        "-<url><loc>https://example.com/?a&b</loc></url>",
        "+<url><loc>https://example.com/?a&amp;b</loc></url>",
    ]


@pytest.mark.parametrize(
    ("target", "name"),
    [
        ("https://example.com/maps/a.xml?x=1", "a.xml"),
        ("https://example.com/", "sitemap.xml"),
        ("maps/a.xml", "maps/a.xml"),
        ("/maps/a b.xml", "maps/a b.xml\t"),
    ],
)
def test_a_diff_names_the_file(target: str, name: str) -> None:
    old, new, *_ = patch_of(target, b"<a>", b"<b>", is_packed=False).decode().splitlines()
    assert (old, new) == (f"--- a/{name}", f"+++ b/{name}")


def test_a_diff_cannot_steer_a_terminal() -> None:
    bad = BAD.replace(b"<url>", b"<url><loc>https://example.com/\x1b[31mb</loc></url>\n<url>", 1)
    (document,) = urlset.fix(bad + "<!-- \x1b]0;title\x07 \u202e -->".encode(), diff=True, dry_run=True).documents
    assert document.diff
    assert all(line.isprintable() for line in document.diff)
    assert b"\x1b]0;title" in document.patch


@pytest.mark.parametrize("ending", [".xml", ".xml.gz"])
def test_a_document_beyond_the_limits_is_split(tmp_path: Path, ending: str) -> None:
    entries = "".join(f"<url><loc>https://example.com/{number}</loc></url>\n" for number in range(7))
    content = f"{HEAD}{entries}</urlset>\n".encode()
    source = tmp_path / f"big{ending}"
    source.write_bytes(gzip.compress(content) if ending == ".xml.gz" else content)
    options = FixOptions(output=tmp_path / "out" / source.name, base_url="https://example.com/maps/", max_entries=3)
    (document,) = fix([source], options).documents
    assert [Path(path).name for path in document.files] == [f"big{ending}", *(f"big-{n}{ending}" for n in (1, 2, 3))]
    index, *parts = (urlset.read(path) for path in document.files)
    assert [entry.loc for entry in index] == [f"https://example.com/maps/big-{n}{ending}" for n in (1, 2, 3)]
    assert [len(list(part)) for part in parts] == [3, 3, 1]
    assert [entry.loc for part in parts for entry in part] == [f"https://example.com/{n}" for n in range(7)]
    assert not urlset.validate(document.files[1:], ignore=["LIM", "IDX"]).findings
    assert document.is_whole
    for path in document.files:
        assert urlset.fix(path).is_right


def test_the_index_of_parts_lists_addresses_as_urls_are_written(tmp_path: Path) -> None:
    options = FixOptions(output=tmp_path / "über uns.txt", base_url="https://example.com/a&b/", max_entries=2)
    (document,) = fix(["".join(f"https://example.com/{n}\n" for n in range(3)).encode()], options).documents
    names = ("%C3%BCber%20uns-1.txt", "%C3%BCber%20uns-2.txt")
    assert [entry.loc for entry in urlset.read(document.files[0])] == [f"https://example.com/a&b/{n}" for n in names]


def test_parts_are_within_the_bytes_too(tmp_path: Path) -> None:
    entries = "".join(f"<url><loc>https://example.com/{'a' * 100}{number}</loc></url>\n" for number in range(40))
    options = FixOptions(output=tmp_path / "s.xml", base_url="https://example.com/", max_bytes=3_000)
    (document,) = fix([f"{HEAD}{entries}</urlset>\n".encode()], options).documents
    parts = document.files[1:]
    assert len(parts) > 1
    assert all(Path(path).stat().st_size <= 3_000 for path in parts)
    assert sum(len(list(urlset.read(path))) for path in parts) == 40


def test_a_text_sitemap_is_split_into_texts_under_an_index(tmp_path: Path) -> None:
    options = FixOptions(output=tmp_path / "s.txt", base_url="https://example.com/", max_entries=2)
    (document,) = fix(["".join(f"https://example.com/{n}\n" for n in range(3)).encode()], options).documents
    assert [Path(path).name for path in document.files] == ["s-index.xml", "s-1.txt", "s-2.txt"]


def test_what_cannot_be_split_says_why() -> None:
    content = f"{HEAD}{''.join(f'<url><loc>https://example.com/{n}</loc></url>' for n in range(3))}</urlset>\n".encode()
    (document,) = fix([content], FixOptions(max_entries=2)).documents
    assert "--base-url" in (document.reason or "")
    assert not document.is_whole
    assert document.content == content


def test_parts_never_replace_another_file(tmp_path: Path) -> None:
    text = "".join(f"<url><loc>https://example.com/{n}</loc></url>" for n in range(3))
    (tmp_path / "s.xml").write_text(f"{HEAD}{text}</urlset>\n")
    (tmp_path / "s-1.xml").write_bytes(GOOD)
    options = FixOptions(in_place=True, base_url="https://example.com/", max_entries=2)
    (document,) = fix([tmp_path / "s.xml"], options).documents
    assert (tmp_path / "s-1.xml").read_bytes() == GOOD
    assert [Path(path).name for path in document.files] == ["s.xml", "s-part-1.xml", "s-part-2.xml"]


def test_what_does_not_fit_is_misuse(tmp_path: Path) -> None:
    source = site(tmp_path / "in")
    with pytest.raises(UsageError, match="--output DIRECTORY"):
        urlset.fix(source)
    with pytest.raises(UsageError, match="mutually exclusive"):
        urlset.fix(source, output=tmp_path / "x", in_place=True)
    with pytest.raises(UsageError, match="requires files"):
        urlset.fix(BAD, in_place=True)
    with pytest.raises(UsageError, match="absolute http"):
        urlset.fix(BAD, base_url="example.com")
    with pytest.raises(UsageError, match="would both be written"):
        urlset.fix([BAD, GOOD], output=tmp_path / "out")


def test_a_place_that_cannot_be_written_is_an_error_of_the_output(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(OutputError):
        urlset.fix(BAD, output=tmp_path / "file" / "out.xml")


def test_a_target_that_cannot_be_read_is_told_and_the_others_are_fixed(tmp_path: Path) -> None:
    (tmp_path / "a.xml").write_bytes(BAD)
    report = urlset.fix([tmp_path / "a.xml", tmp_path / "none.xml"], output=tmp_path / "out")
    assert [Path(each.target).name for each in report.unreadable] == ["none.xml"]
    assert (tmp_path / "out" / "a.xml").read_bytes() == REPAIRED


def test_feeds_are_let_be(tmp_path: Path) -> None:
    clean = b'<rss version="2.0"><channel><item><link>https://example.com/a</link></item></channel></rss>'
    broken = clean.replace(b"/a<", b"/?a&b<")
    (tmp_path / "feed.rss").write_bytes(clean)
    (tmp_path / "sitemap.xml").write_bytes(GOOD)
    for feed in (clean, broken):
        assert urlset.fix(feed).documents[0].content == feed
    assert urlset.fix(clean).documents[0].outcome is FixOutcome.RIGHT
    assert urlset.fix(tmp_path, in_place=True).is_whole
    (document,) = urlset.fix(broken).documents
    assert (document.outcome, document.reason) == (
        FixOutcome.NOT_REPAIRED,
        "The document is a feed; feeds are not repaired.",
    )
    assert [(error.code, error.count) for error in document.remaining] == [("XML002", 1)]


def test_errors_that_remain_are_named(tmp_path: Path) -> None:
    misplaced = f"{HEAD}<sitemap><loc>https://example.com/1.xml</loc></sitemap></urlset>"
    (tmp_path / "a.xml").write_text(misplaced)
    (tmp_path / "b.xml").write_text(misplaced.replace("<loc>", "<loc> "))
    (tmp_path / "c.xml").write_bytes(GOOD)
    report = urlset.fix(tmp_path, in_place=True)
    assert (list(report.remaining), report.repaired, report.is_whole) == (["STR011"], 1, False)
    assert [[error.code for error in document.remaining] for document in report.documents] == [["STR011"]] * 2 + [[]]
    # What was split is no longer too long.
    (parts,) = urlset.fix(tmp_path / "c.xml", in_place=True, max_entries=1, base_url="https://example.com/").documents
    assert not parts.remaining


def test_nobody_gets_an_empty_sitemap(tmp_path: Path) -> None:
    content = f"{HEAD}<url><loc>/a</loc></url></urlset>".encode()
    (document,) = urlset.fix(content).documents
    assert (document.outcome, document.content) == (FixOutcome.NOT_REPAIRED, content)
    assert document.reason == "The document has no entry that can be kept."


def test_urls_are_fetched_together_and_so_politely(tmp_path: Path) -> None:
    under_way: set[str] = set()
    seen: list[int] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            under_way.add(self.path)
            time.sleep(0.05)
            seen.append(len(under_way))
            under_way.discard(self.path)
            self.send_response(200)
            self.send_header("Content-Length", str(len(BAD)))
            self.end_headers()
            self.wfile.write(BAD)

        def log_message(self, *_: object) -> None:
            return

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, args=(0.02,)).start()
        try:
            targets = [f"http://127.0.0.1:{server.server_address[1]}/{number}.xml" for number in range(4)]
            report = fix(targets, FixOptions(output=tmp_path / "out", concurrency=1, cache=False))
        finally:
            server.shutdown()
    assert [document.outcome for document in report.documents] == [FixOutcome.REPAIRED] * 4
    assert set(files(tmp_path / "out").values()) == {REPAIRED}
    assert seen == [1] * 4


class Broken:
    """The rewriter of the core, with something else in the body that it hands out."""

    before, after = b"", b""

    def __init__(self, source: bytes | str, **options: Any) -> None:
        self._pieces = CoreRewriter(source, **options)

    def __iter__(self) -> Iterator[bytes]:
        yield b"".join(self._pieces).replace(self.before, self.after)

    def result(self) -> dict[str, Any]:
        return self._pieces.result()


@pytest.mark.parametrize(
    ("after", "reason"),
    [
        (b"&x;</loc>", "not well-formed XML (line 3: an undefined entity)"),
        (b"</loc></url><url>", "2 entries instead of 1"),
        (b"<!--", "not well-formed XML (line 3: "),
    ],
)
def test_a_result_that_does_not_read_back_replaces_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, after: bytes, reason: str
) -> None:
    monkeypatch.setattr(_core, "Rewriter", Broken)
    monkeypatch.setattr(Broken, "before", b"</loc>")
    monkeypatch.setattr(Broken, "after", after)
    (tmp_path / "sitemap.xml").write_bytes(BAD)
    report = urlset.fix(tmp_path / "sitemap.xml", in_place=True)
    (document,) = report.documents
    assert document.outcome is FixOutcome.NOT_REPAIRED
    assert reason in (document.reason or "")
    assert (document.repairs, document.omissions, document.files) == ((), (), ())
    assert not report.is_whole
    assert files(tmp_path) == {"sitemap.xml": BAD}
    assert main(["fix", str(tmp_path / "sitemap.xml"), "--in-place"]) == 1


def test_no_part_is_written_where_one_does_not_read_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_core, "Rewriter", Broken)
    monkeypatch.setattr(Broken, "before", b"/3</loc>")
    monkeypatch.setattr(Broken, "after", b"/&</loc>")
    entries = "".join(f"<url><loc>https://example.com/{number}</loc></url>" for number in range(4))
    options = FixOptions(output=tmp_path / "s.xml", base_url="https://example.com/", max_entries=3)
    content = f"{HEAD}{entries}</urlset>\n".encode()
    (document,) = fix([content], options).documents
    assert document.outcome is FixOutcome.NOT_REPAIRED
    assert files(tmp_path) == {"s.xml": content}
