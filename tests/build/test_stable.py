"""The stable layout: each URL stays in its part, whatever is added, removed, or changed."""

from __future__ import annotations

import errno
import json
import os
import random
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import duckdb
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.tiers import examples

import urlset
from urlset.build.plan import part_label, part_of
from urlset.cli.main import main
from urlset.errors import EntryRefusedError, OutputError, ShrinkError, UsageError
from urlset.files.built_parts import state_of
from urlset.model.build import Summary
from urlset.model.stable import StableChanges
from urlset.options import BuildOptions
from urlset.options.building import BuildSpec, IndexSpec, Site
from urlset.options.sources import UrlList
from urlset.pipeline.build import build as build_sites

from .judging import BASE, complaints, contents


def pages(numbers: Iterable[int]) -> list[str]:
    return [f"{BASE}{number:06}" for number in numbers]


def build(folder: Path, entries: Any, **options: Any) -> Summary:
    return urlset.write(entries, BASE, folder, layout="stable", allow_shrink=True, **options)


def changes(summary: Summary) -> StableChanges:
    assert summary.stable is not None
    return summary.stable


def placed(folder: Path, name: str = "sitemap") -> dict[str, str]:
    """The part of each URL; that no URL is in two parts is asserted."""
    found: dict[str, str] = {}
    listed = [str(entry.loc) for index in folder.glob(f"{name}*.xml") for entry in _children(index)]
    assert sorted(listed) == [BASE + path.name for path in sorted(folder.glob(f"{name}-*.xml")) if not _children(path)]
    for file in (url.rpartition("/")[2] for url in listed):
        for url in urlset.read(folder / file):
            assert str(url.loc) not in found
            found[str(url.loc)] = file
    return found


def _children(path: Path) -> list[Any]:
    document = urlset.read(path)
    return [*document] if document.kind == "sitemapindex" else []


@pytest.mark.long("slow cases")
def test_one_insertion_into_20_000_changes_one_part_and_the_index(tmp_path: Path) -> None:
    urls = pages(range(20_000))
    first = build(tmp_path, urls, max_entries=5_000)
    assert [file.name for file in first.files] == ["sitemap.xml", *(f"sitemap-{n}.xml" for n in range(1, 5))]
    for number, new in enumerate(("a-new-one", "b", "c")):
        before = contents(tmp_path)
        summary = build(tmp_path, [BASE + new, *urls], max_entries=5_000)
        urls.insert(0, BASE + new)
        after = contents(tmp_path)
        differ = {name for name in before.keys() | after.keys() if before.get(name) != after.get(name)}
        # The first one begins a part, which a full set has no room for; of the others, the index stays, too.
        assert differ == ({"sitemap.xml", "sitemap-5.xml"} if number == 0 else {"sitemap-5.xml"})
        assert {file.name for file in summary.files if file.changed} == differ
        assert changes(summary).added == 1
        assert changes(summary).moved == 0
    assert complaints(tmp_path) == []


def test_the_dates_of_other_parts_in_the_index_stay(tmp_path: Path) -> None:
    entries = [{"loc": url, "lastmod": f"2025-0{n // 10 + 1}-01"} for n, url in enumerate(pages(range(25)))]
    build(tmp_path, entries, max_entries=10)
    before = {str(entry.loc): entry.lastmod for entry in urlset.read(tmp_path / "sitemap.xml")}
    build(tmp_path, [{"loc": BASE, "lastmod": "2025-11-14"}, *entries], max_entries=10)
    after = {str(entry.loc): entry.lastmod for entry in urlset.read(tmp_path / "sitemap.xml")}
    assert [url for url in after if after[url] != before[url]] == [BASE + "sitemap-3.xml"]


def test_the_order_of_the_input_does_not_matter(tmp_path: Path) -> None:
    urls = pages(range(95))
    build(tmp_path, urls, max_entries=10)
    before = contents(tmp_path), ledger_of(tmp_path).read_bytes()
    random.Random(5).shuffle(urls)
    summary = build(tmp_path, urls, max_entries=10)
    assert (contents(tmp_path), ledger_of(tmp_path).read_bytes()) == before
    assert not any(file.changed for file in summary.files)


