"""`check --clients` accuses none of the usual web servers: real ones, which scripts/web_servers.py provides."""

from __future__ import annotations

import gzip
import socket
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from string import Template
from typing import Any

import pytest
import trustme
from tests.clients.test_causes import Names, authority, checked
from tests.loopback import free_port

import web_servers

__all__ = ["authority"]

TABLE: dict[str, Any] = tomllib.loads(Path(__file__).with_name("servers.toml").read_text("utf-8"))
SERVERS: dict[str, dict[str, Any]] = {server["name"]: server for server in TABLE["server"]}

URLS = "".join(f"<url><loc>https://shop.example/käse/{number}</loc></url>\n" for number in range(500))
SITEMAP = (
    '<?xml version="1.0" encoding="UTF-8"?>\n'
    f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n{URLS}</urlset>\n'
).encode()
PAGE = "<!DOCTYPE html>\n<html lang=en><title>Shop</title><h1>Shop</h1>" + "<p>Cheese, and more cheese.\n" * 100


def test_each_kind_of_server_is_in_the_table() -> None:
    assert len(SERVERS) == len(TABLE["server"]) >= 20
    programs = {server["program"] for server in SERVERS.values()}
    assert programs == {*TABLE["programs"]} == {*web_servers.DEBIAN, *web_servers.NPM, "python"}
    for program in (*TABLE["frames"], "http-server"):
        kinds = {bool(server.get("tls")) for server in SERVERS.values() if server["program"] == program}
        assert kinds == {False, True}, program


@contextmanager
def running(server: dict[str, Any], certificate: trustme.LeafCert) -> Iterator[str]:
    """Runs a server in the block, and yields its origin."""
    name = server["program"]
    program = Path(sys.executable) if name == "python" else web_servers.program(name)
    if program is None:
        pytest.fail(
            f"{name} is missing: python scripts/web_servers.py unpacks it, where Debian's packages can be reached"
        )
    # Apache reads files as another user, who may not enter the folders of pytest.
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        work.chmod(0o755)
        site = work / "site"
        site.mkdir()
        for path, content in {
            "sitemap.xml": SITEMAP,
            "sitemap.xml.gz": gzip.compress(SITEMAP),
            "robots.txt": b"User-agent: *\nAllow: /\n",
            "index.html": PAGE.encode(),
        }.items():
            (site / path).write_bytes(content)
        chain = b"".join(blob.bytes() for blob in certificate.cert_chain_pems)
        (work / "chain.pem").write_bytes(chain)
        certificate.private_key_pem.write_to_path(str(work / "key.pem"))
        port, other = free_port(), free_port()
        prefix = program.resolve().parents[2]
        values = {
            "program": str(program),
            "node": str(web_servers.program("node")),
            "prefix": "" if str(prefix) == "/" else str(prefix),
            "modules": f"{prefix}/usr/lib/apache2/modules",
            "work": folder,
            "site": str(site),
            "port": str(port),
            "other": str(other),
            "chain": str(work / "chain.pem"),
            "key": str(work / "key.pem"),
            "scheme": "https" if server.get("tls") else "http",
        }

        def filled(text: str) -> str:
            return Template(text).substitute(values)

        for key in ("options", "settings"):
            values[key] = filled(server.get(key, ""))
        if name in TABLE["frames"]:
            (work / "server.conf").write_text(filled(TABLE["frames"][name]))
        command = [filled(part) for part in (*TABLE["programs"][name], *server.get("arguments", ()))]
        variables = {
            **web_servers.environment(name),
            "HOME": folder,
            "XDG_DATA_HOME": folder,
            "XDG_CONFIG_HOME": folder,
        }
        log = (work / "log").open("w+b")
        process = subprocess.Popen(
            command, stdout=log, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, env=variables
        )
        try:
            _wait(process, port, work / "log")
            yield f"{values['scheme']}://localhost:{port}"
        finally:
            process.terminate()
            process.wait(30)
            log.close()


def _wait(process: subprocess.Popen[bytes], port: int, log: Path) -> None:
    """Waits until a server listens."""
    for _ in range(600):
        assert process.poll() is None, log.read_text("utf-8", "replace")
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
        except OSError:
            time.sleep(0.05)
        else:
            return
    pytest.fail(f"it does not listen: {log.read_text('utf-8', 'replace')}")


@pytest.mark.long("web servers")
@pytest.mark.parametrize("name", SERVERS)
def test_a_healthy_server_is_not_accused(name: str, authority: tuple[trustme.CA, str]) -> None:
    server = SERVERS[name]
    root, path = authority
    addresses = ("127.0.0.1", "::1") if server.get("ipv6") else ("127.0.0.1",)
    with running(server, root.issue_cert("localhost")) as origin:
        for target in ("/sitemap.xml", "/sitemap.xml.gz", "/"):
            check = checked(f"{origin}{target}", options={"ca_bundle": path}, resolver=Names(*addresses))
            assert check.findings == (), check.answers
            assert check.answers[0].status == 200
            tried = {answer.request: answer for answer in check.answers}
            assert ("ipv6" in tried) is bool(server.get("ipv6"))
            assert ("http2" in tried) is bool(server.get("h2"))
            if target == "/sitemap.xml":
                asked = tried["brotli" if server.get("encoding") == "br" else "urlset"]
                assert asked.headers.get("content-encoding") == server.get("encoding")
