"""`urlset ignore`: all findings of a rule are accepted until a date, and nothing else of the baseline changes."""

from __future__ import annotations

import json
import os
import threading
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest
from filelock import lock_descriptor

import urlset
from urlset.cli.main import main
from urlset.errors import ConfigError, ExitCode, OutputError, UsageError
from urlset.model.finding import Example, Finding
from urlset.model.reference import IgnoredRule
from urlset.rules.registry import rule
from urlset.stages import baseline
from urlset.stages.baseline import KnownFinding, compare, entries_of, read, write

TODAY = date(2026, 6, 1)
LATER = datetime.now(UTC).date() + timedelta(days=90)
UNTIL = ["--until", LATER.isoformat()]
WHY = ["--reason", "until the relaunch"]


def found(document: int, *urls: str) -> Finding:
    examples = tuple(Example(0, 1, 1, url, "loc", url, f"loc {url} is wrong") for url in urls)
    return Finding(rule("LOC001"), document, len(urls), examples)


NAMES = {
    0: "public/sitemap.xml",
    1: "public/deep/news.xml",
    2: "https://example.com/news.xml",
    3: "<stdin>",
    4: "news.xml",
}


def covering(document: str, expires: date = TODAY) -> KnownFinding:
    return KnownFinding("LOC001", document, None, (), "why", expires)


@pytest.mark.parametrize(
    ("document", "covered"),
    [
        ("*", {0, 1, 2, 3, 4}),
        ("public/*", {0, 1}),
        ("public/sitemap.xml", {0}),
        ("*/news.xml", {1, 2}),
        ("news.xml", {4}),
        ("*news.xml", {1, 2, 4}),
        ("https://example.com/*", {2}),
        ("<stdin>", {3}),
        ("Public/*", set()),
    ],
)
def test_the_documents_that_an_entry_covers(document: str, covered: set[int]) -> None:
    findings = [found(number, "/a", "/b") for number in NAMES]
    outcome = compare(findings, [covering(document)], NAMES.__getitem__, TODAY)
    assert {each.document_id for each in outcome.new_findings} == NAMES.keys() - covered
    assert (outcome.known_count, outcome.expired_findings) == (len(covered), ())


def test_another_rule_is_not_covered() -> None:
    other = Finding(rule("LOC002"), 0, 1, (Example(0, 1, 1, "x", "loc", "x", "x"),))
    assert compare([other], [covering("*")], NAMES.__getitem__, TODAY).new_findings == (other,)


def test_after_the_last_day_the_findings_count_again() -> None:
    entry = covering("*", TODAY - timedelta(days=1))
    findings = [found(0, "/a"), found(1, "/b")]
    outcome = compare(findings, [entry], NAMES.__getitem__, TODAY)
    assert (outcome.new_findings, outcome.known_count, outcome.expired_findings) == (tuple(findings), 0, (entry,))
    recorded = entries_of(findings[:1], NAMES.__getitem__)
    outcome = compare(findings, [entry, *recorded], NAMES.__getitem__, TODAY)
    assert (outcome.new_findings, outcome.known_count, outcome.expired_findings) == ((findings[1],), 1, (entry,))


def test_a_new_baseline_keeps_what_is_ignored() -> None:
    over, now = covering("public/deep/*", TODAY - timedelta(days=1)), covering("public/sitemap.xml")
    findings = [found(0, "/a"), found(1, "/b")]
    entries = entries_of(findings, NAMES.__getitem__, [over, now], TODAY)
    assert [(each.document, each.count) for each in entries] == [
        ("public/deep/*", None),
        ("public/deep/news.xml", 1),
        ("public/sitemap.xml", None),
    ]
    assert compare(findings, entries, NAMES.__getitem__, TODAY).new_findings == ()


def test_writing_and_reading_give_the_same(tmp_path: Path) -> None:
    path = tmp_path / "known.json"
    entries = [covering("*"), KnownFinding("LOC001", "a.xml", 1, ("00",))]
    write(path, entries)
    assert read(path) == entries
    assert json.loads(path.read_text())["entries"][0] == {
        "code": "LOC001", "document": "*", "reason": "why", "expires": "2026-06-01",
    }  # fmt: skip


@pytest.mark.parametrize("missing", ["reason", "expires"])
def test_an_entry_for_all_places_says_why_and_until_when(missing: str, tmp_path: Path) -> None:
    path = tmp_path / "known.json"
    entry = {"code": "LOC001", "document": "*", "reason": "why", "expires": "2026-06-01"}
    del entry[missing]
    path.write_text(json.dumps({"version": 1, "entries": [entry]}))
    with pytest.raises(ConfigError, match="entry 1: requires count and fingerprints, or reason and expires"):
        read(path)


