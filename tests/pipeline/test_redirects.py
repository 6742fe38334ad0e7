"""`diff --redirects`: where each old URL of a map leads after a migration."""

from __future__ import annotations

import csv
import io
import json
from collections import Counter
from http.server import BaseHTTPRequestHandler
from typing import TYPE_CHECKING, ClassVar

import duckdb
import pytest
from tests.loopback import served

from urlset.cli.main import main
from urlset.errors import ExitCode

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

HEAD = '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">'

ANSWERS = {
    "/robots.txt": (200, ""),
    "/good": (301, "/new/good"),
    "/permanent": (308, "/new/permanent"),
    "/chain": (301, "/chain-2"),
    "/chain-2": (301, "/new/chain"),
    "/temporary": (302, "/new/temporary"),
    "/wrong": (301, "/new/good"),
    "/loop": (301, "/loop-2"),
    "/loop-2": (301, "/loop"),
    "/self": (301, "/self"),
    "/still": (200, ""),
    "/gone": (410, ""),
    "/to-error": (301, "/new/missing"),
    "/bad-location": (301, "ftp://example.com/"),
    "/secret": (403, ""),
    "/failing": (503, ""),
    "/same": (200, ""),
    "/retired": (410, ""),
    "/not-retired": (301, "/new/good"),
    "/caf%C3%A9": (301, "/new/caf%C3%A9"),
}

EXPECTED = {
    "/good": ("arrives", 200, "/new/good", 1),
    "/permanent": ("arrives", 200, "/new/permanent", 1),
    "/chain": ("chain", 200, "/new/chain", 2),
    "/temporary": ("temporary", 200, "/new/temporary", 1),
    "/wrong": ("wrong", 200, "/new/good", 1),
    "/loop": ("loop", None, "/loop-2", 2),
    "/self": ("loop", None, "/self", 1),
    "/still": ("still there", 200, None, 0),
    "/missing": ("lost", 404, None, 0),
    "/gone": ("lost", 410, None, 0),
    "/to-error": ("broken", 404, "/new/missing", 1),
    "/bad-location": ("broken", 301, None, 0),
    "/secret": ("unknown", 403, None, 0),
    "/failing": ("unknown", 503, None, 0),
    "/same": ("same", 200, None, 0),
    "/retired": ("gone", 410, None, 0),
    "/not-retired": ("wrong", 200, "/new/good", 1),
    "/café": ("arrives", 200, "/new/caf%C3%A9", 1),
}
NEW = {"/same": "/same", "/retired": "", "/not-retired": "", "/to-error": "/new/missing"}


class Moved(BaseHTTPRequestHandler):
    """The site after its migration."""

    requested: ClassVar[Counter[str]] = Counter()

    def do_GET(self) -> None:
        self.requested[self.path] += 1
        known = (200, "") if self.path.startswith("/new/") and self.path != "/new/missing" else (404, "")
        status, location = ANSWERS.get(self.path, known)
        self.send_response(status)
        if location:
            self.send_header("Location", location)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", "0")
        self.end_headers()


@pytest.fixture
def origin() -> Iterator[str]:
    Moved.requested.clear()
    with served(Moved) as origin:
        yield origin


def sides(folder: Path, origin: str, old: list[str], new: list[str]) -> list[str]:
    for name, paths in (("old.xml", old), ("new.xml", new)):
        entries = "".join(f"<url><loc>{origin}{path}</loc></url>" for path in paths)
        (folder / name).write_text(f"{HEAD}{entries}</urlset>")
    return [str(folder / "old.xml"), str(folder / "new.xml")]


def write_map(path: Path, origin: str, rows: dict[str, str], header: str = "Old URL,New URL") -> Path:
    lines = [f"{origin}{old},{origin + new if new else ''}" for old, new in rows.items()]
    path.write_text("\n".join([header, *lines]) + "\n", "utf-8")
    return path


