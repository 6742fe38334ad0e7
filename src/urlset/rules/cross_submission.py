"""SQL for cross-submission: a host can list sitemaps on another host in its robots.txt, which may then list its URLs.

See <https://www.sitemaps.org/protocol.html#sitemaps_cross_submits>. Rules that would report the other host use it.
One listed sitemap is enough to trust all sitemaps on its host, because robots.txt does not list the children of an
index.
"""

from __future__ import annotations

NAMING = """
    SELECT DISTINCT r.host, s.host AS sitemap_host
    FROM robots_files AS r
    JOIN sitemap_lines AS s ON s.document_id = r.document_id
"""
"""Each host whose robots.txt lists a sitemap, with the host of that sitemap."""

READ_HOSTS = "SELECT DISTINCT host FROM robots_files WHERE availability <> 'unreachable' AND bytes_unread = 0"
"""Hosts for which it is known what their robots.txt lists."""

NAMED = """
    SELECT DISTINCT d.document_id
    FROM documents AS d
    JOIN robots_files AS r ON r.host = d.host
    JOIN sitemap_lines AS s ON s.document_id = r.document_id
    WHERE s.loc_hash IN (d.url_hash, d.final_url_hash) OR d.parent_id IS NOT NULL
"""
"""Documents that the robots.txt of their own host lists, and child sitemaps if it lists any sitemap."""


def missing_listing(host: str, sitemap_host: str, condition: str) -> str:
    """Return SQL for the end of a sentence about a host whose robots.txt lists no sitemap on the sitemap's host.

    Args:
        host: SQL for the host of the listed URL.
        sitemap_host: SQL for the host of the sitemap.
        condition: SQL predicate, true if the robots.txt of `host` was read or is known to be missing.
    """
    return f"""
        CASE
            WHEN {condition} THEN ', and the robots.txt of ' || {host} || ' lists no sitemap on ' || {sitemap_host}
            ELSE '; this is valid only if the robots.txt of ' || {host} || ' lists a sitemap on ' || {sitemap_host}
        END
    """
