"""urlset: `urlset.scan` over the bytes, every column of every table built, all batches consumed."""

from importlib.metadata import version

import urlset
from worker import serve


def read(data: bytes) -> int:
    entries = 0
    for batch in urlset.scan(data):
        rows = {name: table.num_rows for name, table in batch.tables.items()}
        entries += rows["urls"] + rows["children"]
    return entries


serve(read, {"urlset": version("urlset")})
