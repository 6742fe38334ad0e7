"""Measure the HTML report: the time to render it from a store, its size, and the time to open it in a browser."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from bench import large_store
from bench.measure import Samples, timed
from bench.report import Row, Section, verdict

if TYPE_CHECKING:
    from collections.abc import Callable

SIZES = ((1_000, 0), (1_000_000, 100_000), (10_000_000, 100_000))
"""Number of URLs and findings of the sites."""
FLOOR_SECONDS = 2.0
"""Maximum seconds to open a page."""
_VERSION = 2
_SCRIPTS = Path(__file__).parent.parent / "scripts"


def measure_seeing(folder: Path, rounds: int, say: Callable[[str], None]) -> Section:
    """Render and open each page in turn; the browser is warm, but the page is not in its cache."""
    sys.path.insert(0, str(_SCRIPTS))
    import chromium
    from urlset.pipeline.report_page import page_of_run
    from urlset.report.html.template import render

    rows, lines = [], []
    opened: list[tuple[Row, Path]] = []
    for urls, findings in SIZES:
        store = folder / f"large-{urls}-{findings}-v{_VERSION}.duckdb"
        if not store.exists():
            say(f"  writing the store of {urls:,} URLs")
            begun = store.with_suffix(".begun")
            large_store.make(begun, urls, findings)
            begun.rename(store)
        path = folder / f"large-{urls}.html"
        size = f"{urls:,} URLs, {findings:,} findings"
        drawn = Row(f"render: {size}", "`page_of_run(store)` and `render(page)`", Samples(), compared=False)
        for number in range(rounds):
            say(f"  drawing {size}: round {number + 1} of {rounds}")
            assert drawn.samples is not None
            with timed(drawn.samples):
                text = "\n".join(render(page_of_run(store)))
        path.write_text(text, encoding="utf-8")
        rows.append(drawn)
        opened.append((Row(f"open: {size}", f"{path.stat().st_size / 1e6:.1f} MB of HTML", None, compared=False), path))
    if chromium.program() is None:
        for row, _ in opened:
            row.note = chromium.MISSING
    else:
        with chromium.running() as browser:
            for row, path in opened:
                row.samples = Samples()
                for _ in range(rounds):
                    page = browser.new_page(viewport={"width": 1280, "height": 900})
                    began = time.perf_counter()
                    page.goto(path.as_uri())
                    page.locator("#verdict").wait_for()
                    # Wait until the script has drawn its tables, and they are laid out.
                    page.evaluate("document.body.offsetHeight")
                    row.samples.seconds.append(time.perf_counter() - began)
                    page.close()
        slowest = max(row.samples.median for row, _ in opened if row.samples is not None)
        lines.append(f"Floor {FLOOR_SECONDS:.0f} s to open each: {verdict(slowest <= FLOOR_SECONDS)}.")
    rows += [row for row, _ in opened]
    return Section(
        "The report page",
        "Rendered from a store by one process, and opened in headless Chromium, whose CPU time is not measured.",
        rows,
        lines=lines,
    )
