"""Reports of `robots`: for people, and for language models."""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlset.report.brief import Brief, Group, Quotes, quotes_for
from urlset.report.paint import Paint, Role
from urlset.report.style import Style
from urlset.report.words import them
from urlset.text.safe import safe
from urlset.text.sizes import enumeration, quantity
from urlset.web.agents import (
    DEFAULT_AGENTS,
    KNOWN_AGENTS,
    TITLES,
    Obedience,
    known_agent,
    may_ignore,
    obedience_of,
    tokens_of,
)
from urlset.web.robots_txt import Availability, VerdictReason, product_token

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from urlset.model.robots import RobotsReport, SitemapAccess, UrlAccess
    from urlset.web.robots_content import AgentLine
    from urlset.web.robots_content import Group as RobotsGroup
    from urlset.web.robots_txt import IgnoredRule, Robots, Verdict

MAX_UNGROUPED = 3
"""Maximum crawlers to list without grouping them by purpose."""

MAX_BLOCKED = 5
"""Maximum blocked crawlers of a purpose to name."""

MAX_UNKNOWN = 10
"""Maximum unknown names to list without --verbose."""

OTHER_AGENTS = "Other crawlers (--all-agents shows each)"

OTHERS = "Crawlers that urlset does not know"


def text(report: RobotsReport, style: Style = Style()) -> Iterator[str]:
    """Yield the lines of the report; with `verbose`, the file and its problems even if there are URLs to test."""
    robots, paint = report.robots, style.paint
    yield paint(safe(report.name), Role.HEADING)
    yield f"  {_summary(report)}"
    if style.verbose or not (report.urls or report.sitemaps):
        yield from _file(robots, paint)
        yield from _problems(robots, paint)
    elif problems := _problem_count(robots):
        yield f"  {paint(quantity(problems, 'problem'), Role.WARNING)}; use --verbose to show {them(problems)}"
    for access in report.urls:
        yield from _url(access, robots, paint)
    if report.home:
        yield ""
        yield paint("Crawler access to / (--all-agents shows the group of each crawler)", Role.HEADING)
        yield from (f"  {gist}" for gist in _gists(report.home))
    if report.agents != DEFAULT_AGENTS and not (report.urls or report.sitemaps):
        yield from _applicable(report, paint)
    yield from _sources(report.agents)
    if strangers := [safe(agent) for agent in report.agents if known_agent(agent) is None]:
        yield ""
        yield (
            f"  urlset does not know {enumeration(strangers)}; the result is for a crawler of this name that follows "
            "robots.txt (RFC 9309); --list-agents shows the names that it knows"
        )
    if unknown := _unknown_names(report):
        names = quantity(len(unknown), "name in its groups is", "names in its groups are")
        shown = unknown if style.verbose else unknown[:MAX_UNKNOWN]
        more = f" and {len(unknown) - len(shown)} more (-v shows all)" if len(unknown) > len(shown) else ""
        yield ""
        listed = f"{safe(', '.join(shown))}{more}"
        yield f"  {names} of crawlers that urlset does not know: {listed}; test them with --agents"
    for sitemap in report.sitemaps:
        yield from _sitemap(sitemap, paint)


def _applicable(report: RobotsReport, paint: Paint) -> Iterator[str]:
    """Yield the groups that apply to each named crawler."""
    yield ""
    yield paint("Groups that apply", Role.HEADING)
    width = max(len(safe(agent)) for agent in report.agents)
    for agent in report.agents:
        yield f"  {safe(agent):<{width}}  {_group_of(agent, report.robots)}"


def _group_of(agent: str, robots: Robots) -> str:
    obedience = obedience_of(agent)
    groups = robots.group_of(agent)
    line = _own_line(agent, robots)
    if line is None and obedience is Obedience.OWN_GROUP:
        return f"none: {WHY[VerdictReason.OWN_GROUP]}"
    line = line or next((line for group in groups for line in group.agents if product_token(line.value) == "*"), None)
    group = "none: everything is allowed" if line is None else f"line {line.line}: User-agent: {safe(line.value)}"
    more = f", and {quantity(len(groups) - 1, 'more group')}" if len(groups) > 1 else ""
    return f"{group}{more}{_reservation(agent)}"


