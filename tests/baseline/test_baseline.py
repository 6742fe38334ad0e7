"""The baseline: what is new, what is known, and that the file is stable, relative and honest about its limits."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path

import pytest

from urlset.cli.main import main
from urlset.errors import ConfigError, OutputError
from urlset.model.finding import Example, Finding, fingerprint
from urlset.rules.registry import rule
from urlset.stages.baseline import KnownFinding, compare, entries_of, names_from, read, write

TODAY = date(2026, 6, 1)


def example(url: str, line: int = 1) -> Example:
    return Example(0, line, 1, url, "loc", url, f"loc {url} is wrong")


def found(*urls: str, count: int | None = None, line: int = 1) -> Finding:
    examples = tuple(example(url, line + number) for number, url in enumerate(urls))
    return Finding(rule("LOC001"), 0, len(urls) if count is None else count, examples)


def name(document_id: int) -> str:
    return "sitemap.xml"


def known(*findings: Finding) -> list[KnownFinding]:
    return entries_of(findings, name)


def new(finding: Finding, entries: list[KnownFinding]) -> list[tuple[int, list[str | None]]]:
    outcome = compare([finding], entries, name, TODAY)
    return [(each.count, [one.url for one in each.examples]) for each in outcome.new_findings]


def test_what_is_known_does_not_count_wherever_it_stands() -> None:
    assert new(found("/a", "/b", line=7), known(found("/b", "/a"))) == []


def test_what_no_entry_stands_for_is_new() -> None:
    assert new(found("/a"), []) == [(1, ["/a"])]


def test_only_the_new_places_are_left_with_their_count() -> None:
    assert new(found("/a", "/c", "/b", "/d"), known(found("/a", "/b"))) == [(2, ["/c", "/d"])]


def test_a_fault_changed_for_another_is_new() -> None:
    assert new(found("/a", "/c"), known(found("/a", "/b"))) == [(1, ["/c"])]


def test_the_same_fault_once_more_is_new() -> None:
    assert new(found("/a", "/a", "/a"), known(found("/a", "/a"))) == [(1, ["/a"])]
    assert new(found("/a"), known(found("/a", "/a"))) == []


def test_past_the_places_kept_only_growth_is_new() -> None:
    entries = known(found("/a", "/b", count=50_000))
    assert new(found("/a", "/b", count=50_000), entries) == []
    assert new(found("/y", "/z", count=49_999), entries) == []
    assert new(found("/y", "/z"), entries) == []
    assert new(found("/a", "/b", count=50_001), entries) == [(50_001, ["/a", "/b"])]
    assert new(found("/a", "/b", count=101), known(found("/a", "/b"))) == [(101, ["/a", "/b"])]


def test_an_expired_entry_counts_again_and_is_named() -> None:
    (entry,) = known(found("/a"))
    last = KnownFinding(entry.code, entry.document, entry.count, entry.fingerprints, "until the relaunch", TODAY)
    assert new(found("/a"), [last]) == []
    over = KnownFinding(entry.code, entry.document, entry.count, entry.fingerprints, "late", date(2026, 5, 31))
    outcome = compare([found("/a")], [over], name, TODAY)
    assert (len(outcome.new_findings), outcome.known_count, outcome.expired_findings) == (1, 0, (over,))
    assert compare([], [over], name, TODAY).expired_findings == ()


def test_another_document_or_rule_is_another_matter() -> None:
    (entry,) = known(found("/a"))
    elsewhere = KnownFinding("LOC001", "other.xml", 1, entry.fingerprints)
    other_rule = KnownFinding("LOC002", "sitemap.xml", 1, entry.fingerprints)
    assert new(found("/a"), [elsewhere, other_rule]) == [(1, ["/a"])]


def test_writing_and_reading_give_the_same(tmp_path: Path) -> None:
    path = tmp_path / "known.json"
    entries = [KnownFinding("LOC001", "é.xml", 2, ("00", "ff"), "why", TODAY), KnownFinding("LOC002", "é.xml", 1, ())]
    write(path, entries)
    assert read(path) == entries
    before = path.read_bytes()
    write(path, read(path))
    assert path.read_bytes() == before
    assert [each.name for each in tmp_path.iterdir()] == ["known.json"]


def test_reasons_and_dates_are_taken_over_and_entries_sorted() -> None:
    previous = [KnownFinding("LOC001", "sitemap.xml", 9, (), "why", TODAY)]
    two = [Finding(rule("LOC002"), 0, 1, (example("ftp:x"),)), found("/a")]
    entries = entries_of(two, name, previous)
    assert [(entry.code, entry.count, entry.reason, entry.expires) for entry in entries] == [
        ("LOC001", 1, "why", TODAY),
        ("LOC002", 1, None, None),
    ]


def test_documents_are_named_from_the_folder_of_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "ci").mkdir()
    monkeypatch.chdir(tmp_path)
    urls = [
        "public/sitemap.xml",
        str(tmp_path / "public" / "sitemap.xml"),
        "https://example.com/sitemap.xml",
        "<stdin>",
    ]
    names = names_from(tmp_path / "ci" / "known.json", urls.__getitem__)
    assert [names(number) for number in range(4)] == [
        "../public/sitemap.xml",
        "../public/sitemap.xml",
        "https://example.com/sitemap.xml",
        "<stdin>",
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "invalid JSON"),
        ("[]", "not a baseline of version 1"),
        ('{"version": 2, "entries": []}', "not a baseline of version 1"),
        ('{"version": 1, "entries": [1]}', "entry 1: must be an object"),
        ('{"version": 1, "entries": [{"cod": 1}]}', "entry 1: unknown key 'cod'"),
        ('{"version": 1, "entries": [{"code": 1}]}', "entry 1: code must be a string"),
        ('{"version": 1, "entries": [{"code": "A", "document": "b", "count": 0}]}', "count must be an integer"),
        ('{"version": 1, "entries": [{"code": "A", "document": "b", "count": 1}]}', "fingerprints must be a list"),
        (
            '{"version": 1, "entries": [{"code": "A", "document": "b", "count": 1, "fingerprints": [], "expires": "x"}'
            "]}",
            "expires must be a date such as 2027-01-31, not 'x'",
        ),
        (
            '{"version": 1, "entries": [{"code": "A", "document": "b", "count": 1, "fingerprints": [], "reason": 1}]}',
            "reason must be a string",
        ),
    ],
)
def test_a_wrong_file_is_named(text: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "known.json"
    path.write_text(text)
    with pytest.raises(ConfigError) as caught:
        read(path)
    assert str(caught.value).startswith(str(path))
    assert message in str(caught.value)


def test_a_folder_that_is_not_there_is_an_output_error(tmp_path: Path) -> None:
    with pytest.raises(OutputError, match="cannot be written"):
        write(tmp_path / "no" / "known.json", [])


RESPELLED = [
    ("https://example.com", "https://example.com/"),
    ("https://example.com/%d8%a7", "HTTPS://EXAMPLE.com:443/%D8%A7"),
    ("https://example.com/~a", "https://example.com/b/../%7Ea"),
]


@pytest.mark.parametrize(("before", "after"), RESPELLED + [(after, before) for before, after in RESPELLED])
def test_a_place_with_a_respelled_url_is_known(before: str, after: str) -> None:
    """Also if the baseline has fingerprints of URLs as written, as those of older versions do."""
    known = [KnownFinding("LOC001", before, 1, (fingerprint(found(before), example(before), before, str),))]
    for entries in (entries_of([found(before)], lambda _: before), known):
        assert compare([found(before)], entries, lambda _: before, TODAY).known_count == 1
    [entry] = entries_of([found(before)], lambda _: before)
    assert compare([found(after)], [entry], lambda _: after, TODAY).new_findings == ()
    others = compare([found(f"{after}x"), found("http://example.com/")], [entry], lambda _: after, TODAY)
    assert len(others.new_findings) == 2


# From end to end.


def sitemap(*locs: str) -> str:
    entries = "\n".join(f"<url><loc>{loc}</loc></url>" for loc in locs)
    return (
        f'<?xml version="1.0"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n{entries}\n</urlset>\n'
    )


def test_only_new_findings_count(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".git").mkdir()
    document = tmp_path / "sitemap.xml"
    document.write_text(sitemap("/a", *(f"/{number}" for number in range(30))))
    run = ["validate", "sitemap.xml", "--select", "LOC001", "--baseline", "known.json"]
    assert main(run) == 2
    assert "create it with --write-baseline" in capsys.readouterr().err
    assert main([*run, "--write-baseline"]) == 0
    assert capsys.readouterr().err == "urlset: wrote 1 known finding to known.json\n"
    assert main(run) == 0
    assert "No new findings" in capsys.readouterr().out
    for form in ("text", "markdown", "github", "llm"):
        assert main([*run, "--format", form]) == 0
        out = capsys.readouterr().out.lower()
        assert "no new findings in 1 document" in out, form
        assert "the baseline hides 1 finding, in whole or in part" in out, form
    document.write_text(sitemap("https://example.com/new", "/a", *(f"/{number}" for number in range(30)), "/new"))
    assert main([*run, "--format", "json", "--max-examples", "1"]) == 1
    report = json.loads(capsys.readouterr().out)
    (finding,) = report["findings"]
    assert finding["count"] == 1
    assert [one["value"] for one in finding["examples"]] == ["/new"]
    assert report["summary"]["known"] == 1

    content = json.loads(Path("known.json").read_text())
    content["entries"][0] |= {"expires": "2020-01-31", "reason": "until the relaunch"}
    Path("known.json").write_text(json.dumps(content))
    assert main(run) == 1
    captured = capsys.readouterr()
    assert "LOC001 in sitemap.xml expired on 2020-01-31 and counts again (until the relaunch)" in captured.err
    assert "(32 occurrences)" in captured.out


def test_a_baseline_is_not_written_over_what_could_not_be_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "sitemap.xml").write_text(sitemap("/a"))
    run = ["validate", "sitemap.xml", "gone.xml", "--no-config", "--write-baseline"]
    assert main(run) == 2
    assert "--write-baseline requires a file; add --baseline FILE" in capsys.readouterr().err
    assert main([*run, "--baseline", "known.json"]) == 3
    assert not Path("known.json").exists()


def test_the_configuration_names_the_baseline_from_its_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "urlset.toml").write_text('baseline = "known.json"\nselect = ["LOC001"]\n')
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "sitemap.xml").write_text(sitemap("/a"))
    monkeypatch.chdir(tmp_path / "deep")
    assert main(["validate", "sitemap.xml", "--write-baseline"]) == 0
    assert json.loads((tmp_path / "known.json").read_text())["entries"][0]["document"] == "deep/sitemap.xml"
    assert main(["validate", "sitemap.xml"]) == 0
    monkeypatch.chdir(tmp_path)
    assert main(["validate", "deep"]) == 0
    assert main(["validate", "deep", "--no-config"]) == 1
