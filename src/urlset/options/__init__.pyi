"""The public names of `urlset.options` and their modules."""

from urlset.options.auditing import AuditOptions as AuditOptions
from urlset.options.building import (
    BuildOptions as BuildOptions,
)
from urlset.options.building import (
    BuildSpec as BuildSpec,
)
from urlset.options.building import (
    IndexSpec as IndexSpec,
)
from urlset.options.building import (
    LlmsSpec as LlmsSpec,
)
from urlset.options.building import (
    RemoteSitemap as RemoteSitemap,
)
from urlset.options.building import (
    Site as Site,
)
from urlset.options.comparing import DiffOptions as DiffOptions
from urlset.options.comparing import FailOnChange as FailOnChange
from urlset.options.coverage import ClientsOptions as ClientsOptions
from urlset.options.coverage import ReportedSitemapsOptions as ReportedSitemapsOptions
from urlset.options.fetching import FetchingOptions as FetchingOptions
from urlset.options.fixing import FixOptions as FixOptions
from urlset.options.following import FollowingOptions as FollowingOptions
from urlset.options.judging import (
    CustomRule as CustomRule,
)
from urlset.options.judging import (
    JudgingOptions as JudgingOptions,
)
from urlset.options.judging import (
    Profile as Profile,
)
from urlset.options.judging import (
    RequiredField as RequiredField,
)
from urlset.options.judging import (
    SeverityName as SeverityName,
)
from urlset.options.notifying import NotifyOptions as NotifyOptions
from urlset.options.probing import ProbeMethod as ProbeMethod
from urlset.options.probing import ProbingOptions as ProbingOptions
from urlset.options.querying import QueryOptions as QueryOptions
from urlset.options.reading import ReadingOptions as ReadingOptions
from urlset.options.reading_logs import LogsOptions as LogsOptions
from urlset.options.reporting import FailOn as FailOn
from urlset.options.reporting import ReportingOptions as ReportingOptions
from urlset.options.searching import DiscoverOptions as DiscoverOptions
from urlset.options.sources import (
    FileFolder as FileFolder,
)
from urlset.options.sources import (
    HtmlFolder as HtmlFolder,
)
from urlset.options.sources import (
    LastmodSource as LastmodSource,
)
from urlset.options.sources import (
    ListFormat as ListFormat,
)
from urlset.options.sources import (
    Query as Query,
)
from urlset.options.sources import (
    Sitemaps as Sitemaps,
)
from urlset.options.sources import (
    UrlList as UrlList,
)
from urlset.options.sources import (
    UrlStyle as UrlStyle,
)
from urlset.options.storing import StoringOptions as StoringOptions
from urlset.options.trusting import LastmodOptions as LastmodOptions
from urlset.options.verbs import (
    CheckOptions as CheckOptions,
)
from urlset.options.verbs import (
    InspectOptions as InspectOptions,
)
from urlset.options.verbs import (
    PolicyOptions as PolicyOptions,
)
from urlset.options.verbs import (
    ReadOptions as ReadOptions,
)
from urlset.options.verbs import (
    RobotsOptions as RobotsOptions,
)
from urlset.options.verbs import (
    ValidateOptions as ValidateOptions,
)
from urlset.options.verbs import (
    WritePolicyOptions as WritePolicyOptions,
)
from urlset.options.writing import WriteOptions as WriteOptions

__all__: list[str]
