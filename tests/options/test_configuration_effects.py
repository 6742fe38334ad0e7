"""What a configuration does to a run: severities, limits, profiles, ignores, required URLs, warnings, exit codes."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime
from pathlib import Path

import pytest
from tests.cases import case_table

import urlset
import urlset.model
from urlset.cli.main import main
from urlset.errors import UsageError
from urlset.options.auditing import KeyedOptions
from urlset.options.build_file import in_file
from urlset.options.judging import Profile
from urlset.options.verbs import ValidateOptions
from urlset.rules.families import DEFAULT_LIMITS
from urlset.rules.profiles import PROFILES
from urlset.rules.registry import all_rules, rule
from urlset.stages.ruleset import rules_of

START = '<?xml version="1.0"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n'
FUTURE = f"{START}<url><loc>https://example.com/</loc><lastmod>2999-01-01</lastmod></url>\n</urlset>\n"
RELATIVE = f"{START}<url><loc>/a</loc></url>\n</urlset>\n"
DAILY = f"{START}<url><loc>https://example.com/</loc><changefreq>Daily</changefreq></url>\n</urlset>\n"


def severities(report: urlset.model.Report) -> dict[str, str]:
    return {finding.rule.code: finding.severity.value for finding in report.findings}


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / ".git").mkdir()
    (tmp_path / "sitemap.xml").write_text(RELATIVE)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_without_configuration_nothing_changes() -> None:
    assert rules_of(ValidateOptions(preview=True), datetime.now(UTC)) == tuple(
        rule
        for rule in all_rules()
        if not rule.requires
        and rule.profile is None
        and rule.required_field is None
        and not rule.needs_pages
        and not rule.needs_logs
        and not rule.needs_coverage
        and not rule.needs_deployment
    )


def test_rules_of_a_profile_run_under_it_alone_or_when_selected() -> None:
    feed = b'<rss version="2.0"><channel><title>t</title><item><link>https://e.com/</link></item></channel></rss>'

    def codes(**options: object) -> set[str]:
        return set(severities(urlset.validate(feed, **options)))  # type: ignore[arg-type]

    assert "FED002" in codes(profile="yandex")
    assert "FED002" not in codes() | codes(preview=True) | codes(profile="protocol") | codes(select=["FED"])
    assert codes(select=["FED002"]) == {"FED002"}
    assert "--profile yandex" in rule("FED002").standing


def test_severity_is_the_same_in_report_json_and_exit_code(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["validate", "sitemap.xml", "--select", "LOC001"]) == 1
    capsys.readouterr()
    Path("urlset.toml").write_text('severity = { LOC = "warning", LOC001 = "info" }\n')
    assert main(["validate", "sitemap.xml", "--select", "LOC001", "--format", "json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["summary"]["errors"] == 0
    assert report["summary"]["infos"] == 1
    assert report["findings"][0]["severity"] == "info"
    assert main(["validate", "sitemap.xml", "--select", "LOC001", "--no-config"]) == 1
    assert main(["validate", "sitemap.xml", "--select", "LOC001", "--fail-on", "info"]) == 1
    capsys.readouterr()
    assert main(["rules"]) == 0
    assert "(default: error)" in next(line for line in capsys.readouterr().out.splitlines() if "LOC001" in line)
    assert main(["explain", "LOC001"]) == 0
    assert "Severity: info (default: error)." in capsys.readouterr().out


def test_the_command_line_wins_only_where_it_speaks(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("urlset.toml").write_text('ignore = ["LOC"]\nfail-on = "never"\n')
    assert main(["validate", "sitemap.xml"]) == 0
    assert main(["validate", "sitemap.xml", "--fail-on", "error"]) == 0
    assert main(["validate", "sitemap.xml", "--fail-on", "error", "--ignore", "HNT"]) == 1


def test_a_wrong_file_exits_with_2(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("urlset.toml").write_text("fail-one = 1\n")
    assert main(["validate", "sitemap.xml"]) == 2
    assert capsys.readouterr().err == "urlset: urlset.toml: unknown key 'fail-one'; did you mean 'fail-on'?\n"
    assert main(["validate", "sitemap.xml", "--no-config", "--config", "urlset.toml"]) == 2


def test_max_warnings(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("sitemap.xml").write_text(FUTURE)
    run = ["validate", "sitemap.xml", "--select", "MOD005"]
    assert main(run) == 0
    assert main([*run, "--max-warnings", "1"]) == 0
    assert main([*run, "--max-warnings", "0"]) == 1
    capsys.readouterr()
    for most, failures in (("1", "0"), ("0", "1")):
        main([*run, "--max-warnings", most, "--format", "junit"])
        assert f'failures="{failures}" errors="0">' in capsys.readouterr().out
    Path("urlset.toml").write_text("max-warnings = 0\n")
    assert main(run) == 1


@pytest.mark.parametrize(
    ("glob", "document", "is_ignored"),
    [
        ("old/*", "old/a.xml", True),
        ("old/*", "old/deep/a.xml", True),
        ("old/*", "new/a.xml", False),
        ("a.xml", "old/a.xml", True),
        ("*.txt", "old/a.xml", False),
        ("*/a.xml", "old/a.xml", True),
    ],
)
def test_per_document_ignores(
    glob: str, document: str, is_ignored: bool, site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = site / document
    path.parent.mkdir(parents=True)
    path.write_text(RELATIVE)
    config = site / "urlset.toml"
    config.write_text(f'[per-document-ignores]\n"{glob}" = ["LOC"]\n')
    monkeypatch.chdir(path.parent)
    for target in (path, path.name):
        report = urlset.validate(target, select=["LOC001", "STR001"], config=config)
        assert (severities(report) == {}) is is_ignored


def test_required_urls_and_limits(tmp_path: Path) -> None:
    config = tmp_path / "urlset.toml"
    config.write_text('required-urls = ["https://example.com/b"]\nlimits = { max-entries = 1, max-url-length = 21 }\n')
    text = b"https://example.com/\nhttps://example.com/aa\n"
    report = urlset.validate(text, config=config, select=["COV", "LIM001", "LOC003"])
    found = {finding.rule.code: finding for finding in report.findings}
    assert found.keys() == {"COV001", "LIM001", "LOC003"}
    assert found["COV001"].examples[0].value == "https://example.com/b"
    assert found["LIM001"].rule.message == "Sitemap has more URLs than the limit of 1"
    assert found["LOC003"].rule.message == "URL is longer than 21 characters"
    assert "2,048" not in found["LOC003"].rule.fix


def test_a_required_field(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pages, index, config = tmp_path / "a.txt", tmp_path / "index.xml", tmp_path / "urlset.toml"
    pages.write_text("https://example.com/\n")
    index.write_text(
        '<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">'
        "<sitemap><loc>https://example.com/a.xml</loc></sitemap></sitemapindex>"
    )
    config.write_text('require = ["lastmod"]\n')
    chosen = {"select": ["MOD", "IDX"], "ignore": ["IDX011", "IDX024"]}
    wanted = {"MOD018": "error", "IDX022": "error"}
    assert severities(urlset.validate(tmp_path, **chosen)) == {}  # type: ignore[arg-type]
    assert severities(urlset.validate(tmp_path, require=["lastmod"], **chosen)) == wanted  # type: ignore[arg-type]
    assert severities(urlset.validate(tmp_path, config=config, **chosen)) == wanted  # type: ignore[arg-type]
    with pytest.raises(
        UsageError,
        match=r"require: must be a list of lastmod, not \['priority'\]",
    ):
        urlset.validate(pages, require=["priority"])
    run = ["validate", str(pages), "--no-config", "--format", "concise"]
    assert main(run) == 0
    assert main([*run, "--require", "lastmod"]) == 1
    assert "MOD018" in capsys.readouterr().out
    assert main(["validate", str(pages), "--config", str(config), "--format", "none"]) == 1


def test_a_limit_in_bytes_is_named_in_bytes(tmp_path: Path) -> None:
    config = tmp_path / "urlset.toml"
    config.write_text("limits = { max-bytes = 10 }\n")
    report = urlset.validate(b"https://example.com/\n", config=config, select=["LIM002"])
    assert report.findings[0].rule.message == "Sitemap is larger than 10 bytes uncompressed"


@pytest.mark.parametrize(
    ("limits", "expected"),
    [
        ("", {"LOC022": ("token", 1), "LOC023": ("secret", 1)}),
        # A name that the reader does not know, and a dot that stands for itself.
        ('sensitive-parameters = ["Invite.Code"]', {"LOC022": ("invite.code", 1), "LOC023": ("secret", 1)}),
        ('sensitive-parameters = []\nsecret-parameters = ["token", "pin"]', {"LOC023": ("token", 2)}),
    ],
)
def test_lists_of_parameters(limits: str, expected: dict[str, tuple[str, int]], tmp_path: Path) -> None:
    config = tmp_path / "urlset.toml"
    config.write_text(f"[limits]\n{limits}\n")
    urls = ("token=1", "secret=2", "invite.code=3", "inviteXcode=4", "pin=5", "spin=6")
    text = "".join(f"https://example.com/?{url}\n" for url in urls).encode()
    report = urlset.validate(text, config=config, select=["LOC022", "LOC023"])
    assert {finding.rule.code: (finding.examples[0].value, finding.count) for finding in report.findings} == expected


# Profiles.


def test_every_profile_has_its_data_and_names_rules_that_exist() -> None:
    assert set(PROFILES) == {profile.value for profile in Profile}
    codes = [rule.code for rule in all_rules()]
    for changes in PROFILES.values():
        assert all(any(code.startswith(prefix) for code in codes) for prefix in changes.severity)
        assert changes.limits.keys() <= DEFAULT_LIMITS.keys()


@pytest.mark.parametrize(
    ("profile", "expected"),
    [
        (None, {"MOD005": "warning", "HNT001": "warning", "HNT003": "hint"}),
        ("protocol", {"HNT001": "error"}),
        ("google", {"MOD005": "warning", "HNT001": "hint", "HNT003": "hint"}),
        ("bing", {"MOD005": "error", "MOD019": "hint", "HNT001": "hint", "HNT003": "hint"}),
        ("yandex", {"MOD005": "warning", "HNT001": "warning"}),
    ],
)
def test_profiles_differ(profile: str | None, expected: dict[str, str]) -> None:
    both = FUTURE.replace("</lastmod>", "</lastmod><changefreq>Daily</changefreq>").encode()
    assert severities(urlset.validate(both, profile=profile, select=["MOD", "HNT"])) == expected


@pytest.mark.parametrize(("length", "codes"), [(1024, set()), (1025, {"LOC003"}), (2048, {"LOC003"})])
def test_yandex_takes_1024_characters(length: int, codes: set[str]) -> None:
    url = "https://example.com/".ljust(length, "a").encode()
    report = urlset.validate(url, profile="yandex", select=["LOC"])
    assert {finding.rule.code for finding in report.findings} == codes
    assert all("1,024" in finding.rule.message for finding in report.findings)


def test_configuration_wins_over_the_profile(tmp_path: Path) -> None:
    config = tmp_path / "urlset.toml"
    config.write_text('profile = "bing"\nseverity = { MOD = "info" }\n')
    assert severities(urlset.validate(FUTURE.encode(), config=config, select=["MOD005"])) == {"MOD005": "info"}
    assert severities(urlset.validate(DAILY.encode(), config=config, profile="protocol", select=["HNT"])) == {
        "HNT001": "error"
    }


def test_what_a_profile_makes_of_order_and_of_feeds() -> None:
    order = '<urlset xmlns="{}"><url><lastmod>2025-01-01</lastmod><loc>https://e.com/</loc></url></urlset>'
    document = order.format("http://www.sitemaps.org/schemas/sitemap/0.9").encode()
    for profile, expected in ((None, {"STR018": "hint"}), ("protocol", {"STR018": "warning"})):
        assert severities(urlset.validate(document, profile=profile, select=["STR018"])) == expected
    feed = b'<rss version="2.0"><channel><title>t</title><item><link>https://e.com/</link></item></channel></rss>'
    for profile, expected in ((None, {}), ("google", {}), ("yandex", {"FED002": "error"})):
        assert severities(urlset.validate(feed, profile=profile, select=["FED"])) == expected


def test_an_unknown_profile_is_misuse() -> None:
    with pytest.raises(
        UsageError,
        match="profile: must be one of protocol, google, bing, yandex, not 'goggle'; did you mean 'google'",
    ):
        urlset.validate(b"https://example.com/", profile="goggle")


def test_the_removed_profile_and_its_rules_name_what_replaces_them() -> None:
    with pytest.raises(UsageError, match=r"^profile: strict-xsd was removed; use --xsd DIR.*/siteindex\.xsd$"):
        urlset.validate(b"https://example.com/", profile="strict-xsd")
    named: list[dict[str, object]] = [{"select": ["xsd"]}, {"ignore": ["XSD001"]}, {"severity": {"XSD001": "info"}}]
    for fields in named:
        with pytest.raises(UsageError, match=r"rule XSD001 was removed: `urlset validate --xsd DIR` validates"):
            urlset.validate(b"https://example.com/", **fields)  # type: ignore[arg-type]
    with pytest.raises(UsageError, match=r"^rule XSD008 was removed: `urlset validate --xsd DIR`"):
        rule("xsd008")


def test_an_unknown_severity_is_misuse() -> None:
    with pytest.raises(UsageError, match=r"severity\.LOC: must be one of error, warning, info, hint, not 'fatal'"):
        urlset.validate(b"https://example.com/", severity={"LOC": "fatal"})


# What is shown of it.


def test_config_shows_values_and_origins(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("urlset.toml").write_text("max-warnings = 5\n[limits]\nmax-entries = 7\n")
    assert main(["config", "--profile", "yandex", "--format", "json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    values = {each["key"]: (each["value"], each["origin"]) for each in shown["values"]}
    assert values["max-warnings"] == (5, "urlset.toml")
    assert values["profile"] == ("yandex", "--profile")
    assert values["limits.max-entries"] == (7, "urlset.toml")
    assert values["limits.max-url-length"] == (1024, "profile yandex")
    assert values["fail-on"] == ("error", "default")
    assert {"code": "LOC006", "severity": None, "default": "warning"} in shown["rules"]
    assert main(["config"]) == 0
    text = capsys.readouterr().out
    assert "Configuration file: urlset.toml" in text
    assert "max-warnings" in text


# What the guide shows.


def test_the_guide_shows_configurations_that_work(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    guide = (Path(__file__).parents[2] / "docs" / "how-to" / "configure.md").read_text("utf-8")
    blocks = re.findall(r"```toml\n(.*?)```", guide, flags=re.DOTALL)
    assert len(blocks) == 4
    Path("urlset.toml").write_text("\n".join(blocks), "utf-8")
    assert main(["config"]) == 0
    assert "SHOP001, SHOP002" in capsys.readouterr().out


KEYS = {each.path: each for each in in_file(KeyedOptions)}


@case_table("key", [key for key in KEYS if key not in ("rule", "baseline")])
def test_the_example_of_every_key_works(key: str, site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("urlset.toml").write_text(f"{key} = {KEYS[key].facts.example}\n", "utf-8")
    assert main(["config", "--format", "json"]) == 0
    origins = {each["key"]: each["origin"] for each in json.loads(capsys.readouterr().out)["values"]}
    assert "urlset.toml" in ([origins.get(key)] if key != "limits" else origins.values())
