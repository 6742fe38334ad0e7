"""Known crawlers: their product tokens in robots.txt, operators, purposes, and sources.

The list covers the crawlers of search engines, the AI crawlers that sites commonly allow or block, and other crawlers
that request many pages. Other crawlers can be used by their product token.
"""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct


class Purpose(StrEnum):
    """What a crawler fetches pages for."""

    SEARCH = "search"
    """To index them in a search engine."""
    AI_SEARCH = "ai-search"
    """To answer questions, with links to the pages."""
    AI_TRAINING = "ai-training"
    """To train models."""
    USER = "user"
    """On request of a user; such a crawler may ignore robots.txt."""
    SERVICE = "service"
    """For another service: previews of links, shopping, statistics on links, tests."""


class KnownAgent(Struct, frozen=True):
    """One crawler.

    Attributes:
        name: Its product token in robots.txt.
        operator: The company that runs it.
        purpose: What it fetches pages for.
        source: The documentation of its operator, or another source if it publishes none.
        heeds: Other product tokens whose groups it follows if there is no group for it, in order of preference.
        fetches: False for a token that only serves to opt out: another crawler of the operator fetches the pages.
        lists: Names of the files with its IP addresses that its operator publishes; empty if it publishes none.
        domains: Ends of the host names of its IP addresses, according to its operator; empty if it names none.
    """

    name: str
    operator: str
    purpose: Purpose
    source: str
    heeds: tuple[str, ...] = ()
    fetches: bool = True
    lists: tuple[str, ...] = ()
    domains: tuple[str, ...] = ()

    @property
    def tokens(self) -> tuple[str, ...]:
        """The product tokens whose groups it follows, in order of preference."""
        return (self.name, *self.heeds)


_GOOGLE = "https://developers.google.com/search/docs/crawling-indexing/google-common-crawlers"
_OPENAI = "https://platform.openai.com/docs/bots"
_ANTHROPIC = (
    "https://support.claude.com/en/articles/"
    "8896518-does-anthropic-crawl-data-from-the-web-and-how-can-site-owners-block-the-crawler"
)
_PERPLEXITY = "https://docs.perplexity.ai/guides/bots"
_APPLE = "https://support.apple.com/en-us/119829"
_YANDEX = "https://yandex.com/support/webmaster/robot-workings/check-yandex-robots.html"
_META = "https://developers.facebook.com/docs/sharing/webmasters/web-crawlers"
_DUCK = "https://duckduckgo.com/duckduckgo-help-pages/results"
_AMAZON = "https://developer.amazon.com/amazonbot"
_GATHERED = "https://github.com/ai-robots-txt/ai.robots.txt"

# The lists of addresses: https://developers.google.com/search/docs/crawling-indexing/verifying-googlebot
_OF_GOOGLE = ("common-crawlers.json", "googlebot.json")
_AT_GOOGLE = (".googlebot.com", ".google.com")

