"""A signal is handled between two batches, even where a loop in C takes them."""

from __future__ import annotations

import signal
from collections import deque
from collections.abc import Callable, Iterator

import pytest

from urlset import _core

DOCUMENT = b"<urlset>" + b"".join(b"<url><loc> https://e.com/%d</loc></url>" % n for n in range(100_000)) + b"</urlset>"


class InterruptionError(Exception):
    pass


@pytest.fixture
def exhaust() -> Iterator[Callable[[Iterator[object]], None]]:
    """A function that takes all batches, during which an error is raised."""

    def interrupt(*_: object) -> None:
        raise InterruptionError

    before = signal.signal(signal.SIGALRM, interrupt)

    def take(batches: Iterator[object]) -> None:
        signal.setitimer(signal.ITIMER_REAL, 0.01)
        deque(batches, maxlen=0)

    yield take
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGALRM, before)


def test_reading_is_interrupted(exhaust: Callable[[Iterator[object]], None]) -> None:
    reader = _core.Reader(DOCUMENT, batch_rows=10)
    with pytest.raises(InterruptionError):
        exhaust(reader)
    with pytest.raises(RuntimeError, match="has not been read completely"):
        reader.facts()


def test_rewriting_is_interrupted(exhaust: Callable[[Iterator[object]], None]) -> None:
    rewriter = _core.Rewriter(DOCUMENT)
    with pytest.raises(InterruptionError):
        exhaust(rewriter)
    with pytest.raises(RuntimeError, match="has not been rewritten completely"):
        rewriter.result()
