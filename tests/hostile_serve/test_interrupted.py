"""A server that ends at any moment, and what replaces the store: no run is lost or kept twice, and no mode changes."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec
import pytest
from tests.serve.conftest import SITE, opened, site
from tests.serve.test_jobs import waited

import urlset
from urlset.serve.jobs import FILES, STATE, WORKING, Job, JobKind, JobState
from urlset.serve.snapshots import state_of

URLS = "https://www.example.com/\n"


@pytest.fixture(scope="module")
def more(made: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The store with a third run."""
    folder = tmp_path_factory.mktemp("more")
    store = Path(shutil.copyfile(made, folder / "urlset.duckdb"))
    urlset.audit(str(site(folder, "2026-02-01")), base_url=f"{SITE}/", store=store)
    return store


def planted(folder: Path, number: str = "1", **more: Any) -> Path:
    """Write the state of a job that was running when its server ended; return its folder."""
    place = folder / "state" / "jobs" / number
    (place / FILES).mkdir(parents=True)
    (place / FILES / "list.txt").write_text(URLS, "utf-8")
    job = Job(1, JobKind.VALIDATE, "list.txt", JobState.RUNNING, datetime.now(UTC), files=1, **more)
    (place / STATE).write_bytes(msgspec.json.encode(job))
    return place


def ended(folder: Path) -> Job:
    """Return the job after the next server has gone on with it."""
    with opened(folder, None) as bench:
        bench.server.jobs.resume(1)
        return waited(bench, 1)


MOMENTS = ["before the copy", "before it is in place", "after the run", "before the store is replaced", "after it is"]


@pytest.mark.parametrize("moment", MOMENTS)
def test_a_server_ends_at_any_moment(made: Path, more: Path, tmp_path: Path, moment: str) -> None:
    """The next server has one more run, and audits only if the run was not finished."""
    store = Path(shutil.copyfile(made, tmp_path / "urlset.duckdb"))
    basis = state_of(store)
    if moment == MOMENTS[0]:
        planted(tmp_path)
    elif moment == MOMENTS[1]:
        place = planted(tmp_path, basis=basis, before=2)
        (place / "working.half").write_bytes(made.read_bytes()[:10_000])
    elif moment == MOMENTS[2]:
        shutil.copyfile(more, planted(tmp_path, basis=basis, before=2) / WORKING)
    elif moment == MOMENTS[3]:
        shutil.copyfile(more, planted(tmp_path, basis=basis, before=2, run=3) / WORKING)
    else:
        planted(tmp_path, basis=basis, before=2, run=3)
        store.unlink()
        shutil.copyfile(more, store)
    job = ended(tmp_path)
    assert (job.state, job.run) == (JobState.FINISHED, 3), job
    runs = urlset.history(store)
    assert [run.run_id for run in runs] == [1, 2, 3]
    assert (runs[-1].targets == ("list.txt",)) is (moment in MOMENTS[:2])


@pytest.mark.parametrize("copied", ["another state", "no state"])
def test_a_copy_of_another_state_is_not_used(made: Path, more: Path, tmp_path: Path, copied: str) -> None:
    """The job would fail when it is done, since the store has changed."""
    store = Path(shutil.copyfile(more, tmp_path / "urlset.duckdb"))
    place = planted(tmp_path, basis=(1, 2, 3) if copied == "another state" else None, before=2)
    shutil.copyfile(made, place / WORKING)
    (place / f"{WORKING}.wal").write_bytes(b"the log of the other state")
    job = ended(tmp_path)
    assert (job.state, job.run) == (JobState.FINISHED, 4), job
    assert [run.run_id for run in urlset.history(store)] == [1, 2, 3, 4]


@pytest.mark.parametrize(
    ("folder", "number"), [("1", 2), ("01", 1), ("x", 1), ("-1", 1), ("2", 2**70), ("1", -1), ("1", 0)]
)
def test_a_state_of_another_number_does_not_stop_the_server(tmp_path: Path, folder: str, number: int) -> None:
    place = planted(tmp_path, folder)
    content = msgspec.json.decode((place / STATE).read_bytes())
    (place / STATE).write_bytes(msgspec.json.encode({**content, "id": number}) if number < 2**64 else b'{"id": 1e99}')
    with opened(tmp_path, None) as bench:
        assert bench.server.jobs.list() == []
        assert bench.client.get("/").status_code == 200


@pytest.mark.skipif(os.name == "nt", reason="modes of POSIX")
@pytest.mark.parametrize("mode", [0o600, 0o640, 0o664])
def test_a_job_keeps_the_mode_of_the_store(made: Path, more: Path, tmp_path: Path, mode: int) -> None:
    store = Path(shutil.copyfile(made, tmp_path / "urlset.duckdb"))
    store.chmod(mode)
    shutil.copyfile(more, planted(tmp_path, basis=state_of(store), before=2) / WORKING)
    assert ended(tmp_path).run == 3
    assert store.stat().st_mode & 0o777 == mode


@pytest.mark.parametrize("target", ["real/store.duckdb", "absolute"])
def test_a_link_to_a_store_stays_a_link(
    made: Path, more: Path, tmp_path: Path, target: str, cli: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The server works on the file, next to which it has its jobs, so that two servers cannot have it."""
    (tmp_path / "real").mkdir()
    store = Path(shutil.copyfile(made, tmp_path / "real" / "store.duckdb"))
    link = tmp_path / "urlset.duckdb"
    link.symlink_to(store if target == "absolute" else target)
    monkeypatch.chdir(tmp_path)
    started: list[Any] = []
    monkeypatch.setattr("urlset.serve.app.serve", lambda *arguments: started.append(arguments))
    assert cli("serve", "urlset.duckdb").code == 0
    assert started[0][1] == store.resolve()
    with opened(tmp_path, None, path=started[0][1]) as bench:
        assert "Run 2" in bench.page("/runs")
        with bench.server.snapshots.current() as snapshot:
            basis = snapshot.state
        bench.server.snapshots.replace(Path(shutil.copyfile(more, tmp_path / "real" / "new")), basis)
        assert "Run 3" in bench.page("/runs")
    assert link.is_symlink()
    assert len(urlset.history(link)) == 3
