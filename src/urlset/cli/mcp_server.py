"""A server of the Model Context Protocol on standard input and output: https://modelcontextprotocol.io/specification."""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlset import _core
from urlset.errors import UrlsetError, requiring_extra
from urlset.report.brief import DATA, Quotes

if TYPE_CHECKING:
    from mcp.server.mcpserver import MCPServer

    from urlset.cli.mcp_tools import Reach

LONGEST_ERROR = 600
"""Maximum characters of an error."""

INSTRUCTIONS = (
    f"Questions about XML sitemaps and stored audits of sites. {DATA} ~ stands for the origin that an answer names. "
    "Where an answer says `urlset validate`, `pages`, `explain`, or `sql`, use the tool with that name, or findings."
)


def server(reach: Reach) -> MCPServer:
    """Return a server of the tools, which runs each call in a separate process.

    Raises:
        MissingExtraError: The SDK is not installed.
    """
    with requiring_extra("mcp", "MCP servers require"):
        from mcp.server.mcpserver import MCPServer
        from mcp.server.mcpserver.exceptions import ToolError
        from mcp_types import ToolAnnotations

    serving: MCPServer = MCPServer("urlset", version=_core.__version__, instructions=INSTRUCTIONS, log_level="ERROR")
    annotations = ToolAnnotations(read_only_hint=True, destructive_hint=False)

    def answer(name: str, *arguments: object) -> str:
        from urlset.cli.mcp_tools import answer_in_process

        try:
            return answer_in_process(reach, name, *arguments)
        except UrlsetError as error:
            # A message can contain text of a site or file.
            raise ToolError(f"{DATA}\nerror: {Quotes()(error, LONGEST_ERROR)}") from None

    tool = serving.tool(annotations=annotations, structured_output=False)

    @tool
    def inspect(target: str) -> str:
        """What a sitemap contains: kind, entries, dates, children. target: file, directory, or allowed URL."""
        return answer("inspect", target)

    @tool
    def validate(target: str, site: bool = False, base_url: str | None = None) -> str:
        """What is wrong with sitemaps, with edits, or with a directory of built pages, their links and anchors.

        site: find the sitemaps of a host and follow indexes (fetches). base_url: where the directory will be published.
        """
        return answer("validate", target, site, base_url)

    @tool
    def page(url: str, store: str = "urlset.duckdb", run: int | None = None) -> str:
        """Why one URL is or is not indexable, and which sitemaps list it. url: as listed, or a path like /about."""
        return answer("page", url, store, run)

    @tool
    def findings(
        store: str = "urlset.duckdb",
        run: int | None = None,
        before: int | str | None = None,
        base_url: str | None = None,
    ) -> str:
        """Result of an audit: pages not indexable by reason, and findings. before: what changed since that run.

        To compare two directories of built pages, name the later one as store, and the earlier one as before.
        """
        return answer("findings", store, run, before, base_url)

    @tool
    def sql(query: str, target: str = "urlset.duckdb") -> str:
        """Run a SELECT of DuckDB on sitemaps or a store; about 60 rows fit.

        Tables: documents, urls, children, alternates, images, videos, news, findings; in a store also pages, runs,
        links, robots_files. DESCRIBE pages lists the columns of a table.
        """
        return answer("sql", query, target)

    @tool
    def robots(target: str = "robots.txt", urls: list[str] | None = None, agents: list[str] | None = None) -> str:
        """What a robots.txt says, or which crawlers can fetch some URLs or paths, with the line that decides."""
        return answer("robots", target, urls or [], agents or [])

    @tool
    def explain(code: str) -> str:
        """What a rule finds, why it matters, and how to fix it. code: such as LOC003 or page-noindex."""
        return answer("explain", code)

    return serving


def serve(reach: Reach) -> None:
    """Serve until standard input ends.

    Raises:
        MissingExtraError: The SDK is not installed.
    """
    server(reach).run("stdio")
