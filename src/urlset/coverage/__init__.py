"""Reports of search engines about URLs: exports, APIs, and the tables that join them with runs and access logs."""
