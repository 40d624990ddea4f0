"""What builds and tests the course; `python -m tools.NAME`. Importing it makes `import nbformat` cheap."""

import sys

# jsonschema, which nbformat imports, builds a parser of web addresses if it finds this package: two seconds of
# processor time in every process, and no notebook has an address that is checked with it.
sys.modules.setdefault("rfc3987_syntax", None)  # type: ignore[arg-type]  # None: it cannot be imported