def test_removals_leave_room_and_empty_parts_go(tmp_path: Path) -> None:
    build(tmp_path, pages(range(40)), max_entries=10)
    before = contents(tmp_path)
    # Two of the second part, and all of the third.
    left = [n for n in range(40) if n not in (12, 15) and not 20 <= n < 30]
    summary = build(tmp_path, [*pages(left), BASE + "new"], max_entries=10)
    assert summary.removed == ("sitemap-3.xml",)
    assert {file.name: file.entries for file in summary.parts} == {
        "sitemap-1.xml": 10, "sitemap-2.xml": 8, "sitemap-4.xml": 10, "sitemap-5.xml": 1,
    }  # fmt: skip
    assert {name for name, content in contents(tmp_path).items() if before.get(name) == content} == {
        "sitemap-1.xml", "sitemap-4.xml",
    }  # fmt: skip
    assert (changes(summary).removed, changes(summary).added) == (12, 1)


MERGED = {
    "into the fullest with room": ([10, 3, 6, 5, 10], 4, [("2", ("3",))]),
    "two merges": ([2, 3, 6, 5, 10], 4, [("1", ("3",)), ("2", ("4",))]),
    "no more than asked for": ([2, 3, 6, 5, 10], 1, [("1", ("3",))]),
    "none": ([2, 3, 6, 5, 10], 0, []),
    "into several, if none has room for all": ([6, 6, 6, 10], 4, [("1", ("3", "2"))]),
    "nothing to gain": ([6, 6, 10], 4, []),
    "into the open part": ([10, 4, 5], 4, [("2", ("3",))]),
    "not the open part": ([10, 7, 4], 4, []),
    "70% is enough": ([7, 7, 2], 4, []),
}


@pytest.mark.sampled(4)
@pytest.mark.parametrize(("left", "most", "wanted"), MERGED.values(), ids=MERGED)
def test_parts_that_are_mostly_empty_are_merged(
    tmp_path: Path, left: list[int], most: int, wanted: list[tuple[str, tuple[str, ...]]]
) -> None:
    build(tmp_path, pages(range(10 * len(left))), max_entries=10)
    before = placed(tmp_path)
    urls = pages(10 * part + n for part, count in enumerate(left) for n in range(count))
    summary = build(tmp_path, urls, max_entries=10, max_moves=most)
    assert [(merge.part, merge.into) for merge in changes(summary).merges] == wanted
    after = placed(tmp_path)
    assert sorted(after) == urls
    moved = [url for url in urls if after[url] != before[url]]
    assert {before[url] for url in moved} == {f"sitemap-{part}.xml" for part, _ in wanted}
    assert changes(summary).merged == len(moved)
    assert {after[url] for url in moved} <= {f"sitemap-{one}.xml" for _, into in wanted for one in into}


def test_an_entry_that_no_longer_fits_moves_and_is_counted(tmp_path: Path) -> None:
    def entry(number: int, images: int) -> dict[str, Any]:
        return {"loc": pages([number])[0], "images": [f"{BASE}{number}-{n}.jpg" for n in range(images)]}

    build(tmp_path, [entry(n, 1) for n in range(30)], max_bytes=3_000)
    before = placed(tmp_path)
    assert len(set(before.values())) > 1
    summary = build(tmp_path, [entry(n, 10 if n == 3 else 1) for n in range(30)], max_bytes=3_000)
    after = placed(tmp_path)
    assert after.keys() == before.keys()
    assert changes(summary).outgrown == sum(after[url] != before[url] for url in after) > 0
    assert {before[url] for url in after if after[url] != before[url]} == {"sitemap-1.xml"}
    assert all(file.bytes <= 3_000 for file in summary.parts)
    # With lower limits, each part keeps what it has room for.
    summary = build(tmp_path, pages(range(30)), max_entries=4)
    assert changes(summary).outgrown > 0
    assert sorted(placed(tmp_path)) == pages(range(30))
    assert all(file.entries <= 4 for file in summary.parts)


def test_an_entry_too_large_for_any_part_is_left_out(tmp_path: Path) -> None:
    images = [f"{BASE}{n}.jpg" for n in range(40)]
    summary = build(tmp_path, [BASE, {"loc": BASE + "a", "images": images}], max_bytes=1_000)
    assert summary.refused == {"entry-too-large": 1}
    assert [*placed(tmp_path)] == [BASE]


