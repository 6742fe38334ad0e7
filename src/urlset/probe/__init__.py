"""Fetch the listed pages, and turn the responses and what the pages say into rows of the table `pages`.

`prober.py` fetches many pages, `facts.py` turns a response into a row, and `directives.py` reads robots directives.
`media.py` does the same for listed images and thumbnails, and `pictures.py` reads their format and size.
"""
