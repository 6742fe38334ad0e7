"""The workbench of `urlset serve`: a store in the browser, and audits that are started from there."""