def test_repeated_urls_are_left_out_or_kept(tmp_path: Path) -> None:
    entries = [{"loc": f"{BASE}?a=1&b={n % 3}", "lastmod": f"2025-11-{n + 10}"} for n in range(5)]
    summary = build(tmp_path, entries)
    assert summary.refused == {"duplicate": 2}
    assert sorted((one.number, one.url) for one in summary.examples) == [
        (4, f"{BASE}?a=1&b=0"), (5, f"{BASE}?a=1&b=1"),
    ]  # fmt: skip
    assert (summary.received, summary.written) == (5, 3)
    assert [str(entry.lastmod) for entry in urlset.read(tmp_path / "sitemap-1.xml")] == [
        "2025-11-10", "2025-11-11", "2025-11-12",
    ]  # fmt: skip
    assert build(tmp_path, entries, duplicates="keep").written == 5
    assert build(tmp_path, entries, duplicates="keep").stable == StableChanges(
        5, 0, 0, 0, 0, 0, published=frozenset({"1"})
    )


def test_groups_keep_their_parts_and_urls_that_change_groups_move(tmp_path: Path) -> None:
    def write(shoes: Iterable[int], hats: Iterable[int]) -> Summary:
        with urlset.Writer(BASE, tmp_path, layout="stable", max_entries=5) as writer:
            writer.extend(pages(shoes), group="shoes")
            writer.extend(pages(hats), group="hats")
        return writer.summary

    first = write(range(12), range(100, 103))
    assert [file.name for file in first.parts] == [
        "sitemap-shoes.xml", "sitemap-shoes-2.xml", "sitemap-shoes-3.xml", "sitemap-hats.xml",
    ]  # fmt: skip
    second = write([n for n in range(12) if n != 3], [3, *range(100, 103)])
    assert changes(second).regrouped == 1
    assert placed(tmp_path)[pages([3])[0]] == "sitemap-hats.xml"
    assert {file.name for file in second.files if file.changed} == {"sitemap-shoes.xml", "sitemap-hats.xml"}


LABELS = ["1", "12", "shoes", "shoes-2", "2025-11", "2025-11-2", "blog-2025-11", "blog-2025-11-3", "no-lastmod"]


@pytest.mark.parametrize("label", LABELS)
def test_the_name_of_a_part_says_which_it_is(label: str) -> None:
    found = part_of(label)
    assert found is not None
    assert part_label(*found) == label


@pytest.mark.parametrize("label", ["", "0", "01", "shoes-01", "shoes-1", "index", "index-2", "a b", "-", "9" * 40])
def test_other_files_are_no_parts(label: str) -> None:
    assert part_of(label) is None


def ledger_of(folder: Path) -> Path:
    return state_of(folder) / "sitemap.ledger.parquet"


def rows_of(folder: Path) -> list[tuple[int, int, str]]:
    """The rows of the ledger, in order."""
    with duckdb.connect() as connection:
        return connection.execute("SELECT high, low, part FROM read_parquet($1)", [str(ledger_of(folder))]).fetchall()


# A ledger that is lost, damaged, or of another set.


def _lost(ledger: Path) -> str:
    ledger.unlink()
    return "is missing"


def _cut(ledger: Path) -> str:
    ledger.write_bytes(ledger.read_bytes()[:-20])
    return "is damaged or belongs to another build"


def _foreign(ledger: Path) -> str:
    other = ledger.parent / "other"
    build(other, pages(range(500, 600)), max_entries=10)
    ledger_of(other).replace(ledger)
    return "is damaged or belongs to another build"


@pytest.mark.parametrize("damage", [_lost, _cut, _foreign])
def test_a_ledger_is_rebuilt_from_the_published_set_and_that_is_said(tmp_path: Path, damage: Any) -> None:
    urls = [f"{url}?a=1&b=ü" for url in pages(range(55))]
    build(tmp_path, urls, max_entries=10)
    before, ledger = contents(tmp_path), rows_of(tmp_path)
    what = damage(ledger_of(tmp_path))
    summary = build(tmp_path, urls[::-1], max_entries=10)
    assert what in summary.ledger_note
    assert summary.ledger_note.endswith("the ledger was rebuilt from 55 URLs in 6 published parts")
    assert summary.ledger_note in summary.notes
    assert contents(tmp_path) == before
    assert rows_of(tmp_path) == ledger
    assert build(tmp_path, urls, max_entries=10).notes == ()


def test_without_its_state_a_set_keeps_its_parts(tmp_path: Path) -> None:
    build(tmp_path, pages(range(55)), max_entries=10)
    before = contents(tmp_path)
    for path in state_of(tmp_path).iterdir():
        path.unlink()
    summary = build(tmp_path, [BASE, *pages(range(55))], max_entries=10)
    assert "created from 55 URLs in 6 published parts" in summary.ledger_note
    assert {name for name, content in contents(tmp_path).items() if content != before[name]} == {"sitemap-6.xml"}


