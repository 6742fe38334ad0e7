"""Every format: detected by its first lines, read, and refused with a reason if a field is missing."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.access_logs.lines import BING, GOOGLE, GOOGLE_ADDRESS, PERSON, combined

from urlset.access_logs import render_text
from urlset.access_logs.log_files import logs_of
from urlset.errors import InputError, UsageError
from urlset.files.decompress import ZSTD_MAGIC
from urlset.model.access_log import LogsResult
from urlset.options.reading_logs import LOG_FIELDS, LOG_FORMATS

Read = Callable[..., LogsResult]
Rows = Callable[[str], list[tuple[Any, ...]]]

CLOUDFRONT = (
    "#Version: 1.0\n#Fields: date time x-edge-location sc-bytes c-ip cs-method cs(Host) cs-uri-stem sc-status "
    "cs(Referer) cs(User-Agent) cs-uri-query cs(Cookie) x-edge-result-type x-edge-request-id x-host-header "
    "cs-protocol cs-bytes\n"
    f"2026-11-10\t13:55:36\tFRA2\t100\t{GOOGLE_ADDRESS}\tGET\td1.cloudfront.net\t/a\t200\t-\t"
    f"{GOOGLE.replace(' ', '%2520')}\tx=1\t-\tHit\tid\texample.com\thttps\t20\n"
)
IIS = (
    "#Software: Microsoft Internet Information Services 10.0\n#Version: 1.0\n#Date: 2026-11-10 00:00:00\n"
    "#Fields: date time cs-method cs-uri-stem cs-uri-query c-ip cs(User-Agent) sc-status sc-bytes\n"
    f"2026-11-10 13:55:36 GET /a x=1 {GOOGLE_ADDRESS} {GOOGLE.replace(' ', '+')} 200 100\n"
)
ALB = (
    f"h2 2026-11-10T13:55:36.123456Z app/my/1 {GOOGLE_ADDRESS}:2817 10.0.0.1:80 0.0 0.0 0.0 200 200 34 100 "
    f'"GET https://example.com:443/a?x=1 HTTP/2.0" "{GOOGLE}" ECDHE TLSv1.2 arn "Root=1" "example.com" "arn" 0 '
    '2026-11-10T13:55:36.100000Z "forward" "-" "-"\n'
)


def line_of(**fields: object) -> str:
    return json.dumps(fields) + "\n"


CLOUDFLARE = line_of(
    ClientIP=GOOGLE_ADDRESS, ClientRequestHost="example.com", ClientRequestMethod="GET", ClientRequestURI="/a?x=1",
    ClientRequestScheme="https", EdgeStartTimestamp=1794318936000000000, EdgeResponseStatus=200, EdgeResponseBytes=100,
    ClientRequestUserAgent=GOOGLE,
)  # fmt: skip
CADDY = line_of(
    level="info", ts=1794318936.123, status=200, size=100,
    request={
        "remote_ip": GOOGLE_ADDRESS, "method": "GET", "host": "example.com", "uri": "/a?x=1",
        "headers": {"User-Agent": [GOOGLE, "second"]}, "tls": {"version": 772},
    },
)  # fmt: skip
NGINX = line_of(
    time_iso8601="2026-11-10T14:55:36+01:00", remote_addr=GOOGLE_ADDRESS, host="example.com", request_uri="/a?x=1",
    uri="/rewritten", status="200", body_bytes_sent="100", http_user_agent=GOOGLE,
)  # fmt: skip

CONSOLE = (
    "2026/11/10 13:55:36.123\t\x1b[34mINFO\x1b[0m\thttp.log.access\thandled request\t"
    + json.dumps({name: value for name, value in json.loads(CADDY).items() if name != "ts"})
    + "\n"
)
CLOUDFRONT_V2 = (
    json.dumps(dict(zip(CLOUDFRONT.splitlines()[1].split()[1:], CLOUDFRONT.splitlines()[2].split("\t"), strict=True)))
    + "\n"
)
FASTLY = line_of(
    timestamp="2026-11-10T13:55:36+0000", client_ip=GOOGLE_ADDRESS, host="example.com", url="/a?x=1",
    request_method="GET", request_user_agent=GOOGLE, response_state="HIT", response_status=200, response_body_size=100,
)  # fmt: skip
HAPROXY = (
    f"Nov 10 13:55:36 lb1 haproxy[14389]: {GOOGLE_ADDRESS}:56278 [10/Nov/2026:13:55:36.123] fe~ be/web1 0/0/0/2/2 200 "
    f'100 - - ---- 1/1/0/0/0 0/0 {{example.com|{GOOGLE}}} "GET /a?x=1 HTTP/1.1"\n'
)
PATTERNS = {
    "GoAccess": '%h %^[%d:%t %^] "%r" %s %b "%R" "%u"',
    "Apache": '%h %l %u %t \\"%r\\" %>s %O \\"%{Referer}i\\" \\"%{User-Agent}i\\"',
    "nginx": '$remote_addr - $remote_user [$time_local] "$request" $status $bytes_sent "$http_referer" '
    '"$http_user_agent"',
}
BUNNY = f"HIT|200|1794318936123|100|390|{GOOGLE_ADDRESS}|-|https://example.com/a?x=1|WA|{GOOGLE}|id|DE\n"

QUOTED_IIS = IIS.replace(GOOGLE.replace(" ", "+"), f'"{GOOGLE}"').replace(
    GOOGLE_ADDRESS, f'"{GOOGLE_ADDRESS}, 1.1.1.1"'
)
LISTED = line_of(
    ts=1794318936.123, status=[200], size=100, host="example.com", uri="/a?x=1", user_agent=[GOOGLE],
    client_ip=[f"{GOOGLE_ADDRESS}:4412", "172.70.1.1"],
)  # fmt: skip

SAME = [
    pytest.param("combined", json.dumps(combined("/a?x=1").rstrip()) + "\n", id="line in quotation marks, JSON"),
    pytest.param("combined", f'"{combined("/a?x=1").rstrip()}"\n', id="line in quotation marks"),
    pytest.param(
        "combined",
        f'"{combined("/a?x=1").rstrip().replace(chr(34), chr(34) * 2)}"\n',
        id="line in quotation marks, CSV",
    ),
    pytest.param("combined", combined("/a?x=1", client=f'"{GOOGLE_ADDRESS}"'), id="client in quotation marks"),
    pytest.param("json", json.dumps(NGINX.rstrip()) + "\n", id="JSON in quotation marks"),
    pytest.param("json", LISTED, id="JSON with lists"),
    pytest.param("json", CADDY.replace('"remote_ip": "', '"remote_addr": "[2001:db8::1]:80, '), id="Caddy with a port"),
    pytest.param("w3c", QUOTED_IIS, id="W3C with quotation marks"),
    pytest.param("w3c", IIS.replace(GOOGLE_ADDRESS, f"{GOOGLE_ADDRESS},+172.70.1.1"), id="IIS with a list"),
    pytest.param(
        "cloudfront", CLOUDFRONT.replace(GOOGLE_ADDRESS, f"{GOOGLE_ADDRESS},%20172.70.1.1"), id="list in CloudFront"
    ),
    pytest.param("alb", ALB.replace(GOOGLE_ADDRESS, "[2001:db8::1]"), id="ALB with IPv6"),
    pytest.param("combined", combined("/a?x=1"), id="combined"),
    pytest.param("combined", combined("/a?x=1", host="example.com:443"), id="virtual host"),
    pytest.param("combined", combined("/a?x=1").rstrip() + ' "10.0.0.1" 0.003\n', id="more fields"),
    pytest.param("combined", combined("https://example.com/a?x=1"), id="absolute target"),
    pytest.param("combined", combined("/a?x=1").replace("\n", "\r\n"), id="CRLF"),
    pytest.param("combined", combined("/a?x=1", f'a \\" b {GOOGLE}'), id="escaped quote"),
    pytest.param("combined", combined("/a?x=1", f'a"b"c {GOOGLE}'), id="quotes without escapes"),
    pytest.param("w3c", IIS, id="IIS"),
    pytest.param("cloudfront", CLOUDFRONT, id="CloudFront"),
    pytest.param("alb", ALB, id="ALB"),
    pytest.param("cloudflare", CLOUDFLARE, id="Cloudflare"),
    pytest.param("json", CADDY, id="Caddy"),
    pytest.param("json", NGINX, id="nginx as JSON"),
    pytest.param("json", CONSOLE, id="Caddy for the console"),
    pytest.param("json", f"Nov 10 13:55:36 web caddy[1]: {CADDY}", id="JSON after the prefix of syslog"),
    pytest.param("json", CLOUDFRONT_V2, id="CloudFront as JSON"),
    pytest.param("cloudfront", CLOUDFRONT.splitlines()[2] + "\n", id="CloudFront without a header"),
    pytest.param("json", FASTLY, id="Fastly"),
    pytest.param("haproxy", HAPROXY, id="HAProxy"),
    pytest.param("haproxy", HAPROXY.partition(": ")[2], id="HAProxy without syslog"),
    pytest.param(
        "haproxy", HAPROXY.replace("Nov 10 13:55:36 lb1", "2026-11-10T13:55:36+01:00 lb1"), id="HAProxy, RFC 5424"
    ),
    pytest.param("haproxy", HAPROXY.replace("{e", "{1.2.3.4|e").replace('} "', '} {nginx} "'), id="HAProxy, more"),
]
"""The same request in many formats."""


@pytest.mark.sampled(2)
@pytest.mark.parametrize(("kind", "line"), SAME)
def test_the_same_request_in_every_format(kind: str, line: str, read: Read, rows: Rows) -> None:
    result = read(line.encode())
    (log,) = result.logs
    assert (log.format, log.lines, log.unreadable, log.hits) == (kind, 1, 0, 1)
    assert rows("SELECT site, url, agent, verdict, hits, statuses, status_hits, bytes FROM crawls") == [
        ("https://example.com", "https://example.com/a?x=1", "Googlebot", "unverified", 1, [200], [1], 100)
    ]
    (at,) = rows("SELECT strftime(date_trunc('second', first_at), '%Y-%m-%d %H:%M:%S') FROM crawls")
    assert at == ("2026-11-10 13:55:36",)


@pytest.mark.parametrize("name", PATTERNS)
def test_a_log_of_another_shape_by_its_pattern(name: str, read: Read, rows: Rows) -> None:
    text = combined("/a?x=1") * 3 + "something else\n"
    (log,) = read(text.encode(), log_format=PATTERNS[name]).logs
    assert (log.format, log.lines, log.unreadable, log.hits) == ("custom", 4, 1, 3)
    assert rows("SELECT url, statuses, status_hits, bytes, hour(first_at) FROM crawls") == [
        ("https://example.com/a?x=1", [200], [3], 300, 13)
    ]


def test_a_log_that_was_read_by_a_pattern_continues_with_it(read: Read, tmp_path: Path) -> None:
    log = tmp_path / "bunny.log"
    log.write_text(BUNNY)
    pattern = "%^|%s|%x|%b|%^|%h|%^|%U|%^|%u|%^"
    assert read(log, log_format=pattern).logs[0].hits == 1
    log.write_text(BUNNY * 3)
    with pytest.raises(UsageError, match="unknown log format"):
        read(log)
    (again,) = read(log, log_format=pattern).logs
    assert (again.hits, again.start) == (2, len(BUNNY))


@pytest.mark.parametrize(
    ("pattern", "reason"),
    [
        ("combind", "log-format: must be auto, common, .*, or a pattern .*; did you mean 'combined'"),
        ("%h %x", "log-format: the pattern has no URL"),
        ("%h%x %U", "`%h` and `%x` have no text between them"),
    ],
)
def test_patterns_that_cannot_be_used_are_refused(pattern: str, reason: str, read: Read) -> None:
    with pytest.raises(UsageError, match=reason):
        read(combined().encode(), log_format=pattern)


def test_a_log_without_statuses_or_agents_says_so(read: Read, tmp_path: Path) -> None:
    fields = {"time": 1794318936, "client_ip": GOOGLE_ADDRESS, "host": "example.com", "url": "/a"}
    result = read((line_of(**fields, agent=GOOGLE, code=200) * 2).encode())
    assert (result.logs[0].hits, result.logs[0].statusless) == (2, 2)
    assert "no request of a crawler has a readable status code" in "\n".join(render_text.render(result))
    result = read((combined("/a", status="-") + combined("/a")).encode(), store=tmp_path / "other.duckdb")
    assert "1 request of crawlers without a readable" in "\n".join(render_text.render(result))
    result = read((combined("/a", "-") * 3).encode(), store=tmp_path / "agents.duckdb")
    assert (result.logs[0].people, result.logs[0].unnamed) == (3, 3)
    assert "no line has a user agent" in "\n".join(render_text.render(result))


def test_formats_and_fields_are_those_of_the_core() -> None:
    from urlset import _core

    assert _core.log_names() == (list(LOG_FORMATS), list(LOG_FIELDS))


@pytest.mark.parametrize("packed", [gzip.compress, lambda data: zstd(data)], ids=["gzip", "zstd"])
def test_a_compressed_log(packed: Callable[[bytes], bytes], read: Read) -> None:
    result = read(packed(combined("/a").encode() * 3))
    assert result.logs[0].lines == 3
    assert result.logs[0].compression in ("gzip", "zstd")


def zstd(data: bytes) -> bytes:
    import sys

    if sys.version_info >= (3, 14):
        from compression import zstd as library
    else:
        from backports import zstd as library
    packed: bytes = library.compress(data)
    assert packed.startswith(ZSTD_MAGIC)
    return packed


def test_fields_of_w3c_that_change_in_the_middle(read: Read, rows: Rows) -> None:
    text = (
        "#Fields: date time cs-uri-stem sc-status cs(User-Agent)\n"
        f"2026-11-10 10:00:00 /a 200 {GOOGLE.replace(' ', '+')}\n"
        "#Fields: time date sc-status cs(User-Agent) cs-uri-stem cs-host\n"
        f"11:00:00 2026-11-10 404 {GOOGLE.replace(' ', '+')} /b example.com\n"
        "11:00:00 2026-11-10 404\n"
    )
    (log,) = read(text.encode()).logs
    assert (log.lines, log.unreadable) == (3, 1)
    assert rows("SELECT url, statuses FROM crawls ORDER BY url") == [
        ("https://example.com/a", [200]),
        ("https://example.com/b", [404]),
    ]


def test_lines_without_user_agents_are_counted_apart(read: Read, rows: Rows, tmp_path: Path) -> None:
    text = (
        "#Fields: date time c-ip cs-uri-stem cs(User-Agent)\n"
        f"2026-11-10 10:00:00 {GOOGLE_ADDRESS} /a {GOOGLE.replace(' ', '+')}\n"
        "#Fields: date time c-ip cs-uri-stem\n"
        f"2026-11-10 10:00:00 {GOOGLE_ADDRESS} /b\n"
        "2026-11-10 10:00:00 198.51.100.7 /c\n"
    ).encode()
    result = read(text)
    assert (result.logs[0].hits, result.logs[0].people, result.logs[0].agentless) == (1, 0, 2)
    assert "2 requests without a user agent skipped" in "\n".join(render_text.render(result))
    # With lists of addresses, these tell.
    (tmp_path / "googlebot.json").write_text('{"prefixes": [{"ipv4Prefix": "66.249.66.0/24"}]}')
    (log,) = read(text, store=tmp_path / "other.duckdb", ranges=tmp_path).logs
    assert (log.hits, log.people, log.agentless) == (2, 1, 0)


def test_fields_that_the_user_names(read: Read, rows: Rows) -> None:
    text = line_of(
        t="10/Nov/2026:13:55:36 +0200", a={"ip": GOOGLE_ADDRESS, "ua": GOOGLE}, p="/a", url="/wrong", code=404
    )
    names = ("time=t", "client=a.ip", "agent=a.ua", "url=p", "status=code")
    read(text.encode(), log_fields=names)
    assert rows("SELECT url, statuses, hour(first_at) FROM crawls") == [("https://example.com/a", [404], 11)]


@pytest.mark.parametrize("given", ["color=x", "url=", "url"])
def test_wrong_fields_are_refused(given: str, read: Read) -> None:
    with pytest.raises(UsageError, match="fields: must be FIELD=NAME"):
        read(combined().encode(), log_fields=(given,))


REFUSED = [
    pytest.param(
        "hello\x1b[31m world\n", {}, r"unknown log format; its first line is `hello\u{1b}[31m world`", id="text"
    ),
    pytest.param("{}\n", {"log_format": "combined"}, "the first lines are not in the format combined", id="told"),
    pytest.param(
        "<urlset/>\n",
        {},
        "--log-format (common, combined, w3c, cloudfront, alb, cloudflare, haproxy, json, or",
        id="list",
    ),
    pytest.param(
        line_of(ClientRequestURI="/a", EdgeStartTimestamp=1, ClientRequestHost="example.com"),
        {},
        "does not have ClientRequestUserAgent",
        id="Cloudflare without user agents",
    ),
    pytest.param(line_of(ts=1, request={"uri": "/"}), {}, "does not have agent; name the fields", id="JSON"),
    pytest.param(
        "#Fields: date time cs-uri-stem\n2026-11-10 10:00:00 /\n", {}, "does not have cs(User-Agent)", id="W3C"
    ),
    pytest.param(
        HAPROXY.replace(f"{{example.com|{GOOGLE}}} ", ""),
        {},
        "capture the header (`capture request header User-Agent",
        id="HAProxy without headers",
    ),
    pytest.param(combined(), {"site": None}, "no host names; name its site with --site", id="no host"),
    pytest.param(
        '1.2.3.4 - - [10/Nov/2026:13:55:36 +0000] "GET / HTTP/1.1" 200 1\n', {}, "has no user agents", id="common"
    ),
]


@pytest.mark.parametrize(("text", "options", "reason"), REFUSED)
def test_what_cannot_be_read_is_refused_with_a_reason(
    text: str, options: dict[str, Any], reason: str, read: Read
) -> None:
    with pytest.raises(UsageError) as error:
        read(text.encode(), **options)
    assert error.value.exit_code == 2
    assert reason in str(error.value)


def test_hosts_of_a_log_are_sites(read: Read, rows: Rows) -> None:
    text = combined("/a", host="www.example.com") + combined("/b", host="EXAMPLE.com:80") + combined("/c", host="a/b")
    (log,) = read(text.encode(), site=None).logs
    assert (log.hits, log.hostless, log.schemeless) == (2, 1, 1)
    assert rows("SELECT url FROM crawls ORDER BY url") == [("http://example.com/b",), ("https://www.example.com/a",)]


def test_only_one_site_is_kept(read: Read, rows: Rows) -> None:
    text = combined("/a", host="example.com") + combined("/b", host="example.org")
    (log,) = read(text.encode(), site="http://example.com").logs
    assert (log.hits, log.elsewhere) == (1, 1)
    assert rows("SELECT url FROM crawls") == [("http://example.com/a",)]


def test_a_folder_skips_what_is_no_log(read: Read, tmp_path: Path) -> None:
    folder = tmp_path / "logs"
    folder.mkdir()
    (folder / "access.log").write_text(combined("/a"))
    (folder / "access.log.1").write_text(combined("/b"))
    (folder / "error.log").write_text("2026/11/10 13:55:36 [error] 1#1: *1 open() failed\n")
    (folder / "settings.json").write_text('{"ts": 1762000000, "msg": "rotated"}\n')
    (folder / ".hidden").write_text("nothing")
    result = read(folder)
    assert [Path(log.name).name for log in result.logs] == ["access.log", "access.log.1"]
    assert [Path(name).name for name in result.skipped] == ["error.log", "settings.json"]
    assert result.exit_code == 0


def test_a_pattern(read: Read, tmp_path: Path) -> None:
    for number in range(3):
        (tmp_path / f"a{number}.log").write_text(combined(f"/{number}"))
    assert len(read(tmp_path / "a[01].log").logs) == 2
    assert "no file matches" in read(tmp_path / "b*.log").unreadable[0].reason
    assert read(tmp_path / "none.log").exit_code == 3


def test_logs_are_not_fetched(read: Read) -> None:
    with pytest.raises(UsageError, match="not fetched over HTTP"):
        read("https://example.com/access.log")


def test_logs_in_an_object_store(read: Read) -> None:
    fsspec = pytest.importorskip("fsspec")
    memory = fsspec.filesystem("memory")
    memory.pipe_file("/logs/a.gz", gzip.compress(combined("/a").encode()))
    memory.pipe_file("/logs/b.log", combined("/b").encode())
    memory.pipe_file("/logs/hidden/.part", combined("/c").encode())
    try:
        result = read("memory://logs/")
        assert sorted((log.compression, log.hits) for log in result.logs) == [("gzip", 1), ("none", 1)]
        assert read("memory://logs/a.gz").logs[0].lines == 0
        with pytest.raises(InputError, match="no objects below this prefix"):
            list(logs_of("memory://logs/hidden/"))
    finally:
        memory.rm("/logs", recursive=True)


def test_people_are_counted_only(read: Read, rows: Rows) -> None:
    (log,) = read((combined("/a", PERSON) * 2 + combined("/a", BING)).encode()).logs
    assert (log.people, log.hits) == (2, 1)
    assert rows("SELECT agent FROM crawls") == [("Bingbot",)]
