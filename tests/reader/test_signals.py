"""A signal is handled between two batches, even where a loop in C takes them."""

from __future__ import annotations

import signal
from collections import deque
from collections.abc import Iterator

import pytest

from urlset import _core

DOCUMENT = b"<urlset>" + b"".join(b"<url><loc> https://e.com/%d</loc></url>" % n for n in range(100_000)) + b"</urlset>"


class InterruptionError(Exception):
    pass


@pytest.fixture
def interrupted() -> Iterator[None]:
    """Raises an error in the main thread, a moment after the test begins."""

    def interrupt(*_: object) -> None:
        raise InterruptionError

    before = signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, 0.01)
    yield
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGALRM, before)


@pytest.mark.usefixtures("interrupted")
def test_reading_is_interrupted() -> None:
    reader = _core.Reader(DOCUMENT, batch_rows=10)
    with pytest.raises(InterruptionError):
        deque(reader, maxlen=0)
    with pytest.raises(RuntimeError, match="has not been read completely"):
        reader.facts()


@pytest.mark.usefixtures("interrupted")
def test_rewriting_is_interrupted() -> None:
    rewriter = _core.Rewriter(DOCUMENT)
    with pytest.raises(InterruptionError):
        deque(rewriter, maxlen=0)
    with pytest.raises(RuntimeError, match="has not been rewritten completely"):
        rewriter.result()