def test_the_ledger_is_sorted_private_and_has_no_urls(tmp_path: Path) -> None:
    build(tmp_path, pages(range(1_000)), max_entries=100)
    ledger = ledger_of(tmp_path)
    assert os.name == "nt" or ledger.stat().st_mode & 0o777 == 0o600
    rows = rows_of(tmp_path)
    keys = [(high, low) for high, low, _ in rows]
    assert keys == sorted(set(keys))
    assert len(rows) == 1_000
    assert {part for *_, part in rows} == {str(n) for n in range(1, 11)}
    assert b"example" not in ledger.read_bytes()


# From one layout to the other.


def test_switching_layouts(tmp_path: Path) -> None:
    urls = pages(range(55))
    urlset.write(urls[::-1], BASE, tmp_path, max_entries=10)
    before = placed(tmp_path)
    summary = build(tmp_path, [BASE, *urls], max_entries=10)
    assert summary.notes == ("the ledger was created from 55 URLs in 6 published parts; each URL stays in its part",)
    after = placed(tmp_path)
    assert {url: after[url] for url in urls} == before
    assert after[BASE] == "sitemap-6.xml"
    # Back: the ledger goes, so that it cannot be mistaken for that of a later set.
    urlset.write(urls, BASE, tmp_path, max_entries=10)
    assert not ledger_of(tmp_path).exists()
    assert "ledger" not in json.loads((state_of(tmp_path) / "sitemap.json").read_text())
    assert placed(tmp_path) == {url: f"sitemap-{n // 10 + 1}.xml" for n, url in enumerate(urls)}


def test_a_single_sitemap_becomes_the_first_part(tmp_path: Path) -> None:
    urlset.write(pages(range(3)), BASE, tmp_path)
    summary = build(tmp_path, pages(range(3)))
    assert [file.name for file in summary.files] == ["sitemap.xml", "sitemap-1.xml"]
    assert summary.notes == ()
    build(tmp_path, pages(range(3)), gzip="parts")
    assert sorted(contents(tmp_path)) == ["sitemap-1.xml.gz", "sitemap.xml"]


def test_an_empty_set_and_a_set_that_shrinks(tmp_path: Path) -> None:
    build(tmp_path, pages(range(30)), max_entries=10)
    before = contents(tmp_path), ledger_of(tmp_path).read_bytes()
    for left in ([], pages(range(10))):
        with pytest.raises(ShrinkError):
            urlset.write(left, BASE, tmp_path, layout="stable", max_entries=10)
        assert (contents(tmp_path), ledger_of(tmp_path).read_bytes()) == before
    summary = build(tmp_path, [])
    assert {file.name: file.entries for file in summary.files} == {"sitemap.xml": 1, "sitemap-1.xml": 0}
    assert build(tmp_path, pages(range(3))).written == 3
    assert build(tmp_path, [], empty="none").files == ()


def test_each_set_replaces_the_one_before_with_its_ledger(tmp_path: Path) -> None:
    for numbers in (range(30), range(5, 38), [*range(5, 12), *range(25, 50)]):
        build(tmp_path, pages(numbers), max_entries=10)
        assert sorted(placed(tmp_path)) == pages(numbers)
        assert ledger_of(tmp_path).is_file()


def test_a_remote_place(tmp_path: Path) -> None:
    import fsspec

    place = f"memory://stable-{tmp_path.name}"
    files = fsspec.filesystem("memory")
    urls = pages(range(25))
    urlset.write(urls, BASE, place, layout="stable", max_entries=10)
    summary = urlset.write([BASE, *urls], BASE, place, layout="stable", max_entries=10)
    assert {file.name for file in summary.files if file.changed} == {"sitemap-3.xml"}
    files.rm_file(f"/stable-{tmp_path.name}/.urlset-build/sitemap.ledger.parquet")
    summary = urlset.write([BASE, *urls], BASE, place, layout="stable", max_entries=10)
    assert "is missing; the ledger was rebuilt from 26 URLs in 3 published parts" in summary.ledger_note
    assert not any(file.changed for file in summary.files)
    urlset.write(urls, BASE, place, max_entries=10)
    assert not files.exists(f"/stable-{tmp_path.name}/.urlset-build/sitemap.ledger.parquet")


