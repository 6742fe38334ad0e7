"""`build --notify`: publish, then send what differs from the last complete notification."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from urlset import build_sitemaps
from urlset.cli.main import main
from urlset.errors import ExitCode, UsageError
from urlset.options import Site, UrlList

Build = Callable[..., list[str]]


@pytest.fixture
def build(engine: Any, key_file: Path, tmp_path: Path) -> Build:
    """Builds a set of these URLs with `notify`, and returns what was sent."""

    def call(urls: dict[str, str], **fields: Any) -> list[str]:
        listed = tmp_path / "urls.csv"
        rows = (f"{engine.url}{path},{date}\n" for path, date in urls.items())
        listed.write_text("loc,lastmod\n" + "".join(rows))
        site_fields = {"allow_shrink": True, "max_entries": 10} | fields.pop("site", {})
        site = Site(
            base_url=f"{engine.url}/", out=str(tmp_path / "out"), sources=(UrlList(file=listed),), **site_fields
        )
        before = len(engine.accepted)
        usual = {
            "key_file": [str(key_file)],
            "endpoint": [f"{engine.url}/indexnow"],
            "ledger": tmp_path / "ledger.duckdb",
            "wait_live": 0,
            "max_wait": 0,
            "allow_private": True,
            "notify": True,
        }
        build_sitemaps(site, **{**usual, **fields})
        return sorted(url.removeprefix(engine.url) for url in engine.accepted[before:])

    return call


MANY = {f"/{number:02}": "2026-01-01" for number in range(40)}


@pytest.mark.long("slow cases")
def test_what_changed_is_sent(build: Build, engine: Any) -> None:
    assert build(MANY, notify=False) == []
    # What was published before the first notification counts as known.
    assert build({**MANY, "/00": "2026-01-02"}) == ["/00"]
    assert build({**MANY, "/00": "2026-01-02"}) == []
    fewer = {path: date for path, date in MANY.items() if path not in ("/05", "/39")}
    engine.files["/39"] = (200, b"", {})
    assert build({**fewer, "/00": "2026-01-02", "/99": ""}) == ["/05", "/99"]


@pytest.mark.long("slow cases")
def test_nothing_is_lost_when_it_is_not_accepted(build: Build, engine: Any) -> None:
    build(MANY, notify=False)
    changed = {**MANY, "/00": "2026-01-02"}
    engine.usual = 500
    assert build(changed) == []
    live = engine.files.copy()
    engine.files.clear()
    engine.usual = 200
    with pytest.raises(UsageError, match="is not online"):
        build({**changed, "/01": "2026-01-02"})
    engine.files.update(live)
    assert build({**changed, "/01": "2026-01-02", "/02": "2026-01-02"}) == ["/00", "/01", "/02"]
    assert build({**changed, "/01": "2026-01-02", "/02": "2026-01-02"}) == []


@pytest.mark.long("slow cases")
def test_a_first_build_requires_all(build: Build) -> None:
    more = {f"/{number:02}": "2026-01-01" for number in range(50)}
    with pytest.raises(UsageError, match="50 URLs to send, more than a fifth of the 50 URLs of the site; pass --all"):
        build(more)
    assert build(more, send_all=True) == list(more)
    assert build(more) == []


def test_the_share_is_of_the_whole_site(build: Build) -> None:
    """Not only of the files that changed, which are 1 of 4 here."""
    build(MANY, notify=False)
    assert len(build({**MANY, **{f"/{number:02}": "2026-01-02" for number in range(8)}})) == 8


@pytest.mark.parametrize("fields", [{"dry_run": True}, {"explain_lastmod": "https://example.com/"}])
def test_it_needs_something_published(build: Build, fields: dict[str, Any]) -> None:
    with pytest.raises(UsageError, match="--notify sends what was published"):
        build(MANY, **fields)


def test_the_command(
    build: Build, engine: Any, tmp_path: Path, key_file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    build(MANY, notify=False)
    with (tmp_path / "urls.csv").open("a") as file:
        file.write(f"{engine.url}/new,\n")
    command = ["build", str(tmp_path / "urls.csv"), "--base-url", f"{engine.url}/", "-o", str(tmp_path / "out")]
    command += ["--notify", "--key-file", str(key_file), "--endpoint", f"{engine.url}/indexnow", "--allow-private"]
    command += ["--store", str(tmp_path / "ledger.duckdb"), "--wait-live", "0", "--no-config"]
    assert main(command) == ExitCode.CLEAN
    text = capsys.readouterr().out
    assert "Published: 41 URLs." in text
    assert "Sent 1 URL." in text
    assert main([*command, "--format", "json"]) == ExitCode.CLEAN
    assert json.loads(capsys.readouterr().out)["notified"]["urls"] == 0
    assert main([*command, "-o", "-"]) == ExitCode.USAGE
    assert "--notify requires a local directory" in capsys.readouterr().err
