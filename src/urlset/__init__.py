"""urlset: build, validate, repair, and audit XML sitemaps.

    urlset.read(target)       a document: facts, tables as Arrow, typed entries
    urlset.scan(target)       the same, batch by batch, in constant memory
    urlset.validate(targets)  a report: what is wrong, where, and how to fix it
    urlset.discover(origin)   the sitemaps of a site, and how each was found
    urlset.check(origin)      a score from 0 to 1, with its steps and their evidence
    urlset.audit(targets)     validates, fetches the listed pages, and keeps all results in a store; `history` lists
                              the runs
    urlset.inspect(targets)   what documents contain, without validating them
    urlset.diff(before, after)
                              what changed between two sides
    urlset.fix(targets)       repairs what has exactly one correct fix, and lists the rest
    urlset.render(result, form)
                              a result in an output format, such as SARIF
    urlset.report_page(store) the HTML report of a stored audit
    urlset.query(sql, targets)
                              rows of SQL over documents, or over the runs of a store
    urlset.check_robots(target, urls)
                              which crawlers can fetch which URLs, and the line of robots.txt that decides
    urlset.list_rules()       the rules with the severities in effect; `explain_rule` returns the page of one rule,
                              and `ignore_rule` ignores one until a date
    urlset.write(entries, base_url, out_dir)
                              publishes a set of sitemaps; `Writer` takes one entry at a time
    urlset.build_sitemaps(config)
                              builds the sitemaps of sites from directories, lists, queries, and other sitemaps
    urlset.stream(entries)    one sitemap as bytes, for a streaming response; `astream` for async iterables

A target is a path, an http(s) URL, `-` for standard input, bytes, or a file open for reading bytes; `validate` also
takes several targets, and directories. Every error is a `UrlsetError`; `urlset.errors` has its subclasses. Slow modules
are imported on first use.
"""

from urlset._names import from_stub

__getattr__, __dir__ = from_stub(__name__)