def test_standard_output_cannot_keep_anything() -> None:
    with pytest.raises(UsageError, match="layout = stable requires a directory"):
        urlset.write([BASE], BASE, "-", layout="stable")


# The command, several hosts, and what only looks.


def test_several_hosts_and_an_index_over_them(tmp_path: Path) -> None:
    def sites(*numbers: Iterable[int], **options: Any) -> tuple[Summary, ...]:
        found = []
        for host, some in zip(("www", "docs"), numbers, strict=True):
            (tmp_path / f"{host}.txt").write_text("\n".join(f"/{n:03}" for n in some))
            found.append(Site(base_url=f"https://{host}.example.com/", out=str(tmp_path / host), name="main",
                              sources=(UrlList(file=tmp_path / f"{host}.txt"),), robots=tmp_path / host / "robots.txt",
                              layout="stable", max_entries=10))  # fmt: skip
            (tmp_path / host).mkdir(exist_ok=True)
        index = IndexSpec(base_url="https://www.example.com/", out=str(tmp_path / "www"))
        report, _ = build_sites(BuildSpec(sites=tuple(found), index=index), BuildOptions(**options))
        return tuple(site.summary for site in report.sites)

    sites(range(25), range(15))
    www, docs = sites([999, *range(25)], range(15))
    assert {file.name for file in www.files if file.changed} == {"main-3.xml"}
    assert not any(file.changed for file in docs.files)
    assert len(urlset.read(tmp_path / "www" / "sitemap.xml")) == 5
    before = contents(tmp_path / "www")
    www, _ = sites([999, *range(10, 25)], range(15), dry_run=True)
    assert www.part_counts is not None
    assert (www.part_counts.unchanged, www.part_counts.changed, www.part_counts.removed) == (2, 0, 1)
    assert contents(tmp_path / "www") == before


def test_the_command_says_what_happens_to_parts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("urlset.toml").write_text(
        f'[build]\nbase-url = "{BASE}"\nout = "public"\nlayout = "stable"\nmax-moves = 2\nmax-entries = 10\n'
        '[[build.source]]\nlist = "urls.txt"\n'
    )
    Path("urls.txt").write_text("\n".join(pages(range(45))))
    assert main(["build"]) == 0
    assert "5 new" in capsys.readouterr().out
    Path("urls.txt").write_text("\n".join(pages([*range(4), *range(10, 15), *range(20, 46)])))
    for only in (["--dry-run"], ["--diff"], ["--check"]):
        assert main(["build", *only]) == (1 if only == ["--check"] else 0)
        said = capsys.readouterr().out
        assert "  parts: 2 unchanged, 2 changed, 0 new, 1 removed\n" in said
        assert "  URLs: 30 in the same part, 1 new, 11 removed\n" in said
        assert "  would move: 4 URLs, because their part was less than 70% full\n" in said
        assert "  would merge: part 1 into 5\n" in said
    ledger_of(tmp_path / "public").unlink()
    assert main(["build", "--format", "json"]) == 0
    site = json.loads(capsys.readouterr().out)["sites"][0]
    assert site["stable"]["parts"] == {"unchanged": 2, "changed": 2, "new": 0, "removed": 1}
    assert site["stable"]["merges"] == [{"part": "1", "into": ["5"]}]
    assert "is missing; the ledger was rebuilt from 45 URLs in 5 published parts" in site["stable"]["ledger_note"]


# Whatever happens, every URL is there exactly once, and no more changes than has to.

OPERATIONS = st.lists(
    st.tuples(
        st.lists(st.integers(0, 120), max_size=25),  # added
        st.lists(st.integers(0, 120), max_size=40),  # removed
        st.lists(st.integers(0, 120), max_size=8),  # with another date, and images
        st.integers(0, 3),  # max_moves
        st.booleans(),  # whether the ledger is lost
    ),
    min_size=1,
    max_size=6,
)


