"""The results of the benchmark: a part that is measured again replaces the old one, and the others stay."""

from __future__ import annotations

from pathlib import Path

from bench import results, robots
from bench.run import PARTS

MACHINE = {"CPU": "one", "Cores": "2"}
ROOT = Path(__file__).parent.parent


def test_a_part_is_replaced_and_the_others_stay(tmp_path: Path) -> None:
    path = tmp_path / "RESULTS.md"
    for name, text in (("b", "## B\n\nfirst\n"), ("a", "## A\n"), ("b", "## B\n\nsecond <!-- note -->\n")):
        results.put(path, name, text, MACHINE, ["a", "b", "c"])
    assert {name: text.strip() for name, text in results.read(path).items()} == {
        "a": "## A",
        "b": "## B\n\nsecond <!-- note -->",
    }
    text = path.read_text("utf-8")
    assert text.startswith("# Benchmark results\n")
    assert text.index("## A") < text.index("## B")
    assert text.count("- CPU: one") == 1


def test_each_part_of_the_published_results_can_be_measured_again() -> None:
    published = results.read(ROOT / "bench" / "RESULTS.md")
    assert published.keys() <= PARTS.keys()
    assert all("\nMeasured on 20" in text for text in published.values())


def test_urls_are_checked_against_robots_txt(tmp_path: Path) -> None:
    blocked = robots.blocked_urls(robots.make_input(tmp_path, 1_000))
    assert 0 < blocked < 1_000 * len(robots.AGENTS)