# The command.


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".git").mkdir()
    (tmp_path / "public").mkdir()
    (tmp_path / "ci").mkdir()
    (tmp_path / "public" / "sitemap.xml").write_text(
        '<?xml version="1.0"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">'
        "<url><loc>/a</loc></url></urlset>\n"
    )
    return tmp_path


def test_a_rule_is_ignored_from_then_on(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = ["validate", "public", "--select", "LOC001", "--baseline", "ci/known.json"]
    assert main(["ignore", "loc001", "public/sitemap.xml", *WHY, *UNTIL, "--baseline", "ci/known.json"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        f"LOC001 (url-relative) is ignored in ../public/sitemap.xml until {LATER}",
        "  reason: until the relaunch",
        f"  baseline: {Path('ci/known.json')}, 1 entry",
    ]
    assert main(run) == ExitCode.CLEAN
    (folder / "public" / "other.xml").write_bytes((folder / "public" / "sitemap.xml").read_bytes())
    assert main(run) == ExitCode.FINDINGS
    capsys.readouterr()
    assert main(["ignore", "LOC001", "public/*", *WHY, *UNTIL, "--baseline", "ci/known.json"]) == 0
    assert "is ignored in ../public/* until" in capsys.readouterr().out
    assert main(run) == ExitCode.CLEAN
    before = (folder / "ci" / "known.json").read_bytes()
    assert main([*run, "--write-baseline"]) == ExitCode.CLEAN
    assert capsys.readouterr().err == f"urlset: wrote 0 known findings to {Path('ci/known.json')}\n"
    assert (folder / "ci" / "known.json").read_bytes() == before
    assert sorted(each.name for each in (folder / "ci").iterdir()) == ["known.json"]


def test_the_entry_for_the_same_rule_and_document_is_replaced(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    recorded = KnownFinding("LOC001", "*", 1, ("00",))
    write(folder / "known.json", [recorded, covering("*"), covering("a.xml")])
    assert main(["ignore", "LOC001", *WHY, *UNTIL, "--baseline", "known.json"]) == 0
    assert capsys.readouterr().out.splitlines()[::2] == [
        f"LOC001 (url-relative) is ignored in all documents until {LATER}",
        "  baseline: known.json, 3 entries; replaced the entry until 2026-06-01",
    ]
    new = KnownFinding("LOC001", "*", None, (), "until the relaunch", LATER)
    assert read(folder / "known.json") == [recorded, new, covering("a.xml")]


def test_the_configuration_names_the_baseline_and_own_rules(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "urlset.toml").write_text(
        'baseline = "ci/known.json"\n[[rule]]\ncode = "SHOP001"\nmessage = "Wrong"\nwhere = "true"\n'
    )
    assert main(["ignore", "shop001", "-", *WHY, *UNTIL]) == 0
    assert read(folder / "ci" / "known.json")[0].key == ("SHOP001", "<stdin>")
    assert main(["ignore", "SHOP002", *WHY, *UNTIL]) == ExitCode.USAGE
    assert "unknown rule 'SHOP002'; did you mean SHOP001" in capsys.readouterr().err


def test_python_does_the_same(folder: Path) -> None:
    (folder / "urlset.toml").write_text('[[rule]]\ncode = "SHOP001"\nmessage = "Wrong"\nwhere = "true"\n')
    path = folder / "known.json"
    result = urlset.ignore_rule("loc003", reason=" why ", until=LATER.isoformat(), baseline=path)
    assert result == IgnoredRule(
        code="LOC003", name="url-too-long", document="*", reason="why", until=LATER, baseline=path, entries=1,
        replaced_until=None,
    )  # fmt: skip
    public = folder / "public" / "sitemap.xml"
    again = urlset.ignore_rule("LOC003", public, reason="why", until=LATER, baseline=path)
    assert (again.document, again.entries) == ("public/sitemap.xml", 2)
    with pytest.raises(UsageError, match="unknown rule 'SHOP001'"):
        urlset.ignore_rule("SHOP001", reason="why", until=LATER, baseline=path)
    urlset.ignore_rule("SHOP001", reason="why", until=LATER, baseline=path, config="urlset.toml")
    with pytest.raises(UsageError, match="reason: say why"):
        urlset.ignore_rule("LOC003", reason=" ", until=LATER, baseline=path)


TO = ["--baseline", "known.json"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["LCO003", *WHY, *UNTIL, *TO], "unknown rule 'LCO003'; did you mean LOG003 or LOC003 or COV003"),
        (["LOC", *WHY, *UNTIL, *TO], "unknown rule 'LOC'; did you mean LOC"),
        (["LOC003", *WHY, *TO], "missing option --until"),
        (["LOC003", *UNTIL, *TO], "missing option --reason"),
        (["LOC003", "--reason", " ", *UNTIL, *TO], "reason: say why the findings are accepted"),
        (["LOC003", *WHY, *UNTIL], "no baseline given; add --baseline FILE"),
        (["LOC003", *WHY, "--until", "soon", *TO], "--until: must be a date such as 2027-01-31, not 'soon'"),
        (["LOC003", *WHY, "--until", "2026-01-31", *TO], "the date must be after today"),
        (["LOC003", *WHY, "--until", datetime.now(UTC).date().isoformat(), *TO], "the date must be after today"),
        (["LOC003", "public", *WHY, *UNTIL, *TO], "public: is a directory; to ignore the rule in all documents in it"),
        (["LOC003", "public/gone.xml", *WHY, *UNTIL, *TO], "no such file; to match documents by their name, write '*g"),
    ],
)
def test_a_wrong_call_is_named_and_writes_nothing(
    arguments: list[str], message: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["ignore", *arguments]) == ExitCode.USAGE
    assert message in capsys.readouterr().err
    assert not (folder / "known.json").exists()


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "invalid JSON"),
        ('{"version": 1, "entries": [', "invalid JSON"),
        ("[" * 100_000, "invalid JSON: nested too deeply"),
        ('{"generated_at": "2026-01-01", "results": {}}', "not a baseline of version 1"),
        ('{"version": 2, "entries": []}', "not a baseline of version 1"),
        ('{"version": 1, "entries": [{"path": "a"}]}', "entry 1: unknown key 'path'"),
    ],
    ids=["empty", "cut off", "deep", "another tool", "newer", "other entries"],
)
def test_a_file_that_is_no_baseline_stays_as_it_is(
    content: str, message: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "known.json").write_text(content)
    assert main(["ignore", "LOC003", *WHY, *UNTIL, *TO]) == ExitCode.USAGE
    assert message in capsys.readouterr().err
    assert (folder / "known.json").read_text() == content


