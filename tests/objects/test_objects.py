"""Object stores as sources and targets, over the real protocol of S3 on loopback."""

from __future__ import annotations

import gzip
import json
import os
import sys
from pathlib import Path
from typing import Any

import fsspec
import pytest

import urlset
from urlset.cli.main import main
from urlset.errors import InputError, MissingExtraError, UsageError
from urlset.objects import listing
from urlset.objects.listing import objects_of
from urlset.objects.object_address import is_object, parts_of
from urlset.objects.system import object_reason
from urlset.sources import sources_of
from urlset.text.masking import mask_target, mask_url

from .store import BUCKET, many

XMLNS = "xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'"
HOME = f"s3://{BUCKET}"


def sitemap(*paths: str) -> bytes:
    entries = "".join(f"<url><loc>https://example.com/{path}</loc></url>" for path in paths)
    return f"<?xml version='1.0' encoding='UTF-8'?>\n<urlset {XMLNS}>{entries}</urlset>".encode()


def index(*urls: str) -> bytes:
    entries = "".join(f"<sitemap><loc>{url}</loc></sitemap>" for url in urls)
    return f"<?xml version='1.0'?><sitemapindex {XMLNS}>{entries}</sitemapindex>".encode()


def read(target: str, **given: Any) -> tuple[list[str], dict[str, str]]:
    """The documents of a target, and why others could not be read."""
    report = urlset.validate(target, **given)
    return [str(row["url"]) for row in report.documents], {one.target: one.reason for one in report.unreadable}


@pytest.mark.long("slow cases")
def test_an_object_is_read_like_a_file(objects: Any, tmp_path: Path) -> None:
    content = gzip.compress(sitemap("a", "a", "b c"), mtime=0)
    objects.pipe(f"{BUCKET}/sitemap.xml.gz", content)
    (tmp_path / "sitemap.xml.gz").write_bytes(content)
    here = urlset.validate(str(tmp_path / "sitemap.xml.gz"))
    there = urlset.validate(f"{HOME}/sitemap.xml.gz")
    found = [[(one.rule.code, one.count, one.examples[0].line) for one in report.findings] for report in (here, there)]
    assert found[0]
    assert found[0] == found[1]
    facts = there.documents[0]
    assert (facts["url"], facts["site_path"], facts["host"]) == (f"{HOME}/sitemap.xml.gz", "/sitemap.xml.gz", None)
    assert (facts["sha256"], facts["compression"]) == (here.documents[0]["sha256"], "gzip")
    assert facts["etag"] == objects.info(f"{BUCKET}/sitemap.xml.gz")["ETag"]


def test_prefixes_and_globs(objects: Any) -> None:
    for key in ("a.xml", "b.xml.gz", "t/c.xml", "t/u/d.txt", "t/page.html", "t/.hidden.xml", "t/odd.json"):
        objects.pipe(f"{BUCKET}/{key}", gzip.compress(sitemap("x")) if key.endswith(".gz") else sitemap("x"))
    assert read(f"{HOME}/")[0] == [f"{HOME}/{key}" for key in ("a.xml", "b.xml.gz", "t/c.xml", "t/u/d.txt")]
    assert read(f"{HOME}/t/")[0] == [f"{HOME}/t/c.xml", f"{HOME}/t/u/d.txt"]
    assert read(f"{HOME}/*.xml")[0] == [f"{HOME}/a.xml"]
    assert read(f"{HOME}/*.xml*")[0] == [f"{HOME}/a.xml", f"{HOME}/b.xml.gz"]
    assert read(f"{HOME}/**/*.xml")[0] == [f"{HOME}/a.xml", f"{HOME}/t/.hidden.xml", f"{HOME}/t/c.xml"]
    assert {f"{HOME}/t/c.xml", f"{HOME}/t/u/d.txt"} < {url for url, _ in objects_of(f"{HOME}/t/**", bool, "")}
    assert read(f"{HOME}/t/?.x[lm]l")[0] == [f"{HOME}/t/c.xml"]
    assert read(f"{HOME}/*.rss") == ([], {f"{HOME}/*.rss": "no object matches"})
    assert read(f"{HOME}/none/")[1] == {f"{HOME}/none/": "no object below it has the name of a sitemap"}
    with pytest.raises(UsageError, match="only be an entire path component"):
        read(f"{HOME}/a**.xml")


