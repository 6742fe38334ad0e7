"""Cross-submission: a host may name sitemaps of another host in its robots.txt, and thereby let them list its URLs.

<https://www.sitemaps.org/protocol.html#sitemaps_cross_submits>. SQL for rules that would complain of the other host.
One named sitemap of a host is enough to trust the host: what an index lists is not named itself.
"""

from __future__ import annotations

NAMING = """
    SELECT DISTINCT r.host, s.host AS sitemap_host
    FROM robots_files AS r
    JOIN sitemap_lines AS s ON s.document_id = r.document_id
"""
"""Each host whose robots.txt names a sitemap, and the host of that sitemap."""

ASKED = "SELECT DISTINCT host FROM robots_files WHERE availability <> 'unreachable' AND bytes_unread = 0"
"""The hosts of which it is known what their robots.txt names."""

NAMED = """
    SELECT DISTINCT d.document_id
    FROM documents AS d
    JOIN robots_files AS r ON r.host = d.host
    JOIN sitemap_lines AS s ON s.document_id = r.document_id
    WHERE s.loc = d.url OR s.loc = d.final_url OR d.parent_id IS NOT NULL
"""
"""The documents that robots.txt of their own host names, and those that an index leads to where it names any."""


def unless_named(host: str, known: str) -> str:
    """SQL for the end of a sentence: what robots.txt of a host that is not the sitemap's says, if that is known.

    Args:
        host: SQL for the host.
        known: SQL, true if its robots.txt is known.
    """
    return f"""
        CASE
            WHEN {known} THEN ', and robots.txt of ' || {host} || ' does not name it'
            ELSE '; that is fine only if robots.txt of ' || {host} || ' names it'
        END
    """
