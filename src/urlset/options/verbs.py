"""The options of the verbs that read. Each inherits from the groups of its options."""

from __future__ import annotations

from pathlib import Path

from urlset.errors import UsageError
from urlset.net.previews import previews_of
from urlset.options.declare import PER_RUN, OptionFacts, Panel, Resume, Text, option, option_group
from urlset.options.fetching import FetchingOptions
from urlset.options.following import FollowingOptions
from urlset.options.intent import IntentOptions
from urlset.options.judging import AgentOptions, JudgingOptions
from urlset.options.reading import ReadingOptions


@option_group
class ReadOptions(ReadingOptions, FetchingOptions):
    """Options of `urlset.read` and `urlset.scan`."""


@option_group
class InspectOptions(ReadOptions, FollowingOptions):
    """Options of `inspect`.

    Attributes:
        robots: Whether to read robots.txt of the targets' hosts. Only verbs that check listed URLs have this option.
    """

    robots: bool = False


@option_group
class ValidateOptions(InspectOptions, JudgingOptions):
    """Options of `validate`."""

    robots: bool = option(
        False,
        OptionFacts(
            help="Also check listed URLs against the robots.txt of the targets' hosts",
            panel=Panel.RULES,
            example="true",
            more="An audit always does.",
        ),
    )
    map: tuple[Text, ...] = option(
        (),
        OptionFacts(
            guards_secrets=True,
            rare=True,
            help="Read SITE from a preview or staging host, and judge it as if it were published; can be repeated",
            panel=Panel.NETWORK,
            metavar="SITE=PREVIEW",
            example='["https://www.example.com=https://p42.pages.dev"]',
            resume=Resume.GIVEN_AGAIN,
            more="Credentials are sent to the preview only.",
        ),
    )

    def check(self) -> None:
        try:
            previews_of(self.map)
        except ValueError as error:
            raise UsageError(f"map: {error}") from None


class CheckOptions(ReadOptions):
    """Options of `check`."""


@option_group
class RobotsOptions(ReadOptions, AgentOptions):
    """Options of `robots`."""

    all_agents: bool = option(
        False,
        OptionFacts(
            help="Check all crawlers that urlset knows, including AI crawlers",
            panel=Panel.RULES,
            faces=PER_RUN,
        ),
    )


@option_group(faces=PER_RUN)
class PolicyOptions(RobotsOptions, IntentOptions):
    """Options of `robots --policy`."""

    clients: bool = option(
        False,
        OptionFacts(
            help="With --policy, also ask for the address under the user agent of each crawler; for your own sites",
            panel=Panel.NETWORK,
        ),
    )
    store: Path | None = option(
        None,
        OptionFacts(
            help="With --policy, also show the verified requests in the access logs of this store",
            panel=Panel.STORE,
            metavar="FILE",
        ),
    )


@option_group(faces=PER_RUN)
class WritePolicyOptions(RobotsOptions, IntentOptions):
    """Options of `robots --write-policy`."""

    dry_run: bool = option(
        False,
        OptionFacts(help="With --write-policy, write nothing; only show what would be written", panel=Panel.OUTPUT),
    )
