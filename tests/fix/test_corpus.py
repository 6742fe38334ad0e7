"""Every file of real sites goes through `fix`, by the laws that broken documents are held to."""

from __future__ import annotations

import pytest
from tests.corpus.real_sites import ABSENT, IS_ABSENT, files
from tests.fix.test_properties import check


@pytest.mark.skipif(IS_ABSENT, reason=ABSENT)
def test_files_of_real_sites_go_through() -> None:
    failures = []
    for name, content in files().items():
        try:
            check(content)
        except Exception as error:  # noqa: BLE001 - each file is named
            failures.append(f"{name}: {type(error).__name__}: {error}")
    assert files()
    assert failures == []
