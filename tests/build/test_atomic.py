"""Published at once: whenever a build is killed, the public sees the old set or the new one, and nothing between."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import urlset
from urlset.build.target import WORK_FOLDER
from urlset.options import BuildOptions
from urlset.options.building import BuildSpec, Site
from urlset.options.sources import UrlList
from urlset.pipeline.build import build

from .judging import BASE, complaints, contents
from .killing import KILLS, Call, Children, copy_set, points

pytestmark = pytest.mark.skipif(os.name == "nt", reason="Windows has no fork, and links only for administrators")

STEPS: dict[str, list[tuple[str, int, str]]] = {
    "more parts": [("a", 35, "atomic"), ("b", 62, "atomic")],
    "fewer parts": [("a", 62, "atomic"), ("b", 35, "atomic")],
    "one file becomes several": [("a", 5, "atomic"), ("b", 35, "atomic")],
    "several files become one": [("a", 35, "atomic"), ("b", 5, "atomic")],
    "from files to links": [("a", 35, "rename"), ("b", 62, "atomic")],
    "files put over links": [("a", 35, "atomic"), ("b", 42, "rename"), ("c", 62, "atomic")],
}


def step(place: Path, name: str, count: int, publish: str) -> Call:
    """A build of one set; every URL of a set is its own, so that a mixture shows."""
    urls = [f"{BASE}{name}/{number}" for number in range(count)]
    return Call(urlset.write, (urls, BASE, place), {"max_entries": 10, "publish": publish, "allow_shrink": True})


def seen(place: Path) -> tuple[list[str], int]:
    """What the public sees: the sets that the URLs are of, and how many URLs there are."""
    document = urlset.read(place / "sitemap.xml")
    names = [str(entry.loc).removeprefix(BASE) for entry in document] if document.kind == "sitemapindex" else []
    documents = [urlset.read(place / name) for name in names] if names else [document]
    urls = [str(entry.loc).removeprefix(BASE) for one in documents for entry in one]
    return sorted({url.partition("/")[0] for url in urls}), len(urls)


def killed(
    children: Children, place: Path, steps: list[tuple[str, int, str]], kills: int
) -> list[tuple[tuple[list[str], int], tuple[list[str], int]]]:
    """Returns what the public sees after each kill of the last build, and then after the next build."""
    *earlier, last = (step(place, *each) for each in steps)
    template, found = place.with_name("template"), []
    children.run(earlier, place)
    copy_set(place, template)
    operations = children.run([last], place)
    assert operations is not None
    assert operations > 20
    for point in points(operations, kills):
        shutil.rmtree(place)
        copy_set(template, place)
        assert children.run([last], place, point) is None
        after = seen(place)
        urlset.write(*last.arguments, **last.options)
        found.append((after, seen(place)))
    return found


@pytest.mark.sampled(3)
@pytest.mark.parametrize("steps", STEPS.values(), ids=STEPS)
def test_killed_between_any_two_operations_it_is_the_old_set_or_the_new(
    tmp_path: Path, steps: list[tuple[str, int, str]], children: Children, amount: Callable[[str], int]
) -> None:
    found = killed(children, tmp_path / "out", steps, amount(KILLS))
    old, new = (([name], count) for name, count, _ in steps[-2:])
    # Before its first operation it is the old one, before its last one the new one, and once it is that it stays that.
    changes = [after == new for after, _ in found]
    assert changes == sorted(changes)
    assert {False, True} == {*changes}
    assert all(after in (old, new) and following == new for after, following in found)


def test_renamed_one_by_one_there_is_a_mixture_until_the_next_build(
    tmp_path: Path, children: Children, amount: Callable[[str], int]
) -> None:
    """What the documentation warns of, and what shows that the test above would see it."""
    found = killed(children, tmp_path / "out", [("a", 35, "rename"), ("b", 62, "rename")], 3 * amount(KILLS))
    assert any(after[0] == ["a", "b"] for after, _ in found)
    assert all(following == (["b"], 62) for _, following in found)


def pages(count: int) -> list[dict[str, str]]:
    return [{"loc": f"{BASE}{number}", "lastmod": "2025-11-14"} for number in range(count)]


def test_links_lead_to_one_generation_and_unchanged_files_stay(tmp_path: Path) -> None:
    urlset.write(pages(25), BASE, tmp_path, max_entries=10, publish="atomic")
    for path in tmp_path.glob("*.xml"):
        assert path.is_symlink()
        assert not path.readlink().is_absolute(), "the folder can be moved"
        os.utime(path, (1_000_000_000, 1_000_000_000))
    summary = urlset.write(pages(26), BASE, tmp_path, max_entries=10, publish="atomic")
    assert [file.name for file in summary.files if file.changed] == ["sitemap-3.xml"]
    old = {path.name for path in tmp_path.glob("*.xml") if path.stat().st_mtime == 1_000_000_000}
    assert old == {"sitemap.xml", "sitemap-1.xml", "sitemap-2.xml"}
    assert len(list((tmp_path / WORK_FOLDER / "sitemap.generations").iterdir())) == 1
    assert urlset.write(pages(26), BASE, tmp_path, max_entries=10, publish="atomic").before == 26
    moved = tmp_path.rename(tmp_path.with_name("moved"))
    assert complaints(moved) == []
    assert sum(len(urlset.read(moved / name)) for name in contents(moved) if name != "sitemap.xml") == 26


def test_what_is_not_needed_is_removed_and_renaming_takes_over(tmp_path: Path) -> None:
    urlset.write(pages(45), BASE, tmp_path, max_entries=10, publish="atomic")
    summary = urlset.write(pages(25), BASE, tmp_path, max_entries=10, publish="atomic")
    assert summary.removed == ("sitemap-4.xml", "sitemap-5.xml")
    urlset.write(pages(13), BASE, tmp_path, max_entries=10)
    assert sorted(contents(tmp_path)) == ["sitemap-1.xml", "sitemap-2.xml", "sitemap.xml"]
    assert len(urlset.read(tmp_path / "sitemap-2.xml")) == 3
    assert complaints(tmp_path) == []


def test_the_command_s_way_with_robots(tmp_path: Path) -> None:
    (tmp_path / "urls.txt").write_text("".join(f"/{number}\n" for number in range(25)))
    site = Site(
        base_url=BASE, out=str(tmp_path / "out"), sources=(UrlList(file=tmp_path / "urls.txt"),),
        robots=tmp_path / "robots.txt", publish="atomic", max_entries=10,
    )  # fmt: skip
    for count in (25, 14):
        (tmp_path / "urls.txt").write_text("".join(f"/{number}\n" for number in range(count)))
        build(BuildSpec(sites=(site,)), BuildOptions())
        listed = [entry.loc for entry in urlset.read(tmp_path / "out" / "sitemap.xml")]
        assert listed == [f"{BASE}sitemap-{number + 1}.xml" for number in range(-(-count // 10))]
        assert len(list((tmp_path / "out").glob("*.xml"))) == len(listed) + 1
    assert (tmp_path / "robots.txt").read_text() == f"Sitemap: {BASE}sitemap.xml\n"


def test_where_there_are_no_links_it_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    urlset.write(pages(3), BASE, tmp_path)
    there = contents(tmp_path)

    def refuse(*_: Any, **__: Any) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(Path, "symlink_to", refuse)
    with pytest.raises(
        urlset.errors.OutputError, match=r"requires symbolic links.*\(operation not permitted\); use publish = r"
    ):
        urlset.write(pages(5), BASE, tmp_path, publish="atomic")
    assert contents(tmp_path) == there
    with pytest.raises(urlset.errors.UsageError, match="atomic requires a local directory, not memory://"):
        urlset.Writer(BASE, "memory://bucket/site", publish="atomic")
