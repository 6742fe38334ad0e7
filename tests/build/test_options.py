"""Options of the writer from Python, the configuration and the command line: the same set each time."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import urlset
from urlset.cli.main import main

from .judging import BASE, complaints, contents

LOCAL_DAYS = {
    "2025-11-14T19:30-08:00": "2025-11-14",
    "2025-11-14T19:30:00.25-08:00": "2025-11-14",
    "2025-11-15T01:00:00+09:00": "2025-11-15",
    "2025-11-14T19:30:00Z": "2025-11-14",
    "2025-11-14 19:30:00-08:00": "2025-11-14",
    "2025-11-14T19:30:00-0800": "2025-11-14",
    "Fri, 14 Nov 2025 19:30:00 -0800": "2025-11-14",
    "Fri, 14 Nov 2025 19:30:00 PST": "2025-11-14",
    "2025-11-14T23:59:59": "2025-11-14",
    "2025-11-14": "2025-11-14",
    "2025-11": "2025-11",
}


@pytest.mark.sampled(12)
@pytest.mark.parametrize(("given", "day"), LOCAL_DAYS.items())
@pytest.mark.parametrize("kind", ["python", "csv", "jsonl"])
def test_local_days(tmp_path: Path, given: str, day: str, kind: str) -> None:
    if kind == "python":
        urlset.write([{"loc": "/a", "lastmod": given}], BASE, tmp_path / "out", lastmod="local-date")
    else:
        lines = {"csv": f'loc,lastmod\n/a,"{given}"\n', "jsonl": f'{{"loc": "/a", "lastmod": "{given}"}}\n'}
        (tmp_path / f"x.{kind}").write_text(lines[kind])
        arguments = ["build", str(tmp_path / f"x.{kind}"), "--base-url", BASE, "-o", str(tmp_path / "out")]
        assert main([*arguments, "--no-config", "--lastmod", "local-date"]) == 0
    (entry,) = urlset.read(tmp_path / "out" / "sitemap.xml")
    assert entry.lastmod == day


def test_an_instant_without_an_offset_has_the_day_of_utc(tmp_path: Path) -> None:
    at = pa.array([1_763_177_400_000_000], pa.timestamp("us", "America/Los_Angeles"))
    urlset.write(pa.table({"loc": ["/a"], "lastmod": at}), BASE, tmp_path, lastmod="local-date")
    assert [entry.lastmod for entry in urlset.read(tmp_path / "sitemap.xml")] == ["2025-11-15"]


def test_deprecated_fields_of_images_are_written_with_one_note(tmp_path: Path, capsys: Any) -> None:
    images = [
        {"loc": f"{BASE}1.png", "caption": "One", "license": f"{BASE}license"},
        f"{BASE}2.png",
        {"loc": f"{BASE}3.png", "title": "Three"},
    ]
    summary = urlset.write([{"loc": "/a", "images": images}, {"loc": "/b", "images": images[:1]}], BASE, tmp_path / "a")
    assert summary.deprecated == 3
    note = "Google ignores the deprecated image fields caption, title, and license, present in 3 of 4 images"
    assert summary.notes == (note,)
    assert (tmp_path / "a" / "sitemap.xml").read_text().count("<image:caption>One</image:caption>") == 2
    arguments = [f"sitemaps:{tmp_path / 'a'}", "--base-url", BASE, "-o", str(tmp_path / "b"), "--no-config"]
    assert main(["build", *arguments]) == 0
    assert f"note: {note}" in capsys.readouterr().out
    assert urlset.write([{"loc": "/a", "images": images[1]}], BASE, tmp_path / "c").notes == ()
    titled = urlset.write([{"loc": "/a", "images": images[1:]}], BASE, tmp_path / "d")
    assert titled.notes == ("Google ignores the deprecated image field title, present in 1 of 2 images",)


ON_THE_COMMAND_LINE = [
    "--set", "build.pretty=true", "--set", "build.stylesheet=/s.xsl",
    "--lastmod", "datetime", "--max-entries", "2", "--part", "shop",
    "--hosts", "shop.example.com", "--hosts", "docs.example.com", "--bare-paths", "--allow-shrink",
]  # fmt: skip
IN_THE_FILE = """
pretty = true
stylesheet = "/s.xsl"
lastmod = "datetime"
max-entries = 2
hosts = ["shop.example.com", "docs.example.com"]
bare-paths = true
allow-shrink = true
"""


def test_options_keys_and_arguments_make_the_same_set(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / ".git").mkdir()
    monkeypatch.chdir(tmp_path)
    rows = [
        ("a", "2025-11-14T19:30:00-08:00"), ("https://shop.example.com/b", ""), ("https://docs.example.com/", ""),
        ("https://other.example.com/", ""),
    ]  # fmt: skip
    Path("x.csv").write_text("\n".join(["loc,lastmod", *map(",".join, rows)]))
    assert main(["build", "x.csv", "--base-url", BASE, "-o", "cli", *ON_THE_COMMAND_LINE]) == 0
    Path("urlset.toml").write_text(
        f'[build]\nbase-url = "{BASE}"\nout = "file"\n{IN_THE_FILE}\n[[build.source]]\nlist = "x.csv"\npart = "shop"\n'
    )
    assert main(["build"]) == 0
    with urlset.Writer(
        BASE, "python", pretty=True, stylesheet="/s.xsl", lastmod="datetime", max_entries=2,
        hosts=["shop.example.com", "docs.example.com"], bare_paths=True, allow_shrink=True,
    ) as writer:  # fmt: skip
        writer.extend([{"loc": loc, "lastmod": lastmod} for loc, lastmod in rows], group="shop")
    sets = [contents(Path(place)) for place in ("cli", "file", "python")]
    assert sets[0] == sets[1] == sets[2]
    assert [*sets[0]] == ["sitemap-shop-2.xml", "sitemap-shop.xml", "sitemap.xml"]
    text = sets[0]["sitemap-shop.xml"].decode()
    assert '<?xml-stylesheet type="text/xsl" href="/s.xsl"?>' in text
    assert "\n    <loc>https://example.com/a</loc>\n    <lastmod>2025-11-14T19:30:00-08:00</lastmod>" in text
    assert complaints(Path("python"), "LOC007") == []


WRONG = {
    "--lastmod month": "--lastmod: must be one of date, local-date, datetime, not 'month'",
    "--max-entries 50001": "--max-entries: must be an integer from 1 to 50,000, not '50001'",
    "--publish atomic": "--publish: atomic was removed; files are renamed one by one; to switch a whole set at once",
    "--hosts /x": "'/x' is not a host",
    "--part a-1": "it must consist of letters",
}


@pytest.mark.parametrize(("options", "message"), WRONG.items())
def test_what_cannot_be_meant(tmp_path: Path, options: str, message: str, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "x.txt").write_text("/a\n")
    arguments = ["build", str(tmp_path / "x.txt"), "--base-url", BASE, "-o", str(tmp_path / "out"), "--no-config"]
    assert main([*arguments, *options.split()]) == 2
    assert message in capsys.readouterr().err


SENSITIVE = [
    "token", "access_token", "auth", "jwt", "session", "sid", "PHPSESSID", "email", "password", "passwd", "api_key",
    "apikey", "secret", "Password",
]  # fmt: skip


@pytest.mark.parametrize("name", SENSITIVE)
def test_sensitive_parameters_are_doubtful(tmp_path: Path, name: str) -> None:
    urls = [f"/a?{name}=x", f"/b?c=d&{name}=x", f"/c?{name}=", f"/d?not_{name}=x", f"/e?q={name}"]
    summary = urlset.write(urls, BASE, tmp_path)
    assert [(one.url, one.reason) for one in summary.examples] == [(url, "url-doubtful") for url in urls[:2]]
    assert all("sensitive" in one.detail for one in summary.examples)
    assert complaints(tmp_path) == []
    assert urlset.write(urls, BASE, tmp_path, doubtful="keep").written == 5


def test_the_list_of_sensitive_parameters_is_that_of_the_rules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / ".git").mkdir()
    monkeypatch.chdir(tmp_path)
    Path("urls.txt").write_text("/?token=1\n/?Invite-Code=1\n/?password=1\n/?invite-code=\n")
    arguments = ["build", "urls.txt", "--base-url", BASE, "-o"]
    Path("urlset.toml").write_text('[limits]\nsensitive-parameters = ["invite-code"]\n')
    assert main([*arguments, "a"]) == 0
    assert [entry.loc for entry in urlset.read("a/sitemap.xml")] == [f"{BASE}?token=1", f"{BASE}?invite-code="]
    assert main(["validate", "a", "--fail-on", "warning"]) == 0
    assert main([*arguments, "b", "--no-config"]) == 0
    assert [entry.loc for entry in urlset.read("b/sitemap.xml")] == [f"{BASE}?Invite-Code=1", f"{BASE}?invite-code="]
    summary = urlset.write(["/?token=1", "/?x=1"], BASE, "c", sensitive_parameters=["x"])
    assert [one.url for one in summary.examples] == ["/?x=1"]
    Path("urlset.toml").write_text(
        f'[limits]\nsecret-parameters = []\n[build]\nbase-url = "{BASE}"\nout = "d"\n'
        '[[build.source]]\nlist = "urls.txt"\n'
    )
    for _ in ("command", "function"):
        report = urlset.build_sitemaps("urlset.toml")
        assert report.sites[0].summary.refused == {"url-doubtful": 1}
        assert main(["build"]) == 0
    assert [entry.loc for entry in urlset.read("d/sitemap.xml")][1:] == [f"{BASE}?password=1", f"{BASE}?invite-code="]
