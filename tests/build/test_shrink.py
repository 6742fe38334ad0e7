"""A published set is not replaced with nothing, or with less than half of it, unless that is asked for."""

from __future__ import annotations

import codecs
import gzip
import json
import shutil
from collections.abc import Callable
from pathlib import Path

import fsspec
import pytest

import urlset
from urlset.build.target import WORK_FOLDER
from urlset.cli.main import main
from urlset.errors import ExitCode, ShrinkError
from urlset.files.built_parts import state_of
from urlset.options import BuildOptions
from urlset.options.building import BuildSpec, IndexSpec, Site
from urlset.options.sources import UrlList
from urlset.pipeline.build import build

from .judging import BASE, contents

REFUSAL = "refusing to replace {} published URLs with {}; pass --allow-shrink if this is intended"


def pages(count: int) -> list[str]:
    return [f"{BASE}{number}" for number in range(count)]


@pytest.mark.parametrize(
    ("before", "after", "refused"),
    [(1, 0, True), (1, 1, False), (100, 49, True), (100, 50, False), (3, 1, True), (2, 1, False), (0, 0, False)],
)
def test_less_than_half_is_refused(tmp_path: Path, before: int, after: int, refused: bool) -> None:
    urlset.write(pages(before), BASE, tmp_path, max_entries=10)
    there = contents(tmp_path)
    if not refused:
        assert urlset.write(pages(after), BASE, tmp_path, max_entries=10).before == before
        return
    with pytest.raises(ShrinkError) as error:
        urlset.write(pages(after), BASE, tmp_path, max_entries=10)
    text = REFUSAL.format(before, after)
    assert str(error.value) == (text.replace("URLs", "URL") if before == 1 else text)
    assert (error.value.before, error.value.after, error.value.exit_code) == (before, after, ExitCode.FINDINGS)
    assert contents(tmp_path) == there
    assert urlset.write(pages(after), BASE, tmp_path, max_entries=10, allow_shrink=True).written == after


def test_large_numbers_are_readable(tmp_path: Path) -> None:
    urlset.write(pages(50_000), BASE, tmp_path)
    with pytest.raises(ShrinkError, match="refusing to replace 50,000 published URLs with 0; pass --allow-shrink if"):
        urlset.write([], BASE, tmp_path, empty="none")


def without_state(folder: Path) -> None:
    shutil.rmtree(state_of(folder))


def without_counts(folder: Path) -> None:
    """A manifest as versions before wrote it."""
    path = state_of(folder) / "sitemap.json"
    manifest = json.loads(path.read_text())
    del manifest["urls"]
    path.write_text(json.dumps(manifest))


def replaced(folder: Path) -> None:
    """Another tool has written the files anew."""
    for path in folder.glob("sitemap*.xml*"):
        is_gzip = path.suffix == ".gz"
        text = (gzip.decompress(path.read_bytes()) if is_gzip else path.read_bytes()) + b"<!-- mine -->"
        path.write_bytes(gzip.compress(text) if is_gzip else text)


@pytest.mark.parametrize("lose", [without_state, without_counts, replaced])
@pytest.mark.parametrize("form", ["none", "parts", "all"])
def test_the_files_tell_where_the_manifest_does_not(tmp_path: Path, lose: Callable[[Path], None], form: str) -> None:
    urlset.write(pages(30), BASE, tmp_path, max_entries=4, gzip=form)  # type: ignore[arg-type]
    lose(tmp_path)
    # Eight parts in two indexes of four.
    assert len(list(tmp_path.glob("sitemap*"))) == 10
    with pytest.raises(ShrinkError, match="replace 30 published URLs with 14;"):
        urlset.write(pages(14), BASE, tmp_path, max_entries=4, gzip=form)  # type: ignore[arg-type]


@pytest.mark.parametrize("compressed", [3, 1, 5])
def test_the_same_set_compressed_as_well_counts_once(tmp_path: Path, compressed: int) -> None:
    """MkDocs writes both."""
    for name, count in (("sitemap.xml.gz", compressed), ("sitemap.xml", 3)):
        urlset.write(pages(count), BASE, tmp_path / name, gzip="none")
        there = (tmp_path / name / "sitemap.xml").read_bytes()
        shutil.rmtree(tmp_path / name)
        (tmp_path / name).write_bytes(gzip.compress(there) if name.endswith(".gz") else there)
    assert urlset.write(pages(3), BASE, tmp_path).before == max(3, compressed)


def test_what_is_not_there_is_not_counted(tmp_path: Path) -> None:
    urlset.write(pages(30), BASE, tmp_path, max_entries=10)
    for path in tmp_path.glob("*.xml"):
        path.unlink()
    assert urlset.write(pages(1), BASE, tmp_path).before == 0
    other = tmp_path / "sitemap-other.xml"
    other.write_bytes((tmp_path / "sitemap.xml").read_bytes())
    assert urlset.write([], BASE, tmp_path, name="new").before == 0


@pytest.mark.parametrize("has_manifest", [True, False])
def test_object_stores_too(tmp_path: Path, has_manifest: bool) -> None:
    url = f"memory://{tmp_path.name}-{has_manifest}/site"
    urlset.write(pages(30), BASE, url, max_entries=10)
    system, root = fsspec.core.url_to_fs(url)
    if not has_manifest:
        system.rm(f"{root}/{WORK_FOLDER}", recursive=True)
    with pytest.raises(ShrinkError, match="replace 30 published URLs with 14;"):
        urlset.write(pages(14), BASE, url, max_entries=10)
    assert urlset.write(pages(14), BASE, url, max_entries=10, allow_shrink=True).before == 30