@pytest.mark.skipif(os.name == "nt", reason="Windows cannot lock directories")
def test_a_locked_baseline_is_named(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(baseline, "LONGEST_WAIT", 0.2)
    write(folder / "known.json", [])
    before = (folder / "known.json").read_bytes()
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        assert lock_descriptor(descriptor, blocking=False)
        with pytest.raises(OutputError, match=r"known\.json: locked by another urlset process; wait until it finishes"):
            urlset.ignore_rule("LOC003", reason="why", until=LATER, baseline="known.json")
    finally:
        os.close(descriptor)
    assert (folder / "known.json").read_bytes() == before
    assert urlset.ignore_rule("LOC003", reason="why", until=LATER, baseline="known.json").entries == 1


@pytest.mark.skipif(os.name == "nt", reason="Windows cannot lock directories")
def test_no_entry_is_lost_when_several_are_added_at_once(folder: Path) -> None:
    def add(code: str) -> None:
        urlset.ignore_rule(code, reason="why", until=LATER, baseline=folder / "known.json")

    codes = [f"LOC00{number}" for number in range(1, 9)]
    threads = [threading.Thread(target=add, args=(code,)) for code in codes]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [entry.code for entry in read(folder / "known.json")] == codes


def test_a_baseline_that_cannot_be_written_is_named(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["ignore", "LOC003", *WHY, *UNTIL, "--baseline", "gone/known.json"]) == ExitCode.UNREADABLE
    assert "gone/known.json: cannot be written: " in capsys.readouterr().err
    assert main(["ignore", "LOC003", *WHY, *UNTIL, "--baseline", "public"]) == ExitCode.USAGE
    assert "public: cannot be read: " in capsys.readouterr().err
    if os.name != "nt" and os.geteuid() != 0:
        (folder / "ci").chmod(0o500)
        assert main(["ignore", "LOC003", *WHY, *UNTIL, "--baseline", "ci/known.json"]) == ExitCode.UNREADABLE
        assert "ci/known.json: cannot be written: permission denied" in capsys.readouterr().err
