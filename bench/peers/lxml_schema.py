"""The same as `xmllint --noout --schema` with lxml: parse each file into a tree, then validate it with the schema.

Usage: lxml_schema.py SCHEMA FILE…   (with `-` as SCHEMA, files are only parsed)
"""

import sys

from lxml import etree

schema_path, *paths = sys.argv[1:]
schema = None if schema_path == "-" else etree.XMLSchema(etree.parse(schema_path))
failed = 0
for path in paths:
    tree = etree.parse(path)
    if schema is not None and not schema.validate(tree):
        failed += 1
        print(f"{path} fails to validate", file=sys.stderr)
    del tree
sys.exit(3 if failed else 0)
