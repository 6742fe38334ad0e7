"""The list of known crawlers: each once, with a token that RFC 9309 allows and a source."""

from __future__ import annotations

import re

from urlset.agents import DEFAULT_AGENTS, KNOWN_AGENTS, Purpose, known_agent, names_for, tokens_of


def test_every_agent_is_complete() -> None:
    names = [agent.name.lower() for agent in KNOWN_AGENTS]
    assert len(set(names)) == len(names)
    for agent in KNOWN_AGENTS:
        assert all(re.fullmatch("[A-Za-z_-]+", token) for token in agent.tokens)
        assert agent.source.startswith("https://")
        assert agent.operator
    assert {agent.purpose for agent in KNOWN_AGENTS} == set(Purpose)


def test_lookup() -> None:
    assert known_agent(" gptbot ") is not None
    assert known_agent("ExampleBot") is None
    assert tokens_of("applebot") == ("Applebot", "Googlebot")
    assert set(DEFAULT_AGENTS) <= set(names_for(Purpose.SEARCH))