def _reservation(agent: str) -> str:
    """Return that a crawler ignores robots.txt, or may do so, as a clause; empty for one that follows it."""
    if obedience_of(agent) is Obedience.IGNORES:
        return f"; {WHY[VerdictReason.IGNORED]}"
    return f"; {MAY_IGNORE}" if may_ignore(agent) else ""


def _own_line(agent: str, robots: Robots) -> AgentLine | None:
    """Return the User-agent line that names a crawler; None if the group for all applies to it, or no group."""
    tokens = {product_token(token) for token in tokens_of(agent)}
    lines = (line for group in robots.group_of(agent) for line in group.agents)
    return next((line for line in lines if product_token(line.value) in tokens), None)


def _reason(agent: str, verdict: Verdict, robots: Robots) -> str:
    """Return the reason for a verdict that no rule decides, with the group that names the crawler; else nothing."""
    line = _own_line(agent, robots) if verdict.reason is VerdictReason.NO_RULE else None
    if line is None:
        return WHY.get(verdict.reason, "")
    others = any(product_token(name.value) == "*" for group in robots.groups for name in group.agents)
    more = "; the group for * does not apply to it" if others else ""
    return f"no rule of its group in line {line.line} matches{more}"


def _sources(agents: Iterable[str]) -> Iterator[str]:
    """Yield where the operators say which crawlers ignore robots.txt, or a part of it, or may do so."""
    by_source: dict[str, list[str]] = {}
    for agent in agents:
        known = known_agent(agent)
        if known is not None and (known.may_ignore or known.robots is not Obedience.FOLLOWS):
            by_source.setdefault(known.source, []).append(known.name)
    if by_source:
        yield ""
    for source, names in by_source.items():
        yield f"  Source on {enumeration(names)}: {source}"


def _unknown_names(report: RobotsReport) -> list[str]:
    """Return the names in the groups of the file that no known crawler has, and that were not tested."""
    tokens = {token.lower() for agent in KNOWN_AGENTS for token in agent.tokens}
    tokens |= {agent.lower() for agent in report.agents} | {"", "*"}
    names = (agent.value for group in report.robots.groups for agent in group.agents)
    return list(dict.fromkeys(name for name in names if name.partition("/")[0].strip().lower() not in tokens))


def _problem_count(robots: Robots) -> int:
    invalid = sum(line.problem is not None for line in robots.extensions)
    unlisted: int = robots.facts["problems_unlisted"]
    return len(robots.problems) + unlisted + invalid


def _summary(report: RobotsReport) -> str:
    robots = report.robots
    match robots.availability:
        case Availability.UNAVAILABLE:
            return f"no robots.txt (HTTP status {report.status}): everything is allowed"
        case Availability.UNREACHABLE:
            return f"unreachable ({safe(report.reason or '')}): crawlers treat everything as disallowed"
        case Availability.READ:
            rules = sum(len(group.rules) for group in robots.groups)
            facts = robots.facts
            size = quantity(facts["bytes"], "byte")
            if facts["bytes_unread"]:
                size += f", of which {facts['bytes_unread']:,} were not read"
            numbers = ((len(robots.groups), "group"), (rules, "rule"), (len(robots.sitemaps), "sitemap"))
            counts = ", ".join(quantity(number, noun) for number, noun in numbers)
            return f"{counts}; {size}, {facts['encoding']}"


