"""Comments and summaries on GitHub: rendered as GitHub does (cmark-gfm), the text of others is in code, or refused."""

from __future__ import annotations

import random
import re
import runpy
from html.parser import HTMLParser
from pathlib import Path

import cmarkgfm
import pytest
from cmarkgfm.cmark import Options
from tests.cases import case_table
from tests.hosting.folders import page, write
from tests.hosting.test_audit import BASE, small_site

from urlset.cli.main import main

ROOT = Path(__file__).parents[2]
SCRIPT = runpy.run_path(str(ROOT / "scripts" / "pull_request_comment.py"))

INERT = {"p", "ol", "ul", "li", "strong", "details", "summary", "code", "table", "thead", "tbody", "tr", "th", "td"}
REPORT = {"h2", "h3", "em"}
"""What the Markdown of a report has as well."""

LIVE = "[x](https://evil.example) ![x](https://evil.example/x.png) <h1>x</h1> @admin https://evil.example #1"
"""A link, a picture, a heading, a mention, an address, and a reference."""


class _Tags(HTMLParser):
    """Collects the tags of a page, and its text outside of code."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.text = ""
        self._code = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self._code += tag == "code"

    def handle_endtag(self, tag: str) -> None:
        self._code -= tag == "code"

    def handle_data(self, data: str) -> None:
        if not self._code:
            self.text += data


def live_parts(markdown: str, allowed: set[str] = INERT) -> set[str]:
    """Return what text of others does on a page of GitHub: its elements, and words outside of code."""
    html = cmarkgfm.github_flavored_markdown_to_html(markdown, Options.CMARK_OPT_UNSAFE)
    tags = _Tags()
    tags.feed(html)
    return tags.tags - allowed | set(re.findall(r"@\w+|#\d+|evil", tags.text))


def is_accepted(folder: Path, text: str) -> bool:
    file = folder / "comment.md"
    file.write_bytes(text.encode("utf-8", "surrogatepass"))
    try:
        SCRIPT["read_comment"](file)
    except SCRIPT["RefusedError"]:
        return False
    return True


HEAD = "**urlset:** 1 URL added\n"
OPEN = "<details><summary>Notes: 1</summary>"

ARTEFACTS = {
    "after an opening": f"{HEAD}\n{OPEN}\n- `{LIVE}`\n\n</details>\n",
    "after a closing": f"{HEAD}\n{OPEN}\n\n- `x`\n\n</details>\n- `{LIVE}`\n",
    "after a closing without an opening": f"{HEAD}\n</details>\n- `{LIVE}`\n",
    "a closing in the list": f"{HEAD}\n{OPEN}\n\n- `x`\n</details>\n\n- `{LIVE}`\n",
    "an opening in an opening": f"{HEAD}\n{OPEN}\n\n{OPEN}\n\n- `{LIVE}`\n",
    "a title of its own": f"<details><summary>{LIVE}</summary>\n\n- `x`\n\n</details>\n",
    "a carriage return in a span": f"- `a\r\r{LIVE}`\n",
    "a carriage return and a heading": f"- `a\r# {LIVE}`\n",
    "a line separator in a span": f"- `a\u2028# {LIVE}`\n",
    "a form feed in a span": f"- `a\f# {LIVE}`\n",
    "NUL next to a span": "- \0\n",
    "a table without pipes": f"{HEAD}:-:\n`{LIVE} | a`\n",
    "a table of spans": f"- `a`\n:-:\n`{LIVE} | a`\n",
    "a delimiter row in an item": f"1. `a`\n   :-:\n   `{LIVE} | a`\n",
    "a heading below a line": "**urlset:** 1 URL added\n---\n",
    "a span over two lines": f"- `a\n- {LIVE}`\n",
    "fences that differ": f"- ``a` {LIVE} `b``c`\n",
    "an escaped fence": f"- \\`{LIVE}`\n",
    "indented as code": f"    {LIVE}\n",
    "mathematics": "- $`x`$\n",
    "a fenced block": f"```mermaid\n{LIVE}\n```\n",
    "a comment": f"<!--\n{LIVE}\n-->\n",
    "a footnote": f"[^1]\n\n[^1]: {LIVE}\n",
    "a reference": "[x]: https://evil.example\n",
    "an entity": "- &commat;admin `x`\n",
    "emphasis of another's words": "**merge it**\n",
    "words of another": "- approved by the maintainers: `x`\n",
    "a byte order mark": f"\ufeff{HEAD}",
    "a task": "- [x] `x`\n",
}


@case_table("text", ARTEFACTS)
def test_a_hostile_artefact_is_refused(text: str, tmp_path: Path) -> None:
    assert not is_accepted(tmp_path, text)


@pytest.mark.parametrize(
    "text", [f"{HEAD}\n1. `{LIVE}`\n", f"{HEAD}\n{OPEN}\n\n- ``{LIVE} ` ``: (empty)\n\n</details>\n", "", HEAD]
)
def test_text_of_others_in_code_is_posted_and_does_nothing(text: str, tmp_path: Path) -> None:
    assert is_accepted(tmp_path, text)
    assert not live_parts(text)


def test_the_renderer_finds_what_is_live() -> None:
    """The attack that was accepted: a code span in a block of HTML is none."""
    assert live_parts(f"{OPEN}\n`{LIVE}`\n") >= {"h1", "evil", "@admin", "#1"}
    assert live_parts(f"a\n:-:\n`{LIVE} | a`\n") >= {"a", "img"}


def test_whatever_is_accepted_does_nothing(tmp_path: Path) -> None:
    """Random orders of lines and pieces that urlset writes, or almost writes."""
    lines = [*HEAD.splitlines(), "", "", OPEN, "", "</details>", "- `x`", f"- `{LIVE}`", f"`{LIVE} | a`", ":-:", "---"]
    lines += [
        "before: `a`",
        "1. `a`: `b`",
        "  - `a`",
        "- … and 3 more",
        "- (empty)",
        f"2. ``{LIVE}` `` to `x`",
        "\t- `a`",
    ]
    numbers = random.Random(11)
    accepted = 0
    for _ in range(600):
        text = "\n".join(numbers.choices(lines, k=numbers.randint(1, 9)))
        if numbers.random() < 0.3:
            at = numbers.randrange(len(text) + 1)
            text = text[:at] + numbers.choice("`\r\n|<>\\ -:") + text[at:]
        if is_accepted(tmp_path, text):
            accepted += 1
            assert not live_parts(f"{SCRIPT['MARKER']}\n{text}"), text
    assert accepted > 15


@pytest.fixture(scope="module")
def hostile_sides(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Two builds of a site whose addresses, titles, and links have everything that Markdown knows."""
    folder = tmp_path_factory.mktemp("sides")
    signs = ["`@admin`", "``<h1>", "[a](https://evil.example)", "&lt;#1\\`", "*_~|www.evil.example", "ends`", "|-|-|"]
    paths = [f"/{sign.replace('&', '&amp;').replace('<', '%3C')}" for sign in signs]
    files = small_site("/", "/a/", "/gone/", *paths)
    head = f'<meta name="robots" content="noindex"><meta name="description" content="{LIVE.replace(chr(34), "")}">'
    files["a/index.html"] = page(f"{BASE}/a/", head=head, text=LIVE, links=["/`@x`", "/" + LIVE.replace(" ", "")])
    before, after = write(folder / "a", small_site()), write(folder / "b", files)
    (before / "sitemap.xml").write_text("<urlset>")
    return before, after


@pytest.mark.parametrize("order", [1, -1])
def test_a_comment_on_hostile_sites(
    order: int, hostile_sides: tuple[Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "written.md"
    sides = [str(side) for side in hostile_sides[::order]]
    assert main(["diff", *sides, "--format", "pr", "--output", str(file), "--select", "PGE,LOC", "--no-config"]) in (
        0,  # What only the other run checked fails nothing.
        1,
        3,
    )
    text = file.read_text(encoding="utf-8")
    assert "@admin" in text
    assert is_accepted(tmp_path, text)
    assert not live_parts(text)


def test_a_summary_of_a_hostile_site(hostile_sides: tuple[Path, Path], capsys: pytest.CaptureFixture[str]) -> None:
    """What the action writes to the page of a job."""
    site = str(hostile_sides[1])
    assert main(["audit", site, "--base-url", BASE, "--no-store", "--format", "markdown", "--no-config"]) == 1
    text = capsys.readouterr().out
    assert "evil" in text
    assert not live_parts(text, INERT | REPORT), text
