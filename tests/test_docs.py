"""The documentation: that commands in pages print what stands there, and that a link to nowhere is noticed."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
from pathlib import Path
from urllib.parse import unquote

import click
import pytest
from tests.cases import case_table

import make_docs
import make_site
import urlset
import walkthrough
from urlset.cli.command import CommandGroup
from urlset.cli.commands import NAMES
from urlset.cli.main import app
from urlset.report.formats import ENDINGS, Form
from urlset.rules.families import FAMILIES
from urlset.rules.registry import all_rules
from urlset.tables import TABLES
from urlset.web.agents import KNOWN_AGENTS

ROOT = Path(__file__).parent.parent


@pytest.mark.parametrize(
    ("shown", "printed", "does_fit"),
    [
        ("a b", "a b", True),
        ("", "", True),
        ("a", "b", False),
        ("a", "a b", False),
        ("a …", "a b c", True),
        ("… c", "a b c", True),
        ("a … c", "a b b c", True),
        ("a … c … e", "a b c d e", True),
        ("a … c", "a c", False),
        ("a … d", "a b c", False),
        ("…", "", False),
    ],
)
def test_lines_not_shown(shown: str, printed: str, does_fit: bool) -> None:
    assert walkthrough.fits(tuple(shown.split()), tuple(printed.split())) is does_fit


def test_commands_are_run_and_their_output_put_in() -> None:
    page = """# Title

```toml title="folder/a.toml"
one = 1
```

```console
$ cat folder/a.toml \\
  | tr 1 2
stale
$ ls; echo oops >&2
…
oops
```

