"""What an assistant, or a file that steers one, cannot do with `urlset mcp`: leave the directory, hang or end it."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import anyio
import pytest
from tests.cases import case_table

import urlset
from urlset.cli import mcp_tools
from urlset.cli.mcp_server import server
from urlset.cli.mcp_tools import Reach, Tools, answer_in_process
from urlset.errors import UrlsetError
from urlset.files import repository_links
from urlset.options.assistants import AssistantOptions
from urlset.options.resolve import resolve

SITEMAP = (
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>https://example.com/{}</loc></url></urlset>'
)

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="links and pipes")


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A directory that is no repository, next to a secret."""
    root = tmp_path / "root"
    (root / "public").mkdir(parents=True)
    (root / "public" / "sitemap.xml").write_text(SITEMAP.format("a"))
    (tmp_path / "secret.xml").write_text(SITEMAP.format("secret"))
    (root / ".env.xml").write_text(SITEMAP.format("secret"))
    monkeypatch.chdir(root)
    # As in a process of the server.
    monkeypatch.setattr(repository_links, "_confined_to", root)
    return root


def tools_in(root: Path) -> Tools:
    return Tools(root, resolve(AssistantOptions, None, {}), allow_fetch=False)


READING: dict[str, Callable[[Tools, str], str]] = {
    "inspect": lambda tools, target: tools.inspect(target),
    "validate": lambda tools, target: tools.validate(target),
    "sql": lambda tools, target: tools.sql("select loc from urls", target),
    "page": lambda tools, target: tools.page("/secret", target),
    "findings": lambda tools, target: tools.findings(target),
}


@case_table("target", ["../secret.xml", ".env.xml"])
@pytest.mark.parametrize("tool", READING)
def test_links_in_a_directory_do_not_lead_out(tool: str, target: str, root: Path, tmp_path: Path) -> None:
    link = root / "public" / "b.xml"
    link.unlink(missing_ok=True)
    link.symlink_to(root / target)
    for named in ("public", "public/b.xml"):
        try:
            answer = READING[tool](tools_in(root), named)
        except UrlsetError as error:
            answer = str(error)
        assert "https://example.com/secret" not in answer


def test_a_run_as_a_folder_has_no_links_that_lead_out(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("runs", "urls"):
        (tmp_path / "other" / name).mkdir(parents=True)
        (tmp_path / "other" / name / "part-0.parquet").write_bytes(b"")
    (root / "run").mkdir()
    for name in ("runs", "urls"):
        (root / "run" / name).symlink_to(tmp_path / "other" / name)
    # Without its tables, a directory is no run, and is audited only together with another one.
    refused = dict.fromkeys(("sql", "page"), "link that leads out") | {"findings": "a directory has no stored findings"}
    for tool, reason in refused.items():
        with pytest.raises(UrlsetError, match=reason):
            READING[tool](tools_in(root), "run")


@case_table(
    "name", ["secret.xml", "missing.xml", "secret.xml/x", "missing/x", "secret.xml@1", "missing.xml@1", "a" * 300]
)
@pytest.mark.parametrize("tool", READING)
def test_an_error_does_not_tell_what_exists_outside(tool: str, name: str, root: Path) -> None:
    (root / "above").unlink(missing_ok=True)
    (root / "above").symlink_to(root.parent)
    for way in ("..", str(root.parent), "above", "public/../.."):
        with pytest.raises(UrlsetError, match=r"^outside the directory of the server"):
            READING[tool](tools_in(root), f"{way}/{name}")


@pytest.mark.parametrize("tool", READING)
def test_an_error_does_not_tell_which_hidden_files_exist(tool: str, root: Path) -> None:
    for name in (".env.xml", ".missing.xml", ".git/config"):
        with pytest.raises(UrlsetError, match=r"^hidden files are not read$"):
            READING[tool](tools_in(root), name)


@pytest.mark.parametrize("tool", READING)
@pytest.mark.parametrize("named", ["public/pipe.xml", "public"])
def test_a_pipe_is_not_read(tool: str, named: str, root: Path) -> None:
    os.mkfifo(root / "public" / "pipe.xml")
    try:
        answer = READING[tool](tools_in(root), named)
    except UrlsetError as error:
        answer = str(error)
    assert "not a regular file" in answer or tool in ("page", "findings")


def test_only_the_user_names_pipes(root: Path) -> None:
    """As `validate <(command)` does; in a directory, in an index, and behind a link, a pipe is not read."""
    os.mkfifo(root / "public" / "pipe.xml")
    (root / "public" / "link.xml").symlink_to("pipe.xml")
    report = urlset.validate(root / "public")
    assert {Path(str(one.target)).name for one in report.unreadable} == {"pipe.xml", "link.xml"}
    assert {one.reason for one in report.unreadable} == {"is not a regular file"}
    reading, writing = os.pipe()
    os.write(writing, SITEMAP.format("a").encode())
    os.close(writing)
    assert [str(entry.loc) for entry in urlset.read(f"/dev/fd/{reading}")] == ["https://example.com/a"]


async def _ask(reach: Reach, questions: list[tuple[str, dict[str, Any]]]) -> list[str]:
    from mcp_types import TextContent

    serving = server(reach)
    answers = []
    for name, arguments in questions:
        try:
            result = await serving.call_tool(name, arguments)
            content = result.content if hasattr(result, "content") else result
            answers.append("".join(one.text for one in content if isinstance(one, TextContent)))
        except Exception as error:  # noqa: BLE001 - whatever the SDK makes of it
            answers.append(str(error))
    return answers


def test_a_query_that_cannot_be_stopped_does_not_end_the_server(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mcp_tools, "MAX_SECONDS", -0.5)
    sleeping = {"query": "select sleep_ms(300000) from urls", "target": "public/sitemap.xml"}
    [stopped, explained] = anyio.run(_ask, Reach(root), [("sql", sleeping), ("explain", {"code": "LOC003"})])
    assert "stopped after 1.5 s" in stopped
    assert explained.startswith("# LOC003")


def test_each_tool_answers_from_its_process(root: Path) -> None:
    assert "1 URL" in answer_in_process(Reach(root), "inspect", "public/sitemap.xml")
    with pytest.raises(UrlsetError, match="no such file in the directory of the server"):
        answer_in_process(Reach(root), "page", "/a", "urlset.duckdb", None)
