"""The content of a robots.txt, line by line: groups of rules, sitemaps, extensions, and problems."""

from __future__ import annotations

from typing import Annotated, TypeAlias

from msgspec import Struct

from urlset import _core
from urlset.model.fields import OneOf, PositiveInt, about, computed

ExtensionKeyName: TypeAlias = Annotated[str, OneOf(lambda: _core.vocabularies()["extension_keys"])]
ExtensionProblemName: TypeAlias = Annotated[str, OneOf(lambda: _core.vocabularies()["extension_problems"])]
UrlProblemName: TypeAlias = Annotated[str, OneOf(lambda: _core.vocabularies()["url_problems"])]


class AgentLine(Struct, frozen=True):
    """One `User-agent:` line: its number, from 1, and its value as written."""

    line: PositiveInt
    value: str


class RobotsRule(Struct, frozen=True):
    """One `Allow:` or `Disallow:` line: its number, from 1, and its path as written. An empty path has no effect."""

    line: PositiveInt
    allow: bool
    pattern: str


class Group(Struct, frozen=True):
    """Consecutive `User-agent:` lines and the rules that follow them."""

    agents: tuple[AgentLine, ...]
    rules: tuple[RobotsRule, ...]


class SitemapLine(Struct, frozen=True):
    """One `Sitemap:` line."""

    line: Annotated[PositiveInt, about("Its number, from 1.")]
    column: Annotated[PositiveInt, about("Column of the value, in code points, from 1.")]
    key: Annotated[str, about("The key as written.")]
    value: Annotated[str, about("The value as written, without a comment.")]
    url: Annotated[str, about("The value; a relative one is resolved if the URL of robots.txt is known.")]
    is_relative: Annotated[bool, about("Whether the value has no scheme.")]
    problem: Annotated[UrlProblemName | None, about("What is wrong with `url` (a UrlProblem); None if it is valid.")]


class ExtensionLine(Struct, frozen=True):
    """One line of another specification: `Content-Signal:`, `Content-Usage:`, `Crawl-delay:`, `License:`, and others."""  # noqa: E501

    line: Annotated[PositiveInt, about("Its number, from 1.")]
    column: Annotated[PositiveInt, about("Column of the key, in code points, from 1.")]
    key: Annotated[ExtensionKeyName, about("The key, an ExtensionKey.")]
    value: Annotated[str, about("The value as written, without a comment.")]
    group_line: Annotated[
        int | None,
        about(
            "The first `User-agent:` line of the group that it applies to; None before the first group, and for keys "
            "that apply to all crawlers."
        ),
    ]
    search: Annotated[
        bool | None, about("Whether a Content-Signal or Content-Usage allows search; None if it does not say.")
    ]
    ai_input: Annotated[
        bool | None,
        about("Whether a Content-Signal allows ai-input, or a Content-Usage ai-use; None if it does not say."),
    ]
    ai_train: Annotated[
        bool | None,
        about("Whether a Content-Signal allows ai-train, or a Content-Usage train-ai; None if it does not say."),
    ]
    content_use: Annotated[
        str | None,
        about(
            "The most that `use` of a Content-Signal allows: immediate, reference, or full; None if it does not say."
        ),
    ]
    problem: Annotated[
        ExtensionProblemName | None, about("What is wrong with the value (an ExtensionProblem); None if it is valid.")
    ]
    evidence: Annotated[str | None, about("The part of the value that has the problem; None if it is valid.")]

    @property
    @computed()
    def about(self) -> str | None:
        """What the problem means, as a sentence; None if the value is valid."""
        return None if self.problem is None else str(_core.vocabularies()["extension_problems"][self.problem])


class Problem(Struct, frozen=True):
    """A line that was repaired or ignored, or a problem of the whole file."""

    kind: Annotated[str, about("The kind of problem, from the closed set RobotsProblem.")]
    line: Annotated[PositiveInt | None, about("Line, from 1; None for the whole file.")]
    column: Annotated[PositiveInt | None, about("Column in code points, from 1; None for the whole file.")]
    evidence: Annotated[str, about("What was found, at most 120 characters, safe to print.")]

    @property
    @computed()
    def about(self) -> str:
        """What the kind means, as a sentence."""
        return str(_core.vocabularies()["robots_problems"][self.kind])