def test_an_unchanged_object_is_not_downloaded_again(objects: Any) -> None:
    objects.pipe(f"{BUCKET}/a.xml", sitemap("a"))
    for again in (["a.xml"], []):
        objects.server.requests.clear()
        report = urlset.validate(f"{HOME}/a.xml")
        assert report.summary.urls == 1
        assert objects.server.bodies == again
    objects.server.requests.clear()
    assert urlset.validate(f"{HOME}/a.xml", cache=False).summary.urls == 1
    assert objects.server.bodies == ["a.xml"]
    objects.pipe(f"{BUCKET}/a.xml", sitemap("a", "b"))
    assert urlset.validate(f"{HOME}/a.xml").summary.urls == 2


def test_what_goes_wrong_has_a_reason(objects: Any) -> None:
    for key in ("slow/a.xml", "torn/a.xml", "t/a.xml"):
        objects.pipe(f"{BUCKET}/{key}", sitemap("a"))
    denied = "access denied; check the credentials in the environment and their permissions"
    reasons = {
        f"{HOME}/none.xml": "no such object or bucket",
        "s3://no-such-bucket/a.xml": "no such object or bucket",
        "s3://no-such-bucket/": "no such object or bucket",
        f"{HOME}/refused/a.xml": denied,
        f"{HOME}/refused/": denied,
        f"{HOME}/torn/a.xml": "the connection was lost before the end of the object",
        f"{HOME}/t": "is a prefix, not an object; end it with / to read the sitemaps below it",
    }
    for target, reason in reasons.items():
        assert read(target) == ([], {target: reason})
    assert read(f"{HOME}/slow/a.xml", timeout=0.5) == ([], {f"{HOME}/slow/a.xml": "timed out"})
    assert main(["validate", f"{HOME}/none.xml"]) == 3


