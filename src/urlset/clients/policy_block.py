"""Turn the intent of `[policy]` into a block of robots.txt. No I/O: bytes in, bytes out, or the reason why not.

A crawler follows the group that names it instead of the group for all: RFC 9309, section 2.2.1. So a group is written
only where it is needed, repeats the rules that applied to its crawler unless it disallows everything, and nothing is
written that changes what applies to a crawler that the policy does not name.
"""

from __future__ import annotations

import re
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

from urlset.build.robots_lines import check_text, ending_of
from urlset.errors import InputError, UsageError
from urlset.model.policy import Intent, PolicyGroup, UnwrittenCrawler
from urlset.text.sizes import enumeration, quantity
from urlset.web.agents import KNOWN_AGENTS, Obedience, Purpose, known_agent, tokens_of
from urlset.web.managed_blocks import LINE, managed_blocks, writer_of
from urlset.web.robots_txt import Robots, product_token

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from urlset.options.intent import IntentOptions
    from urlset.store.stored_values import RunSettings
    from urlset.web.agents import KnownAgent
    from urlset.web.robots_content import Group, RobotsRule

BEGIN = "# BEGIN urlset policy"
END = "# END urlset policy"

SIGNALS = "https://contentsignals.org/"
USAGE = "https://datatracker.ietf.org/doc/draft-ietf-aipref-attach/"
TRAINING = "https://datatracker.ietf.org/doc/draft-kelley-aipref-training-preference-signal/"
COMMUNITY = "https://github.com/ai-robots-txt/ai.robots.txt"

NO_RULE = "Disallow:"
"""A rule without effect: it ends the `User-agent` lines of a group, which other keys do not."""

UNLISTED = "a-crawler-that-no-group-names"

PURPOSES: Mapping[Purpose, str] = {
    Purpose.SEARCH: "search",
    Purpose.AI_SEARCH: "AI answers",
    Purpose.AI_TRAINING: "AI training",
    Purpose.USER: "agents",
}
"""The words for the purposes that the policy is about."""

_USES: Mapping[Purpose, str] = {
    Purpose.SEARCH: "search",
    Purpose.AI_SEARCH: "ai-answers",
    Purpose.AI_TRAINING: "training",
    Purpose.USER: "ai-agents",
}
"""The uses of `[policy.denied]`."""


class Block(NamedTuple):
    """What is written into a robots.txt.

    Attributes:
        content: The new file.
        text: The block, with its markers.
        named: The product tokens whose verdicts it is meant to change.
    """

    content: bytes
    text: str
    groups: tuple[PolicyGroup, ...]
    unwritten: tuple[UnwrittenCrawler, ...]
    named: frozenset[str]
    notes: tuple[str, ...]


def intent_of(options: IntentOptions | RunSettings) -> Intent | None:
    """Return what `[policy]` states, or stated during a run; None if it states nothing."""
    stated = {
        "search": options.policy_search,
        "ai_answers": options.policy_ai_answers,
        "training": options.policy_training,
        "agents": options.policy_ai_agents,
    }
    values = {name: value == "yes" for name, value in stated.items() if value is not None}
    denied = options.policy_denied or {}
    return Intent(**values, denied=denied) if values or denied else None


def intended(intent: Intent | None, purpose: Purpose, path: str | None = None) -> bool | None:
    """Return whether the use for a purpose is intended; None if it is not stated.

    Args:
        path: The path of a page; None for the site as a whole.
    """
    if intent is None:
        return None
    if path is not None and _is_below(path, denied_paths(intent, purpose)):
        return False
    return {
        Purpose.SEARCH: intent.search,
        Purpose.AI_SEARCH: intent.ai_answers,
        Purpose.AI_TRAINING: intent.training,
        Purpose.USER: intent.agents,
    }.get(purpose)


def denied_paths(intent: Intent, purpose: Purpose) -> tuple[str, ...]:
    """Return the paths below which the use for a purpose is not allowed."""
    use = _USES.get(purpose)
    return tuple(path for path, uses in intent.denied.items() if use in uses)


