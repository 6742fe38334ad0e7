"""`audit --images`: listed images, thumbnails and videos, asked for once each, and what is found on them."""

from __future__ import annotations

import asyncio
import json
import struct
from pathlib import Path

import duckdb
import pytest
from tests.fetch.hostile import Behaviour, Hostile, Request, send, serving

from urlset.cli.main import main

PNG = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"
NAMES = (
    'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" '
    'xmlns:image="http://www.google.com/schemas/sitemap-image/1.1" '
    'xmlns:video="http://www.google.com/schemas/sitemap-video/1.1"'
)
SMALL, LARGE = PNG + struct.pack(">II", 32, 32), PNG + struct.pack(">II", 640, 360) + bytes(400_000)


def answering(status: str, body: bytes, kind: str) -> Behaviour:
    async def answer(request: Request, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if request.method == "HEAD":
            head = f"HTTP/1.1 {status}\r\nContent-Length: {len(body)}\r\nContent-Type: {kind}\r\n\r\n"
            writer.write(head.encode())
        else:
            send(writer, status, body, f"Content-Type: {kind}")

    return answer


def listing(server: list[Hostile]) -> Behaviour:
    async def answer(request: Request, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        site = server[0].url

        def image(path: str) -> str:
            return f"<image:image><image:loc>{site}{path}</image:loc></image:image>"

        def video(thumbnail: str, content: str) -> str:
            return (
                f"<video:video><video:thumbnail_loc>{site}{thumbnail}</video:thumbnail_loc><video:title>A</video:title>"
                f"<video:description>B</video:description><video:content_loc>{site}{content}</video:content_loc>"
                "</video:video>"
            )

        entries = [
            f"<url><loc>{site}/a</loc>{image('/good.png')}{image('/gone.png')}{image('/page.png')}</url>",
            f"<url><loc>{site}/b</loc>{image('/good.png')}{image('/closed/c.png')}</url>",
            f"<url><loc>{site}/c</loc>{video('/small.png', '/film.mp4')}{video('/large.png', '/closed/f.mp4')}</url>",
            f"<url><loc>{site}/d</loc>{video('/good.png', '/film.mp4')}</url>",
        ]
        lines = "\n".join([f"<urlset {NAMES}>", *entries, "</urlset>"])
        send(writer, "200 OK", lines.encode(), "Content-Type: application/xml")

    return answer


@pytest.fixture
def site() -> object:
    servers: list[Hostile] = []
    robots = b"User-agent: Googlebot\nDisallow: /closed/\nUser-agent: *\nAllow: /\n"
    behaviours = {
        "/robots.txt": answering("200 OK", robots, "text/plain"),
        "/sitemap.xml": listing(servers),
        "/good.png": answering("200 OK", LARGE, "image/png"),
        "/large.png": answering("200 OK", LARGE, "image/png"),
        "/small.png": answering("200 OK", SMALL, "image/png"),
        "/gone.png": answering("404 Not Found", b"", "text/plain"),
        "/page.png": answering("200 OK", b"<p>There is none", "text/html"),
        "/closed/c.png": answering("200 OK", LARGE, "image/png"),
    }
    with serving(more=behaviours) as server:
        servers.append(server)
        yield server


COMMON = ["--no-config", "--no-cache", "--retries", "0", "--no-pages", "--select", "IMG006,IMG007,IMG008,VID019"]


@pytest.mark.long("slow cases")
def test_images(site: Hostile, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    store = str(tmp_path / "kept.duckdb")
    command = ["audit", f"{site.url}/sitemap.xml", "--images", "--store", store, *COMMON]
    assert main([*command, "--format", "json", "--fail-on", "never"]) == 0
    values = json.loads(capsys.readouterr().out)
    found = {
        (finding["code"], example["line"], example["value"])
        for finding in values["report"]["findings"]
        for example in finding["examples"]
    }
    assert found == {
        ("IMG006", 2, "HTTP 404"),
        ("IMG007", 2, "text/html"),
        ("IMG008", 3, "Googlebot-Image"),
        ("IMG008", 4, "Googlebot-Video"),
        ("VID019", 4, "32 x 32"),
    }
    assert values["images"] == {
        "selected": 9, "fetched": 7, "videos": 2, "blocked": 0, "stopped_by": None, "statuses": {"200": 6, "404": 1},
    }  # fmt: skip
    asked = [(request.method, request.path) for request in site.requests if request.path.endswith((".png", ".mp4"))]
    # Images by HEAD, once each; what is gone by GET as well; thumbnails by GET; videos not at all.
    assert sorted(asked) == [
        ("GET", "/gone.png"), ("GET", "/good.png"), ("GET", "/large.png"), ("GET", "/small.png"),
        ("HEAD", "/closed/c.png"), ("HEAD", "/gone.png"), ("HEAD", "/good.png"), ("HEAD", "/page.png"),
    ]  # fmt: skip
    with duckdb.connect(store, read_only=True) as kept:
        rows = kept.execute(
            "SELECT kind, format, width, height, bytes FROM media WHERE url LIKE '%/large.png'"
        ).fetchall()
    assert rows == [("thumbnail", "png", 640, 360, len(LARGE))]
    assert main([*command, "--fail-on", "never"]) == 0
    assert "Images: fetched 7 of 7 listed images; 2 videos checked against robots.txt only" in capsys.readouterr().out


@pytest.mark.long("slow cases")
def test_only_those_of_chosen_pages(site: Hostile, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    common = ["audit", f"{site.url}/sitemap.xml", "--store", str(tmp_path / "kept.duckdb"), *COMMON]
    assert main([*common, "--select", "LOC", "--format", "json", "--fail-on", "never"]) == 0
    assert json.loads(capsys.readouterr().out)["images"] is None
    assert not [request for request in site.requests if request.path.endswith(".png")]
    assert main([*common, "--images", "--include", "*/b", "--format", "json", "--fail-on", "never"]) == 0
    assert json.loads(capsys.readouterr().out)["images"]["selected"] == 2