def test_an_object_that_is_replaced_while_it_is_read(objects: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    objects.pipe(f"{BUCKET}/a.xml", sitemap("a", "b"))
    monkeypatch.setattr("urlset.fetch.objects.PIECE", 64)
    assert read(f"{HOME}/a.xml")[1] == {}
    replaced: list[bool] = []

    def replace() -> None:
        if objects.server.requests.count(f"GET /{BUCKET}/a.xml") == 2 and not replaced:
            replaced.append(True)
            fsspec.filesystem("s3", skip_instance_cache=True).pipe(f"{BUCKET}/a.xml", sitemap("c", "d"))

    objects.server.replacing = replace
    objects.server.requests.clear()
    assert read(f"{HOME}/a.xml", cache=False)[1] == {f"{HOME}/a.xml": "the object changed while it was read; try again"}
    assert replaced


def test_an_object_beyond_the_limit_is_read_in_part(objects: Any) -> None:
    objects.pipe(f"{BUCKET}/a.xml", sitemap(*map(str, range(20_000))))
    objects.server.requests.clear()
    report = urlset.validate(f"{HOME}/a.xml", max_document_bytes=10_000, select=["ENC008"])
    assert [one.rule.code for one in report.findings] == ["ENC008"]
    assert report.documents[0]["bytes"] == 10_000


def resident() -> int:
    """The memory of this process, in bytes."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def test_many_keys_take_little_memory_and_a_limit_is_said(objects: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    used = [resident() for _ in sources_of(f"{HOME}/many/")]
    assert len(used) == many() / 1000
    assert len(objects.server.requests) == many() / 1000
    # What a page takes is free for the next one.
    assert max(used[10:]) - used[10] < 16 * 1024 * 1024
    monkeypatch.setattr(listing, "MAX_LISTED", 5_000)
    with pytest.raises(InputError, match="only its first 5,000 keys were listed; give a longer prefix"):
        list(objects_of(f"{HOME}/many/", lambda _: True, "nothing"))
    monkeypatch.setattr(listing, "MAX_FOUND", 10)
    taken: list[tuple[str, str]] = []
    with pytest.raises(InputError, match="only its first 10 objects were read"):
        taken.extend(objects_of(f"{HOME}/many/", lambda _: True, "nothing"))
    assert len(taken) == 10


def test_the_limit_is_part_of_the_report(objects: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    for key in ("a.xml", "b.xml", "c.xml"):
        objects.pipe(f"{BUCKET}/{key}", sitemap(key))
    monkeypatch.setattr(listing, "MAX_FOUND", 2)
    assert read(f"{HOME}/") == (
        [f"{HOME}/a.xml", f"{HOME}/b.xml"],
        {f"{HOME}/": "only its first 2 objects were read; give a longer prefix"},
    )


def test_inspect_sql_and_diff(objects: Any, capsys: pytest.CaptureFixture[str]) -> None:
    objects.pipe(f"{BUCKET}/a.xml", sitemap("a", "b"))
    objects.pipe(f"{BUCKET}/b.xml", sitemap("b", "c"))
    assert [row.facts["entries"] for row in urlset.inspect(f"{HOME}/*.xml").documents] == [2, 2]
    assert len(urlset.read(f"{HOME}/a.xml")) == 2
    assert [row[0] for row in urlset.query("SELECT count(*) FROM urls", f"{HOME}/*.xml").rows] == [4]
    compared = urlset.diff(f"{HOME}/a.xml", f"{HOME}/b.xml")
    assert (compared.added.count, compared.removed.count) == (1, 1)
    assert main(["inspect", f"{HOME}/a.xml"]) == 0
    assert f"{HOME}/a.xml" in capsys.readouterr().out


def test_fix_writes_back_and_elsewhere(objects: Any, tmp_path: Path) -> None:
    wrong = sitemap("a", "b").replace(b"<loc>", b"<loc> ")
    objects.pipe(f"{BUCKET}/in/a.xml", wrong)
    objects.pipe(f"{BUCKET}/in/b.xml.gz", gzip.compress(wrong, mtime=0))
    assert urlset.fix(f"{HOME}/in/", output=f"{HOME}/out").is_whole
    assert objects.cat(f"{BUCKET}/out/a.xml") == sitemap("a", "b")
    assert gzip.decompress(objects.cat(f"{BUCKET}/out/b.xml.gz")) == sitemap("a", "b")
    assert objects.cat(f"{BUCKET}/in/a.xml") == wrong
    assert main(["fix", f"{HOME}/in/a.xml", "--in-place"]) == 0
    assert objects.cat(f"{BUCKET}/in/a.xml") == sitemap("a", "b")
    (tmp_path / "c.xml").write_bytes(wrong)
    assert main(["fix", str(tmp_path / "c.xml"), "-o", f"{HOME}/c.xml"]) == 0
    assert objects.cat(f"{BUCKET}/c.xml") == sitemap("a", "b")
    assert main(["fix", f"{HOME}/in/b.xml.gz", "-o", str(tmp_path / "b.xml.gz")]) == 0
    assert gzip.decompress((tmp_path / "b.xml.gz").read_bytes()) == sitemap("a", "b")
    with pytest.raises(InputError, match=r"refused/c\.xml: access denied"):
        urlset.fix(str(tmp_path / "c.xml"), output=f"{HOME}/refused/c.xml")


def test_fix_splits_next_to_the_object(objects: Any) -> None:
    objects.pipe(f"{BUCKET}/big.xml", sitemap("a", "b", "c").replace(b"<loc>", b"<loc> "))
    urlset.fix(f"{HOME}/big.xml", in_place=True, base_url="https://example.com/", max_entries=2)
    assert [len(urlset.read(f"{HOME}/{name}")) for name in ("big.xml", "big-1.xml", "big-2.xml")] == [2, 2, 1]


def test_build_from_objects_to_objects(objects: Any, tmp_path: Path) -> None:
    objects.pipe(f"{BUCKET}/old/sitemap.xml", index("https://example.com/part.xml"))
    objects.pipe(f"{BUCKET}/old/part.xml", sitemap("a"))
    objects.pipe(f"{BUCKET}/list.csv", b"loc,lastmod\nhttps://example.com/b,2025-11-14\n")
    objects.pipe(f"{BUCKET}/list.txt", b"https://example.com/c\n")
    sources = [f"{HOME}/old/sitemap.xml", f"{HOME}/list.csv", f"{HOME}/list.txt"]
    assert main(["build", *sources, "--base-url", "https://example.com/", "-o", f"{HOME}/new"]) == 0
    assert [entry.loc for entry in urlset.read(f"{HOME}/new/sitemap.xml")] == [
        f"https://example.com/{name}" for name in "abc"
    ]
    # What an index lists is the object next to it, and no other: the rest is requested over HTTP.
    assert "old/part.xml" in objects.server.bodies
    (tmp_path / "urlset.toml").write_text(
        f'[build]\nbase-url = "https://example.com/"\nout = "{HOME}/toml"\n[[build.source]]\nlist = "{HOME}/list.csv"\n'
    )
    assert main(["build", "--config", str(tmp_path / "urlset.toml")]) == 0
    assert len(urlset.read(f"{HOME}/toml/sitemap.xml")) == 1


def test_a_bucket_that_does_not_exist_is_not_created(objects: Any, capsys: pytest.CaptureFixture[str]) -> None:
    objects.pipe_file(f"{HOME}/list.csv", b"https://example.com/a\n")
    where = "s3://mistyped/site"
    assert main(["build", f"{HOME}/list.csv", "--base-url", "https://example.com/", "-o", where]) == 3
    assert capsys.readouterr().err == f"urlset: {where}: cannot be written: no such object or bucket\n"
    assert "mistyped" not in objects.ls("")


def test_build_refuses_what_must_be_local(objects: Any, capsys: pytest.CaptureFixture[str]) -> None:
    for source in (f"html:{HOME}/pages/", f"{HOME}/pages.sqlite"):
        assert main(["build", source, "--base-url", "https://example.com/", "-o", f"{HOME}/new"]) == 2
        assert "cop" in capsys.readouterr().err
    assert main(["build", f"{HOME}/none.csv", "--base-url", "https://example.com/", "-o", f"{HOME}/new"]) == 3
    assert f"{HOME}/none.csv: no such object or bucket" in capsys.readouterr().err


def test_an_index_leads_to_no_other_object(objects: Any) -> None:
    objects.pipe(f"{BUCKET}/secret.xml", sitemap("secret"))
    listed = (f"{HOME}/secret.xml", "secret.xml", "../secret.xml", "/secret.xml", "file:///etc/passwd")
    objects.pipe(f"{BUCKET}/a/index.xml", index(*listed))
    objects.server.requests.clear()
    documents, unreadable = read(f"{HOME}/a/index.xml", expand=True)
    assert (documents, unreadable) == ([f"{HOME}/a/index.xml"], {})
    assert objects.server.bodies == ["a/index.xml"]


def test_an_index_leads_to_public_addresses_only(objects: Any, site: Any) -> None:
    site.put("/a.xml", sitemap("a"))
    objects.pipe(f"{BUCKET}/index.xml", index(f"{site.url}/a.xml"))
    report = urlset.validate(f"{HOME}/index.xml", expand=True, retries=0)
    assert [row["error_kind"] for row in report.documents if row["found_by"] == "index"] == ["private-address"]
    assert site.asked == []
    report = urlset.validate(f"{HOME}/index.xml", expand=True, allow_private=True)
    assert report.summary.urls == 1


@pytest.mark.parametrize(
    "arguments",
    [
        ["audit", "https://example.com", "--store", f"{HOME}/runs.duckdb"],
        ["history", f"{HOME}/runs.duckdb"],
        ["coverage", "--store", f"{HOME}/runs.duckdb"],
        ["sql", "FROM urls", f"{HOME}/runs.duckdb"],
        ["diff", f"{HOME}/runs.duckdb@1", f"{HOME}/runs.duckdb@2"],
    ],
    ids=lambda arguments: arguments[0],
)
def test_a_store_must_be_a_local_file(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments) == 2
    assert f"{HOME}/runs.duckdb: a store must be a local file" in capsys.readouterr().err


def test_a_missing_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("gcsfs", "adlfs", "s3fs"):
        monkeypatch.setitem(sys.modules, name, None)
    for scheme in ("s3", "s3a"):
        monkeypatch.delitem(sys.modules["fsspec.registry"].__dict__["_registry"], scheme, raising=False)
    for scheme, package in (("s3", "s3fs"), ("gs", "gcsfs"), ("az", "adlfs"), ("abfs", "adlfs")):
        with pytest.raises(
            MissingExtraError, match=rf"{scheme}:// URLs need an extra: pip install 'urlset\[fsspec\]' {package}$"
        ):
            urlset.validate(f"{scheme}://bucket/a.xml")
    monkeypatch.setitem(sys.modules, "fsspec", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'urlset\[fsspec\]'$"):
        urlset.validate("memory://bucket/a.xml")


def test_other_file_systems() -> None:
    memory = fsspec.filesystem("memory")
    memory.pipe("/others/a.xml", sitemap("a"))
    memory.pipe("/others/t/b.xml", sitemap("b"))
    try:
        assert read("memory://others/a.xml")[0] == ["memory://others/a.xml"]
        assert read("memory://others/")[0] == ["memory://others/a.xml", "memory://others/t/b.xml"]
        assert read("memory://others/*.xml")[0] == ["memory://others/a.xml"]
        assert read("memory://others/**/*.xml")[0] == ["memory://others/a.xml", "memory://others/t/b.xml"]
        assert read("memory://none/")[1] == {"memory://none/": "no such object or bucket"}
    finally:
        memory.rm("/others", recursive=True)
        memory.pseudo_dirs[:] = [""]


def test_credentials_are_never_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(UsageError, match=r"s3://\*\*\*@bucket/a.xml: remove the credentials from the URL"):
        urlset.validate("s3://id:secret@bucket/a.xml")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "hunter2hunter2")
    assert object_reason(OSError("refused hunter2hunter2 at https://x?Signature=abc&b=1")) == (
        "refused *** at https://x?Signature=***&b=1"
    )
    # The container of a URL of Azure is no secret, a password is.
    url = "abfs://container@account.dfs.core.windows.net/a.xml"
    assert (mask_url(url), mask_target(url)) == (url, url)
    assert parts_of(url) == ("abfs://container@account.dfs.core.windows.net/", "a.xml")
    assert "secret" not in mask_url("abfs://container:secret@account/a.xml")
    assert not is_object("ftp://host/a.xml")


def test_credentials_are_not_stored(objects: Any, tmp_path: Path) -> None:
    objects.pipe(f"{BUCKET}/a.xml", sitemap("a"))
    store = tmp_path / "runs.duckdb"
    urlset.audit(f"{HOME}/a.xml", store=store, pages=False)
    kept = [path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()]
    assert any(f"{HOME}/a.xml".encode() in content for content in kept)
    assert not any(b"testing-secret" in content or b"testing-id" in content for content in kept)
    report = json.dumps([dict(row) for row in urlset.validate(f"{HOME}/a.xml").documents], default=str)
    assert "testing-secret" not in report