@pytest.mark.long("slow cases")
@settings(max_examples=examples(25))
@given(OPERATIONS, st.integers(3, 12), st.randoms(use_true_random=False))
def test_every_url_is_in_one_part_and_stays_there(
    tmp_path_factory: pytest.TempPathFactory, operations: Any, most: int, shuffling: random.Random
) -> None:
    folder = tmp_path_factory.mktemp("set")
    urls: dict[int, int] = {}
    before: dict[str, str] = {}
    for added, removed, altered, moves, is_lost in operations:
        old = dict(urls)
        urls = {n: version for n, version in urls.items() if n not in removed}
        urls |= {n: urls.get(n, 0) for n in added}
        urls |= {n: urls[n] + 1 for n in altered if n in urls}
        entries = [
            {"loc": pages([n])[0], "lastmod": f"2025-01-{version % 28 + 1:02}", "images": [BASE + "a.jpg"] * version}
            for n, version in urls.items()
        ]
        shuffling.shuffle(entries)
        if is_lost and ledger_of(folder).exists():
            ledger_of(folder).unlink()
        published = {} if not before else contents(folder)
        summary = build(folder, entries, max_entries=most, max_bytes=4_000, max_moves=moves)
        after = placed(folder)
        assert sorted(after) == pages(sorted(urls))
        assert all(file.entries <= most and file.bytes <= 4_000 for file in summary.parts)
        _check_changes(changes(summary), before, after)
        # Parts change only if one of their URLs does, if they are merged, or if they are open.
        touched = {before[url] for n in old.keys() | urls.keys() if old.get(n) != urls.get(n)
                   for url in pages([n]) if url in before}  # fmt: skip
        merged = {f"sitemap-{one}.xml" for merge in changes(summary).merges for one in (merge.part, *merge.into)}
        assert len(changes(summary).merges) <= moves
        new = {file for url, file in after.items() if before.get(url) != file}
        last = max(before.values(), key=lambda name: int(name[8:-4]), default="")
        fresh = {file for file in new if file not in before.values()}
        assert new <= fresh | merged | {last} | touched
        same = set(before.values()) - touched - merged - {last}
        for name in same:
            assert (folder / name).read_bytes() == published[name]
        before = after


def _check_changes(found: StableChanges, before: dict[str, str], after: dict[str, str]) -> None:
    both = before.keys() & after.keys()
    assert found.kept == sum(before[url] == after[url] for url in both)
    assert found.moved == sum(before[url] != after[url] for url in both)
    assert found.added == len(after.keys() - before.keys())
    assert found.removed == len(before.keys() - after.keys())


@pytest.mark.long("slow cases")
def test_parts_that_are_full_by_design_are_no_finding(tmp_path: Path) -> None:
    def found(path: Path) -> list[str]:
        report = urlset.validate([path], select=["LIM003"])
        return [finding.examples[0].value or "" for finding in report.findings]

    build(tmp_path / "ours", pages(range(50_001)))
    assert found(tmp_path / "ours") == []
    # Without the manifest, or if the file was changed since, nobody knows who splits it.
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "ours/sitemap-1.xml").rename(tmp_path / "elsewhere/sitemap-1.xml")
    assert len(found(tmp_path / "elsewhere")) == 1
    state_of(tmp_path / "elsewhere").mkdir()
    for text in ("", "[]", '{"urls": 1}', '{"urls": {"sitemap-1.xml": 49999}}', "[" * 100_000):
        (state_of(tmp_path / "elsewhere") / "sitemap.json").write_text(text)
        assert len(found(tmp_path / "elsewhere")) == 1


def test_a_repeated_url_ends_a_strict_build(tmp_path: Path) -> None:
    urls = pages(range(30))
    build(tmp_path, urls, max_entries=10)
    before = contents(tmp_path), rows_of(tmp_path)
    with pytest.raises(EntryRefusedError, match="000003: duplicate"):
        build(tmp_path, [*urls, urls[3]], max_entries=10, strict=True)
    assert (contents(tmp_path), rows_of(tmp_path)) == before


@pytest.mark.parametrize("step", ["finish", "match_published", "ledger"])
def test_a_full_disk_leaves_the_old_set(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str) -> None:
    build(tmp_path, pages(range(30)), max_entries=10)
    before = contents(tmp_path), rows_of(tmp_path)
    writer = urlset.Writer(BASE, tmp_path, layout="stable", max_entries=10)
    writer.extend(pages(range(33)))

    class Full:
        def __init__(self, core: Any) -> None:
            self._core = core

        def __getattr__(self, name: str) -> Any:
            if name == step:
                raise OSError(errno.ENOSPC, "No space left on device")
            return getattr(self._core, name)

    monkeypatch.setattr(writer, "_core", Full(writer._core))
    with pytest.raises(OutputError, match="no space left on device; the published files are unchanged"):
        writer.close()
    assert (contents(tmp_path), rows_of(tmp_path)) == before