def _is_below(path: str, denied: Iterable[str]) -> bool:
    """Return whether crawlers take a path to be below one of these, whatever the spelling of its escapes."""
    lines = "\n".join(["User-agent: *", *(f"Disallow: {each}" for each in denied)])
    return not Robots.parse(lines.encode()).is_allowed(UNLISTED, f"https://example.com{path}")


def with_policy(content: bytes, intent: Intent, options: IntentOptions, name: str = "robots.txt") -> Block:
    """Return a robots.txt whose block says what is intended. All bytes outside of the block are unchanged.

    Args:
        content: The present file; empty if there is none.
        options: What of drafts is written as well.
        name: The file, for messages.

    Raises:
        InputError: A group cannot be added to the file without changing what applies to other crawlers.
        UsageError: The token for AI training is not one.
    """
    before, after, had_block = _around_block(content, name)
    outside = Robots.parse(before + after)
    _check_file(outside, name)
    token = _training_token(options)
    named = {
        agent.name: agent
        for agent in KNOWN_AGENTS
        if intended(intent, agent.purpose) is False or denied_paths(intent, agent.purpose)
    }
    written = {name: agent for name, agent in named.items() if agent.robots is not Obedience.IGNORES}
    closed = [agent for agent in written.values() if intended(intent, agent.purpose) is False]
    limited = [agent for agent in written.values() if agent not in closed]
    signals = _signal_lines(intent, options)
    groups = (
        *_statements(intent, options, outside, name),
        *_training_group(intent, token),
        # Programs that compare the beginning of a token, and take the first group, find these before the others.
        *_kept_groups(written, outside, before + after, signals, name),
        *_limited_groups(limited, intent, outside, before + after, signals, name),
        *_closed_groups(closed),
    )
    text = "\n".join(_lines(intent, groups, is_open=_ends_in_open_group(before)))
    ending = ending_of([line for line in LINE.findall(content) if line])
    joint = ending if before and not before.endswith((b"\r", b"\n")) else b""
    gap = ending if before and not had_block else b""
    block = text.encode().replace(b"\n", ending) + ending
    new = before + joint + gap + block + after
    changed = frozenset(name.lower() for name in written) | ({token.lower()} if token else set())
    _check_others(outside, Robots.parse(new), changed, frozenset(signals), name)
    _check_limited(outside, Robots.parse(new), limited, intent, name)
    return Block(
        new,
        text,
        groups,
        tuple(_unwritten(named.values())),
        frozenset(changed),
        tuple(_notes(intent, outside, closed, limited)),
    )


def _around_block(content: bytes, name: str) -> tuple[bytes, bytes, bool]:
    """Return what is before and after the block of an earlier run, and whether there is one."""
    check_text(content, name)
    blocks = [block for block in managed_blocks(content) if block.writer == "urlset"]
    if not blocks:
        return content, b"", False
    [block, *others] = blocks
    if others or block.last is None:
        line = others[0].first if others else block.first
        raise InputError(name, f"has more than one `{BEGIN}`, or one without `{END}`, at line {line}; remove it")
    lines = [line for line in LINE.findall(content) if line]
    return b"".join(lines[: block.first - 1]), b"".join(lines[block.last :]), True


def _check_file(robots: Robots, name: str) -> None:
    if robots.facts["bytes_unread"]:
        raise InputError(name, "is larger than the 500 KiB that crawlers read, so they would not see the policy")
    if robots.facts["is_html"]:
        raise InputError(name, "is an HTML page, not a robots.txt")


def _training_token(options: IntentOptions) -> str | None:
    token = options.policy_training_token
    if token is None:
        return None
    if not re.fullmatch(r"[A-Za-z_-]+", token) or known_agent(token) is not None:
        raise UsageError(f"policy.training-token: {token!r} is not the token of the draft: {TRAINING}")
    return token