def _file(robots: Robots, paint: Paint) -> Iterator[str]:
    for group in robots.groups:
        yield ""
        yield from _group(group, paint)
    if robots.sitemaps:
        yield ""
        yield paint("Sitemaps", Role.HEADING)
    for sitemap in robots.sitemaps:
        note = ""
        if sitemap.is_relative:
            note = f"  ({safe(sitemap.value)} as written)" if sitemap.url != sitemap.value else "  (relative)"
        yield f"  {paint(f'{sitemap.line:>5}', Role.FAINT)}  {safe(sitemap.url)}{note}"
    yield from _extensions(robots, paint)


def _extensions(robots: Robots, paint: Paint) -> Iterator[str]:
    if not robots.extensions:
        return
    yield ""
    yield paint("Other lines", Role.HEADING)
    groups = {group.agents[0].line: group for group in robots.groups if group.agents}
    for line in robots.extensions:
        group = groups.get(line.group_line or 0)
        agents = "" if group is None else f"  (User-agent: {', '.join(safe(agent.value) for agent in group.agents)})"
        yield f"  {paint(f'{line.line:>5}', Role.FAINT)}  {line.key}: {safe(line.value)}{agents}"
        if line.problem is not None:
            evidence = f": {safe(line.evidence)}" if line.evidence else ""
            yield f"         {paint(line.problem, Role.WARNING)}{evidence}"
            yield f"         {line.about}"


def _group(group: RobotsGroup, paint: Paint) -> Iterator[str]:
    yield paint(", ".join(safe(agent.value) or "(no user agent)" for agent in group.agents), Role.HEADING)
    for rule in group.rules:
        word = "allow" if rule.allow else "disallow"
        pattern = safe(rule.pattern) or paint("(empty: no effect)", Role.FAINT)
        yield f"  {paint(f'{rule.line:>5}', Role.FAINT)}  {word:<8}  {pattern}"
    if not group.rules:
        yield "         no rules: everything is allowed"


def _problems(robots: Robots, paint: Paint) -> Iterator[str]:
    if not robots.problems:
        return
    yield ""
    yield paint("Problems", Role.HEADING)
    for problem in robots.problems:
        line = f"{problem.line:>5}" if problem.line is not None else "     "
        evidence = f": {safe(problem.evidence)}" if problem.evidence else ""
        yield f"  {paint(line, Role.FAINT)}  {paint(problem.kind, Role.WARNING)}{evidence}"
        yield f"         {problem.about}"
    if unlisted := robots.facts["problems_unlisted"]:
        yield f"         and {unlisted:,} more"


def _url(access: UrlAccess, robots: Robots, paint: Paint) -> Iterator[str]:
    yield ""
    yield paint(safe(access.url), Role.HEADING)
    if access.verdicts is None:
        yield f"  different origin: {safe(robots.url or 'this robots.txt')} does not apply to it"
        return
    width = max(map(len, access.verdicts), default=0)
    for title, verdicts in _by_purpose(access.verdicts):
        if title:
            blocked = sum(not verdict.allowed for _, verdict in verdicts)
            yield ""
            yield paint(f"  {title}: {blocked} of {quantity(len(verdicts), 'crawler')} blocked", Role.HEADING)
        for agent, verdict in verdicts:
            yield f"  {safe(agent):<{width}}  {verdict_text(verdict, paint, _reason(agent, verdict, robots))}"
    if access.others:
        yield f"  {OTHER_AGENTS}:"
        yield from (f"    {gist}" for gist in _gists(access.others))


def _gists(verdicts: Mapping[str, Verdict]) -> Iterator[str]:
    """Yield for each purpose how many of its crawlers are blocked, and the first of them."""
    for title, of_purpose in _grouped(verdicts):
        blocked = [agent for agent, verdict in of_purpose if not verdict.allowed]
        crawlers = quantity(len(of_purpose), "crawler")
        if not blocked:
            yield f"{title}: none of {crawlers} blocked"
        elif len(blocked) == len(of_purpose):
            yield f"{title}: all of {crawlers} blocked"
        else:
            names = ", ".join(blocked[:MAX_BLOCKED]) + (", …" if len(blocked) > MAX_BLOCKED else "")
            yield f"{title}: {len(blocked)} of {crawlers} blocked ({names})"


