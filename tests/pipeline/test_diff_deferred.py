"""`diff` stores only hashes of URLs in local files, and reads the files again whose URLs can differ."""

from __future__ import annotations

import gzip
import io
import random
from pathlib import Path

import pytest
from msgspec.structs import replace
from tests.pipeline.test_diff import AT, folder, sitemap
from tests.pipeline.test_diff_same import UNRULED, Folder, assert_compared, some_sides, written

from urlset.comparison import deferred
from urlset.errors import InputError
from urlset.model.comparison import Comparison
from urlset.options import DiffOptions
from urlset.options.comparing import UrlSelection
from urlset.pipeline.diff import changed_urls, diff
from urlset.text.progress import ProgressEvent


def read_twice(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the names of the documents that are read again, which are added as it happens."""
    names: list[str] = []
    rows = deferred.DeferredDocuments.rows

    def noted(self: deferred.DeferredDocuments, numbers: list[int]) -> object:
        names.extend(Path(self.sources[number].name).stem for number in numbers)
        return rows(self, numbers)

    monkeypatch.setattr(deferred.DeferredDocuments, "rows", noted)
    return names


def without_times(comparison: Comparison) -> Comparison:
    return replace(
        comparison,
        before=replace(comparison.before, at=AT),
        after=replace(comparison.after, at=AT),
    )


SAME = {"a": (("p1", "2026-01-01"), ("p2", None)), "b": (("p3", None), ("p4", None))}


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("before", "after", "again"),
    [
        pytest.param(SAME, SAME, [], id="the same documents"),
        pytest.param(SAME, {"renamed": SAME["a"], "b": SAME["b"]}, [], id="a renamed document"),
        pytest.param({**SAME, "c": (("p9", None),)}, {**SAME, "c": (("p8", None),)}, ["c"], id="another document"),
        pytest.param({**SAME, "c": (("p9", None),)}, SAME, [], id="a removed document of another size"),
        pytest.param(
            {**SAME, "c": (("p8", None), ("p9", None))}, SAME, ["c"], id="a removed document of the same size"
        ),
        pytest.param(SAME, {**SAME, "c": (("p9", None),)}, [], id="a new document"),
        pytest.param(SAME, {**SAME, "c": (("p2", "2026-02-02"),)}, ["a"], id="a new document with a URL of another"),
        pytest.param({**SAME, "c": SAME["b"]}, {**SAME, "c": SAME["b"]}, [], id="two copies"),
        pytest.param(
            {**SAME, "c": (("p1", None), ("p5", None))},
            {**SAME, "c": (("p1", None), ("p5", None))},
            ["a", "c"],
            id="a URL in two documents",
        ),
    ],
)
def test_what_is_read_again(
    tmp_path: Path, before: Folder, after: Folder, again: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    names = read_twice(monkeypatch)
    compared = diff(written(tmp_path / "before", before), written(tmp_path / "after", after), UNRULED)
    assert_compared(compared, before, after)
    assert names == again


def odd_folder(place: Path, rng: random.Random) -> str:
    """Return a folder with documents that cannot be read, or not to their end, some of them for both sides."""
    cut_off = gzip.compress(sitemap(*((f"g{number}", None) for number in range(500))).encode())[:700]
    texts: dict[str, bytes] = {
        "whole.xml": sitemap(("p1", "2026-01-01"), ("p2", None)).encode(),
        "malformed.xml": sitemap(("p1", "2026-01-02"), ("p3", None)).replace("</loc>", "", 1).encode(),
        "unfinished.xml": sitemap(("p4", None), ("p5", None)).encode()[:-20],
        "cut-off.xml.gz": cut_off,
        "list.txt": b"https://example.com/p1\nhttps://example.com/p6\n",
        "wide.xml": sitemap(("p1", None), ("p7", "2026-01-01")).encode("utf-16"),
        "without-loc.xml": sitemap(("p8", None)).replace("https://example.com/p8", "").encode(),
        "empty.xml": b"",
        "sitemap-page.xml": b"<!DOCTYPE html><title>Not found</title>",
    }
    place.mkdir()
    for name, content in texts.items():
        if rng.random() < 0.8:
            (place / name).write_bytes(content if rng.random() < 0.7 else content.replace(b"p", b"q"))
    (place / "last.xml").write_text(sitemap(("p1", None)), "utf-8")
    return str(place)


@pytest.mark.long("slow cases")
@pytest.mark.sampled(1, 6)
@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("rules", [True, False])
def test_the_result_is_that_of_storing_all_rows(
    tmp_path: Path, seed: int, rules: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = random.Random(seed)
    before, after = odd_folder(tmp_path / "before", rng), odd_folder(tmp_path / "after", rng)
    options = DiffOptions(rules=rules)
    actual = diff(before, after, options)
    monkeypatch.setattr(deferred.OtherFiles, "may_include", lambda *_: False)
    assert without_times(actual) == without_times(diff(before, after, options))


@pytest.mark.long("slow cases")
@pytest.mark.parametrize("seed", range(6))
def test_every_url_is_listed_as_if_all_rows_were_stored(
    tmp_path: Path, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, after = (written(tmp_path / str(number), side) for number, side in enumerate(some_sides(seed)))

    def listed() -> list[object]:
        with changed_urls(before, after, UrlSelection.ALL, UNRULED) as (result, _):
            return list(result.rows)

    actual = listed()
    monkeypatch.setattr(deferred.OtherFiles, "may_include", lambda *_: False)
    assert actual == listed()


def test_a_file_that_changes_in_the_meantime_is_refused(tmp_path: Path) -> None:
    before = folder(tmp_path / "before", a=sitemap(("p1", None)), b=sitemap(("p2", None)))
    after = folder(tmp_path / "after", a=sitemap(("p1", None)), c=sitemap(("p3", None)))

    def change(event: ProgressEvent) -> None:
        if event.name.endswith("after/a.xml"):
            (tmp_path / "before" / "b.xml").write_text(sitemap(("p9", None)), "utf-8")

    with pytest.raises(InputError, match=r"b\.xml: changed while it was being compared"):
        diff(before, after, UNRULED, change)


def test_a_file_that_is_removed_in_the_meantime_is_refused(tmp_path: Path) -> None:
    before = folder(tmp_path / "before", a=sitemap(("p1", None)), b=sitemap(("p2", None)))
    after = folder(tmp_path / "after", a=sitemap(("p1", None)))

    def remove(event: ProgressEvent) -> None:
        if event.name.endswith("after/a.xml"):
            (tmp_path / "before" / "b.xml").unlink()

    with pytest.raises(InputError, match=r"b\.xml: changed while it was being compared"):
        diff(before, after, UNRULED, remove)


def test_standard_input_is_not_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "after.xml").write_text(sitemap(("p2", None)), "utf-8")
    given = io.TextIOWrapper(io.BytesIO(sitemap(("p1", None)).encode()))
    monkeypatch.setattr("sys.stdin", given)
    compared = diff("-", str(tmp_path / "after.xml"), UNRULED)
    assert [one.url for one in compared.removed.examples] == ["https://example.com/p1"]
