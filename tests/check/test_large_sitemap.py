"""A sitemap that is not held in memory whole has the score of one that is."""

from __future__ import annotations

from typing import Any

import pytest
from tests.check.test_specification import Checked, entry, evidence, statuses, urlset

from urlset.model.specification import StepId


def test_a_sitemap_too_large_to_be_held_is_judged_the_same(
    site: Any, checked: Checked, monkeypatch: pytest.MonkeyPatch
) -> None:
    entries = (entry(f"{{site}}/{number}", "<priority>7</priority>" * (number % 100 == 0)) for number in range(20_000))
    site.put("/sitemap.xml", urlset("<url><loc>/relative</loc></url>", *entries))
    held = checked()
    monkeypatch.setattr("urlset.stages.buffered.MAX_BUFFERED_ROWS", 100)
    loaded = checked()
    assert statuses(held) == ["pass", "pass", "fail", "warn", "pass"]
    assert "and 197 more" in evidence(held, StepId.FIELD_QUALITY)
    assert loaded.steps == held.steps
