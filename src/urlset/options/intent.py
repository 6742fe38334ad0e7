"""Options for the uses of its content that a site allows, stated in `[policy]`."""

from __future__ import annotations

from functools import partial
from typing import ClassVar, Literal

from urlset.options.declare import SETTING, OptionFacts, OptionGroup, Panel, Resume, Text, option, option_group

YesOrNo = Literal["yes", "no"]


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
