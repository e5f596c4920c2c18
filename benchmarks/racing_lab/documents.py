"""Puts the tables into the documents, between marks:

    <!-- table: NAME -->
    …
    <!-- end -->

A test holds the documents to the files of the tables.
"""

from __future__ import annotations

import re
from pathlib import Path

from benchmarks.racing_lab import saved, tables, which

DOCS = Path(__file__).parents[2] / "docs"
DOCUMENT = DOCS / "racing-lab.md"
CHOOSING = DOCS / "choosing.md"
_MARK = re.compile(r"(<!-- table: ([\w-]+) -->\n).*?(<!-- end -->)", re.DOTALL)


def filled(text: str, folder: Path = saved.RESULTS) -> str:
    """The text with every table written anew."""
    makers = {**tables.TABLES, "which-rule": which.table}

    def fill(mark: re.Match[str]) -> str:
        name = mark[2]
        if name.startswith("from-"):
            return f"{mark[1]}{tables.provenance(name.removeprefix('from-'), folder)}\n{mark[3]}"
        return f"{mark[1]}\n{makers[name](folder)}\n\n{mark[3]}"

    return _MARK.sub(fill, text)


def main(folder: Path) -> None:
    """Write the tables of the documents."""
    for page in (DOCUMENT, CHOOSING):
        page.write_text(filled(page.read_text(encoding="utf-8"), folder), encoding="utf-8")
