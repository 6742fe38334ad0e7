"""A password in the address of a target is sent to its origin, and stands nowhere afterwards."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import pytest

from urlset.errors import UsageError
from urlset.fetch.request_url import address_of
from urlset.options import AuditOptions
from urlset.pipeline.audit import audit
from urlset.report.formats import OUTPUTS
from urlset.sources.user_origin import parse_origin
from urlset.text.masking import are_same_targets, mask_target
from urlset.text.progress import ProgressEvent

from .conftest import Internet

PASSWORD = "hunter2"
USER = f"bob:{PASSWORD}@"
STORE = ("--store", "run.duckdb")


@pytest.fixture
def site(internet: Internet) -> Internet:
    """A site with something to find fault with."""
    host = "public.test"
    internet.index(host, "/index.xml", internet.url(host, "/a.xml"), internet.url(host, "/gone.xml"))
    internet.urlset(host, "/a.xml", internet.url(host, "/page"), internet.url(host, "/page"), "/relative")
    internet.put(host, "/robots.txt", f"Sitemap: {internet.url(host, '/index.xml')}\nSitemap: nonsense\n", "text/plain")
    internet.put(host, "/page", "<html><title>A page</title></html>", "text/html")
    internet.put(host, "/index2.xml", "<html>none</html>", "text/html")
    internet.redirect(host, "/moved.xml", internet.url(host, "/a.xml"))
    return internet


def target(internet: Internet, path: str = "/index.xml", user: str = USER) -> str:
    return internet.url("public.test", path).replace("http://", f"http://{user}")


def leaks(folder: Path) -> list[str]:
    """The files in which the password stands, in stores whatever is compressed included."""
    found = [path.name for path in folder.rglob("*") if path.is_file() and PASSWORD.encode() in path.read_bytes()]
    for path in folder.rglob("*.duckdb"):
        with duckdb.connect(str(path), read_only=True) as connection:
            for (name,) in connection.execute("SELECT table_name FROM duckdb_tables()").fetchall():
                if PASSWORD in repr(connection.execute(f'SELECT * FROM "{name}"').fetchall()):
                    found.append(f"{path.name}: {name}")
    return found


REPORTS = [form for form in OUTPUTS["validate"].formats if form != "none"]
BUILD = ("--base-url", "https://example.com/", "-o", "out")


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("command", "is_store"),
    [
        *[(("validate", "TARGET", "MISSING", "--expand", "--format", form), False) for form in REPORTS],
        (("validate", "TARGET", "--expand", "--report", "report.html"), False),
        (("validate", "TARGET", "--discover", "-v"), False),
        (("inspect", "TARGET", "MISSING", "--expand"), False),
        (("inspect", "TARGET", "--format", "json"), False),
        (("inspect", "TARGET", "--urls"), False),
        (("sql", "select * from documents", "TARGET", "--expand"), False),
        (("sql", "select * from findings", "TARGET", "MISSING"), False),
        (("robots", "TARGET", "/page"), False),
        (("robots", "TARGET", "TARGET", "--format", "json", "-v"), False),
        (("robots", "TARGET", "--urls-from", "TARGET"), False),
        (("robots", "MISSING.txt"), False),
        (("fix", "TARGET", "--diff", "--dry-run"), False),
        (("fix", "TARGET", "-o", "fixed.xml"), False),
        (("fix", "TARGET", "MISSING", "-o", "fixed", "--format", "json"), False),
        (("fix", "TARGET", "--in-place"), False),
        (("build", "TARGET", *BUILD), False),
        (("build", "MOVED", *BUILD), False),
        (("build", "NONE", *BUILD), False),
        (("diff", "TARGET", "MOVED"), False),
        (("diff", "TARGET", "TARGET", "--format", "json"), False),
        (("diff", "TARGET", "MISSING"), False),
        (("diff", "run.duckdb@x", "TARGET"), False),
        (("check", "TARGET"), False),
        (("discover", "TARGET"), False),
        (("discover", "SCHEMELESS"), False),
        (("check", "SCHEMELESS", "--format", "json"), False),
        (("validate", "SCHEMELESS", "--discover"), False),
        (("validate", "SCHEMELESS"), False),
        (("robots", "SCHEMELESS"), False),
        (("diff", "SCHEMELESS", "SCHEMELESS"), False),
        (("sql", "select 1 from urls", "SCHEMELESS"), False),
        (("inspect", "SCHEMELESS", "--urls"), False),
        (("fix", "SCHEMELESS", "-o", "x.xml"), False),
        (("build", "SCHEMELESS", *BUILD), False),
        (("audit", "SCHEMELESS", *STORE), True),
        (("audit", "TARGET", *STORE, "--report", "report.html", "--images"), True),
        (("audit", "TARGET", "MISSING", *STORE, "--format", "json"), True),
        (("audit", "TARGET", *STORE, "--format", "sarif"), True),
        (("audit", "HOME", *STORE), True),
        (("audit", "UNENCODED", *STORE), True),
        (("validate", "UNENCODED", "--format", "json"), False),
        (("check", "UNENCODED"), False),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_it_is_shown_nowhere(
    site: Internet, cli: Callable[..., Any], tmp_path: Path, command: tuple[str, ...], is_store: bool
) -> None:
    given = {
        "TARGET": target(site), "MISSING": target(site, "/missing.xml"), "MISSING.txt": target(site, "/missing.txt"),
        "MOVED": target(site, "/moved.xml"), "NONE": target(site, "/index2.xml"), "HOME": target(site, "/"),
        "SCHEMELESS": target(site).removeprefix("http://"), "UNENCODED": target(site).replace("bob:", "bob:a/"),
    }  # fmt: skip
    outcome = cli(*(given.get(argument, argument) for argument in command))
    assert outcome.code != 4, outcome.text
    assert PASSWORD not in outcome.text
    assert leaks(tmp_path) == []
    if is_store:
        for more in (("history", "run.duckdb"), ("history", "run.duckdb", "--format", "json"),
                     ("report", "run.duckdb", "-o", "again.html"), ("sql", "select * from runs", "run.duckdb"),
                     ("diff", "run.duckdb", "run.duckdb")):  # fmt: skip
            outcome = cli(*more, fetches=False)
            assert outcome.code != 4, outcome.text
            assert PASSWORD not in outcome.text
        assert leaks(tmp_path) == []


def test_it_is_sent(site: Internet, cli: Callable[..., Any]) -> None:
    for command in (("validate",), ("robots",), ("audit", *STORE), ("build", *BUILD), ("fix", "--dry-run")):
        site.requests.clear()
        name, *more = command
        cli(name, target(site, "/a.xml"), *more)
        path = "/robots.txt" if name == "robots" else "/a.xml"
        assert {each.authorization for each in site.requests if each.path == path} == {"Basic Ym9iOmh1bnRlcjI="}


def test_parts_are_published_beside_the_document_and_not_beside_the_mask(
    site: Internet, cli: Callable[..., Any], tmp_path: Path
) -> None:
    site.put("public.test", "/list.txt", "".join(f"https://e.org/{n}\n" for n in range(50_001)), "text/plain")
    assert cli("fix", target(site, "/list.txt"), "-o", "list.txt").code in (0, 1)
    assert site.url("public.test", "/list-1.txt") in (tmp_path / "list-index.xml").read_text()


def test_progress_does_not_show_it(site: Internet, tmp_path: Path) -> None:
    told: list[ProgressEvent] = []
    options = AuditOptions(store=tmp_path / "run.duckdb", cache=False, retries=0)
    audited = audit([target(site)], options, told.append)
    assert told
    assert PASSWORD not in repr(told) + repr(audited.report.documents) + repr(audited.report.findings)


# Runs on the same targets.


@pytest.mark.parametrize(
    ("target_", "shown"),
    [
        ("http://bob:hunter2@example.com/a@b", "http://***@example.com/a@b"),
        ("HTTP://bob:hun@ter2@example.com", "HTTP://***@example.com"),
        ("bob:hunter2@example.com", "***@example.com"),
        # Characters of a password that ought to be percent-encoded.
        ("http://bob:a/hunter2@example.com/a", "http://***@example.com/a"),
        ("http://bob:a#hunter2@example.com/", "http://***@example.com/"),
        ("http://bob:a?hunter2@example.com/", "http://***@example.com/"),
        ("http://bob:a@b/hunter2@example.com/", "http://***@b/hunter2@example.com/"),
        # Misspelled URLs.
        (" http://bob:hunter2@example.com/", " http://***@example.com/"),
        ("http:/bob:hunter2@example.com/", "http:/***@example.com/"),
        ("http:///bob:hunter2@example.com/", "http:///***@example.com/"),
        ("http:\\\\bob:hunter2@example.com/", "http:\\\\***@example.com/"),
        ("http:bob:hunter2@example.com/", "http:***@example.com/"),
        ("//bob:hunter2@example.com/", "//***@example.com/"),
        # No password.
        ("http://example.com:80/a@b", "http://example.com:80/a@b"),
        ("http://example.com:/a@b", "http://example.com:/a@b"),
        ("http://[::1]/a@b", "http://[::1]/a@b"),
        ("http://[::1]:80/a@b", "http://[::1]:80/a@b"),
        ("bob:hunter2@example.com/sitemap.xml", "***@example.com/sitemap.xml"),
        ("run.duckdb@3", "run.duckdb@3"),
        ("folder/a:b@c.xml", "folder/a:b@c.xml"),
        ("./a@b.xml", "./a@b.xml"),
        ("-", "-"),
        ("http://***@example.com/", "http://***@example.com/"),
    ],
)
def test_how_targets_are_shown(target_: str, shown: str) -> None:
    assert mask_target(target_) == shown
    assert mask_target(shown) == shown


@pytest.mark.parametrize("shape", ["http://{}@/", "http://{}/@", "http:{}/@", "{}/@", "{}"], ids=str)
@pytest.mark.parametrize("unit", [":", " ", "/", "a:", "@", "\\ ", "a"], ids=repr)
def test_any_target_is_masked_at_once(shape: str, unit: str) -> None:
    mask_target(shape.format(unit * 200_000))


@pytest.mark.parametrize(
    "text",
    [
        "http://bob:hunter2@℀.com/", "https://bob:hunter2@example.com:99999/", "http://bob:hunter2@[::1/",
        "ftp://bob:hunter2@example.com/", "http://bob:hunter2/a@example.com/", "http://bob:hunter2#a@example.com/",
        "bob:hunter2@℀.com", "bob:hunter2@", "http://bob:hunter2@/", "bob:hunter2@127.1", "//bob:hunter2@[",
        "http://bob:hunter2@\udcff.com/",
    ],
)  # fmt: skip
def test_what_cannot_be_fetched_is_refused_without_it(text: str) -> None:
    with pytest.raises(UsageError) as refused:
        parse_origin(text)
    assert PASSWORD not in str(refused.value)
    with pytest.raises(ValueError, match=r"^its? ") as unusable:
        address_of(text)
    assert PASSWORD not in str(unusable.value)


def test_which_targets_are_the_same() -> None:
    plain, one, two = "http://example.com/", "http://a:b@example.com/", "http://***@example.com/"
    assert are_same_targets([plain], [one])
    assert are_same_targets([one], [two])
    assert are_same_targets([plain, "a@b"], [two, "a@b"])
    assert not are_same_targets([plain], [plain, plain])
    assert not are_same_targets([plain], ["https://example.com/"])


def test_runs_with_and_without_it_are_compared(site: Internet, cli: Callable[..., Any]) -> None:
    for user in ("", USER, "bob:other@"):
        assert cli("audit", target(site, user=user), *STORE).code in (0, 1)
    runs = json.loads(cli("history", "run.duckdb", "--format", "json", fetches=False).out)["runs"]
    shown = [site.url("public.test", "/index.xml"), *[target(site, user="***@")] * 2]
    assert sorted(run["targets"] for run in runs) == sorted([each] for each in shown)
    page = cli("audit", target(site), *STORE, "--report", "report.html", "--format", "json")
    assert json.loads(page.out)["earlier_run"] == 3
    assert "Runs on the same targets" in Path("report.html").read_text()


# Going on.


class StoppedError(Exception):
    """The process was killed."""


def stopped(site: Internet, tmp_path: Path, *targets: str) -> None:
    """A run that ends before anything but its beginning was kept, or after the first document."""

    def stop(_: ProgressEvent) -> None:
        raise StoppedError

    options = AuditOptions(store=tmp_path / "run.duckdb", cache=False, retries=0)
    with pytest.raises(StoppedError):
        audit(targets, options, stop)
    site.requests.clear()


RESUME = ("--resume", *STORE)


def test_a_run_goes_on_with_the_target_given_again(site: Internet, cli: Callable[..., Any], tmp_path: Path) -> None:
    two = target(site), target(site, "/moved.xml")
    stopped(site, tmp_path, *two)
    assert leaks(tmp_path) == []
    outcome = cli("audit", *two, *RESUME)
    assert outcome.code in (0, 1), outcome.text
    asked = [each for each in site.requests if each.path in ("/index.xml", "/moved.xml")]
    assert asked
    assert {each.authorization for each in asked} == {"Basic Ym9iOmh1bnRlcjI="}
    assert leaks(tmp_path) == []
    assert PASSWORD not in outcome.text


@pytest.mark.parametrize("given", [(), ("",), ("***@",)], ids=["none", "without", "masked"])
def test_a_run_does_not_go_on_without_it(
    site: Internet, cli: Callable[..., Any], tmp_path: Path, given: tuple[str, ...]
) -> None:
    stopped(site, tmp_path, target(site))
    outcome = cli("audit", *(target(site, user=user) for user in given), *RESUME)
    assert outcome.code == 2
    shown = target(site, user="***@")
    assert outcome.err == f"urlset: run 1 is for {shown}; pass the target with its password again\n"
    assert site.requests == []


def test_a_run_on_something_else_is_named(site: Internet, cli: Callable[..., Any], tmp_path: Path) -> None:
    stopped(site, tmp_path, target(site))
    outcome = cli("audit", target(site, "/other.xml"), *RESUME)
    assert (outcome.code, PASSWORD in outcome.text) == (2, False)
    assert site.requests == []


def test_a_run_without_a_password_goes_on_as_before(site: Internet, cli: Callable[..., Any], tmp_path: Path) -> None:
    stopped(site, tmp_path, target(site, user=""))
    assert cli("audit", *RESUME).code in (0, 1)