```sh
$ not run
```
"""
    assert walkthrough.refreshed(page) == page.replace("stale", "one = 2")


def test_a_background_command_runs_until_the_end_of_the_page(tmp_path: Path) -> None:
    ended = tmp_path / "ended"
    page = f"""```console
$ trap 'touch {ended}; exit' TERM; echo ready; sleep 60 & wait &
$ ls {tmp_path}
```
"""
    assert walkthrough.refreshed(page) == page.replace("wait &\n", "wait &\nready\n")
    assert ended.exists()


def test_a_background_command_that_prints_nothing_is_refused() -> None:
    with pytest.raises(walkthrough.CommandError, match="ended without output"):
        walkthrough.refreshed("```console\n$ false &\n```\n")


@pytest.mark.parametrize(
    "command", ["cat gone.txt", "cat gone.txt | head", "urlset validate --no-such-option", "urlset sql 'select'"]
)
def test_a_command_that_fails_is_named(command: str) -> None:
    with pytest.raises(walkthrough.CommandError, match=f"{re.escape(repr(command))} failed with exit status"):
        walkthrough.refreshed(f"```console\n$ {command}\n```\n")


def test_a_command_that_finds_something_is_cut_short_or_fails_as_shown() -> None:
    lines = [
        "$ urlset validate examples/faulty/sitemap.xml --format none",
        "$ yes | head -n 1",
        "y",
        "$ echo no; exit 3",
        "no",
    ]
    page = "\n".join(["```console", *lines, "```", ""])
    assert walkthrough.refreshed(page) == page


def test_an_output_that_would_end_its_block_is_refused() -> None:
    with pytest.raises(walkthrough.CommandError, match="contains a fence"):
        walkthrough.refreshed("```console\n$ printf '`%.0s' 1 2 3\n```\n")


def test_the_blocks_of_the_readme_are_run() -> None:
    for name in make_docs.WALKTHROUGHS:
        text = (ROOT / name).read_text(encoding="utf-8")
        commands = [
            step.command
            for block in re.findall(r"```console\n(.*?)```", text, re.DOTALL)
            for step in walkthrough.steps(block)
        ]
        assert len([command for command in commands if command.startswith("urlset ")]) >= 4, name


def test_the_python_of_the_readme_runs(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(ROOT)
    names: dict[str, object] = {}
    for block in re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), re.DOTALL):
        exec(block, names)
    assert capsys.readouterr().out.startswith("https://www.example.com/")
    assert hasattr(names["urls"], "__arrow_c_stream__")


def code_of(page: Path) -> str:
    """Returns the lines of a page that are code: fenced or indented."""
    text = page.read_text(encoding="utf-8")
    fenced = re.findall(r"^ *```.*?\n(.*?)^ *```$", text, re.MULTILINE | re.DOTALL)
    return "\n".join([*fenced, *re.findall(r"^ {4}.+", text, re.MULTILINE)])


COMMANDS = [
    (page.stem, line)
    for page in sorted((ROOT / "docs" / "how-to").glob("*.md"))
    if page.relative_to(ROOT).as_posix() not in make_docs.WALKTHROUGHS
    for line in re.findall(r"^(?: {4}|\$ )?(urlset (?:'[^'\n]*'|[^|\n])+)", code_of(page), re.MULTILINE)
]
COMMANDS += [("home", line) for line in re.findall(r"`(urlset [^`]+)`", (ROOT / make_site.HOME).read_text("utf-8"))]


@case_table("page, line", COMMANDS, ids=": ".join)
def test_commands_of_the_how_tos_have_options_that_exist(page: str, line: str) -> None:
    _, name, *words = shlex.split(line, comments=True)
    command = app.get_command(click.Context(app), name)
    assert command is not None
    if isinstance(command, CommandGroup) and words:
        command = command.commands.get(words[0], command)
    known = {option for parameter in command.params for option in (*parameter.opts, *parameter.secondary_opts)}
    assert {word.partition("=")[0] for word in words if re.match(r"--?[a-z]", word)} <= known


HOME = (ROOT / make_site.HOME).read_text(encoding="utf-8")


def test_the_page_on_ci_has_every_format_with_its_extensions() -> None:
    page = (ROOT / "docs/how-to/ci.md").read_text(encoding="utf-8")
    table = page.partition("| format | extension | for |\n")[2].partition("\n\n")[0]
    rows = re.findall(r"^\| `(\w+)` \| (.*?) ?\|", table, re.MULTILINE)
    shown = {name: re.findall(r"`([^`]+)`", extensions) for name, extensions in rows}
    endings = {str(form): [ending for ending, of in ENDINGS.items() if of is form] for form in Form}
    assert shown.pop("parquet") == [".parquet"]
    assert shown == {name: found for name, found in endings.items() if name != Form.NONE}


def test_the_home_page_starts_with_how_to_install_and_with_symptoms() -> None:
    blocks = re.findall(r"```sh\n(.*?)```|^## ([^\n]+)$", HOME, re.MULTILINE | re.DOTALL)
    (install, _), (_, heading), *_ = blocks
    assert install.startswith("pip install ")
    assert heading == "What is the problem?"


@pytest.mark.parametrize(
    ("query", "page"),
    [
        ("why does google not index my pages", "how-to/pages.md"),
        ("next.js", "how-to/recipes.md"),
        ("couldn't fetch", "how-to/couldnt-fetch.md"),
        ("indexed, though blocked", "reference/rules.md#rob009"),
        ("crawled - currently not indexed", "how-to/coverage.md"),
        ("CI should fail", "how-to/ci.md"),
    ],
)
def test_a_symptom_leads_to_its_page(query: str, page: str) -> None:
    [row] = [
        line
        for line in HOME.splitlines()
        if line.startswith("| ") and query.lower() in line.partition("` |")[0].lower()
    ]
    assert f"]({page}" in row


def test_every_command_has_a_page_of_its_own() -> None:
    index = make_docs.render("build/reference/cli.md")
    for name in NAMES:
        assert f"](cli/{name}.md)" in index
        page = make_docs.render(f"build/reference/cli/{name}.md")
        assert f"\n# urlset {name}\n" in page
        assert page.count("\n# ") == 1


def test_the_short_pages_have_a_line_for_each_entry() -> None:
    pages = {name: make_docs.render(f"docs/reference/{name}.md") for name in ("rules", "config", "tables", "api")}
    assert sum(page.count("\n") for page in pages.values()) <= 1_200
    assert re.findall(r'^\| <a id="(\w+)">', pages["rules"], re.MULTILINE) == [
        rule.code.lower() for family in FAMILIES for rule in all_rules() if rule.family == family.prefix
    ]
    assert re.findall(r'^\| <a id="(\w+)">', pages["tables"], re.MULTILINE) == list(TABLES)
    entries = re.findall(r'^- <a id="(\w+)"></a>`(?:api\.)?(\w+)', pages["api"], re.MULTILINE)
    assert set(urlset.__all__) - {"__version__"} <= {name for _, name in entries}
    assert all(anchor == name.lower() for anchor, name in entries)


def committed_files(root: Path) -> set[Path]:
    """Returns the files that git holds or would hold; of a copy without git, all of them."""
    if not (root / ".git").exists():
        return {path for path in root.rglob("*") if path.is_file()}
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=root,
        capture_output=True,
        text=True,
        check=True,
    )
    return {root / name for name in listed.stdout.split("\0")[:-1] if (root / name).is_file()}


def anchors_of(page: Path) -> set[str]:
    """Returns the anchors of a page on a code host: those of its headings, and its own."""
    text = re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    headings = [re.sub(r"\]\(.*?\)", "", each).lower() for each in re.findall(r"^#+ (.+)$", text, re.MULTILINE)]
    slugs = [re.sub(r"[^\w -]", "", each).replace(" ", "-") for each in headings]
    return {*slugs, *re.findall(r' id="([^"]+)"', text)}


def dead_links(root: Path) -> list[str]:
    """Returns the relative links of the Markdown files of a folder to no file or heading."""
    files = committed_files(root)
    known = files | {folder for file in files for folder in file.parents}
    dead = []
    for page in sorted(file for file in files if file.suffix == ".md" and "tests" not in file.parts):
        text = re.sub(r"^ *```.*?^ *```$", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
        for link in re.findall(r'\]\(([^()\s]+)\)|\b(?:src|srcset)="([^"\s]+)"', text):
            path, _, anchor = "".join(link).partition("#")
            if re.match(r"[a-z]+:", path):
                continue
            target = Path(os.path.normpath(page.parent / unquote(path))) if path else page
            if target not in known or (anchor and target.suffix == ".md" and anchor not in anchors_of(target)):
                dead.append(f"{page.relative_to(root).as_posix()}: {''.join(link)}")
    return dead


def test_links_of_markdown_files_lead_somewhere() -> None:
    assert dead_links(ROOT) == []


def test_pages_that_programs_name_exist() -> None:
    kinds = {".py", ".toml", ".yml", ".yaml", ".rs", ".html", ".j2", ""}
    named = {
        (path.relative_to(ROOT).as_posix(), page)
        for path in committed_files(ROOT)
        if path.suffix in kinds and path.relative_to(ROOT).parts[0] not in {"tests", "LICENSE"}
        for page in re.findall(
            r"\bdocs/(?:how-to|explanation|contributing)/[\w-]+\.md\b",
            path.read_text(encoding="utf-8", errors="replace"),
        )
    }
    assert len(named) > 10
    assert sorted(place for place in named if not (ROOT / place[1]).is_file()) == []


@pytest.mark.parametrize(
    ("link", "is_dead"),
    [
        ("[b](b.md)", False),
        ("[b](b.md#the-b-of-urlset-b)", False),
        ("[b](b.md#row)", False),
        ("[b](folder)", False),
        ("[b](#a)", False),
        ("[b](https://example.com/gone#gone)", False),
        ("```\n[b](gone.md)\n```", False),
        ("[b](gone.md)", True),
        ("[b](b.md#gone)", True),
        ("[b](#gone)", True),
        ('<img src="gone.png">', True),
    ],
)
def test_dead_links_are_found(link: str, is_dead: bool, tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "file").touch()
    (tmp_path / "a.md").write_text(f"# A\n\n{link}\n")
    (tmp_path / "b.md").write_text('# The [b](a.md) of `urlset b`!\n\n| <a id="row"></a>row |\n')
    assert len(dead_links(tmp_path)) == is_dead


def test_every_page_has_a_place_and_a_link() -> None:
    pages = make_site.sources()
    assert len(set(pages.values())) == len(pages)
    make_site.orphans(pages)
    # A page of the repository that the home page does not name.
    with pytest.raises(make_site.BrokenLinkError, match=r"no link to examples/three-hosts/md/index.md"):
        make_site.orphans({**pages, "examples/three-hosts/md/index.md": "how-to/new.md"})


@pytest.fixture(name="staged")
def staged_fixture(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(make_site, "PAGES", tmp_path / "pages")
    monkeypatch.setattr(make_site, "ROOT", tmp_path)
    (tmp_path / "docs" / "folder").mkdir(parents=True)
    (tmp_path / "LICENSE").write_text("free")
    return tmp_path


PLACES = {
    "docs/a.md": "a.md",
    "docs/reference/rules/loc003.md": "reference/rules/loc003.md",
    "README.md": "project/readme.md",
}


@pytest.mark.parametrize(
    ("written", "turned"),
    [
        ("[r](../README.md#x)", "[r](project/readme.md#x)"),
        ("[r](../LICENSE)", "[r](files/LICENSE)"),
        ("[r](folder)", "r"),
        ("[r](https://example.com/x)", "[r](https://example.com/x)"),
        ("[r](#here)", "[r](#here)"),
        ("[r](reference/rules.md#loc003)", "[r](reference/rules/loc003.md)"),
        ("```\n[r](../gone.md)\n```", "```\n[r](../gone.md)\n```"),
        ("text\n- item\n- item", "text\n\n- item\n- item"),
    ],
)
def test_links_are_turned_to_the_site(written: str, turned: str, staged: Path) -> None:
    (staged / "README.md").write_text("# R")
    (staged / "docs" / "a.md").write_text(written)
    make_site.stage("docs/a.md", "a.md", PLACES)
    assert (staged / "pages" / "a.md").read_text() == f"{turned}\n"
    assert (staged / "pages" / "files" / "LICENSE").exists() is ("LICENSE" in written)


def test_numbers_in_pages_come_from_the_program() -> None:
    page = make_docs.with_numbers("[1 rules](a), [2,000 crawlers](b), [3 rules of thumb](c)")
    assert page == f"[{len(all_rules())} rules](a), [{len(KNOWN_AGENTS)} crawlers](b), [3 rules of thumb](c)"
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert re.search(r"\[\d+ rules\]", readme)
    assert make_docs.with_numbers(readme) == readme


def test_a_link_to_no_file_is_named(staged: Path) -> None:
    (staged / "docs" / "a.md").write_text("# A\n\n[b](b.md)\n")
    with pytest.raises(make_site.BrokenLinkError, match=r"docs/a.md:3: no such file: docs/b.md"):
        make_site.stage("docs/a.md", "a.md", PLACES)


@pytest.mark.parametrize(
    ("body", "problem"),
    [
        ("<a href='b.html#there'></a><a href='/b.html'></a><a href='#me' id='me'></a>", None),
        ("<a href='https://example.com/'></a><link rel='canonical' href='https://example.com/'>", None),
        ("<a href='c.html'></a>", "a.html: broken link to c.html"),
        ("<a href='b.html#gone'></a>", "a.html: link to b.html#gone, which has no such heading"),
        ("<img src='https://example.com/x.png'>", "a.html: loads https://example.com/x.png"),
        ("<script src='//example.com/x.js'></script>", "a.html: loads //example.com/x.js"),
        ("<link rel='stylesheet' href='https://example.com/x.css'>", "a.html: loads https://example.com/x.css"),
    ],
)
def test_built_pages_are_checked(body: str, problem: str | None, tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text(f"<html><body>{body}</body></html>")
    (tmp_path / "b.html").write_text("<html><body><h2 id='there'>B</h2></body></html>")
    assert list(make_site.check(tmp_path)) == ([] if problem is None else [problem])


def test_styles_that_load_from_elsewhere_are_noticed(tmp_path: Path) -> None:
    (tmp_path / "x.css").write_text("@import 'https://example.com/f.css'; a { background: url(data:x) }")
    assert list(make_site.check(tmp_path)) == ["x.css: loads https://example.com/f.css"]
