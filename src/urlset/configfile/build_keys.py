"""What may stand under `[build]`: every key with its kind, what it does and an example."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from urlset.buildwords import LastmodSource, ListFormat, UrlStyle
from urlset.configfile.settings import Kind

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True)
class Key:
    """A key.

    Attributes:
        kind: The kind of its value.
        about: What it does.
        example: How it is written.
        choices: For `Kind.CHOICE` and lists of words: the words.
        default: What holds where nothing is said, in words.
    """

    kind: Kind
    about: str
    example: str
    choices: tuple[str, ...] = ()
    default: str = "none"


_ORDER = Key(
    Kind.TEXTS, "Who is asked for a lastmod, the first that knows one decides.",
    'lastmod-from = ["page", "git"]', tuple(LastmodSource), "`given, page, git, content`",
)  # fmt: skip

WRITER_KEYS: Mapping[str, Key] = {
    "name": Key(Kind.TEXT, "Name of the index, or of the one sitemap, without its ending.", 'name = "sitemap"',
                default="`sitemap`"),
    "gzip": Key(Kind.CHOICE, "Which files are compressed: none, all but the indexes (parts), or all.",
                'gzip = "parts"', ("none", "parts", "all"), "`none`"),
    "gzip-level": Key(Kind.SIZE, "How hard, from 1 to 9.", "gzip-level = 9", default="`6`"),
    "lastmod": Key(Kind.CHOICE, "How pages' lastmod is written: the day in UTC (date), the day in the offset that its "
                   "time was given with (local-date), or with its time where one was given (datetime).",
                   'lastmod = "datetime"', ("date", "local-date", "datetime"), "`date`"),
    "index-lastmod": Key(Kind.CHOICE, "How an index writes each part's newest lastmod.", 'index-lastmod = "date"',
                         ("datetime", "date", "none"), "`datetime`"),
    "index": Key(Kind.CHOICE, "When there is an index: for several parts, or always.", 'index = "always"',
                 ("auto", "always"), "`auto`"),
    "require-lastmod": Key(Kind.FLAG, "Whether entries without lastmod are left out as bad.", "require-lastmod = true",
                           default="`false`"),
    "strict": Key(Kind.FLAG, "Whether a bad entry stops the build.", "strict = true", default="`false`"),
    "pretty": Key(Kind.FLAG, "Whether every element stands on a line of its own, indented.", "pretty = true",
                  default="`false`"),
    "stylesheet": Key(Kind.TEXT, "Address of an XSL style sheet that every file refers to.",
                      'stylesheet = "/sitemap.xsl"'),
    "doubtful": Key(Kind.CHOICE, "What becomes of URLs with a fragment, a user, a parameter of a campaign or session, "
                    "a sensitive parameter such as `token` (the lists are `limits.secret-parameters` and "
                    "`limits.sensitive-parameters`), a path encoded twice or with empty or dot segments, and of a "
                    "lastmod before 1990.",
                    'doubtful = "keep"', ("refuse", "keep"), "`refuse`"),
    "duplicates": Key(Kind.CHOICE, "What becomes of a URL that was written before.", 'duplicates = "keep"',
                      ("refuse", "keep"), "`refuse`"),
    "bad-fields": Key(Kind.CHOICE, "Whether a bad field leaves the entry out, or is left out alone where it can be.",
                      'bad-fields = "drop"', ("refuse", "drop"), "`refuse`"),
    "forbidden": Key(Kind.CHOICE, "What becomes of characters that XML forbids.", 'forbidden = "strip"',
                     ("refuse", "strip"), "`refuse`"),
    "hosts": Key(Kind.TEXTS, "Further hosts that entries may be on; `*` stands for any.",
                 'hosts = ["shop.example.com"]'),
    "bare-paths": Key(Kind.FLAG, "Whether URLs such as `about/team` are paths. Otherwise a path begins with `/` or "
                      "`./`, and anything else without a scheme is refused.", "bare-paths = true", default="`false`"),
    "feed": Key(Kind.TEXT, "A file that gets a feed of the entries with the newest lastmod: Atom if its name is "
                "`atom.xml` or ends with `.atom`, else RSS.", 'feed = "public/feed.atom"'),
    "feed-entries": Key(Kind.SIZE, "Maximum number of entries in the feed.", "feed-entries = 50", default="`100`"),
    "publish": Key(Kind.CHOICE, "How files are put in place: one after the other (rename), or all at once by replacing "
                   "a symbolic link (atomic), for local folders whose file system, web server and deployment keep "
                   "links.", 'publish = "atomic"', ("rename", "atomic"), "`rename`"),
    "allow-shrink": Key(Kind.FLAG, "Whether a published set may be replaced with nothing, or with less than half of "
                        "its URLs.", "allow-shrink = true", default="`false`"),
    "empty": Key(Kind.CHOICE, "What is made of no entries: an empty sitemap, or none.", 'empty = "none"',
                 ("write", "none"), "`write`"),
    "max-entries": Key(Kind.SIZE, "Entries in one file.", "max-entries = 10_000", default="`50000`"),
    "max-bytes": Key(Kind.SIZE, "Uncompressed size of one file, in bytes.", "max-bytes = 10_000_000",
                     default="`52428800`"),
    "max-news": Key(Kind.SIZE, "News records in one file.", "max-news = 500", default="`1000`"),
}  # fmt: skip
"""Options of the writer."""

SITE_KEYS: Mapping[str, Key] = {
    "base-url": Key(Kind.TEXT, "Required. The address that the folder of the sitemaps has.",
                    'base-url = "https://example.com/"'),
    "out": Key(Kind.TEXT, "Required. The folder that gets the sitemaps, or a URL that fsspec knows.", 'out = "public"'),
    "robots": Key(Kind.TEXT, "The robots.txt whose `Sitemap:` lines are kept; nothing else in it is touched. It is "
                  "also the one that is obeyed.", 'robots = "public/robots.txt"'),
    "obey-robots": Key(Kind.FLAG, "Whether pages that robots.txt forbids are left out.", "obey-robots = false",
                       default="`true`"),
    "robots-agent": Key(Kind.TEXT, "For which crawler robots.txt is read.", 'robots-agent = "Googlebot"',
                        default="`*`"),
    "lastmod-from": _ORDER,
    "state": Key(Kind.TEXT, "The file that keeps what was read of pages from build to build, for an `out` that is "
                 "emptied between builds.", 'state = ".urlset-state.json"', default="beside the sitemaps"),
    **WRITER_KEYS,
}  # fmt: skip
"""Keys of a site: of `[build]` itself, or of each `[[build.site]]`."""

COMMON_SOURCE_KEYS: Mapping[str, Key] = {
    "path-prefix": Key(Kind.TEXT, "Path below the base URL where the pages of this source are.",
                       'path-prefix = "/blog/"', default="`/`"),
    "part": Key(Kind.TEXT, "Name of the part that its entries go to: `sitemap-blog.xml`.", 'part = "blog"'),
    "part-by": Key(Kind.TEXT, "A column of a list or query: each of its values has parts of its own, such as "
                   "`sitemap-shoes.xml`. `lastmod` splits by its month, for any kind of source.",
                   'part-by = "category"'),
    "defaults": Key(Kind.LIMITS, "Fields for entries that do not have them: changefreq, priority, lastmod.",
                    'defaults = { changefreq = "weekly", priority = 0.5 }'),
    "lastmod-from": _ORDER,
}  # fmt: skip

_GLOBS = (
    "They are written as in `.gitignore`: `*` does not match a slash, `**/` matches any folders; a glob without a "
    "slash matches names at any depth, and one that matches a folder matches all that is in it. A glob that starts "
    "with `!` takes back what earlier ones matched."
)
_INCLUDE = Key(Kind.TEXTS, f"Globs of the files that are meant. {_GLOBS}", 'include = ["*.html"]')
_EXCLUDE = Key(Kind.TEXTS, "Globs of files that are left out all the same.", 'exclude = ["drafts/", "*.tmp.html"]')
_URLS = Key(
    Kind.CHOICE,
    "How paths become URLs. files: `a.html` stays, `b/index.html` is `b/`. slashes: `a/`, `b/`. bare: `a`, `b`. "
    "exact: every file under its own name.",
    'urls = "slashes"',
    tuple(UrlStyle),
    "`files` for HTML, else `slashes`",
)

SOURCE_KINDS: Mapping[str, Mapping[str, Key]] = {
    "html": {
        "html": Key(Kind.TEXT, "A folder of HTML. Pages say themselves whether they are to be listed.",
                    'html = "public"'),
        "include": _INCLUDE,
        "exclude": _EXCLUDE,
        "urls": _URLS,
        "images": Key(Kind.FLAG, "Whether the images of pages are listed.", "images = true", default="`false`"),
    },
    "files": {
        "files": Key(Kind.TEXT, "A folder of Markdown or other files that pages are made from.", 'files = "content"'),
        "include": _INCLUDE,
        "exclude": _EXCLUDE,
        "urls": _URLS,
    },
    "list": {
        "list": Key(Kind.TEXT, "A list of URLs: text, CSV, JSON lines or Parquet; `-` for standard input.",
                    'list = "urls.csv"'),
        "format": Key(Kind.CHOICE, "What it is written in; known by its name or its beginning unless given.",
                      'format = "csv"', tuple(ListFormat), "`auto`"),
        "columns": Key(Kind.LIMITS, "Which column is which field.", 'columns = { loc = "url", lastmod = "changed" }'),
    },
    "query": {
        "query": Key(Kind.TEXT, "A SELECT whose columns are called as the fields of entries are.",
                     'query = "SELECT url AS loc, changed AS lastmod FROM pages"'),
        "database": Key(Kind.TEXT, "A file of SQLite or DuckDB, or `postgresql://…`. Without it DuckDB reads the files "
                        "that the query names.", 'database = "shop.sqlite"'),
    },
    "sitemaps": {
        "sitemaps": Key(Kind.TEXTS, "Sitemaps that there are already, whose entries are taken over: files, folders, "
                        "URLs; of an index, all that it lists.", 'sitemaps = ["old/sitemap.xml"]'),
    },
}  # fmt: skip
"""Keys of each kind of `[[build.source]]`, besides those that all have. The first one says which kind it is."""

INDEX_KEYS: Mapping[str, Key] = {
    "base-url": Key(Kind.TEXT, "Required. The address that its folder has.", 'base-url = "https://example.com/"'),
    "out": Key(Kind.TEXT, "Required. The folder that gets it.", 'out = "public"'),
    "name": Key(Kind.TEXT, "Its name without its ending.", 'name = "sitemap"', default="`sitemap`"),
    "remote": Key(Kind.TEXTS, "Sitemaps of others that it lists, too: URLs, or tables with `loc` and `lastmod`.",
                  'remote = ["https://cdn.example.com/sitemap.xml"]'),
    "gzip": Key(Kind.FLAG, "Whether it is compressed.", "gzip = true", default="`false`"),
    "lastmod": Key(Kind.CHOICE, "How each sitemap's newest lastmod is written.", 'lastmod = "date"',
                   ("datetime", "date", "none"), "`datetime`"),
    "pretty": WRITER_KEYS["pretty"],
    "stylesheet": WRITER_KEYS["stylesheet"],
}  # fmt: skip
"""Keys of `[build.index]`: one index over the sitemaps of all sites."""
