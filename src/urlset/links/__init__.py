"""The links between pages: which ones a crawl follows, which pages they lead to, and which lead to other sites."""
