"""The end of `make demo`: the example site changes, and an endpoint hears of it once."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

from urlset.cli.main import main
from urlset.errors import ExitCode

ROOT = Path(__file__).parents[2]


@pytest.mark.long("slow cases")
def test_the_endpoint_gets_what_changed_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    demo = runpy.run_path(str(ROOT / "scripts" / "demo.py"))
    # Another copy of the site than that of other tests, since it changes.
    example = runpy.run_path(str(ROOT / "examples" / "audit" / "serve.py"))
    (tmp_path / f"{example['KEY']}.txt").write_text(example["KEY"])
    shown = {}
    with example["serving"]() as site:
        places = {"site": site, "folder": tmp_path, "report": tmp_path / "report.html", "key": example["KEY"]}

        def run(commands: tuple[tuple[str, tuple[str, ...], int], ...]) -> None:
            for title, arguments, expected in commands:
                assert main([*(one.format(**places) for one in arguments), "--no-config"]) == expected, title
                shown[title] = capsys.readouterr().out.replace(site, "")

        # The demo's own audits, of which tests/test_demo.py runs each, judge by all rules and write a report.
        audit = ["audit", site, "--store", f"{tmp_path}/demo.duckdb", "--select", "LOC001", "--no-score", "--no-config"]
        for change in (lambda: None, example["change"]):
            change()
            assert main([*audit, "--retries", "0", "--format", "none"]) == ExitCode.CLEAN
        run(demo["CHANGED"][1:])
    assert [sorted(url.removeprefix(site) for url in batch) for batch in example["RECEIVED"]] == [demo["TOLD"]]
    assert shown["What changed, URL by URL"].splitlines() == [
        "~ /chairs  2025-11-03 -> 2025-12-01",
        "~ /lamps  2025-10-20 -> 2025-12-01",
        "- /sale",
        "+ /stools",
    ]
    told = shown["What search engines would be told"]
    assert "Dry run: would send 3 URLs." in told
    assert "1 URL not sent: lastmod is later, but the content is the same" in told
    assert "Sent 3 URLs." in shown["Telling them"]
    assert "Nothing to send." in shown["A second time, nothing is sent"]