def rows_of(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, list[dict[str, object]]]:
    code = main(["diff", *arguments, "--no-config", "--no-cache", "--format", "jsonl", "--retries", "0"])
    return code, [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def test_each_outcome(tmp_path: Path, origin: str, capsys: pytest.CaptureFixture[str]) -> None:
    mapped = {path: NEW.get(path, f"/new{path}") for path in EXPECTED}
    two = sides(tmp_path, origin, ["/good", "/kept", "/forgotten"], ["/new/good", "/kept", "/chain"])
    file = write_map(tmp_path / "map.csv", origin, mapped)
    code, rows = rows_of(capsys, *two, "--redirects", str(file), "--allow-private")
    assert code == ExitCode.FINDINGS
    found = {
        str(row["url"]).removeprefix(origin): (
            row["outcome"],
            row["status"],
            None if row["final_url"] is None else str(row["final_url"]).removeprefix(origin),
            row["redirects"],
        )
        for row in rows
    }
    assert found.pop("/forgotten") == ("unmapped", None, None, None)
    assert found == EXPECTED
    # In the order of the map, whatever arrives first.
    assert [str(row["url"]).removeprefix(origin) for row in rows] == [*mapped, "/forgotten"]
    listed = {str(row["url"]).removeprefix(origin): row["expected_is_listed"] for row in rows}
    assert (listed["/good"], listed["/chain"], listed["/retired"]) == (True, False, None)
    # Once each: with its robots.txt, and without repeating what fails for good.
    assert all(Moved.requested[path] == 1 for path in ("/robots.txt", "/still", "/missing", "/secret"))


def test_text_says_what_is_wrong(tmp_path: Path, origin: str, capsys: pytest.CaptureFixture[str]) -> None:
    two = sides(tmp_path, origin, ["/good", "/a"], ["/new/good", "/chain"])
    file = write_map(tmp_path / "map.csv", origin, {"/good": "/new/good", "/chain": "/new/chain", "/still": "/new/s"})
    file.write_text(file.read_text() + f"{origin}/good,{origin}/new/good\n")
    arguments = ["diff", *two, "--redirects", str(file), "--allow-private", "--no-config", "--no-cache"]
    assert main(arguments) == ExitCode.FINDINGS
    assert capsys.readouterr().out.replace(origin, "").splitlines() == [
        "Redirect map: old URLs from 'Old URL', new URLs from 'New URL'",
        "chain  /chain (should lead to /new/chain; 2 redirects; HTTP 200)",
        "still there  /still (should lead to /new/s; HTTP 200)",
        "unmapped  /a",
        "",
        "4 old URLs",
        "  1 arrives: at the new URL, with one permanent redirect",
        "  1 chain: at the new URL, but after several redirects",
        "  1 still there: no redirect; the old URL returns content",
        "  1 unmapped: no longer listed, and not in the map",
        "The later side does not list the new URLs of 2 old URLs.",
        "The later side still lists 1 old URL of the map.",
        "The earlier side does not list 2 old URLs of the map.",
        "1 row of the map repeats another.",
    ]
    assert main([*arguments, "--verbose"]) == ExitCode.FINDINGS
    assert f"arrives  {origin}/good" in capsys.readouterr().out


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("path", "new", "fail_on", "code"),
    [
        ("/good", "/new/good", "any", ExitCode.CLEAN),
        ("/chain", "/new/good", "never", ExitCode.CLEAN),
        ("/chain", "/new/chain", "alarm", ExitCode.CLEAN),
        ("/chain", "/new/chain", "any", ExitCode.FINDINGS),
        ("/temporary", "/new/temporary", "any", ExitCode.FINDINGS),
        ("/missing", "/new/missing", "alarm", ExitCode.FINDINGS),
        ("/failing", "/new/failing", "alarm", ExitCode.UNREADABLE),
    ],
)
def test_exit_codes(
    tmp_path: Path, origin: str, path: str, new: str, fail_on: str, code: int, capsys: pytest.CaptureFixture[str]
) -> None:
    two = sides(tmp_path, origin, [path], [new])
    file = write_map(tmp_path / "map.csv", origin, {path: new})
    assert rows_of(capsys, *two, "--redirects", str(file), "--allow-private", "--fail-on", fail_on)[0] == code


def test_a_private_host_is_not_asked_for_a_file(
    tmp_path: Path, origin: str, capsys: pytest.CaptureFixture[str]
) -> None:
    two = sides(tmp_path, origin, ["/good"], ["/new/good"])
    file = write_map(tmp_path / "map.csv", origin, {"/good": "/new/good"})
    code, rows = rows_of(capsys, *two, "--redirects", str(file))
    assert (code, [row["outcome"] for row in rows]) == (ExitCode.UNREADABLE, ["unknown"])
    assert "--allow-private" in str(rows[0]["reason"])
    assert not Moved.requested


def test_formats_of_map_and_output(tmp_path: Path, origin: str, capsys: pytest.CaptureFixture[str]) -> None:
    two = sides(tmp_path, origin, ["/good"], ["/new/good"])
    rows = {"/good": "/new/good", "/chain": "/new/chain"}
    maps = [
        write_map(tmp_path / "header.csv", origin, rows, "Address,Redirect URL"),
        write_map(tmp_path / "bare.csv", origin, rows, "").rename(tmp_path / "bare-renamed.csv"),
        tmp_path / "map.parquet",
        tmp_path / "utf16.csv",
    ]
    values = ", ".join(f"('{origin}{old}', '{origin}{new}')" for old, new in rows.items())
    duckdb.sql(f'COPY (SELECT * FROM (VALUES {values}) AS t ("from", "to")) TO \'{maps[2]}\' (FORMAT parquet)')
    maps[3].write_text(maps[0].read_text("utf-8").replace(",", "\t"), "utf-16")
    results = [rows_of(capsys, *two, "--redirects", str(one), "--allow-private") for one in maps[1:]]
    assert all(code == ExitCode.CLEAN for code, _ in results)
    assert [[row["outcome"] for row in found] for _, found in results] == [["arrives", "chain"]] * len(results)
    output = tmp_path / "checked.csv"
    assert (
        main([
            "diff", *two, "--redirects", str(maps[0]), "--allow-private", "--no-config", "--format", "csv", "-o",
            str(output),
        ])
        == ExitCode.CLEAN
    )  # fmt: skip
    head, *lines = csv.reader(io.StringIO(output.read_text()))
    assert head[:3] == ["outcome", "url", "expected"]
    assert [line[0] for line in lines] == ["arrives", "chain"]


