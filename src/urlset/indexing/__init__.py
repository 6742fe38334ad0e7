"""What search engines report about URLs: exports of their webmaster tools, and the URL Inspection API of Google."""