def _by_purpose(verdicts: Mapping[str, Verdict]) -> list[tuple[str, list[tuple[str, Verdict]]]]:
    """Return verdicts by the purpose of the crawlers, those that are blocked first; of few, or of one, as they are."""
    groups = _grouped(verdicts)
    return groups if len(groups) > 1 and len(verdicts) > MAX_UNGROUPED else [("", list(verdicts.items()))]


def _grouped(verdicts: Mapping[str, Verdict]) -> list[tuple[str, list[tuple[str, Verdict]]]]:
    """Return the verdicts by the purpose of the crawlers, those that are blocked first."""
    blocked_first = sorted(verdicts.items(), key=lambda item: item[1].allowed)
    groups: dict[str, list[tuple[str, Verdict]]] = {title: [] for title in (*TITLES.values(), OTHERS)}
    for agent, verdict in blocked_first:
        known = known_agent(agent)
        groups[OTHERS if known is None else TITLES[known.purpose]].append((agent, verdict))
    return [(title, group) for title, group in groups.items() if group]


def _sitemap(access: SitemapAccess, paint: Paint) -> Iterator[str]:
    yield ""
    yield paint(safe(access.name), Role.HEADING)
    other = f", {access.other_origins:,} on other origins" if access.other_origins else ""
    partial = "" if access.complete else "; the sitemap could only be read in part"
    yield f"  {quantity(access.urls, 'URL')}{other}{partial}"
    width = max(map(len, access.blocked), default=0)
    for agent, count in access.blocked.items():
        role = Role.ERROR if count else Role.GOOD
        yield f"  {safe(agent):<{width}}  {paint(f'{count:,} blocked', role)}{_reservation(agent)}"
        for closed in access.examples[agent]:
            yield (
                f"  {'':<{width}}    {safe(closed.url)}  "
                + paint(f"line {closed.robots_line}: Disallow: {safe(closed.pattern)}", Role.FAINT)
            )
        if (more := count - len(access.examples[agent])) and access.examples[agent]:
            yield f"  {'':<{width}}    and {more:,} more"


WHY = {
    VerdictReason.NO_RULE: "no rule matches",
    VerdictReason.NO_GROUP: "no group applies",
    VerdictReason.NOT_UTF8: "the file is in UTF-16, in which crawlers find no rule",
    VerdictReason.OWN_GROUP: "no group names it, and it ignores groups for *",
    VerdictReason.IGNORED: "it ignores robots.txt, according to its operator",
    VerdictReason.OWN_PATH: "robots.txt itself is always allowed",
    VerdictReason.UNAVAILABLE: "no robots.txt",
    VerdictReason.UNREACHABLE: "robots.txt is unreachable",
}
"""Reasons for a verdict that no rule decides."""

MAY_IGNORE = "it may ignore robots.txt when a user asks for the page, according to its operator"


def verdict_text(verdict: Verdict, paint: Paint, reason: str | None = None) -> str:
    """Return whether a crawler may fetch a URL, and the line or the reason that decides.

    Args:
        reason: The reason in more words, if no rule decides.
    """
    word = paint("allowed", Role.GOOD) if verdict.allowed else paint("blocked", Role.ERROR)
    if verdict.line is None:
        return f"{word}  {reason or WHY[verdict.reason]}{_ignored(verdict)}"
    index_page = "; Google also applies it to the folder" if verdict.reason is VerdictReason.INDEX_PAGE else ""
    return f"{word}  {_rule(verdict, index_page)}{_reserved(verdict)}"


def _rule(decision: Verdict | IgnoredRule, more: str = "") -> str:
    rule = f"{'Allow' if decision.allowed else 'Disallow'}: {safe(decision.pattern or '')}"
    return f"line {decision.line}: {rule}  (User-agent: {safe(decision.group or '')}{more})"


