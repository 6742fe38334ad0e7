"""A policy written into robots.txt of real sites changes nothing for crawlers that it does not name."""

from __future__ import annotations

import tarfile
from functools import cache

import pytest
from protego import Protego
from tests.corpus.real_sites import ABSENT, ARCHIVE, IS_ABSENT, files

from urlset.clients.policy_block import intent_of, sample_paths, with_policy
from urlset.options.verbs import WritePolicyOptions
from urlset.web.robots_txt import Robots

BUILDS = ARCHIVE.with_name("builds.tar.xz")

POLICIES = {
    "training": WritePolicyOptions(policy_search="yes", policy_training="no", policy_ai_agents="yes"),
    "nothing": WritePolicyOptions(
        policy_search="no",
        policy_ai_answers="no",
        policy_training="no",
        policy_ai_agents="no",
        policy_content_usage=True,
        policy_training_token="a-token",
    ),
    "paths": WritePolicyOptions(
        policy_search="yes",
        policy_training="yes",
        policy_denied={"/members/": ("training", "search"), "/wp-": ("ai-answers", "ai-agents")},
        policy_content_usage=True,
    ),
}
NAMED = ("Googlebot", "GPTBot", "ClaudeBot", "OAI-SearchBot", "ChatGPT-User")
UNNAMED = ("ExampleBot", "Twitterbot", "AhrefsBot", "Google-InspectionTool", "AdsBot-Google")
OF_PROTEGO = UNNAMED[:3]
"""Those that Protego reads as urlset does: it knows no crawler by name."""
PATHS = 10
"""Paths of each file; all of its rules are compared before anything is written."""


@cache
def robots_files() -> dict[str, bytes]:
    found = {name: content for name, content in files().items() if name.endswith("robots.txt")}
    if BUILDS.is_file():
        with tarfile.open(BUILDS) as archive:
            for member in archive:
                if member.name.endswith("robots.txt") and (content := archive.extractfile(member)) is not None:
                    found[f"builds/{member.name}"] = content.read()
    return found


@pytest.mark.skipif(IS_ABSENT, reason=ABSENT)
@pytest.mark.parametrize("name", POLICIES)
def test_policies_change_nothing_else(name: str) -> None:
    options = POLICIES[name]
    intent = intent_of(options)
    assert intent is not None
    different = []
    for file, content in robots_files().items():
        written = with_policy(content, intent, options, file).content
        assert written.startswith(content), file
        assert with_policy(written, intent, options, file).content == written, file
        before, after = Robots.parse(content), Robots.parse(written)
        theirs, ours = (Protego.parse(each.decode("utf-8", "replace")) for each in (content, written))
        for path in ("/", "/a/b?c=d", *sample_paths(before)[:PATHS]):
            different += [
                (file, agent, path)
                for agent in UNNAMED
                if before.is_allowed(agent, path) != after.is_allowed(agent, path)
            ]
            if name == "paths" and not path.startswith(tuple(options.policy_denied)):
                different += [
                    (file, agent, path)
                    for agent in NAMED
                    if before.is_allowed(agent, path) != after.is_allowed(agent, path)
                ]
            url = f"https://example.com{path}"
            different += [
                (file, f"{agent} (Protego)", path)
                for agent in OF_PROTEGO
                if theirs.can_fetch(url, agent) != ours.can_fetch(url, agent)
            ]
    assert len(robots_files()) > 50
    assert different == []
