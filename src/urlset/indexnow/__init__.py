"""Sends URLs to search engines with IndexNow: https://www.indexnow.org/documentation."""