def _statements(intent: Intent, options: IntentOptions, outside: Robots, name: str) -> Iterator[PolicyGroup]:
    lines = _signal_lines(intent, options)
    if not lines:
        return
    for_all = {group.agents[0].line for group in outside.groups if _names(group, "*")}
    for line in outside.extensions:
        if line.problem is None and line.group_line in for_all:
            stated = {
                Purpose.SEARCH: line.search,
                Purpose.AI_SEARCH: line.ai_input,
                Purpose.AI_TRAINING: line.ai_train,
            }
            for purpose, value in stated.items():
                wanted = _for_all(intent, purpose)
                if value is not None and wanted is not None and value is not wanted:
                    writer = writer_of(managed_blocks(outside.content), line.line)
                    way_out = (
                        "remove the line, or change [policy]"
                        if writer is None
                        else f"{writer} writes the line, so change its settings, or [policy]"
                    )
                    raise InputError(
                        name, f"line {line.line}, {line.key}: {line.value}, contradicts [policy]; {way_out}"
                    )
    source = SIGNALS if not options.policy_content_usage else f"{SIGNALS} and {USAGE}"
    yield PolicyGroup(operator="", purpose="uses of the content", agents=("*",), lines=(*lines, NO_RULE), source=source)


def _signal_lines(intent: Intent, options: IntentOptions) -> tuple[str, ...]:
    stated = {name: _for_all(intent, purpose) for name, purpose in _SIGNALS.items()}
    signals = ", ".join(f"{name}={'yes' if value else 'no'}" for name, value in stated.items() if value is not None)
    lines = [f"Content-Signal: {signals}"] if signals else []
    labels = {"search": intent.search, "train-ai": intent.training}
    usages = ", ".join(f"{name}={'y' if value else 'n'}" for name, value in labels.items() if value is not None)
    if usages and options.policy_content_usage:
        lines.append(f"Content-Usage: {usages}")
    if options.policy_content_usage:
        # The rule with the longest path applies: draft-ietf-aipref-attach-05. `Content-Signal` has no paths.
        for path, denied in intent.denied.items():
            of_path = ", ".join(f"{name}=n" for name, use in _USAGES.items() if use in denied)
            lines += [f"Content-Usage: {path} {of_path}"] if of_path else []
    return tuple(lines)


_SIGNALS = {"search": Purpose.SEARCH, "ai-input": Purpose.AI_SEARCH, "ai-train": Purpose.AI_TRAINING}
"""The signals of `Content-Signal`."""

_USAGES = {"search": "search", "train-ai": "training"}
"""The labels of `Content-Usage`, with the uses of `[policy.denied]`."""


def _for_all(intent: Intent, purpose: Purpose) -> bool | None:
    """Return what can be stated of all pages; None also if a use is allowed except below some path."""
    value = intended(intent, purpose)
    return None if value and denied_paths(intent, purpose) else value


def _training_group(intent: Intent, token: str | None) -> Iterator[PolicyGroup]:
    denied = denied_paths(intent, Purpose.AI_TRAINING)
    if token is not None and (intent.training is not None or denied):
        lines = ("Disallow: /",) if intent.training is False else tuple(f"Disallow: {path}" for path in denied)
        lines = lines or ("Allow: /",)
        yield PolicyGroup(operator="", purpose="AI training, in a draft", agents=(token,), lines=lines, source=TRAINING)


def _closed_groups(agents: Iterable[KnownAgent]) -> Iterator[PolicyGroup]:
    """Yield a group for each operator, purpose, and source, which disallows everything."""
    purposes, operators = list(PURPOSES), list(dict.fromkeys(agent.operator for agent in KNOWN_AGENTS))

    def order(agent: KnownAgent) -> tuple[int, bool, int, str]:
        is_community = agent.source == COMMUNITY
        return purposes.index(agent.purpose), is_community, operators.index(agent.operator), agent.source

    ordered = sorted(agents, key=order)
    for (purpose, operator, source), several in groupby(
        ordered, key=lambda agent: (agent.purpose, agent.operator, agent.source)
    ):
        of_group = tuple(several)
        yield PolicyGroup(
            operator=operator,
            purpose=PURPOSES[purpose],
            agents=tuple(agent.name for agent in of_group),
            lines=("Disallow: /",),
            source=source,
            source_date=min(agent.date for agent in of_group),
        )