def _reserved(verdict: Verdict) -> str:
    return f"; {MAY_IGNORE}" if verdict.may_ignore and not verdict.allowed else ""


def _ignored(verdict: Verdict) -> str:
    """Return what robots.txt says for a crawler that does not follow it, as a clause; empty for one that does."""
    ignored = verdict.ignored
    if ignored is None:
        return ""
    return "; robots.txt allows it, too" if ignored.allowed else f"; robots.txt disallows it in {_rule(ignored)}"


def llm(report: RobotsReport, style: Style = Style()) -> Iterator[str]:
    """Yield the lines of the answer: the verdicts on URLs, or else the rules; then what is wrong with the file."""
    quote = quotes_for([access.url for access in report.urls], ascii_only=style.ascii_only)
    is_read = report.robots.availability is not Availability.UNREACHABLE
    summary = _summary(report) if is_read else f"unreachable: {quote(report.reason)}; crawlers treat all as disallowed"
    groups = [Group(quote(access.url), _verdicts(access, report.robots, quote)) for access in report.urls]
    groups += [] if groups else _rules(report.robots, quote)
    if report.home:
        groups.append(Group("crawler access to /", _gists(report.home)))
    groups += _faults(report.robots, quote)
    yield from Brief(
        [*quote.heading(), f"{quote(report.name)}: {summary}"], groups, noun="group", ascii_only=style.ascii_only
    ).lines()


def _verdicts(access: UrlAccess, robots: Robots, quote: Quotes) -> Iterator[str]:
    if access.verdicts is None:
        yield "different origin: this robots.txt does not apply to it"
    else:
        yield from quoted_verdicts(access.verdicts, robots, quote)
        yield from _gists(access.others)


def quoted_verdicts(verdicts: Mapping[str, Verdict], robots: Robots, quote: Quotes) -> Iterator[str]:
    """Yield whether each crawler may fetch a URL, and the line or the reason that decides, for language models."""
    for agent, verdict in verdicts.items():
        word = "allowed" if verdict.allowed else "blocked"
        name = f"{quote.word(agent)}{'' if known_agent(agent) else ' (unknown to urlset)'}"
        if verdict.line is None:
            ignored = verdict.ignored
            says = "allows it, too" if ignored is None or ignored.allowed else f"disallows it in line {ignored.line}"
            also = "" if ignored is None else f"; robots.txt {says}"
            yield f"{name}: {word}, {_reason(agent, verdict, robots)}{also}"
        else:
            kind = "Allow" if verdict.allowed else "Disallow"
            group = quote(verdict.group or "")
            yield (
                f"{name}: {word} by line {verdict.line}, {kind} {quote(verdict.pattern)}, group {group}"
                f"{_reserved(verdict)}"
            )


def _rules(robots: Robots, quote: Quotes) -> Iterator[Group]:
    for group in robots.groups:
        agents = ", ".join(quote(agent.value) for agent in group.agents)
        rules = (
            f"line {rule.line}: {'Allow' if rule.allow else 'Disallow'} {quote(rule.pattern)}" for rule in group.rules
        )
        yield Group(f"User-agent {agents}: {quantity(len(group.rules), 'rule')}", rules)
    if robots.sitemaps:
        sitemaps = (f"line {sitemap.line}: {quote(sitemap.url)}" for sitemap in robots.sitemaps)
        yield Group(quantity(len(robots.sitemaps), "sitemap"), sitemaps)


def _faults(robots: Robots, quote: Quotes) -> Iterator[Group]:
    if count := _problem_count(robots):
        lines = [
            *(
                f"{'file' if problem.line is None else f'line {problem.line}'}: {problem.kind}, "
                f"{quote(problem.evidence or '')}; {problem.about}"
                for problem in robots.problems
            ),
            *(
                f"line {line.line}: {line.key} {quote(line.value)}; {line.about}"
                for line in robots.extensions
                if line.problem is not None
            ),
        ]
        yield Group(quantity(count, "problem"), lines)
