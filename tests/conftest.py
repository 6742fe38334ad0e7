"""Options of the whole test suite, and what is told at its end."""

from __future__ import annotations

import importlib.util
import ipaddress
import json
import os
import re
import signal
import socketserver
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import pytest
from hypothesis import settings
from tests import tiers
from tests.build.killing import Children
from tests.shared_database import CREATE_STORE, START_ENGINE, SharedDatabase, share_empty_store
from tests.tiers import SUBJECTS
from xdist.scheduler import LoadScopeScheduling

from urlset.cli.main import main
from urlset.engine.duckdb import Engine
from urlset.store.file import Store

# Without deadlines: a machine under load is slow, and nothing is wrong then.
SHORT, LONG = SUBJECTS["properties"].amounts
settings.register_profile("short", deadline=None, max_examples=SHORT, derandomize=True)
settings.register_profile("long", deadline=None, max_examples=LONG, derandomize=True)
settings.register_profile("random", deadline=None, max_examples=LONG, derandomize=False)

# A queue of five, as by default, is too short for many requests at once: the next ones are repeated after a second or
# three, which is then the time of the response.
socketserver.TCPServer.request_queue_size = 512

ROOT = Path(__file__).parents[1]
OUTSIDE: list[str] = []
"""Every attempt to reach another machine that no test has answered for yet."""


@cache
def _shares(path: Path) -> bool:
    """Whether tests of a file share what is made once for the file."""
    files = (path, path.with_name("conftest.py"))
    made = re.compile(r'^@pytest\.fixture\(.*scope="module"', re.MULTILINE)
    return any(made.search(each.read_text(encoding="utf-8")) for each in files if each.exists())


class OneWorkerEach(LoadScopeScheduling):  # type: ignore[misc] # pytest-xdist has no types
    """Runs the tests on Spark in one worker, and those in Chromium: each takes time to start, and memory.

    Tests that share a fixture of their file also run in one, since each other worker would make it again.
    """

    def _split_scope(self, nodeid: str) -> str:
        if nodeid.startswith(("tests/spark/", "tests/browser/")):
            return nodeid.split("/")[1]
        file = nodeid.partition("::")[0]
        return file if _shares(ROOT / file) else nodeid

    def mark_test_complete(self, node: Any, item_index: int, duration: float = 0) -> None:
        """Forget scopes that are done: after each test, all scopes of its worker are searched for tests to run."""
        super().mark_test_complete(node, item_index, duration)
        scope = self._split_scope(self.registered_collections[node][item_index])
        if all(self.assigned_work[node][scope].values()):
            del self.assigned_work[node][scope]


@pytest.hookimpl(optionalhook=True)  # absent with `-p no:xdist`
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> OneWorkerEach:
    return OneWorkerEach(config, log)


def _audit(event: str, arguments: tuple[object, ...]) -> None:
    """Refuses the network beyond this machine, wherever it is asked for and whoever catches the exception."""
    if event == "socket.getaddrinfo":
        host = arguments[0]
    elif event in ("socket.connect", "socket.sendto"):
        # The address of an internet socket; those of other families are no tuples.
        host = arguments[1][0] if isinstance(arguments[1], tuple) and len(arguments[1]) in (2, 4) else None
    else:
        return
    name = host.decode("ascii", "replace") if isinstance(host, bytes) else host
    if name in (None, "", "localhost"):
        return
    try:
        address = ipaddress.ip_address(str(name).partition("%")[0])
    except ValueError:
        is_here = False
    else:
        # To read an address that is written as a number asks nobody.
        is_here = address.is_loopback or event == "socket.getaddrinfo"
    if not is_here:
        OUTSIDE.append(f"{event} {name}")
        raise OSError(f"tests reach no other machine than this one: {event} {name}")


sys.addaudithook(_audit)


@pytest.fixture(autouse=True)
def no_other_machine() -> Iterator[None]:
    """Fails a test that tried to reach another machine, also if the product swallowed the refusal."""
    yield
    tried = ", ".join(OUTSIDE)
    OUTSIDE.clear()
    if tried:
        pytest.fail(f"tried to reach another machine: {tried}", pytrace=False)