@pytest.fixture
def published(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """A published set of ten URLs; gives the arguments of a build over it from `urls.txt`."""
    (tmp_path / ".git").mkdir()
    monkeypatch.chdir(tmp_path)
    Path("urls.txt").write_text("".join(f"/{number}\n" for number in range(10)))
    arguments = ["build", "urls.txt", "--base-url", BASE, "-o", "public"]
    assert main(arguments) == 0
    return arguments


@pytest.mark.long("slow cases")
@pytest.mark.parametrize("content", ["", "/1\n/2\n/3\n/4\n"])
def test_the_command(published: list[str], capsys: pytest.CaptureFixture[str], content: str) -> None:
    Path("urls.txt").write_text(content)
    count = content.count("/") if content.startswith("/") else 0
    there = contents(Path("public"))
    capsys.readouterr()
    assert main(published) == 1
    assert capsys.readouterr().err == f"urlset: {REFUSAL.format(10, count)}\n"
    for flags in (["--check"], ["--diff"], ["--dry-run"], ["--check", "--diff"]):
        assert main([*published, *flags]) == 1
        assert f"problem: {BASE}: {REFUSAL.format(10, count)}" in capsys.readouterr().out
    assert main([*published, "--check", "--format", "json"]) == 1
    (site,) = json.loads(capsys.readouterr().out)["sites"]
    assert (site["published_before"], site["shrinking"]) == (10, REFUSAL.format(10, count))
    assert contents(Path("public")) == there
    assert main([*published, "--dry-run", "--allow-shrink"]) == 0
    assert "refusing" not in capsys.readouterr().out
    assert main([*published, "--allow-shrink"]) == 0
    assert urlset.read("public/sitemap.xml").facts["entries"] == count


def test_the_key_allows_it(published: list[str]) -> None:
    Path("urlset.toml").write_text("[build]\nallow-shrink = true\n")
    Path("urls.txt").write_text("/1\n")
    assert main(published) == 0


def test_several_hosts_are_judged_one_by_one(tmp_path: Path) -> None:
    def spec(counts: tuple[int, int]) -> BuildSpec:
        sites = []
        for host, count in zip(("www", "docs"), counts, strict=True):
            path = tmp_path / f"{host}.txt"
            path.write_text("".join(f"/{number}\n" for number in range(count)))
            sites.append(
                Site(base_url=f"https://{host}.example.com/", out=str(tmp_path / host), sources=(UrlList(file=path),))
            )
        return BuildSpec(
            sites=tuple(sites), index=IndexSpec(base_url="https://www.example.com/", out=str(tmp_path / "index"))
        )

    build(spec((1000, 10)), BuildOptions())
    there = contents(tmp_path / "docs"), contents(tmp_path / "index")
    with pytest.raises(ShrinkError, match=r"^https://docs.example.com/: refusing to replace 10 published URLs with 4;"):
        build(spec((1000, 4)), BuildOptions())
    assert (contents(tmp_path / "docs"), contents(tmp_path / "index")) == there
    report, _ = build(spec((1000, 4)), BuildOptions(dry_run=True))
    assert [site.shrinking is not None for site in report.sites] == [False, True]
    assert any("docs.example.com/: refusing to replace" in problem for problem in report.problems)


MARKED = {
    "utf-8": codecs.BOM_UTF8,
    "utf-16-le": codecs.BOM_UTF16_LE,
    "utf-16-be": codecs.BOM_UTF16_BE,
    "utf-32-le": codecs.BOM_UTF32_LE,
    "utf-32-be": codecs.BOM_UTF32_BE,
}
LISTS = {
    "urls.txt": "/a\r\n/ä\r\n",
    "urls": "/a\n/ä\n",
    "urls.csv": "loc,lastmod\n/a,\n/ä,2025-11-14\n",
    "urls.tsv": f"{BASE}a\t2025-11-14\r\n{BASE}ä\t\r\n",
    "urls.jsonl": '{"loc": "/a"}\n{"loc": "/ä"}\n',
}


@pytest.mark.sampled(15)
@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("name", LISTS)
@pytest.mark.parametrize("encoding", MARKED)
def test_byte_order_marks_of_lists_are_honoured(tmp_path: Path, encoding: str, name: str, packed: bool) -> None:
    content = MARKED[encoding] + LISTS[name].encode(encoding)
    path = tmp_path / (name + ".gz" * packed)
    path.write_bytes(gzip.compress(content) if packed else content)
    site = Site(base_url=BASE, out=str(tmp_path / "out"), sources=(UrlList(file=path),))
    (report,) = build(BuildSpec(sites=(site,)), BuildOptions())[0].sites
    assert [entry.loc for entry in urlset.read(tmp_path / "out" / "sitemap.xml")] == [f"{BASE}a", f"{BASE}%C3%A4"]
    assert report.summary.refused == {}
    said = [note for note in report.notes if "byte order mark" in note]
    assert said == (
        [] if encoding == "utf-8" else [f"{path}: read as {encoding[:6].upper()} because of its byte order mark"]
    )
