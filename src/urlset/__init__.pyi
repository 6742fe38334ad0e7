"""The public names of urlset and where they live: the one list of them, which type checkers and `__init__.py` read."""

from urlset._core import Table as Table, __version__ as __version__
from urlset.api import (
    audit as audit,
    build_sitemaps as build_sitemaps,
    check as check,
    diff as diff,
    discover as discover,
    fix as fix,
    history as history,
    inspect as inspect,
    read as read,
    report_page as report_page,
    scan as scan,
    validate as validate,
)
from urlset.build.stream import astream as astream, stream as stream
from urlset.build.writer import Writer as Writer, write as write
from urlset.options.building import (
    BuildSpec as BuildSpec,
    IndexSpec as IndexSpec,
    RemoteSitemap as RemoteSitemap,
    Site as Site,
)
from urlset.options.sources import (
    FileFolder as FileFolder,
    HtmlFolder as HtmlFolder,
    LastmodSource as LastmodSource,
    ListFormat as ListFormat,
    Query as Query,
    Sitemaps as Sitemaps,
    UrlList as UrlList,
    UrlStyle as UrlStyle,
)
from urlset.options.writing import WriteOptions as WriteOptions
from urlset.documents import Batch as Batch, Document as Document
from urlset.errors import (
    ConfigError as ConfigError,
    EntryRefusedError as EntryRefusedError,
    InputError as InputError,
    MissingExtraError as MissingExtraError,
    OutputError as OutputError,
    QueryError as QueryError,
    ShrinkError as ShrinkError,
    UrlsetError as UrlsetError,
    UsageError as UsageError,
)
from urlset.model.audit import (
    AgentAccess as AgentAccess,
    Audited as Audited,
    Inventory as Inventory,
    MediaSeen as MediaSeen,
    PagesSeen as PagesSeen,
    Share as Share,
)
from urlset.model.build import (
    BuildReport as BuildReport,
    File as File,
    IndexReport as IndexReport,
    Lastmod as Lastmod,
    Refused as Refused,
    RobotsReport as RobotsReport,
    Said as Said,
    SiteReport as SiteReport,
    Summary as Summary,
)
from urlset.model.check import CheckResult as CheckResult, Evidence as Evidence, StepResult as StepResult
from urlset.model.comparison import Comparison as Comparison
from urlset.model.discovery import Candidate as Candidate, Discovery as Discovery
from urlset.model.document import InspectedDocument as InspectedDocument, InspectReport as InspectReport
from urlset.model.entry import (
    Alternate as Alternate,
    Child as Child,
    Entry as Entry,
    Image as Image,
    News as News,
    Url as Url,
    Video as Video,
)
from urlset.model.finding import Example as Example, Finding as Finding
from urlset.model.fix import FixedDocument as FixedDocument, FixReport as FixReport
from urlset.model.report import Report as Report
from urlset.model.run import RunRow as RunRow
from urlset.model.specification import Status as Status
from urlset.robots import Robots as Robots
from urlset.rules.rule import Rule as Rule, RuleInfo as RuleInfo, Severity as Severity

__all__: list[str]
