"""The public names of `urlset.model`, the values that functions return, and their modules."""

from urlset._core import Table as Table
from urlset.documents import Batch as Batch
from urlset.model.audit import (
    AgentAccess as AgentAccess,
)
from urlset.model.audit import (
    AuditResult as AuditResult,
)
from urlset.model.audit import (
    Inventory as Inventory,
)
from urlset.model.audit import (
    MediaCounts as MediaCounts,
)
from urlset.model.audit import (
    PageCounts as PageCounts,
)
from urlset.model.audit import (
    Share as Share,
)
from urlset.model.build import (
    BuildReport as BuildReport,
)
from urlset.model.build import (
    Feed as Feed,
)
from urlset.model.build import (
    File as File,
)
from urlset.model.build import (
    IndexReport as IndexReport,
)
from urlset.model.build import (
    Lastmod as Lastmod,
)
from urlset.model.build import (
    Reason as Reason,
)
from urlset.model.build import (
    Refusal as Refusal,
)
from urlset.model.build import (
    RobotsUpdate as RobotsUpdate,
)
from urlset.model.build import (
    SiteReport as SiteReport,
)
from urlset.model.build import (
    SourceDate as SourceDate,
)
from urlset.model.build import (
    Summary as Summary,
)
from urlset.model.build_result import BuildResult as BuildResult
from urlset.model.check import CheckResult as CheckResult
from urlset.model.check import Evidence as Evidence
from urlset.model.check import StepResult as StepResult
from urlset.model.client_check import (
    Answer as Answer,
)
from urlset.model.client_check import (
    ClientCheck as ClientCheck,
)
from urlset.model.client_check import (
    ClientFinding as ClientFinding,
)
from urlset.model.comparison import (
    Alarm as Alarm,
)
from urlset.model.comparison import (
    Comparison as Comparison,
)
from urlset.model.comparison import (
    FindingChange as FindingChange,
)
from urlset.model.comparison import (
    LastmodChange as LastmodChange,
)
from urlset.model.comparison import (
    LastmodChangeKind as LastmodChangeKind,
)
from urlset.model.comparison import (
    ListedUrl as ListedUrl,
)
from urlset.model.comparison import (
    Part as Part,
)
from urlset.model.comparison import (
    RemovedUrl as RemovedUrl,
)
from urlset.model.comparison import (
    RemovedUrlStatus as RemovedUrlStatus,
)
from urlset.model.comparison import (
    Side as Side,
)
from urlset.model.comparison import (
    State as State,
)
from urlset.model.discovery import (
    Candidate as Candidate,
)
from urlset.model.discovery import (
    Discovery as Discovery,
)
from urlset.model.discovery import (
    Find as Find,
)
from urlset.model.discovery import (
    FoundBy as FoundBy,
)
from urlset.model.discovery import (
    VisitedPage as VisitedPage,
)
from urlset.model.document import InspectedDocument as InspectedDocument
from urlset.model.document import InspectReport as InspectReport
from urlset.model.finding import Example as Example
from urlset.model.finding import Finding as Finding
from urlset.model.fix import (
    Change as Change,
)
from urlset.model.fix import (
    FixedDocument as FixedDocument,
)
from urlset.model.fix import (
    FixOutcome as FixOutcome,
)
from urlset.model.fix import (
    FixReport as FixReport,
)
from urlset.model.fix import (
    Omission as Omission,
)
from urlset.model.fix import (
    Repair as Repair,
)
from urlset.model.policy import (
    CrawlerAnswer as CrawlerAnswer,
)
from urlset.model.policy import (
    CrawlerPolicy as CrawlerPolicy,
)
from urlset.model.policy import (
    CrawlerVerdicts as CrawlerVerdicts,
)
from urlset.model.policy import (
    Intent as Intent,
)
from urlset.model.policy import (
    License as License,
)
from urlset.model.policy import (
    LlmsFound as LlmsFound,
)
from urlset.model.policy import (
    PolicyFile as PolicyFile,
)
from urlset.model.policy import (
    PolicyFinding as PolicyFinding,
)
from urlset.model.policy import (
    PolicyGroup as PolicyGroup,
)
from urlset.model.policy import (
    PolicyReport as PolicyReport,
)
from urlset.model.policy import (
    Statement as Statement,
)
from urlset.model.policy import (
    UnwrittenCrawler as UnwrittenCrawler,
)
from urlset.model.policy import (
    Visits as Visits,
)
from urlset.model.query import QueryReport as QueryReport
from urlset.model.query import QueryResult as QueryResult
from urlset.model.reference import CacheState as CacheState
from urlset.model.reference import ChangedRule as ChangedRule
from urlset.model.reference import EffectiveConfiguration as EffectiveConfiguration
from urlset.model.reference import IgnoredRule as IgnoredRule
from urlset.model.reference import ListedRule as ListedRule
from urlset.model.reference import Setting as Setting
from urlset.model.report import Report as Report
from urlset.model.report import RuleCount as RuleCount
from urlset.model.report import SeverityCount as SeverityCount
from urlset.model.report_page import ChangeList as ChangeList
from urlset.model.report_page import ChangesSince as ChangesSince
from urlset.model.report_page import Page as Page
from urlset.model.reported import (
    ReportedReading as ReportedReading,
)
from urlset.model.reported import (
    ReportedSitemap as ReportedSitemap,
)
from urlset.model.reported import (
    ReportedSitemaps as ReportedSitemaps,
)
from urlset.model.robots import BlockedUrl as BlockedUrl
from urlset.model.robots import RobotsReport as RobotsReport
from urlset.model.robots import SitemapAccess as SitemapAccess
from urlset.model.robots import UrlAccess as UrlAccess
from urlset.model.run import (
    Languages as Languages,
)
from urlset.model.run import (
    Overview as Overview,
)
from urlset.model.run import (
    Redirects as Redirects,
)
from urlset.model.run import (
    RunRow as RunRow,
)
from urlset.model.run import (
    Section as Section,
)
from urlset.model.schema import SchemaFault as SchemaFault
from urlset.model.schema import SchemaStatus as SchemaStatus
from urlset.model.schema import SchemaVerdict as SchemaVerdict
from urlset.model.signing import NewSigningKey as NewSigningKey
from urlset.model.specification import Specification as Specification
from urlset.model.specification import Status as Status
from urlset.model.specification import Step as Step
from urlset.model.specification import StepId as StepId
from urlset.model.stable import MergedPart as MergedPart
from urlset.model.stable import PartCounts as PartCounts
from urlset.model.stable import StableChanges as StableChanges
from urlset.rules.rule import Rule as Rule
from urlset.rules.rule import RuleInfo as RuleInfo
from urlset.rules.rule import Severity as Severity

__all__: list[str]
