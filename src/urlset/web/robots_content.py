"""The content of a robots.txt, line by line: groups of rules, sitemaps, extensions, and problems."""

from __future__ import annotations

from dataclasses import dataclass

from urlset import _core


@dataclass(frozen=True, slots=True)
class AgentLine:
    """One `User-agent:` line: its number, from 1, and its value as written."""

    line: int
    value: str


@dataclass(frozen=True, slots=True)
class RobotsRule:
    """One `Allow:` or `Disallow:` line: its number, from 1, and its path as written. An empty path has no effect."""

    line: int
    allow: bool
    pattern: str


@dataclass(frozen=True, slots=True)
class Group:
    """Consecutive `User-agent:` lines and the rules that follow them."""

    agents: tuple[AgentLine, ...]
    rules: tuple[RobotsRule, ...]


@dataclass(frozen=True, slots=True)
class SitemapLine:
    """One `Sitemap:` line.

    Attributes:
        line: Its number, from 1.
        column: Column of the value, in code points, from 1.
        key: The key as written.
        value: The value as written, without a comment.
        url: The value; a relative one is resolved if the URL of robots.txt is known.
        is_relative: Whether the value has no scheme.
        problem: What is wrong with `url` (a UrlProblem); None if it is valid.
    """

    line: int
    column: int
    key: str
    value: str
    url: str
    is_relative: bool
    problem: str | None


@dataclass(frozen=True, slots=True)
class ExtensionLine:
    """One line of another specification: `Content-Signal:`, `Content-Usage:`, `Crawl-delay:`, `License:`, and others.

    Attributes:
        line: Its number, from 1.
        column: Column of the key, in code points, from 1.
        key: The key, an ExtensionKey.
        value: The value as written, without a comment.
        group_line: The first `User-agent:` line of the group that it applies to; None before the first group, and for
            keys that apply to all crawlers.
        search: Whether a Content-Signal or Content-Usage allows search; None if it does not say.
        ai_input: Whether a Content-Signal allows ai-input, or a Content-Usage ai-use; None if it does not say.
        ai_train: Whether a Content-Signal allows ai-train, or a Content-Usage train-ai; None if it does not say.
        content_use: The most that `use` of a Content-Signal allows: immediate, reference, or full; None if it does not
            say.
        problem: What is wrong with the value (an ExtensionProblem); None if it is valid.
        evidence: The part of the value that has the problem; None if it is valid.
    """

    line: int
    column: int
    key: str
    value: str
    group_line: int | None
    search: bool | None
    ai_input: bool | None
    ai_train: bool | None
    content_use: str | None
    problem: str | None
    evidence: str | None

    @property
    def about(self) -> str | None:
        """What the problem means, as a sentence; None if the value is valid."""
        return None if self.problem is None else str(_core.vocabularies()["extension_problems"][self.problem])


@dataclass(frozen=True, slots=True)
class Problem:
    """A line that was repaired or ignored, or a problem of the whole file.

    Attributes:
        kind: The kind of problem, from the closed set RobotsProblem.
        line: Line, from 1; None for the whole file.
        column: Column in code points, from 1; None for the whole file.
        evidence: What was found, at most 120 characters, safe to print.
    """

    kind: str
    line: int | None
    column: int | None
    evidence: str

    @property
    def about(self) -> str:
        """What the kind means, as a sentence."""
        return str(_core.vocabularies()["robots_problems"][self.kind])