@pytest.fixture(scope="session", autouse=True)
def own_environment(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """A cache and a state directory of the tests' own, and none of the proxies of whoever runs them."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("URLSET_CACHE_DIR", str(tmp_path_factory.mktemp("cache")))
        patch.setenv("XDG_STATE_HOME", str(tmp_path_factory.mktemp("state")))
        for name in [name for name in os.environ if name.lower().endswith("_proxy")]:
            patch.delenv(name)
        yield


@pytest.fixture(scope="session", autouse=True)
def recent_crawlers() -> Iterator[None]:
    """Keep the list of crawlers from becoming old: outputs that tests compare would change with the day."""
    from urlset.web import agents

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(agents, "MAX_AGE_DAYS", 100_000)
        yield


def _loaded(folder: str, name: str) -> ModuleType:
    """A loopback server beside the tests, as a module; test modules then import it by its name."""
    path = Path(__file__).parent / folder / f"{name}.py"
    spec = importlib.util.spec_from_file_location(f"{folder}_{name}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="session")
def running_site() -> Iterator[Any]:
    """The server of small sites, once for all tests."""
    with _loaded("check", "site").serving() as site:
        yield site


@pytest.fixture
def site(running_site: Any) -> Any:
    """A site without any page, where a sitemap is soon put."""
    running_site.clear()
    return running_site


@pytest.fixture(scope="session")
def behaviours() -> ModuleType:
    """The module of the hostile server."""
    return _loaded("fetch", "hostile")


@pytest.fixture(scope="session")
def hostile_server(behaviours: ModuleType) -> Iterator[Any]:
    with behaviours.serving() as running:
        yield running


@pytest.fixture
def hostile(hostile_server: Any) -> Any:
    """The hostile server, with an empty list of requests."""
    hostile_server.requests.clear()
    return hostile_server


@pytest.fixture(scope="session")
def server() -> Iterator[str]:
    """The address of the well-behaved server, without a slash at its end."""
    with _loaded("fetch", "server").serving() as address:
        yield address


class Outcome(NamedTuple):
    """How a command ended."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)

    @property
    def text(self) -> str:
        return self.out + self.err


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Callable[..., Outcome]:
    """Runs a command in this interpreter; only what a process does by itself needs another one."""
    monkeypatch.delenv("URLSET_DEBUG", raising=False)

    def run(*arguments: str) -> Outcome:
        code = main(arguments)
        captured = capsys.readouterr()
        return Outcome(code, captured.out, captured.err)

    return run


@pytest.fixture(scope="session")
def children() -> Iterator[Children]:
    """A process whose children build or audit, and are killed."""
    started = Children()
    yield started
    started.close()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--long", action="store_true", help="run the long form of every subject in tests/tiers.py")
    parser.addoption("--random", action="store_true", help="as --long, but properties with other inputs each time")
    parser.addoption("--case", default="", metavar="TEXT", help="run only the cases of tables whose names contain TEXT")
    parser.addoption(
        "--without-browser",
        action="store_true",
        help="skip the tests in Chromium, which fail where there is none",
    )


def pytest_configure(config: pytest.Config) -> None:
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        # As in a background job of a shell: processes that tests interrupt would ignore it, too.
        signal.signal(signal.SIGINT, signal.default_int_handler)
    config.addinivalue_line("markers", "long(subject): runs only with --long; tests/tiers.py names its short form")
    config.addinivalue_line("markers", "sampled(count, long): runs so many of its cases; with --long all, or `long`")
    is_random = bool(config.getoption("--random"))
    tiers.IS_LONG = is_random or bool(config.getoption("--long"))
    settings.load_profile("random" if is_random else "long" if tiers.IS_LONG else "short")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leaves the long forms to `make test-all`."""
    left_out = {*_not_sampled(items)}
    if not tiers.IS_LONG:
        left_out |= {item for item in items if item.get_closest_marker("long")}
    config.hook.pytest_deselected(items=[item for item in items if item in left_out])
    items[:] = [item for item in items if item not in left_out]


def _not_sampled(items: list[pytest.Item]) -> Iterator[pytest.Item]:
    """Yields the cases of parametrized tests with the mark `sampled` that this tier leaves out."""
    cases: dict[str, list[pytest.Item]] = {}
    for item in items:
        if item.get_closest_marker("sampled") and "[" in item.name:
            cases.setdefault(item.nodeid.partition("[")[0], []).append(item)
    for each in cases.values():
        mark = each[0].get_closest_marker("sampled")
        assert mark is not None
        kept = {*tiers.sampled(each, *mark.args)}
        yield from (item for item in each if item not in kept)


@pytest.fixture(scope="session")
def amount() -> Callable[[str], int]:
    """The number of repetitions of a subject of tests/tiers.py in this tier."""
    return tiers.amount


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Says how many mutated documents were compared with libxml2, and how many differences had which reason."""
    tally: Counter[str] = Counter()
    for report in terminalreporter.stats.get("passed", []):
        if "test_well_formed" in report.nodeid:
            tally.update({name: int(str(count)) for name, count in report.user_properties})
    if tally:
        terminalreporter.write_line("against libxml2: " + ", ".join(f"{count} {what}" for what, count in tally.items()))


@pytest.fixture(scope="session", autouse=True)
def shared_database() -> Iterator[None]:
    """One database and one empty store for all tests of this process."""
    shared = SharedDatabase()
    with pytest.MonkeyPatch.context() as patch:
        shared.share(patch)
        share_empty_store(patch)
        yield
    shared.close()


@pytest.fixture
def own_store(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each store is created table by table."""
    monkeypatch.setattr(Store, "create", classmethod(CREATE_STORE))


@pytest.fixture
def own_database(monkeypatch: pytest.MonkeyPatch) -> None:
    """Engines open a database of their own, with their limits."""
    monkeypatch.setattr(Engine, "__init__", START_ENGINE)
