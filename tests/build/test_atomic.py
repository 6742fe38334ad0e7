"""Published at once: whenever a build is killed, the public sees the old set or the new one, and nothing between."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any

import pytest

import urlset
from urlset.build.target import STATE
from urlset.options import BuildOptions
from urlset.options.building import BuildSpec, Site
from urlset.options.sources import UrlList
from urlset.pipeline.build import build

from .judging import BASE, complaints, contents

pytestmark = pytest.mark.skipif(os.name == "nt", reason="Windows has no fork, and links only for administrators")

# Builds the steps one after the other; the last one in a process of its own, which ends before the Nth change of a name
# on the disk, for every N until it comes to its end. Prints what the public sees then, and after the next build.
SCRIPT = """
    import json, os, shutil, sys, urlset
    from pathlib import Path
    place, steps = Path(sys.argv[1]), json.loads(sys.argv[2])
    BASE = "https://example.com/"

    def build(step):
        # Every URL of a set is its own, so that a mixture shows.
        pages = [f"{BASE}{step['set']}/{n}" for n in range(step["count"])]
        urlset.write(pages, BASE, place, max_entries=10, publish=step["publish"], allow_shrink=True)

    def seen():
        document = urlset.read(place / "sitemap.xml")
        names = [str(e.loc).removeprefix(BASE) for e in document] if document.kind == "sitemapindex" else []
        documents = [urlset.read(place / name) for name in names] if names else [document]
        urls = [str(e.loc) for one in documents for e in one]
        return sorted({url.removeprefix(BASE).partition("/")[0] for url in urls}), len(urls)

    def in_child(step, kill=None):
        child = os.fork()
        if child == 0:
            left = [kill]
            def counted(function):
                def call(*args, **kwargs):
                    if left[0] is not None:
                        if left[0] == 0:
                            os._exit(9)
                        left[0] -= 1
                    return function(*args, **kwargs)
                return call
            for name in ("replace", "rename", "symlink", "unlink", "link", "mkdir", "rmdir"):
                setattr(os, name, counted(getattr(os, name)))
            try:
                build(step)
            except BaseException as error:
                print(repr(error), file=sys.stderr)
                os._exit(1)
            os._exit(0)
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])

    for step in steps[:-1]:
        assert in_child(step) == 0
    template = place.with_name("template")
    shutil.copytree(place, template, symlinks=True)
    for kill in range(1000):
        shutil.rmtree(place)
        shutil.copytree(template, place, symlinks=True)
        code = in_child(steps[-1], kill)
        assert code in (0, 9), code
        found = [seen()]
        assert in_child(steps[-1]) == 0
        found.append(seen())
        print(json.dumps(found), flush=True)
        if code == 0:
            break
"""

STEPS: dict[str, list[tuple[str, int, str]]] = {
    "more parts": [("a", 35, "atomic"), ("b", 62, "atomic")],
    "fewer parts": [("a", 62, "atomic"), ("b", 35, "atomic")],
    "one file becomes several": [("a", 5, "atomic"), ("b", 35, "atomic")],
    "several files become one": [("a", 35, "atomic"), ("b", 5, "atomic")],
    "from files to links": [("a", 35, "rename"), ("b", 62, "atomic")],
    "files put over links": [("a", 35, "atomic"), ("b", 42, "rename"), ("c", 62, "atomic")],
}


def killed_everywhere(place: Path, steps: list[tuple[str, int, str]]) -> list[list[list[Any]]]:
    """What the public sees after each kill, and after the next build."""
    given = json.dumps([{"set": name, "count": count, "publish": mode} for name, count, mode in steps])
    command = [sys.executable, "-c", textwrap.dedent(SCRIPT), str(place), given]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


@pytest.mark.parametrize("steps", STEPS.values(), ids=STEPS)
def test_killed_between_any_two_changes_of_names_it_is_the_old_set_or_the_new(
    tmp_path: Path, steps: list[tuple[str, int, str]]
) -> None:
    found = killed_everywhere(tmp_path / "out", steps)
    old, new = ([[name], count] for name, count, _ in steps[-2:])
    assert len(found) > 15
    assert {json.dumps(seen) for seen, _ in found} == {json.dumps(old), json.dumps(new)}
    assert all(following == new for _, following in found)
    # Once it is the new one it stays that.
    first_new = next(number for number, (seen, _) in enumerate(found) if seen == new)
    assert all(seen == new for seen, _ in found[first_new:])


def test_renamed_one_by_one_there_is_a_mixture_until_the_next_build(tmp_path: Path) -> None:
    """What the documentation warns of, and what shows that the test above would see it."""
    steps = [("a", 35, "rename"), ("b", 62, "rename")]
    found = killed_everywhere(tmp_path / "out", steps)
    assert any(seen[0] == ["a", "b"] for seen, _ in found)
    assert all(following == [["b"], 62] for _, following in found)


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
    assert len(list((tmp_path / STATE / "sitemap.generations").iterdir())) == 1
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
