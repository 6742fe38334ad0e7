"""From a site to all its sitemaps: what is found there, followed, cut, and made a finding of."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterable, Mapping
from typing import Any

import pytest
from jsonschema import Draft202012Validator

import urlset
from urlset.cli.main import main
from urlset.engine.user_query import QueryDatabase
from urlset.errors import Unreadable
from urlset.model.json_values import as_json
from urlset.model.report import Report
from urlset.options import FollowingOptions, InspectOptions, ValidateOptions
from urlset.options.fields import ReadFields
from urlset.options.merge import make_group
from urlset.pipeline.inspect import inspect, iter_urls
from urlset.pipeline.sql import load
from urlset.report import inspect_text
from urlset.report.json_outputs import INSPECT
from urlset.report.json_schema import schema as schema_of

NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9"
FETCH: ReadFields = {"timeout": 5, "retries": 0, "cache": False, "allow_private": True}
EVERYTHING: dict[str, object] = {**FETCH, "discover": True, "expand": True}


def urls(*names: str, lastmod: str = "") -> str:
    """A sitemap of these pages of the site."""
    dated = f"<lastmod>{lastmod}</lastmod>" if lastmod else ""
    entries = "\n".join(f"<url><loc>{{site}}{name}</loc>{dated}</url>" for name in names)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="{NAMESPACE}">\n{entries}\n</urlset>\n'


def index(*locs: str, lastmods: Mapping[str, str] | None = None) -> str:
    """An index whose entries stand on lines 3, 4, 5 and so on."""
    dates = lastmods or {}
    entries = "\n".join(
        f"<sitemap><loc>{loc if '//' in loc else '{site}' + loc}</loc>"
        + (f"<lastmod>{dates[loc]}</lastmod>" if loc in dates else "")
        + "</sitemap>"
        for loc in locs
    )
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<sitemapindex xmlns="{NAMESPACE}">\n{entries}\n</sitemapindex>\n'


def followed(origin: str, **more: Any) -> Report:
    return urlset.validate(origin, discover=True, expand=True, preview=True, **more, **FETCH)


def places(report: Report, codes: Iterable[str]) -> dict[str, list[tuple[str, int | None]]]:
    """For each of the rules the places that break it: path of the document and line."""
    found: dict[str, list[tuple[str, int | None]]] = {code: [] for code in codes}
    for finding in report.findings:
        if finding.rule.code in found:
            path = "/" + report.document_url(finding.document_id).split("/", 3)[3]
            found[finding.rule.code] += [(path, example.line) for example in finding.examples]
    return found


# What the index of this site lists, an entry a line, and the rule that says so of that line.
LISTED: list[tuple[str, str | None]] = [
    ("/maps/good.xml.gz", None),
    ("/maps/gone.xml", "FET001"),
    ("/maps/moved.xml", "FET017"),
    ("/maps/empty.xml", "IDX015"),
    ("/maps/page.xml", "IDX014"),
    ("/maps/inner.xml", "IDX002"),
    ("/maps/again.xml", "IDX017"),
    ("/maps/newer.xml", "IDX013"),
    ("/elsewhere/outside.xml", None),
    ("http://localhost:{port}/maps/theirs.xml", "IDX009"),
    ("/maps/broken.xml", "FET002"),
    ("/maps/forbidden.xml", "FET003"),
    ("/maps/index.xml", "IDX012"),
]


@pytest.fixture
def faulty(site: Any) -> Any:
    """A site whose index has one fault of each kind."""
    port = site.url.rpartition(":")[2]
    locs = [loc.replace("{port}", port) for loc, _ in LISTED]
    site.put(
        "/robots.txt", "User-agent: *\nDisallow: /private\nDisallow: /maps/hidden\nSitemap: {site}/maps/index.xml\n"
    )
    site.put("/maps/index.xml", index(*locs, lastmods={"/maps/newer.xml": "2020-01-01"}))
    site.put("/maps/good.xml.gz", gzip.compress(urls("/a", "/b", "/private/c").replace("{site}", site.url).encode()))
    site.put("/maps/moved.xml", b"", 301, Location="/maps/target.xml")
    site.put("/maps/target.xml", urls("/moved"))
    site.put("/maps/empty.xml", urls())
    site.put("/maps/page.xml", b"<!doctype html><html><body>Log in</body></html>", Content_Type="text/html")
    site.put("/maps/inner.xml", index("/maps/again.xml", "/maps/index.xml", "/maps/hidden.xml"))
    site.put("/maps/again.xml", urls("/again"))
    site.put("/maps/hidden.xml", urls("/hidden"))
    site.put("/maps/newer.xml", urls("/newer", lastmod="2024-05-05"))
    site.put("/elsewhere/outside.xml", urls("/outside"))
    site.put("//localhost/maps/theirs.xml", urls("/theirs"))
    site.put("//localhost/robots.txt", "User-agent: *\nDisallow:\n")
    site.put("/maps/broken.xml", b"", 500)
    site.put("/maps/forbidden.xml", b"", 403)
    site.put("/sitemap.xml", urls("/forgotten"))
    return site


def test_each_fault_is_found_at_its_entry(faulty: Any) -> None:
    report = followed(faulty.url)
    lines = {code: 3 + number for number, (_, code) in enumerate(LISTED) if code}
    # The entry is read already when the inner index lists it once more; and it is the inner one that leads back.
    elsewhere = {
        "IDX017": [("/maps/inner.xml", 3)],
        "IDX002": [("/maps/index.xml", lines["IDX002"]), ("/maps/inner.xml", 4)],
    }
    expected = {code: elsewhere.get(code, [("/maps/index.xml", line)]) for code, line in lines.items()}
    assert places(report, expected) == expected
    assert places(report, ["IDX016", "IDX020", "ROB005", "ROB009", "STR001"]) == {
        "IDX016": [("/maps/inner.xml", 4)],
        "IDX020": [("/sitemap.xml", None)],
        "ROB005": [("/maps/hidden.xml", None)],
        "ROB009": [("/maps/good.xml.gz", 5)],
        "STR001": [("/maps/page.xml", None)],
    }
    assert report.unreadable == ()
    [other] = [finding for finding in report.findings if finding.rule.code == "IDX009"]
    assert "the robots.txt of localhost lists no sitemap on " in other.examples[0].message


@pytest.mark.long("slow cases")
def test_each_document_is_asked_for_once(faulty: Any) -> None:
    followed(faulty.url)
    maps = [path for path in faulty.asked if path.startswith(("/maps/", "/elsewhere/")) or path == "/sitemap.xml"]
    assert sorted(maps) == sorted(set(maps))
    assert faulty.asked.count("/robots.txt") == 2  # that of each host


def test_an_index_below_a_folder_that_robots_txt_does_not_name(faulty: Any) -> None:
    report = urlset.validate(f"{faulty.url}/maps/index.xml", expand=True, preview=True, **FETCH)
    assert places(report, ["IDX010"]) == {"IDX010": [("/maps/index.xml", 11)]}


def test_another_host_that_names_the_sitemaps_may_be_listed(faulty: Any) -> None:
    faulty.put("//localhost/robots.txt", "Sitemap: {site}/maps/index.xml\n")
    assert places(followed(faulty.url), ["IDX009"]) == {"IDX009": []}


@pytest.mark.long("slow cases")
def test_the_same_report_every_time(faulty: Any) -> None:
    assert as_json(followed(faulty.url)) == as_json(followed(faulty.url))


@pytest.mark.long("slow cases")
def test_json_is_as_its_schema_says(faulty: Any, capsys: pytest.CaptureFixture[str]) -> None:
    options = ["--discover", "--expand", "--no-cache", "--retries", "0", "--allow-private", "--format", "json"]
    for command, code in (("validate", 1), ("inspect", 3)):
        assert main([command, faulty.url, *options]) == code
        printed = json.loads(capsys.readouterr().out)
        Draft202012Validator(schema_of(command)).validate(printed)
        assert {row["url"].rpartition("/")[2]: row["http_status"] for row in printed["unfetched"]} == {
            "gone.xml": 404, "broken.xml": 500, "forbidden.xml": 403,
        }  # fmt: skip
        assert {row["parent"] for row in printed["unfetched"]} == {f"{faulty.url}/maps/index.xml"}


def test_what_became_of_each_entry_is_shown(faulty: Any) -> None:
    report = inspect([faulty.url], make_group(InspectOptions, EVERYTHING))
    lines = list(inspect_text.render(report))
    shown = {
        name: next(line for line in lines if name in line) for name in ("good", "gone", "page", "inner", "index.xml ")
    }
    assert "3 URLs" in shown["good"]
    assert "returned HTTP 404 Not Found" in shown["gone"]
    assert "not a sitemap: html" in shown["page"]
    assert "3 sitemaps" in shown["inner"]
    assert "the index itself, not read again" in shown["index.xml "]
    assert lines[-1].startswith("2 indexes and 9 sitemaps with 10 URLs; 3 documents could not be fetched. Read ")
    written = json.loads("".join(INSPECT.json(report)))
    assert [cut["kind"] for cut in written["cuts"]] == [
        "self",
        "repeated",
        "cycle",
    ]


def test_urls_of_all_that_is_listed(faulty: Any) -> None:
    failed: list[Unreadable] = []
    found = [
        url.removeprefix(faulty.url)
        for url in iter_urls([faulty.url], make_group(InspectOptions, EVERYTHING), failed.append)
    ]
    assert found == [
        "/forgotten", "/a", "/b", "/private/c", "/moved", "/again", "/newer", "/outside", "/theirs", "/hidden",
    ]  # fmt: skip
    reasons = {one.target.rpartition("/")[2]: one.reason for one in failed}
    assert reasons == {
        "gone.xml": "returned HTTP 404 Not Found",
        "broken.xml": "returned HTTP 500 Internal Server Error",
        "forbidden.xml": "returned HTTP 403 Forbidden",
        "page.xml": "not a sitemap, but html",
    }


def test_sql_over_a_whole_site(faulty: Any) -> None:
    with QueryDatabase("select http_status, count(*) from documents group by all order by 1") as query:
        unreadable, _ = load(query, [faulty.url], make_group(ValidateOptions, EVERYTHING))
        assert list(query.run().rows) == [(200, 14), (403, 1), (404, 1), (500, 1)]
    assert list(unreadable) == []


def test_redirects_that_lead_back_or_to_what_is_read(site: Any) -> None:
    site.put("/index.xml", index("/back.xml", "/inner.xml", "/one.xml", "/other.xml"))
    site.put("/back.xml", b"", 302, Location="/index.xml")
    site.put("/inner.xml", index("/up.xml"))
    site.put("/up.xml", b"", 302, Location="/index.xml")
    site.put("/one.xml", urls("/a"))
    site.put("/other.xml", b"", 302, Location="/one.xml")
    report = urlset.validate(f"{site.url}/index.xml", expand=True, **FETCH)
    assert places(report, ["IDX016", "IDX017"]) == {
        "IDX016": [("/index.xml", 3), ("/inner.xml", 3)],
        "IDX017": [("/index.xml", 6)],
    }
    assert report.summary.urls == 1


# Bounds.


@pytest.fixture
def deep(site: Any) -> Any:
    """A chain of indexes, each with a sitemap beside the next index."""
    for depth in range(8):
        site.put(f"/i{depth}.xml", index(f"/i{depth + 1}.xml", f"/s{depth}.xml"))
        site.put(f"/s{depth}.xml", urls(f"/page{depth}"))
    return site


@pytest.mark.parametrize(
    ("bounds", "documents", "line", "message"),
    [
        ({"max_depth": 2}, 5, ("/i2.xml", 3),
         "sitemaps not read: 2, starting with {site}/i3.xml; limit reached: depth"),
        ({"max_documents": 4}, 4, ("/i1.xml", 4), "sitemaps not read: 1, starting with {site}/s1.xml; limit reached"),
        ({"max_total_bytes": 500}, 3, ("/i1.xml", 3),
         "sitemaps not read: 1, starting with {site}/i2.xml; limit reached"),
    ],
)  # fmt: skip
def test_bounds(deep: Any, bounds: dict[str, Any], documents: int, line: tuple[str, int], message: str) -> None:
    report = urlset.validate(f"{deep.url}/i0.xml", expand=True, **FETCH, **bounds)
    assert len(report.documents) == documents
    assert places(report, ["IDX018"])["IDX018"][0] == line
    finding = next(finding for finding in report.findings if finding.rule.code == "IDX018")
    assert finding.examples[0].message.startswith(message.replace("{site}", deep.url))


def test_bounds_of_the_command_line_and_the_configuration(
    deep: Any, tmp_path: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "urlset.toml").write_text("expand = true\nmax-documents = 3\ncache = false\n")
    assert main(["inspect", f"{deep.url}/i0.xml", "--format", "json"]) == 0
    assert len(json.loads(capsys.readouterr().out)["documents"]) == 3
    assert main(["inspect", f"{deep.url}/i0.xml", "--format", "json", "--max-documents", "2"]) == 0
    assert len(json.loads(capsys.readouterr().out)["documents"]) == 2


def test_an_endless_chain_of_indexes_ends(site: Any) -> None:
    for number in range(40):
        site.put(f"/i?{number}", index(f"/i?{number + 1}"))
    report = urlset.validate(f"{site.url}/i?0", expand=True, **FETCH)
    assert len(report.documents) == 1 + FollowingOptions().max_depth
    assert places(report, ["IDX018"])["IDX018"] == [("/i?5", 3)]


# What the user names, and what cannot be had.


def test_a_target_that_is_gone_is_an_error_of_its_own(site: Any, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["validate", f"{site.url}/sitemap.xml", "--expand", "--no-cache"]) == 3
    assert "/sitemap.xml: returned HTTP 404 Not Found" in capsys.readouterr().out


def test_a_site_without_a_sitemap_says_so(site: Any, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["validate", site.url, "--discover", "--no-cache"]) == 3
    error = capsys.readouterr().out
    assert "no sitemap found: there is no robots.txt, and there is none at a usual path such as sitemap.xml" in error
    assert "run `urlset discover -v` to see the locations that were tried" in error


def test_files_and_urls_of_sitemaps_are_read_as_they_are(site: Any, tmp_path: Any) -> None:
    site.put("/maps/one.xml", urls("/a"))
    (tmp_path / "two.xml").write_text(urls("/b").replace("{site}", site.url))
    report = urlset.validate([f"{site.url}/maps/one.xml", str(tmp_path)], discover=True, **FETCH)
    assert [row["entries"] for row in report.documents] == [1, 1]
    assert site.asked == ["/maps/one.xml"]


@pytest.mark.parametrize("target", ["public", "public/", "no/such/folder", "gone.xml", "./gone"])
def test_what_is_no_site_is_looked_for_on_disk(
    target: str, tmp_path: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["validate", target, "--discover"]) == 3
    assert capsys.readouterr().out.startswith(f"could not read {target}: no such file")


def test_what_lies_beyond_a_bound_is_counted(deep: Any) -> None:
    reading = make_group(InspectOptions, {**FETCH, "expand": True, "max_depth": 1})
    lines = list(inspect_text.render(inspect([f"{deep.url}/i0.xml"], reading)))
    assert lines[-1].startswith("2 indexes and 1 sitemap with 1 URL; 2 entries beyond a limit and not read. Read ")


def test_a_line_of_robots_txt_that_leads_nowhere_is_found_there(site: Any) -> None:
    site.put("/robots.txt", "Sitemap: {site}/gone.xml\nSitemap: {site}/here.xml\n")
    site.put("/here.xml", urls("/a"))
    report = urlset.validate(site.url, discover=True, **FETCH)
    assert places(report, ["FET001"]) == {"FET001": [("/robots.txt", 1)]}


def test_robots_txt_of_a_targets_own_host_is_read_where_asked_and_no_page_is(site: Any, tmp_path: Any) -> None:
    site.put("/robots.txt", "User-agent: *\nDisallow: /closed\nSitemap: {site}/a.xml\nSitemap: {site}/b.xml\n")
    site.put("/a.xml", urls("/closed/a", "/open"))
    site.put("/b.xml", urls("/open-too", "/closed/b"))
    targets = [f"{site.url}/a.xml", f"{site.url}/b.xml"]
    rules: dict[str, Any] = {**FETCH, "select": ["ROB"]}
    assert urlset.validate(targets, **rules).findings == ()
    assert "/robots.txt" not in site.asked
    report = urlset.validate(targets, robots=True, **rules)
    assert places(report, ["ROB009"]) == {"ROB009": [("/a.xml", 3), ("/b.xml", 4)]}
    assert site.asked.count("/robots.txt") == 1
    assert {path for path in site.asked if not path.endswith(".xml")} == {"/robots.txt"}
    # A local file has no host.
    local = tmp_path / "local.xml"
    local.write_text(urls("/a").replace("{site}", site.url), "utf-8")
    report = urlset.validate([local, targets[0]], robots=True, **rules)
    assert report.notes == ("robots.txt was not read for 1 target without a host",)
    assert places(report, ["ROB009"])["ROB009"][-1] == ("/a.xml", 3)


def test_robots_of_targets_are_bounded_and_what_is_not_read_is_said(site: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("urlset.stages.seeds.MAX_ROBOTS", 1)
    site.put("/robots.txt", "User-agent: *\nDisallow: /closed\n")
    site.put("/a.xml", urls("/closed/a"))
    site.put("//localhost/a.xml", urls("/closed/a"))
    other = site.url.replace("127.0.0.1", "localhost")
    report = urlset.validate([f"{site.url}/a.xml", f"{other}/a.xml"], robots=True, select=["ROB009"], **FETCH)
    assert report.notes == ("robots.txt was read for the first 1 host only; 1 target was not checked",)


def test_a_robots_txt_beyond_the_bounds_is_said(site: Any) -> None:
    lines = "".join(f"User-agent: a{number}\n" for number in range(1_000)) + "Disallow: /*a*b\n" * 10_001
    site.put("/robots.txt", lines)
    site.put("/a.xml", urls("/open"))
    report = urlset.validate(f"{site.url}/a.xml", robots=True, select=["ROB"], **FETCH)
    table, stars = report.notes
    assert table.startswith(f"{site.url}/robots.txt: ")
    assert table.endswith("(100000 of 10001000 pairs of user agent and rule are listed)")
    assert stars.endswith("(rules ignored: 1)")


def test_the_option_of_the_command(site: Any, capsys: pytest.CaptureFixture[str]) -> None:
    site.put("/robots.txt", "User-agent: Bingbot\nDisallow: /closed\n")
    site.put("/a.xml", urls("/closed/a"))
    command = ["validate", f"{site.url}/a.xml", "--no-config", "--no-cache", "--select", "ROB009", "--fail-on", "info"]
    assert main(command) == 0
    assert main([*command, "--robots"]) == 1
    assert "blocked for Bingbot" in capsys.readouterr().out


@pytest.mark.long("slow cases")
def test_an_unchanged_sitemap_is_not_sent_again(site: Any, tmp_path: Any) -> None:
    site.put("/robots.txt", "Sitemap: {site}/index.xml\n")
    site.put("/index.xml", index("/a.xml"), ETag='"1"')
    site.put("/a.xml", urls("/a"), ETag='"1"')
    fetch: ReadFields = {"cache_dir": tmp_path, "retries": 0}
    first = urlset.validate(site.url, discover=True, expand=True, **fetch)
    site.put("/index.xml", b"", 304, ETag='"1"')
    site.put("/a.xml", b"", 304, ETag='"1"')
    again = urlset.validate(site.url, discover=True, expand=True, **fetch)
    assert [row["sha256"] for row in first.documents] == [row["sha256"] for row in again.documents]
    assert again.summary.urls == 1


def test_a_fault_of_very_many_documents_keeps_an_example_of_each(site: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("urlset.stages.judge.MAX_EXAMPLES", 4)
    names = [f"/s{number}.xml" for number in range(6)]
    site.put("/index.xml", index(*names))
    for name in names:
        site.put(name, urls(f"{name}/a b", f"{name}/c d", f"{name}/e f"))
    report = urlset.validate(f"{site.url}/index.xml", expand=True, select=["LOC005"], max_examples=0, **FETCH)
    assert [finding.count for finding in report.findings] == [3] * 6
    monkeypatch.setattr("urlset.stages.judge.EXAMPLES_FOR_EACH_ASKED", 1)
    report = urlset.validate(f"{site.url}/index.xml", expand=True, select=["LOC005"], max_examples=3, **FETCH)
    assert [len(finding.examples) for finding in report.findings] == [3, 3, 1, 1, 1, 1]
    assert [finding.count for finding in report.findings] == [3] * 6


def test_what_lies_next_to_a_local_index_is_read_from_its_file(site: Any, tmp_path: Any) -> None:
    """Whether the directory or the index is the target; and only what is not there is requested."""
    folder = tmp_path / "big"
    (folder / "maps").mkdir(parents=True)
    listed = ("/a.xml", "/b.xml.gz", "/maps/c.xml", "/gone.xml", "/.env.txt", "/big/d.xml")
    (folder / "sitemap_index.xml").write_text(index(*listed).replace("{site}", site.url))
    for name in ("a.xml", "b.xml", "maps/c.xml", "d.xml", ".env.txt"):
        (folder / name).write_text(urls(f"/{name}").replace("{site}", site.url))
    outside = tmp_path / "outside.xml"
    outside.write_text(urls("/secret").replace("{site}", site.url))
    for target, requested in (
        (folder, ["/gone.xml", "/.env.txt"]),
        (folder / "sitemap_index.xml", ["/maps/c.xml", "/gone.xml", "/.env.txt"]),
    ):
        site.asked.clear()
        report = urlset.validate(target, expand=True, preview=True, **FETCH)
        assert sorted(set(site.asked)) == sorted(requested)
        read = [str(row["url"]) for row in report.documents if row["entries"]]
        names = {"sitemap_index.xml", "a.xml", "b.xml", "d.xml"} | ({"maps/c.xml"} if target == folder else set())
        assert sorted(read) == sorted(str(folder / name) for name in names)
        assert {finding.rule.code for finding in report.findings} & {"IDX012", "IDX016", "IDX017"} == set()


def test_a_link_next_to_a_local_index_does_not_lead_out(site: Any, tmp_path: Any) -> None:
    clone = tmp_path / "clone"
    (clone / ".git").mkdir(parents=True)
    (tmp_path / "secret.xml").write_text(urls("/secret"))
    (clone / "a.xml").symlink_to(tmp_path / "secret.xml")
    (clone / "index.xml").write_text(index("/a.xml", "/../secret.xml").replace("{site}", site.url))
    report = urlset.validate(clone / "index.xml", expand=True, **FETCH)
    assert [row["entries"] for row in report.documents] == [2, None, None]
    assert len(site.asked) == 2


def test_inspect_says_which_entries_are_files(site: Any, tmp_path: Any) -> None:
    (tmp_path / "index.xml").write_text(index("/a.xml", "/index.xml").replace("{site}", site.url))
    (tmp_path / "a.xml").write_text(urls("/a"))
    text = "\n".join(inspect_text.render(inspect([tmp_path], make_group(InspectOptions, {"expand": True}))))
    assert "/a.xml      read from a local file" in text
    assert "the index itself, not read again" in text
    assert site.asked == []