def _kept_groups(
    written: Mapping[str, KnownAgent], outside: Robots, content: bytes, signals: tuple[str, ...], name: str
) -> Iterator[PolicyGroup]:
    """Yield groups for crawlers that would otherwise follow a group that is written for another crawler.

    They repeat what applies to their crawlers now. A crawler whose name begins with that of the other is one, too:
    RFC 9309 compares whole tokens, but some programs only compare the beginning.
    """
    tokens = tuple(name.lower() for name in written)
    lines = [line for line in LINE.findall(content) if line]
    for agent in KNOWN_AGENTS:
        is_named_alike = agent.robots is Obedience.FOLLOWS and agent.name.lower().startswith(tokens)
        if agent.name in written or not (is_named_alike or any(token in written for token in agent.heeds)):
            continue
        groups = outside.group_of(agent.name)
        if any(_names(group, token) for group in groups for token in agent.tokens if token not in written):
            continue
        repeated = _repeated(groups, outside, lines, signals, name)
        yield PolicyGroup(
            operator=agent.operator,
            purpose="repeats what applied before",
            agents=(agent.name,),
            lines=(*repeated, *(() if _has_rule(repeated) else (NO_RULE,))),
            source=agent.source,
            source_date=agent.date,
        )


def _repeated(
    groups: Sequence[Group], outside: Robots, lines: Sequence[bytes], signals: tuple[str, ...], name: str
) -> tuple[str, ...]:
    """Return the lines that repeat what applies to a crawler that follows these groups."""
    first = {group.agents[0].line for group in groups}
    numbers = [rule.line for group in groups for rule in group.rules if rule.pattern]
    numbers += [line.line for line in outside.extensions if line.group_line in first]
    is_for_all = any(_names(group, "*") for group in groups) or not groups
    return (*(signals if is_for_all else ()), *(_text(lines[number - 1], name) for number in sorted(numbers)))


def _has_rule(lines: Iterable[str]) -> bool:
    return any(line.lower().startswith(("allow", "disallow")) for line in lines)


def _limited_groups(
    agents: Iterable[KnownAgent],
    intent: Intent,
    outside: Robots,
    content: bytes,
    signals: tuple[str, ...],
    name: str,
) -> Iterator[PolicyGroup]:
    """Yield groups that disallow the denied paths, and otherwise repeat what applies to their crawlers now.

    A group of the file that names the crawler is not repeated: groups for one crawler are combined.
    """
    lines = [line for line in LINE.findall(content) if line]
    found: dict[tuple[str, ...], list[PolicyGroup]] = {}
    for agent in agents:
        groups = outside.group_of(agent.name)
        is_named = any(_names(group, agent.name) for group in groups)
        repeated = () if is_named else _repeated(groups, outside, lines, signals, name)
        paths = denied_paths(intent, agent.purpose)
        group = PolicyGroup(
            operator=agent.operator,
            purpose=f"{PURPOSES[agent.purpose]}, except below {enumeration(paths)}",
            agents=(agent.name,),
            lines=(*repeated, *(f"Disallow: {path}" for path in paths)),
            source=agent.source,
            source_date=agent.date,
        )
        found.setdefault(group.lines, []).append(group)
    for same in found.values():
        yield from same


def _text(line: bytes, name: str) -> str:
    written = line.removeprefix(b"\xef\xbb\xbf").partition(b"#")[0].strip()
    try:
        return written.decode()
    except UnicodeDecodeError:
        raise InputError(name, f"the rule {written!a} is not in UTF-8, so it cannot be repeated") from None


def _names(group: Group, token: str) -> bool:
    return any(product_token(line.value) == token.lower() for line in group.agents)


def _ends_in_open_group(content: bytes) -> bool:
    groups = Robots.parse(content).groups
    return bool(groups) and not groups[-1].rules


