"""An audit of a directory that is resumed says the same about what was read as one that was not interrupted."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import Any

import pytest

import urlset
from urlset.pipeline import audit as pipeline
from urlset.store.run import Run

BASE = "https://www.example.com"
NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9"


def sitemap(*names: str, tag: str = "url", root: str = "urlset") -> str:
    entries = "".join(f"<{tag}><loc>{BASE}/{name}</loc></{tag}>" for name in names)
    return f'<?xml version="1.0" encoding="UTF-8"?><{root} xmlns="{NAMESPACE}">{entries}</{root}>'


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A directory with an index, a compressed sitemap, and a sitemap that nothing names."""
    place = tmp_path / "site"
    place.mkdir()
    for name in ("index", "a", "b", "c", "d"):
        (place / f"{name}.html").write_text(f"<!DOCTYPE html><title>{name}</title><p>{name}")
    (place / "sitemap.xml").write_text(sitemap("sitemap-1.xml", "sitemap-2.xml.gz", tag="sitemap", root="sitemapindex"))
    (place / "sitemap-1.xml").write_text(sitemap("a.html", ""))
    (place / "sitemap-2.xml.gz").write_bytes(gzip.compress(sitemap("b.html").encode()))
    (place / "sitemap-old.xml").write_text(sitemap("b.html"))
    (place / "robots.txt").write_text(f"Sitemap: {BASE}/sitemap.xml\n")
    monkeypatch.chdir(tmp_path)
    return "site"


def audited(site: str, *, resume: bool = False, base: str = f"{BASE}/") -> Any:
    report = urlset.audit([site], base_url=base, store="resumed.duckdb", resume=resume).report
    return sorted(report.notes), report.unreadable, sorted(map(str, report.findings))


MOMENTS = {
    "reading sitemaps": (Run, "add_documents", f"{BASE}/"),
    "requesting pages": (pipeline, "probe", f"{BASE}/"),
    "the end": (pipeline, "report_on_run", f"{BASE}/"),
    "the end, with another spelling of the host": (pipeline, "report_on_run", "https://example.com/"),
}


@pytest.mark.parametrize(("place", "name", "base"), MOMENTS.values(), ids=[*MOMENTS])
def test_a_resumed_audit_says_the_same(
    site: str, place: Any, name: str, base: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = audited(site, base=base)
    assert any("sitemap-old.xml" in note for note in whole[0])
    Path("resumed.duckdb").unlink()

    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(place, name, interrupted)
        with pytest.raises(KeyboardInterrupt):
            audited(site, base=base)
    resumed = audited(site, resume=True, base=base)
    assert resumed == whole
    assert not any(f"such as {read}:" in note for note in resumed[0] for read in ("sitemap.xml", "sitemap-1.xml"))
