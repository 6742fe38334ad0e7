"""The file of `urlset monitor`: sites, what to check of each, how often, and where to send alarms."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeVar

from urlset.errors import ConfigError, UsageError
from urlset.net.origin import origin_of, origin_url
from urlset.net.urlparts import split_url
from urlset.options.auditing import AuditOptions
from urlset.options.configuration_file import display_path, read_toml
from urlset.options.declare import (
    Face,
    Natural,
    OptionFacts,
    OptionGroup,
    Panel,
    Positive,
    Text,
    option,
    option_group,
    options_of,
    required,
)
from urlset.options.merge import make_group
from urlset.options.storing import DEFAULT_STORE
from urlset.options.toml_tables import check_keys, check_table, table_of, tables_of
from urlset.options.values import check_confidential
from urlset.text.sizes import MiB

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

Group = TypeVar("Group", bound=OptionGroup)

UNITS = {"m": 60.0, "h": 3600.0, "d": 86_400.0, "w": 604_800.0}
"""Seconds per unit of an interval."""

VARIABLE_PREFIX = "URLSET_"
"""Prefix of the environment variables that a file can name by itself."""

_TABLES = ("site", "webhook", "apprise", "issue")

_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_EVERY = re.compile(r"([1-9]\d{0,4})([mhdw])")


class MonitorCheck(StrEnum):
    """What to check of a site."""

    VALIDATE = "validate"
    """The sitemaps, with every rule."""
    AUDIT = "audit"
    """The sitemaps and a sample of the listed pages."""
    ROBOTS = "robots"
    """robots.txt, and which crawlers may fetch the home page."""
    CHECK = "check"
    """The steps of the scored check."""
    CLIENTS = "clients"
    """What the sitemap answers to crawlers; about 20 requests, one per second."""


def _of(
    help_text: str,
    metavar: str = "",
    example: str = "",
    *,
    is_place: bool = False,
    secret: bool = False,
    spelling: str = "",
) -> OptionFacts:
    return OptionFacts(
        help=help_text,
        panel=Panel.CONFIGURATION,
        metavar=metavar,
        example=example,
        is_place=is_place,
        secret=secret,
        spelling=spelling,
    )


@option_group
class SiteSpec(OptionGroup):
    """A table `[[site]]`."""

    url: Text = required(_of("The site, or one of its sitemaps", "URL", '"https://www.example.com"'))
    checks: tuple[MonitorCheck, ...] = option(
        (MonitorCheck.AUDIT, MonitorCheck.ROBOTS),
        _of("What to check", "CHECK", '["validate", "robots"]', spelling="check"),
    )
    every: Text = option("1d", _of("How often: a number with m, h, d, or w", "INTERVAL", '"6h"'))
    sample: Positive = option(100, _of("Number of pages to fetch with `audit`", "N", "500"))
    severity: Literal["error", "warning", "info", "hint"] = option(
        "warning", _of("Lowest severity of findings to tell", "SEVERITY", '"error"')
    )

    @property
    def seconds(self) -> float:
        """The interval in seconds."""
        match = _EVERY.fullmatch(self.every)
        assert match is not None
        return int(match[1]) * UNITS[match[2]]

    def check(self) -> None:
        if "://" in self.url and origin_of(self.url) is None:
            raise UsageError(f"url: must be a site or an absolute http(s) URL, not {self.url!r}")
        if _EVERY.fullmatch(self.every) is None:
            raise UsageError(f"every: must be a number with m, h, d, or w, such as '6h', not {self.every!r}")
        if not self.checks:
            raise UsageError("check: name at least one of " + ", ".join(MonitorCheck))


@option_group
class WebhookSpec(OptionGroup):
    """A table `[[webhook]]`."""

    url: Text = required(_of("Where to POST the alarms as JSON", "URL", '"https://hooks.example.com/urlset"'))
    secret_env: Text | None = option(
        None, _of("Environment variable with the secret that signs the JSON", "NAME", '"URLSET_WEBHOOK_SECRET"')
    )

    def check(self) -> None:
        if origin_of(self.url) is None:
            raise UsageError("url: must be an absolute http(s) URL")

    @property
    def secret(self) -> bytes | None:
        return None if self.secret_env is None else os.environ[self.secret_env].encode()


@option_group
class AppriseSpec(OptionGroup):
    """The table `[apprise]`."""

    urls: tuple[Text, ...] = option(
        (), _of("Apprise URLs", "URL", '["mailtos://user:password@example.com"]', secret=True)
    )
    urls_env: Text | None = option(
        None, _of("Environment variable with Apprise URLs, separated by spaces", "NAME", '"URLSET_APPRISE"')
    )

    def check(self) -> None:
        if not self.urls and self.urls_env is None:
            raise UsageError("names no URL")

    @property
    def all_urls(self) -> tuple[str, ...]:
        """The URLs of both keys."""
        return (*self.urls, *os.environ.get(self.urls_env or "", "").split())


@option_group
class IssueSpec(OptionGroup):
    """The table `[issue]`."""

    project: Text = required(
        _of("Project on GitHub or GitLab that gets an issue for each site", "URL", '"https://github.com/acme/site"')
    )
    token_env: Text = required(
        _of("Environment variable with a token that may read and write its issues", "NAME", '"URLSET_ISSUE_TOKEN"')
    )
    service: Literal["github", "gitlab"] | None = option(
        None, _of("Service of the project, if its host is neither github.com nor gitlab.com", "SERVICE", '"gitlab"')
    )
    api: Text | None = option(
        None,
        _of("URL of the API, if it is not the default one of the service", "URL", '"https://git.example.com/api/v3"'),
    )

    def check(self) -> None:
        if origin_of(self.project) is None or self.path.count("/") < 1:
            raise UsageError("project: must be the URL of a project, such as https://github.com/acme/site")
        if self.api is not None and origin_of(self.api) is None:
            raise UsageError("api: must be an absolute http(s) URL")
        if self.service is None and self._host not in ("github.com", "gitlab.com"):
            raise UsageError('service: missing for this host; set it to "github" or "gitlab"')
        if not self.is_gitlab and self.path.count("/") != 1:
            raise UsageError("project: must have an owner and a name, such as https://github.com/acme/site")
        check_confidential("project" if self.api is None else "api", self.api_url)

    @property
    def _host(self) -> str:
        return origin_url(self.project).partition("://")[2]

    @property
    def path(self) -> str:
        """The path of the project: its owner, or its groups, and its name."""
        return split_url(self.project).path.strip("/").removesuffix(".git")

    @property
    def is_gitlab(self) -> bool:
        return self.service == "gitlab" if self.service is not None else self._host == "gitlab.com"

    @property
    def api_url(self) -> str:
        """The URL of the API, without a slash at its end."""
        if self.api is not None:
            return self.api.rstrip("/")
        origin = origin_url(self.project)
        if self.is_gitlab:
            return f"{origin}/api/v4"
        # https://docs.github.com/en/enterprise-server/rest/quickstart
        return "https://api.github.com" if self._host == "github.com" else f"{origin}/api/v3"

    @property
    def is_self_hosted(self) -> bool:
        """Whether the token is sent to a host that only the file names."""
        return self.api_url not in ("https://api.github.com", "https://gitlab.com/api/v4")

    @property
    def token(self) -> str:
        return os.environ[self.token_env]


@option_group
class MonitorFile(OptionGroup):
    """The top level of the file."""

    store: Path = option(DEFAULT_STORE, _of("Store of the rounds", "FILE", '"monitor.duckdb"', is_place=True))
    metrics: Path | None = option(
        None, _of("File to write the numbers to, as OpenMetrics", "FILE", '"urlset.prom"', is_place=True)
    )
    feed: Path | None = option(None, _of("Atom feed of the alarms to write", "FILE", '"alarms.atom"', is_place=True))
    keep: Positive | None = option(
        None, _of("Runs to keep of each site; older ones are deleted after a round", "N", "30")
    )
    min_free: Natural = option(
        256 * MiB, _of("Free bytes that the disk of the store must have for a round to begin", "N", "1_000_000_000")
    )

    def check(self) -> None:
        if self.keep is not None and self.keep < MIN_KEPT:
            raise UsageError(f"keep: must be at least {MIN_KEPT}, since a round is compared with the two before it")


MIN_KEPT = 3
"""Runs that URLs are compared in before they count as removed."""


@dataclass(frozen=True, slots=True)
class MonitoredSite:
    """A site with the options of its audits."""

    spec: SiteSpec
    options: Mapping[str, object]

    def audit_options(self, store: Path) -> AuditOptions:
        """Return the options of the audit of a round.

        Raises:
            UsageError: They contradict each other.
        """
        pages = MonitorCheck.AUDIT in self.spec.checks
        own = {"sample": self.spec.sample, "max_examples": 10, **self.options}
        score = MonitorCheck.CHECK in self.spec.checks
        fixed = {"store": store, "pages": pages, "score": score, "is_stable_sample": True}
        return AuditOptions(**{**own, **fixed})  # type: ignore[arg-type]


@dataclass(frozen=True, slots=True)
class Monitor:
    """What to monitor, and where to send alarms.

    Attributes:
        file: Its top level.
        apprise: The services of Apprise; None for none.
        issue: The project that gets issues; None for none.
    """

    path: Path
    file: MonitorFile
    sites: tuple[MonitoredSite, ...]
    webhooks: tuple[WebhookSpec, ...] = ()
    apprise: AppriseSpec | None = None
    issue: IssueSpec | None = None

    @property
    def variables(self) -> tuple[tuple[str, str], ...]:
        """The environment variables that the file names, each after its key."""
        keys = [(f"[[webhook]] {number}: secret-env", hook.secret_env) for number, hook in enumerate(self.webhooks, 1)]
        if self.apprise is not None:
            keys.append(("[apprise]: urls-env", self.apprise.urls_env))
        if self.issue is not None:
            keys.append(("[issue]: token-env", self.issue.token_env))
        return tuple((key, name) for key, name in keys if name is not None)


def load_monitor(path: Path, allowed_variables: Collection[str] = ()) -> Monitor:
    """Read the file.

    Args:
        allowed_variables: Environment variables that it can name besides those with the prefix `URLSET_`.

    Raises:
        ConfigError: It cannot be read, is not valid TOML, has an unknown key or an invalid value, or names an
            environment variable that is not allowed or not set.
    """
    content, where = dict(read_toml(path)), display_path(path)
    sites, webhooks, apprise, issue = (content.pop(name, None) for name in _TABLES)
    check_keys(content, [*(each.key for each in options_of(MonitorFile)), *_TABLES], where)
    # Next to the file, wherever a timer starts.
    file = _spec(MonitorFile, {"store": str(DEFAULT_STORE), **content}, where, path)
    if not sites:
        raise ConfigError(f'{where}: has no site; add [[site]] with url = "https://www.example.com"')
    tables = tables_of(sites, f"{where}: site", "site")
    monitored = tuple(_site(table, f"{where}, [[site]] {number}", path, file) for number, table in enumerate(tables, 1))
    names = [site.spec.url for site in monitored]
    if repeated := next((name for name in names if names.count(name) > 1), None):
        raise ConfigError(f"{where}: several tables [[site]] have the url {repeated!r}; merge them")
    hooks = tables_of(webhooks or [], f"{where}: webhook", "webhook")
    plan = Monitor(
        path,
        file,
        monitored,
        tuple(_spec(WebhookSpec, hook, f"{where}, [[webhook]] {number}", path) for number, hook in enumerate(hooks, 1)),
        None
        if apprise is None
        else _spec(AppriseSpec, table_of(apprise, f"{where}: apprise"), f"{where}, [apprise]", path),
        None if issue is None else _spec(IssueSpec, table_of(issue, f"{where}: issue"), f"{where}, [issue]", path),
    )
    for key, name in plan.variables:
        _check_variable(name, f"{where}, {key}", allowed_variables)
    if plan.issue is not None and plan.issue.is_self_hosted and plan.issue.token_env not in allowed_variables:
        raise ConfigError(
            f"{where}, [issue]: sends a token to {origin_url(plan.issue.api_url)}; to allow it, pass "
            f"--env {plan.issue.token_env}"
        )
    return plan


def _check_variable(name: str, where: str, allowed: Collection[str]) -> None:
    """Check an environment variable that a file names. The file can be untrusted, and the value is never shown."""
    if not _VARIABLE.fullmatch(name):
        raise ConfigError(f"{where}: must be a name of letters, digits, and _, not {name!r}")
    if not name.startswith(VARIABLE_PREFIX) and name not in allowed:
        raise ConfigError(
            f"{where}: a file can only name environment variables that begin with {VARIABLE_PREFIX}; "
            f"rename {name}, or pass --env {name} to allow it"
        )
    if not os.environ.get(name):
        raise ConfigError(f"{where}: the environment variable {name} is not set")


def _site(table: Mapping[str, object], where: str, path: Path, file: MonitorFile) -> MonitoredSite:
    content = dict(table)
    options = table_of(content.pop("options", {}), f"{where}: options")
    spec = _spec(SiteSpec, content, where, path, more=("options",))
    reserved = {"pages", "store", "sample", "score", "resume", "no-store", "base-url"}
    known = [each for each in options_of(AuditOptions) if Face.FILE in each.facts.faces and each.key not in reserved]
    site = MonitoredSite(spec, check_table(known, options, f"{where}: options", path))
    try:
        site.audit_options(file.store)
    except UsageError as error:
        raise ConfigError(f"{where}: options: {error}") from None
    return site


def _spec(group: type[Group], table: Mapping[str, object], where: str, path: Path, more: tuple[str, ...] = ()) -> Group:
    options = options_of(group)
    check_keys(table, [*(each.key for each in options), *more], where)
    try:
        spec = make_group(group, check_table(options, table, where, path))
    except UsageError as error:
        raise error if isinstance(error, ConfigError) else ConfigError(f"{where}: {error}") from None
    return spec
