"""urlset: finds, reads, validates, scores and writes sitemaps.

    urlset.read(target)       a document: facts, tables as Arrow, typed entries
    urlset.scan(target)       the same, batch by batch, in constant memory
    urlset.validate(targets)  a report: what is wrong, where, and how to fix it
    urlset.discover(origin)   the sitemaps of a site, and how each was found
    urlset.check(origin)      a score from 0 to 1, with its steps and their evidence
    urlset.audit(targets)     the listed pages as well, all of it kept in a store; `history` lists its runs
    urlset.inspect(targets)   what documents are, judged by nobody
    urlset.diff(before, after)
                              what changed between two sides
    urlset.fix(targets)       what has one right answer repaired, the rest listed
    urlset.report_page(store) the page of an audit that a store keeps, as HTML
    urlset.query(sql, targets)
                              rows of SQL over documents, or over the runs of a store
    urlset.check_robots(target, urls)
                              which crawler may fetch which URL, and the line of robots.txt that decides
    urlset.list_rules()       the rules with the severities in force; `explain_rule` has the page of one
    urlset.write(entries, base_url, out_dir)
                              a published set of sitemaps; `Writer` for one entry at a time
    urlset.build_sitemaps(config)
                              the sitemaps of sites from folders, lists, queries, other sitemaps
    urlset.stream(entries)    one sitemap as bytes, for an answer that is streamed; `astream` for async iterables

A target is a path, an http(s) URL, `-` for standard input, bytes, or a file open for reading bytes; `validate` takes
several, and folders. Every error is a `UrlsetError`; the kinds are in `urlset.errors`. Nothing heavy is imported before
it is used.
"""

from urlset._names import from_stub

__getattr__, __dir__ = from_stub(__name__)
