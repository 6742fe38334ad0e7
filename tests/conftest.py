"""Options of the whole test suite."""

from __future__ import annotations

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--mutations",
        type=int,
        default=24_000,
        metavar="N",
        help="how many mutated documents the reader is held against libxml2 with",
    )