BAD_ROWS = "old,new\nhttps://e.com/a,https://e.com/b\n"
MAPS = [
    (
        "a,b\nno-url,https://e.com/\n",
        ExitCode.UNREADABLE,
        "map.csv:2: neither an absolute http(s) URL nor a path: 'no-url'",
    ),
    (f"{BAD_ROWS}https://e.com/a,https://e.com/c\n", ExitCode.UNREADABLE, "gives https://e.com/a another new URL"),
    (
        f"{BAD_ROWS}https://e.com/c,https://e.com/d,e\n",
        ExitCode.UNREADABLE,
        "map.csv:3: the row has a different number",
    ),
    ("old,new\n", ExitCode.UNREADABLE, "has no redirects"),
    ("", ExitCode.USAGE, "cannot tell which columns"),
    ("a,b,c\nhttps://e.com/a,https://e.com/b,https://e.com/c\n", ExitCode.USAGE, "--redirect-columns OLD,NEW"),
]


@pytest.mark.sampled(3)
@pytest.mark.parametrize(("text", "code", "message"), MAPS)
def test_maps_that_are_refused(
    tmp_path: Path, text: str, code: int, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    two = sides(tmp_path, "https://e.com", ["/a"], ["/b"])
    (tmp_path / "map.csv").write_text(text)
    assert main(["diff", *two, "--redirects", str(tmp_path / "map.csv"), "--no-config"]) == code
    assert message in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--redirects", "map.csv", "--urls", "all"], "cannot be combined"),
        (["--redirects", "map.csv", "--ask-removed", "3"], "cannot be combined"),
        (["--redirects", "map.csv", "--format", "json"], "not possible with --redirects; choose from text, csv, jsonl"),
        (["--redirect-columns", "a,b"], "--redirect-columns needs --redirects FILE"),
        (["--redirects", "map.csv", "--redirect-columns", "a"], "must be two names, OLD,NEW"),
        (
            ["--redirects", "map.csv", "--redirect-columns", "old url,more"],
            "no column is named 'more'; the",
        ),
    ],
)
def test_usage_errors(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    arguments: list[str],
    message: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    two = sides(tmp_path, "https://e.com", ["/a"], ["/b"])
    write_map(tmp_path / "map.csv", "https://e.com", {"/a": "/b"})
    assert main(["diff", *two, *arguments, "--no-config"]) == ExitCode.USAGE
    assert message in capsys.readouterr().err


def test_a_map_of_paths_with_actions(tmp_path: Path, origin: str, capsys: pytest.CaptureFixture[str]) -> None:
    two = sides(tmp_path, origin, ["/good", "/same", "/retired", "/still"], ["/same", "/new/good"])
    file = tmp_path / "map.csv"
    lines = ("from,to,status", "/good,/new/good,301", "/same,/same,200", "/retired,,410", "/still,,keep", "/gone,,Drop")
    file.write_text("\n".join(lines))
    code, rows = rows_of(capsys, *two, "--redirects", str(file), "--allow-private")
    assert code == ExitCode.CLEAN
    assert [(row["url"], row["outcome"]) for row in rows] == [
        (f"{origin}/good", "arrives"),
        (f"{origin}/same", "same"),
        (f"{origin}/retired", "gone"),
        (f"{origin}/still", "same"),
        (f"{origin}/gone", "gone"),
    ]


@pytest.mark.parametrize(
    ("row", "new", "message"),
    [
        ("/a,/b,410", ["/b"], ":2: has a new URL and the action 410; keep one of them"),
        ("a,/b,301", ["/b"], ":2: neither an absolute http(s) URL nor a path: 'a'"),
        ("//a/b,/b,301", ["/b"], ":2: neither an absolute http(s) URL nor a path: '//a/b'"),
        ("/a,/b,301", [], ":2: a path, but the later side does not list URLs of exactly one site; write absolute URLs"),
    ],
)
def test_paths_that_are_unclear(
    tmp_path: Path, origin: str, capsys: pytest.CaptureFixture[str], row: str, new: list[str], message: str
) -> None:
    two = sides(tmp_path, origin, ["/a"], new)
    file = tmp_path / "map.csv"
    file.write_text(f"from,to,action\n{row}\n")
    assert (
        main(["diff", *two, "--redirects", str(file), "--allow-private", "--no-config", "--no-cache"])
        == ExitCode.UNREADABLE
    )
    assert f"{file}{message}" in capsys.readouterr().err
