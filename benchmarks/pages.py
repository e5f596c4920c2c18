"""Tables on pages of the site, between marks:

<!-- table: NAME -->
…
<!-- end -->
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

DOCS = Path(__file__).parents[1] / "docs"
EVIDENCE = DOCS / "evidence"


def put(page: str, tables: Mapping[str, str]) -> str:
    """A page with these tables in their places, by what the mark says: `table: NAME`.

    Raises
    ------
    ValueError
        If the page has no such place.
    """
    for mark, table in tables.items():
        head, begin, rest = page.partition(f"<!-- {mark} -->\n")
        _, end, tail = rest.partition("<!-- end -->")
        if not end:
            raise ValueError(f"the page has no place from <!-- {mark} --> to <!-- end -->")
        page = f"{head}{begin}{table}\n{end}{tail}"
    return page
