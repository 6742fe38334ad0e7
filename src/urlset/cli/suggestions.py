"""The words that users of other tools type, and what urlset calls them."""

from __future__ import annotations

import shlex
from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from urlset.options.declare import Option

PING = (
    "Google retired sitemap ping in 2023 and Bing in 2022; instead, add a Sitemap: line to robots.txt, submit the "
    "sitemap in Search Console and Bing Webmaster Tools, or send the URLs that changed with 'notify' (IndexNow)"
)
"""https://developers.google.com/search/blog/2023/06/sitemaps-lastmod-ping and
https://blogs.bing.com/webmaster/may-2022/Spring-cleaning-Removed-Bing-anonymous-sitemap-submission"""

COMMANDS: Mapping[str, str] = {
    "sitemap": "did you mean 'build' to write a sitemap, or 'inspect' to show one?",
    "generate": "did you mean 'build'?",
    "create": "did you mean 'build'?",
    "lint": "did you mean 'validate'?",
    "test": "did you mean 'validate'?",
    "verify": "did you mean 'validate'?",
    "crawl": "did you mean 'audit' to fetch the listed pages, or 'build' to write a sitemap?",
    "score": "did you mean 'check'?",
    "find": "did you mean 'discover'?",
    "show": "did you mean 'inspect'?",
    "urls": "did you mean 'inspect --urls'?",
    "repair": "did you mean 'fix'?",
    "query": "did you mean 'sql'?",
    "compare": "did you mean 'diff'?",
    "ping": PING,
    "submit": PING,
    "indexnow": "did you mean 'notify'?",
    "ci": "in CI, use 'audit FOLDER --fail-on warning' for a build, 'diff' for two, and 'validate' for sitemaps",
}
"""The text on a command that does not exist, after `no such command 'X'; `."""

OPTIONS: Mapping[str, tuple[str, ...]] = {
    "--json": ("--format json",),
    "--deep": ("urlset audit",),
    "--follow": ("--expand", "urlset audit"),
    "--fetch": ("--pages", "urlset audit"),
    "--pages": ("urlset audit",),
    "--schema": ("--xsd", "urlset validate"),
    "--noout": ("--xsd", "urlset validate"),
    "--xsd": ("urlset validate",),
    "--html": ("--report", "urlset report"),
    "--exit-zero": ("--fail-on never",),
    "--recursive": ("--expand", "--discover"),
    "--check-urls": ("--pages", "urlset audit"),
    "--check-links": ("--pages", "urlset audit"),
    "--crawl": ("--pages", "urlset audit"),
    "--fix": ("urlset fix",),
    "--quiet": ("--format none",),
    "-q": ("--format none",),
    "--strict": ("--fail-on warning",),
    "--exclude": ("--ignore",),
}
"""Alternatives to an option that a command does not have, best first: options and commands."""

CLOSE = 0.8
"""Least similarity of an option to an existing option: a word that only shares letters with it says nothing."""

IN_FOLDERS = "directories are always read with their subdirectories"

NEEDLESS: Mapping[tuple[str, str], str] = {
    ("build", "--recursive"): IN_FOLDERS,
    ("fix", "--recursive"): IN_FOLDERS,
    ("fix", "--deep"): IN_FOLDERS,
    ("sql", "--store"): "name the store after the query: urlset sql QUERY FILE.duckdb",
}
"""The text on an option that a command does not need, by command and option."""

COMMANDS_THAT_READ = frozenset({"inspect", "validate", "check", "discover", "fix", "diff", "sql"})
"""Commands whose users may look for another command."""


def for_command(name: str) -> str:
    """Return what to say about a command that does not exist: `; did you mean 'X'?`, or nothing."""
    from urlset.cli.commands import NAMES

    return for_topic(name, NAMES)


def for_topic(name: str, known: Collection[str]) -> str:
    """Return what to say about a command or topic that does not exist: `; did you mean 'X'?`, or nothing."""
    from urlset.options.convert import hint

    return f"; {COMMANDS[name]}" if name in COMMANDS else hint(name, known)


def for_command_as_option(name: str) -> str:
    """Return what to say about an option before the command: `; did you mean 'urlset X'?`, or nothing."""
    from urlset.cli.commands import NAMES

    command = name.lstrip("-")
    return f"; did you mean 'urlset {command}'?" if command in NAMES else ""


def for_setting(option: Option, *, is_off: bool) -> str:
    """Return what to say about an option that `--set` replaces: `; it is now --set network.read-timeout=5`.

    Args:
        is_off: Whether it was spelled with `--no-`.
    """
    import tomllib

    key, value = option.setting, tomllib.loads(f"value = {option.facts.example}")["value"]
    if isinstance(value, dict):
        entry, value = next(iter(value.items()))
        key = f"{key}.{entry}"
    if isinstance(value, bool):
        value = "false" if is_off else "true"
    elif isinstance(value, list):
        value = ",".join(map(str, value))
    return f"; it is now --set {shlex.quote(f'{key}={value}')}"


def for_option(name: str, command: str, names: Mapping[str, Collection[str]]) -> str:
    """Return what to say about an option that a command does not have: `; did you mean 'X'?`, or nothing.

    Args:
        name: The option, with its hyphens.
        names: The options of the command, each with the words that it accepts; empty for any.
    """
    from urlset.options.convert import hint

    if (command, name) in NEEDLESS:
        return f"; {NEEDLESS[command, name]}"
    for meant in OPTIONS.get(name, ()):
        if _exists(meant, command, names):
            return f"; did you mean {meant!r}?"
    return hint(name, names, CLOSE)


def _exists(meant: str, command: str, names: Mapping[str, Collection[str]]) -> bool:
    first, _, second = meant.partition(" ")
    if first == "urlset":
        return command in COMMANDS_THAT_READ and command != second
    return first in names and (not second or not names[first] or second in names[first])
