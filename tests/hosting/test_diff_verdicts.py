"""What `diff` compares, and so its exit code, depends on its sides, and not on the format that shows it."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.hosting.folders import page, urlset, write
from tests.hosting.test_audit import BASE, small_site

from urlset.cli.main import main
from urlset.model.comparison import Comparison
from urlset.options import DiffOptions
from urlset.options.declare import options_of
from urlset.pipeline import diff as pipeline
from urlset.report.formats import OUTPUTS

OPTIONS = ["--select", "PGE,LOC", "--no-config"]
NOINDEX = '<meta name="robots" content="noindex">'
OLD, NEW = urlset(f"{BASE}/", f"{BASE}/a/"), urlset(f"{BASE}/", f"{BASE}/a/", f"{BASE}/ b/")

SIDES: dict[str, tuple[dict[str, str | bytes], dict[str, str | bytes], int]] = {
    "pages, closed by noindex": (
        small_site("/", "/a/"),
        small_site("/", "/a/") | {"a/index.html": page(f"{BASE}/a/", head=NOINDEX)},
        1,
    ),
    "pages, the same": (small_site("/", "/a/"), small_site("/", "/a/"), 0),
    "sitemaps, with an error": ({"sitemap.xml": OLD}, {"sitemap.xml": NEW}, 1),
    "sitemaps, the same": ({"sitemap.xml": OLD}, {"sitemap.xml": OLD}, 0),
    "files, with an error": ({"sitemap.xml": OLD}, {"sitemap.xml": NEW}, 1),
    "stores of pages, closed by noindex": (
        small_site("/", "/a/"),
        small_site("/", "/a/") | {"a/index.html": page(f"{BASE}/a/", head=NOINDEX)},
        1,
    ),
}
"""The files of both sides, and the exit code of their comparison."""


def side(kind: str, folder: Path, files: dict[str, str | bytes]) -> str:
    write(folder, files)
    if kind.startswith("files"):
        return str(folder / "sitemap.xml")
    if kind.startswith("stores"):
        store = folder.with_suffix(".duckdb")
        assert main(["audit", str(folder), "--store", str(store), "--format", "none", *OPTIONS]) in (0, 1)
        return str(store)
    return str(folder)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("kind", SIDES)
def test_each_format_has_the_same_verdict(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    old, new, expected = SIDES[kind]
    before, after = side(kind, tmp_path / "before", old), side(kind, tmp_path / "after", new)
    real, asked = pipeline.diff, list[tuple[list[object], Comparison]]()

    def once(before: str, after: str, options: DiffOptions, progress: object = None, **_: bool) -> Comparison:
        """Compare the sides once for all formats, which must not change what is compared."""
        own = [getattr(options, option.name) for option in options_of(DiffOptions)]
        if not asked:
            asked.append((own, real(before, after, options, with_new_findings=True)))
        [(first, comparison)] = asked
        assert own == first
        return comparison

    monkeypatch.setattr(pipeline, "diff", once)
    codes = {form: main(["diff", before, after, "--format", form, *OPTIONS]) for form in OUTPUTS["diff"].formats}
    printed = capsys.readouterr().err
    assert set(codes.values()) == {expected}, (codes, printed)
    assert len(asked) == 1