KNOWN_AGENTS: tuple[KnownAgent, ...] = (
    KnownAgent("Googlebot", "Google", Purpose.SEARCH, _GOOGLE, lists=_OF_GOOGLE, domains=_AT_GOOGLE),
    *(
        KnownAgent(name, "Google", Purpose.SEARCH, _GOOGLE, ("Googlebot",), lists=_OF_GOOGLE, domains=_AT_GOOGLE)
        for name in ("Googlebot-Image", "Googlebot-Video", "Googlebot-News")
    ),
    KnownAgent("Google-Extended", "Google", Purpose.AI_TRAINING, _GOOGLE, fetches=False),
    KnownAgent("GoogleOther", "Google", Purpose.SERVICE, _GOOGLE, lists=_OF_GOOGLE, domains=_AT_GOOGLE),
    KnownAgent("Storebot-Google", "Google", Purpose.SERVICE, _GOOGLE, lists=_OF_GOOGLE, domains=_AT_GOOGLE),
    KnownAgent(
        "Google-InspectionTool",
        "Google",
        Purpose.SERVICE,
        _GOOGLE,
        heeds=("Googlebot",),
        lists=_OF_GOOGLE,
        domains=_AT_GOOGLE,
    ),
    KnownAgent(
        "Bingbot",
        "Microsoft",
        Purpose.SEARCH,
        "https://www.bing.com/webmasters/help/which-crawlers-does-bing-use-8c184ec0",
        lists=("bingbot.json",),
        domains=(".search.msn.com",),
    ),
    KnownAgent(
        "YandexBot",
        "Yandex",
        Purpose.SEARCH,
        _YANDEX,
        heeds=("Yandex",),
        domains=(".yandex.ru", ".yandex.net", ".yandex.com"),
    ),
    KnownAgent(
        "Baiduspider",
        "Baidu",
        Purpose.SEARCH,
        "https://help.baidu.com/question?prod_id=99&class=0&id=3001",
        domains=(".baidu.com", ".baidu.jp"),
    ),
    KnownAgent("DuckDuckBot", "DuckDuckGo", Purpose.SEARCH, f"{_DUCK}/duckduckbot", lists=("duckduckbot.json",)),
    KnownAgent(
        "DuckAssistBot", "DuckDuckGo", Purpose.AI_SEARCH, f"{_DUCK}/duckassistbot", lists=("duckassistbot.json",)
    ),
    KnownAgent(
        "SeznamBot",
        "Seznam",
        Purpose.SEARCH,
        "https://o-seznam.cz/napoveda/vyhledavani/en/seznambot-crawler/",
        domains=(".seznam.cz",),
    ),
    KnownAgent("PetalBot", "Huawei", Purpose.SEARCH, "https://webmaster.petalsearch.com/site/petalbot"),
    KnownAgent("Yeti", "Naver", Purpose.SEARCH, "https://searchadvisor.naver.com/guide/seo-basic-firewall"),
    KnownAgent("Qwantbot", "Qwant", Purpose.SEARCH, "https://help.qwant.com/bot/"),
    KnownAgent("MojeekBot", "Mojeek", Purpose.SEARCH, "https://www.mojeek.com/bot.html"),
    KnownAgent(
        "Applebot",
        "Apple",
        Purpose.SEARCH,
        _APPLE,
        heeds=("Googlebot",),
        lists=("applebot.json",),
        domains=(".applebot.apple.com",),
    ),
    KnownAgent("Applebot-Extended", "Apple", Purpose.AI_TRAINING, _APPLE, fetches=False),
    KnownAgent("OAI-SearchBot", "OpenAI", Purpose.AI_SEARCH, _OPENAI, lists=("searchbot.json",)),
    KnownAgent("GPTBot", "OpenAI", Purpose.AI_TRAINING, _OPENAI, lists=("gptbot.json",)),
    KnownAgent("ChatGPT-User", "OpenAI", Purpose.USER, _OPENAI, lists=("chatgpt-user.json",)),
    KnownAgent("Claude-SearchBot", "Anthropic", Purpose.AI_SEARCH, _ANTHROPIC, lists=("bots.json",)),
    KnownAgent("ClaudeBot", "Anthropic", Purpose.AI_TRAINING, _ANTHROPIC, lists=("bots.json",)),
    KnownAgent("Claude-User", "Anthropic", Purpose.USER, _ANTHROPIC, lists=("bots.json",)),
    KnownAgent("PerplexityBot", "Perplexity", Purpose.AI_SEARCH, _PERPLEXITY, lists=("perplexitybot.json",)),
    KnownAgent("Perplexity-User", "Perplexity", Purpose.USER, _PERPLEXITY, lists=("perplexity-user.json",)),
    KnownAgent(
        "MistralAI-User",
        "Mistral AI",
        Purpose.USER,
        "https://docs.mistral.ai/robots",
        lists=("mistralai-user-ips.json",),
    ),
    KnownAgent("meta-externalagent", "Meta", Purpose.AI_TRAINING, _META),
    KnownAgent("meta-externalfetcher", "Meta", Purpose.USER, _META),
    KnownAgent("facebookexternalhit", "Meta", Purpose.SERVICE, _META),
    KnownAgent("Amazonbot", "Amazon", Purpose.AI_TRAINING, _AMAZON),
    KnownAgent("Amzn-SearchBot", "Amazon", Purpose.AI_SEARCH, _AMAZON),
    KnownAgent("Bytespider", "ByteDance", Purpose.AI_TRAINING, _GATHERED),
    KnownAgent(
        "CCBot",
        "Common Crawl",
        Purpose.AI_TRAINING,
        "https://commoncrawl.org/ccbot",
        lists=("ccbot.json",),
        domains=(".crawl.commoncrawl.org",),
    ),
    KnownAgent("Twitterbot", "X", Purpose.SERVICE, "https://docs.x.com/x-for-websites/cards/guides/getting-started"),
    KnownAgent("LinkedInBot", "LinkedIn", Purpose.SERVICE, "https://www.linkedin.com/help/linkedin/answer/a521928"),
    KnownAgent(
        "Pinterestbot", "Pinterest", Purpose.SERVICE, "https://help.pinterest.com/en/business/article/pinterest-crawler"
    ),
    KnownAgent("AhrefsBot", "Ahrefs", Purpose.SERVICE, "https://ahrefs.com/robot"),
    KnownAgent("SemrushBot", "Semrush", Purpose.SERVICE, "https://www.semrush.com/bot/"),
    KnownAgent("DotBot", "Moz", Purpose.SERVICE, "https://moz.com/help/moz-procedures/crawlers/dotbot"),
)
"""Every known crawler, grouped by operator."""

DEFAULT_AGENTS: tuple[str, ...] = ("Googlebot", "Bingbot")
"""The default crawlers to check robots.txt for: those that nearly every site wants."""

_BY_NAME = {agent.name.lower(): agent for agent in KNOWN_AGENTS}


def known_agent(name: str) -> KnownAgent | None:
    """Return the crawler with a product token, in any case; None if it is not listed."""
    return _BY_NAME.get(name.strip().lower())


def tokens_of(name: str) -> tuple[str, ...]:
    """Return the product tokens whose groups an agent follows, in order of preference.

    Example:
        >>> tokens_of("googlebot-image")
        ('Googlebot-Image', 'Googlebot')
        >>> tokens_of("ExampleBot")
        ('ExampleBot',)
    """
    known = known_agent(name)
    return known.tokens if known is not None else (name.strip(),)


_GOOGLE_TOKENS = frozenset(
    {"googleother-image", "googleother-video"}
    | {"google-cloudvertexbot", "google-safety", "adsbot-google", "adsbot-google-mobile", "apis-google"}
    | {"mediapartners-google", "feedfetcher-google"}
)
"""Google crawlers that are not listed above, in lowercase."""


def is_of_google(name: str) -> bool:
    """Return whether Google runs an agent, so that robots.txt is matched as in Google's parser.

    Example:
        >>> is_of_google("Googlebot-Image"), is_of_google("AdsBot-Google"), is_of_google("Applebot")
        (True, True, False)
    """
    known = known_agent(name)
    return known.operator == "Google" if known is not None else name.strip().lower() in _GOOGLE_TOKENS


def names_for(*purposes: Purpose) -> tuple[str, ...]:
    """Return the names of the known crawlers with one of these purposes."""
    return tuple(agent.name for agent in KNOWN_AGENTS if agent.purpose in purposes)