def _lines(intent: Intent, groups: Sequence[PolicyGroup], *, is_open: bool) -> Iterator[str]:
    yield BEGIN
    yield f"# [policy] in urlset.toml: {intent.words}"
    yield "# These lines are written by `urlset robots --write-policy`."
    if is_open:
        # The last group of the file has no rule: without one, the User-agent lines below would join it.
        yield NO_RULE
    above: tuple[str, ...] = ()
    for index, group in enumerate(groups):
        # Crawlers that repeat the same lines share a group.
        if not (len(group.lines) > 1 and group.lines == above):
            yield ""
        above = group.lines
        who = f"{group.operator}, {group.purpose}" if group.operator else group.purpose[0].upper() + group.purpose[1:]
        listed = "not documented by its operator, listed at " if group.source == COMMUNITY else ""
        yield f"# {who}: {listed}{group.source}"
        yield from (f"User-agent: {agent}" for agent in group.agents)
        if not (len(group.lines) > 1 and [group.lines] == [each.lines for each in groups[index + 1 : index + 2]]):
            yield from group.lines
    yield END


def _unwritten(named: Iterable[KnownAgent]) -> Iterator[UnwrittenCrawler]:
    for agent in named:
        if agent.robots is Obedience.IGNORES:
            yield UnwrittenCrawler(
                agent=agent.name,
                operator=agent.operator,
                reason="robots.txt is not followed, according to the operator; your server can refuse the requests",
                source=agent.source,
            )


