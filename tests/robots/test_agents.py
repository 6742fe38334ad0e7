"""The list of known crawlers: each once, with a token, a source, and a date."""

from __future__ import annotations

import re
from datetime import date

from urlset.web.agents import DEFAULT_AGENTS, KNOWN_AGENTS, Obedience, Purpose, known_agent, names_for, tokens_of


def test_every_agent_is_complete() -> None:
    names = [agent.name.lower() for agent in KNOWN_AGENTS]
    assert len(set(names)) == len(names)
    for agent in KNOWN_AGENTS:
        assert all(re.fullmatch("[A-Za-z0-9_-]+", token) for token in agent.tokens)
        assert agent.source.startswith("https://")
        assert agent.operator
        assert agent.date >= date(2026, 11, 22)
    assert {agent.purpose for agent in KNOWN_AGENTS} == set(Purpose)
    assert {agent.robots for agent in KNOWN_AGENTS} == set(Obedience)


def test_current_crawlers_are_known() -> None:
    named = (
        "Google-Agent Google-NotebookLM Google-CloudVertexBot meta-webindexer Amzn-User DeepSeekBot bedrockbot "
        "AdsBot-Google AdsBot-Google-Mobile Mediapartners-Google APIs-Google Google-Safety OAI-AdsBot MistralAI-Index"
    )
    assert [name for name in named.split() if known_agent(name) is None] == []


def test_lookup() -> None:
    assert known_agent(" gptbot ") is not None
    assert known_agent("ExampleBot") is None
    assert tokens_of("applebot") == ("Applebot", "Googlebot")
    assert set(DEFAULT_AGENTS) <= set(names_for(Purpose.SEARCH))
