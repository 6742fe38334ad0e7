"""Options for the uses of its content that a site allows, stated in `[policy]`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import partial
from typing import ClassVar, Literal

from urlset.errors import UsageError
from urlset.options.declare import (
    SETTING,
    OptionFacts,
    OptionGroup,
    Panel,
    Resume,
    Text,
    option,
    option_from,
    option_group,
)

YesOrNo = Literal["yes", "no"]

USES = ("search", "ai-answers", "training", "ai-agents")

_PATH = re.compile(r"/(?:[!\"&'()+,./0-9:;<=>@A-Z\[\]\\^_`a-z{|}~-]|%[0-9A-Fa-f]{2})+")
"""A path of robots.txt without wildcards, encoded as URLs are. `/` alone is the whole site."""


def _facts(key: str, help_text: str, example: str = '"no"', more: str = "") -> OptionFacts:
    return OptionFacts(help=help_text, example=example, spelling=key, more=more)


_use = partial(_facts, example='"yes"')


@option_group(panel=Panel.RULES, faces=SETTING, resume=Resume.KEPT)
class IntentOptions(OptionGroup):
    """The uses of the content that the site allows. Unset uses are not stated."""

    TABLE: ClassVar[str] = "policy"

    policy_search: YesOrNo | None = option(None, _use("search", "Whether search engines may use the pages: yes or no"))
    policy_ai_answers: YesOrNo | None = option(
        None, _use("ai-answers", "Whether AI search engines may use the pages in answers: yes or no")
    )
    policy_training: YesOrNo | None = option(
        None, _facts("training", "Whether AI models may be trained on the pages: yes or no")
    )
    policy_ai_agents: YesOrNo | None = option(
        None, _use("ai-agents", "Whether assistants may fetch pages on request of their users: yes or no")
    )
    policy_denied: Mapping[str, tuple[Text, ...]] = option_from(
        dict,
        OptionFacts(
            help="Uses that are not allowed below a path, whatever is stated for the site",
            spelling="denied",
            metavar="PATH=USES",
            example='{ "/members/" = ["training", "ai-answers"] }',
            more="The uses are `search`, `ai-answers`, `training`, and `ai-agents`. A path is the beginning of that "
            "of a URL, without wildcards.",
        ),
    )
    policy_content_usage: bool = option(
        False,
        _facts(
            "content-usage",
            "Also write Content-Usage lines, which are a draft of the IETF",
            "true",
            "Only `search` and `train-ai` are written, the two labels that drafts 05 to 07 of the vocabulary define.",
        ),
    )
    policy_training_token: Text | None = option(
        None,
        _facts(
            "training-token",
            "Also read and write a robots.txt group for this token, which stands for AI training",
            '"TOKEN"',
            "The individual draft draft-kelley-aipref-training-preference-signal defines it. Copy its current spelling "
            "from there: it can change, so there is no default.",
        ),
    )

    def check(self) -> None:
        """Check the paths of `[policy.denied]`.

        Raises:
            UsageError: One is not a path, or its uses are none of the policy.
        """
        for path, uses in self.policy_denied.items():
            if not _PATH.fullmatch(path):
                raise UsageError(
                    f'policy.denied: {path!r} is not a path below the site; write it as in a URL, such as "/members/", '
                    "without * or $, and without a query (?)"
                )
            if unknown := [use for use in uses if use not in USES]:
                raise UsageError(f"policy.denied: {unknown[0]!r} is not one of {', '.join(USES)}")
            if not uses:
                raise UsageError(f"policy.denied: {path} has no uses; name some of {', '.join(USES)}")
