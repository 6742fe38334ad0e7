"""One writer, used by several threads at once: every entry is there, and whoever comes too late gets a clear error."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import urlset
import urlset.model
from urlset.errors import UsageError

from .judging import BASE, contents

THREADS = 8


def together(work: Callable[[int], None]) -> list[BaseException]:
    """Runs the work in eight threads that begin at the same moment; gives what they raised."""
    barrier = threading.Barrier(THREADS)
    raised: list[BaseException] = []

    def run(number: int) -> None:
        barrier.wait()
        try:
            work(number)
        except BaseException as error:  # noqa: BLE001 - it is handed to the test
            raised.append(error)

    threads = [threading.Thread(target=run, args=(number,)) for number in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert not any(thread.is_alive() for thread in threads), "threads wait for each other"
    return raised


def written(folder: Path) -> set[str]:
    return {str(entry.loc) for name in contents(folder) for entry in urlset.read(folder / name)}


def test_eight_threads_that_begin_one_writer_lose_no_entry(tmp_path: Path) -> None:
    for round_ in range(10):
        writer = urlset.Writer(BASE, tmp_path / str(round_))

        def work(number: int, writer: urlset.Writer = writer) -> None:
            for page in range(20):
                writer.write(f"{BASE}{number}/{page}")

        assert together(work) == []
        summary = writer.close()
        assert (summary.written, summary.received, summary.refused) == (160, 160, {})
        assert written(tmp_path / str(round_)) == {f"{BASE}{n}/{page}" for n in range(THREADS) for page in range(20)}


def test_iterables_of_several_threads_keep_their_groups_and_their_language_versions_together(tmp_path: Path) -> None:
    writer = urlset.Writer(BASE, tmp_path)
    taken: dict[int, int] = {}

    def pages(number: int) -> Iterator[dict[str, str]]:
        for page in range(500):
            for code in ("de", "en"):
                yield {"loc": f"{BASE}{number}/{code}/{page}", "hreflang": code, "group": str(page)}

    def work(number: int) -> None:
        taken[number] = writer.extend(pages(number), group="abcdefgh"[number])

    assert together(work) == []
    summary = writer.close()
    assert taken == dict.fromkeys(range(THREADS), 1000)
    assert sorted((part.group, part.entries) for part in summary.parts) == [(group, 1000) for group in "abcdefgh"]
    assert all(part.alternates == 2000 for part in summary.parts)


def test_an_iterable_may_still_write_to_the_writer_that_reads_it(tmp_path: Path) -> None:
    with urlset.Writer(BASE, tmp_path) as writer:

        def pages() -> Iterator[str]:
            for page in range(3):
                writer.write(f"{BASE}inner/{page}")
                yield f"{BASE}{page}"

        writer.extend(pages())
    assert writer.summary.written == 6


def test_closing_while_others_write_publishes_what_was_accepted_and_refuses_the_rest(tmp_path: Path) -> None:
    writer = urlset.Writer(BASE, tmp_path)
    accepted: list[str] = []

    def work(number: int) -> None:
        if number == 0:
            writer.close()
            return
        for page in range(200):
            url = f"{BASE}{number}/{page}"
            if writer.write(url):
                accepted.append(url)

    raised = together(work)
    assert all(isinstance(error, UsageError) and str(error) == "the writer is closed" for error in raised)
    assert writer.summary.written == len(accepted)
    assert written(tmp_path) == set(accepted)


def test_every_thread_may_close(tmp_path: Path) -> None:
    writer = urlset.Writer(BASE, tmp_path)
    writer.write(BASE)
    summaries: list[urlset.model.Summary] = []
    assert together(lambda _: summaries.append(writer.close())) == []
    assert len({id(one) for one in summaries}) == 1
