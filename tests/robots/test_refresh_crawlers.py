"""`scripts/refresh_crawlers.py`: what it finds in the sources of crawlers, and the dates that it writes."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import refresh_crawlers
from urlset.web.agents import KNOWN_AGENTS

DOCS = "https://example.com/bots"
SOURCES = {
    DOCS: "<td>examplebot</td><td>NotOtherBot</td>",
    refresh_crawlers.LIST: json.dumps({"ListedBot": {}, "NewBot/1.0": {}, "Two Words": {}, "ExampleBot": {}}),
}
FILE = """[
  {"name": "ExampleBot", "source": "https://example.com/bots", "date": "2026-01-01"},
  {"name": "OtherBot", "source": "https://example.com/bots", "date": "2026-01-01"},
  {"name": "ListedBot", "source": "https://github.com/ai-robots-txt/ai.robots.txt", "date": "2026-01-01"},
  {"name": "LostBot", "source": "https://example.org/gone", "date": "2026-01-01"}
]
"""


def get(url: str) -> str:
    if url not in SOURCES:
        raise OSError("404 Not Found")
    return SOURCES[url]


def test_the_comparison_is_printed_and_dates_are_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "agents.json"
    path.write_text(FILE)
    assert refresh_crawlers.main([], get, path) == 1
    assert capsys.readouterr().out.splitlines() == [
        "cannot be read: https://example.org/gone: 404 Not Found",
        f"not named by its source: OtherBot: {DOCS}",
        "not in agents.json: NewBot",
        "2 of 4 crawlers are named by their source",
    ]
    assert path.read_text() == FILE
    assert refresh_crawlers.main(["--write"], get, path) == 1
    dates = [one["date"] for one in json.loads(path.read_text())]
    assert dates[0] == dates[2] > "2026-01-01"
    assert dates[1] == dates[3] == "2026-01-01"


def test_the_file_has_one_crawler_per_line() -> None:
    lines = refresh_crawlers.AGENTS.read_text(encoding="utf-8").splitlines()
    assert [re.findall(r'"name": "([^"]+)"', line) for line in lines[1:-1]] == [[one.name] for one in KNOWN_AGENTS]
