"""The commands. Each is imported when it is used; `urlset --help` and the other commands do not load it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from urlset.report.paint import Paint

COMMANDS = {
    "Read": {
        "inspect": "Show what sitemaps contain.",
        "validate": "Check sitemaps against the protocol and search engine requirements.",
        "check": "Score the sitemap of a site.",
        "audit": "Check a site and the pages its sitemaps list, and store the result.",
        "discover": "Find the sitemaps of a site.",
        "robots": "Show a robots.txt and which crawlers it allows to fetch which URLs.",
        "deploy-check": "Compare a built directory with what its site serves.",
        "logs": "Show which crawlers requested which URLs, according to access logs.",
    },
    "Write": {
        "build": "Build sitemaps.",
        "fix": "Repair sitemaps.",
        "notify": "Tell search engines which URLs changed, with IndexNow.",
    },
    "Results": {
        "pages": "List the pages that cannot be indexed, and why.",
        "history": "List the runs in a store.",
        "diff": "Compare two sitemaps, directories, sites, or runs.",
        "lastmod": "Show how many lastmod dates of each sitemap are true.",
        "report": "Write the HTML report of a run.",
        "coverage": "Show how many listed URLs are fetched by crawlers, indexable, and indexed.",
        "monitor": "Check sites regularly, and tell only what is new.",
        "metrics": "Print the last round of each monitored site as OpenMetrics.",
        "prune": "Delete old runs of each site in a store.",
        "ignore": "Ignore the findings of a rule until a date.",
        "sql": "Query sitemaps with SQL.",
        "serve": "Open a store in the browser: audits, pages, findings, runs, and SQL.",
    },
    "Reference": {
        "rules": "List the rules.",
        "explain": "Explain a rule.",
        "config": "Show the effective configuration.",
        "cache": "Show or empty the HTTP cache.",
        "skill": "Print a skill file, which tells assistants when to use which command.",
        "mcp": "Serve files and a store to assistants over the Model Context Protocol.",
        "key": "Make a key, with which urlset signs its requests.",
        "help": "Show all options of a command or topic.",
    },
}
"""The purpose of each command, grouped by job. A command is `COMMAND` of the module of its name."""

EXAMPLES = (
    "urlset validate public/sitemap.xml",
    "urlset validate https://example.com/sitemap_index.xml --format json",
    "urlset inspect public/",
    "urlset discover example.com",
    "urlset check example.com",
    "urlset fix public/ --in-place",
    "urlset build public/ --base-url https://example.com -o public/",
    "urlset inspect sitemap.xml.gz --urls | sort | uniq -d",
    'urlset sql "select host, count(*) from urls group by all" public/',
    "urlset robots https://example.com https://example.com/search?q=a",
    "urlset explain LOC003",
)
"""Command lines to show."""

EXIT_STATUS = {
    0: "no findings at or above --fail-on",
    1: "findings at or above --fail-on",
    2: "usage or configuration error",
    3: "a target could not be read (the others are still reported), memory ran out, or output could not be written",
    4: "internal error; if it affects only one document, page, or site, the rest is still reported",
    130: "interrupted",
}
"""The meaning of the exit codes of all commands."""

WIDTH = 100
"""Columns of a help text."""

PURPOSES = {name: what for group in COMMANDS.values() for name, what in group.items()}
"""The purpose of each command."""

NAMES = tuple(PURPOSES)


def command_lines(paint: Paint) -> Iterator[str]:
    from urlset.report.paint import Role

    width = max(map(len, NAMES)) + 2
    for number, (title, commands) in enumerate(COMMANDS.items()):
        if number:
            yield ""
        yield paint(f"{title}:", Role.HEADING)
        for name, what in commands.items():
            yield f"  {paint(name, Role.PLACE)}{'':{width - len(name)}}{what}"
