"""A user name and password in a URL: every option of every command takes them and never shows them, or refuses them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler
from importlib import import_module
from pathlib import Path
from shutil import copytree
from typing import Any

import pytest
from tests.cases import case_table
from tests.cli.working import ARGUMENTS, SITEMAP, spelled, write_files
from tests.loopback import served

from urlset.cli.command import CommandSpec
from urlset.cli.commands import COMMANDS
from urlset.options.convert import kind
from urlset.options.declare import Face, Option, options_of

SECRET = "hunter2"
# ORIGIN is a server that records what it receives; nothing listens on port 9.
VALUES = ("http://u:hunter2@ORIGIN/x.xml", "webhdfs://u:hunter2@ORIGIN/x", "ftp://u:hunter2@127.0.0.1:9/x.xml")

KEY = "0f3c8a1e5b7d4962"
SENDING = {
    "notify": (
        "a.xml", "b.xml", "--key-file", "key.txt", "--endpoint", "http://ORIGIN/indexnow", "--wait-live", "0",
        "--set", "notify.max-wait=0", "--all", "--allow-private",
    ),
    "build": (
        "urls.txt", "--base-url", "http://ORIGIN", "-o", "out", "--notify", "--key-file", "key.txt", "--endpoint", "http://ORIGIN/indexnow",
        "--wait-live", "0", "--set", "notify.max-wait=0", "--all", "--allow-private",
    ),
}  # fmt: skip
"""Arguments with which a command sends a body, next to those with which it works."""


class Recorder(BaseHTTPRequestHandler):
    """A site whose every URL is a sitemap or its key file, and an endpoint."""

    received: list[bytes]

    def do_GET(self) -> None:
        """Record a request, and respond."""
        size = int(self.headers.get("Content-Length") or 0)
        self.received.append(f"{self.requestline}\n{self.headers}".encode() + self.rfile.read(size))
        content = SITEMAP.format("c").replace("https://example.com", f"http://{self.headers['Host']}")
        if self.path.endswith(".txt"):
            content = KEY
        if self.command == "POST":
            content = ""
        self.send_response(200)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content.encode())

    do_HEAD = do_POST = do_PUT = do_DELETE = do_GET  # noqa: N815 (as the server calls them)


def texts(name: str) -> Iterator[Option]:
    """The options of a command whose value could be a URL; the text of a query is no URL."""
    spec: CommandSpec[Any] = import_module(f"urlset.cli.{name.replace('-', '_')}").COMMAND
    for each in options_of(spec.options):
        is_text = "str" in str(each.annotation) or "Path" in str(each.annotation)
        if (
            (Face.COMMAND_LINE in each.facts.faces or each.is_setting)
            and is_text
            and "Literal" not in str(kind(each.annotation))
        ):
            yield each


OPTIONS = {
    f"{name} {each.key if each.facts.positional else each.spelling}": (name, each)
    for names in COMMANDS.values()
    for name in names
    for each in texts(name)
    if (name, each.key) != ("sql", "query")
}


@pytest.fixture(scope="module")
def server() -> Iterator[tuple[str, list[bytes]]]:
    """The host and port of the server, and what it received."""
    received: list[bytes] = []
    with served(type("Recording", (Recorder,), {"received": received})) as origin:
        yield origin.removeprefix("http://"), received


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory, server: tuple[str, list[bytes]]) -> Path:
    folder = tmp_path_factory.mktemp("working")
    write_files(folder)
    (folder / "key.txt").write_text(KEY)
    for name in ("a.xml", "b.xml", "urls.txt"):
        text = (folder / name).read_text()
        (folder / name).write_text(text.replace("https://example.com", f"http://{server[0]}"))
    return folder


def test_every_command_is_here() -> None:
    assert [*ARGUMENTS] == [name for names in COMMANDS.values() for name in names]


@pytest.mark.sampled(30)
@case_table("name, option", OPTIONS)
def test_are_never_shown_kept_or_sent(
    name: str,
    option: Option,
    folder: Path,
    server: tuple[str, list[bytes]],
    cli: Callable[..., Any],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    spec: CommandSpec[Any] = import_module(f"urlset.cli.{name.replace('-', '_')}").COMMAND
    more = ("--retries", "0") if any(each.key == "retries" for each in options_of(spec.options)) else ()
    takes_user = option.facts.has_user or option.facts.secret
    host, received = server
    place = tmp_path / "place"
    copytree(folder, place)
    monkeypatch.chdir(place)
    for value in VALUES if takes_user else VALUES[:1]:
        for base in (ARGUMENTS[name], *([SENDING[name]] if name in SENDING else [])):
            given = (value, *base[1:]) if option.facts.positional else (*base, *spelled(option, value))
            done = cli(name, *(each.replace("ORIGIN", host) for each in given), *more)
            assert done.code != 4, done.err
            assert SECRET not in done.out + done.err
            # --help is all that ends these, and no option is used with it.
            assert takes_user or option.facts.positional or done.code in (2, 3) or name in ("mcp", "serve")
    assert not [request for request in received if SECRET.encode() in request]
    received.clear()
    kept = [path for path in place.rglob("*") if path.is_file() and SECRET.encode() in path.read_bytes()]
    assert kept == []
    assert not any(SECRET in path.name for path in place.rglob("*"))


def test_a_body_is_recorded(
    folder: Path,
    server: tuple[str, list[bytes]],
    cli: Callable[..., Any],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What the table looks for would be seen."""
    copytree(folder, tmp_path / "place")
    monkeypatch.chdir(tmp_path / "place")
    host, received = server
    key = ("--key-location", f"http://{host}/key.txt")
    done = cli("notify", *(each.replace("ORIGIN", host) for each in SENDING["notify"]), *key)
    assert done.code == 0, done.out + done.err
    assert any(b"POST /indexnow" in request and KEY.encode() in request for request in received)
    received.clear()
