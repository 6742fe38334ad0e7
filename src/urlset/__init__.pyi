"""The public names of urlset and their modules. Type checkers and `__init__.py` read this list."""

from urlset._core import __version__ as __version__
from urlset.api import (
    audit as audit,
    build_sitemaps as build_sitemaps,
    check as check,
    check_robots as check_robots,
    diff as diff,
    discover as discover,
    explain_rule as explain_rule,
    fix as fix,
    history as history,
    ignore_rule as ignore_rule,
    inspect as inspect,
    list_rules as list_rules,
    logs as logs,
    query as query,
    read as read,
    render as render,
    report_page as report_page,
    scan as scan,
    validate as validate,
)
from urlset.build.stream import astream as astream, stream as stream
from urlset.build.writer import Writer as Writer, write as write
from urlset.documents import Document as Document
from urlset.errors import UrlsetError as UrlsetError
from urlset.model.entry import (
    Alternate as Alternate,
    Child as Child,
    Entry as Entry,
    Image as Image,
    News as News,
    Url as Url,
    Video as Video,
)

__all__: list[str]