def _check_others(before: Robots, after: Robots, named: frozenset[str], signals: frozenset[str], name: str) -> None:
    """Check that the same rules apply to every crawler that the policy does not name.

    Args:
        signals: The lines that the policy adds to the group for all.
    """
    old, new = _LinesByToken(before), _LinesByToken(after)
    tokens = sorted({*old.tokens, *new.tokens, *(agent.name.lower() for agent in KNOWN_AGENTS), UNLISTED} - named)
    paths = sample_paths(before, after)[: max(1, MAX_VERDICTS // len(tokens))]
    for token in tokens:
        if old.of(token) - signals != new.of(token) - signals or any(
            # The core reads both files by itself.
            before.is_allowed(token, path) != after.is_allowed(token, path)
            for path in paths
        ):
            whom = "crawlers that no group names" if token == UNLISTED else token
            raise InputError(
                name,
                f"the lines of the policy would change what applies to {whom}; end each group with a rule, such as "
                f"`{NO_RULE}`, and put the markers between two groups",
            )


def _check_limited(before: Robots, after: Robots, agents: Sequence[KnownAgent], intent: Intent, name: str) -> None:
    """Check that the rules that apply outside of the denied paths are the same for their crawlers."""
    old, new = _LinesByToken(before), _LinesByToken(after)
    paths = sample_paths(before, after)[: max(1, MAX_VERDICTS // max(1, len(agents)))]
    for agent in agents:
        denied = denied_paths(intent, agent.purpose)
        added = {f"Disallow: {path}" for path in denied}
        is_same = _rules(old.of(agent.name)) - added == _rules(new.of(agent.name)) - added
        if not is_same or any(
            before.is_allowed(agent.name, path) != after.is_allowed(agent.name, path)
            for path in paths
            if not _is_below(path, denied)
        ):
            raise InputError(
                name,
                f"the lines of the policy would change what applies to {agent.name} outside of {enumeration(denied)}; "
                f"end each group with a rule, such as `{NO_RULE}`, and put the markers between two groups",
            )


def _rules(lines: Iterable[str]) -> set[str]:
    return {line for line in lines if _has_rule((line,))}


class _LinesByToken:
    """The rules and the lines of other specifications of a robots.txt, by the product token that they are for."""

    def __init__(self, robots: Robots) -> None:
        others: dict[int | None, set[str]] = {}
        for line in robots.extensions:
            others.setdefault(line.group_line, set()).add(f"{line.key}: {line.value}")
        self._lines: dict[str, set[str]] = {}
        for group in robots.groups:
            rules = {f"{'Allow' if rule.allow else 'Disallow'}: {rule.pattern}" for rule in group.rules if rule.pattern}
            for agent in group.agents:
                lines = self._lines.setdefault(product_token(agent.value), set())
                lines |= rules | others.get(group.agents[0].line, set())
        self.tokens = self._lines.keys() - {"", "*"}

    def of(self, token: str) -> set[str]:
        """Return the lines that apply to a crawler."""
        known = tokens_of(token)
        return next((self._lines[each.lower()] for each in (*known, "*") if each.lower() in self._lines), set())


def sample_paths(*several: Robots) -> list[str]:
    """Return a path for each pattern, and the home page."""
    patterns = dict.fromkeys(rule.pattern for robots in several for group in robots.groups for rule in group.rules)
    paths = (re.sub(r"\*+", "x", pattern.removesuffix("$")) for pattern in patterns if pattern.startswith(("/", "*")))
    return [*dict.fromkeys(["/", *(path if path.startswith("/") else f"/{path}" for path in paths)])][:MAX_SAMPLES]


MAX_SAMPLES = 100
MAX_VERDICTS = 20_000
"""Paths to ask the core about, for each crawler and in all. Our choice: the rules themselves are compared first."""


def _notes(
    intent: Intent, outside: Robots, closed: Sequence[KnownAgent], limited: Sequence[KnownAgent]
) -> Iterator[str]:
    """Yield what of the file contradicts the policy, and what it does not reach."""
    allowing: dict[tuple[int, str], list[str]] = {}
    for agent in closed:
        for rule in _own_rules(outside, agent.name):
            if rule.allow and rule.pattern:
                allowing.setdefault((rule.line, rule.pattern), []).append(agent.name)
                break
    for agent in limited:
        denied = denied_paths(intent, agent.purpose)
        for rule in (rule for group in outside.group_of(agent.name) for rule in group.rules):
            if rule.allow and _is_below(rule.pattern, denied):
                allowing.setdefault((rule.line, rule.pattern), []).append(agent.name)
    for (line, path), names in sorted(allowing.items()):
        yield f"line {line} allows {path} to {_several(names)}, regardless of this block; remove the line"
    blocked = [
        agent.name
        for agent in KNOWN_AGENTS
        if intended(intent, agent.purpose) and not outside.is_allowed(agent.name, "/")
    ]
    if blocked:
        number = outside.verdict(blocked[0], "/").line
        yield (
            f"the policy allows {_several(blocked)}, but line {number} disallows the home page; urlset does not "
            "change your own lines"
        )
    others = [
        line.value
        for group in outside.groups
        for line in group.agents
        if not _names(group, "*") and product_token(line.value) not in {agent.name.lower() for agent in closed}
    ]
    if others and _says_something(intent):
        yield (
            "the Content-Signal line does not reach crawlers with a group of their own, such as "
            f"{_several(list(dict.fromkeys(others)))}; repeat the line in their groups"
        )
    unsaid = [
        signal for signal, purpose in _SIGNALS.items() if intended(intent, purpose) and denied_paths(intent, purpose)
    ]
    if unsaid:
        yield f"the Content-Signal line does not state {enumeration(unsaid)}: it applies to all pages and has no paths"
    if None not in (intent.agents, intent.ai_answers) and intent.agents is not intent.ai_answers:
        yield "Content-Signal has no signal for agents: ai-input states what is intended for AI answers"


def _several(names: Sequence[str]) -> str:
    more = len(names) - MAX_NAMES
    return enumeration([*names[:MAX_NAMES], *([quantity(more, "other")] if more > 0 else [])])


MAX_NAMES = 5
"""Crawlers to name in a note."""


def _says_something(intent: Intent) -> bool:
    return any(value is not None for value in (intent.search, intent.ai_answers, intent.training))


def _own_rules(robots: Robots, token: str) -> Iterator[RobotsRule]:
    for group in robots.groups:
        if _names(group, token):
            yield from group.rules
