"""docs/howto, home page and quick start are true: blocks are run, and print what the page says."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.docs.blocks import ROOT, Reader

PAGES = [
    *sorted((ROOT / "docs" / "howto").glob("*.md")),
    *(ROOT / "docs" / f"{name}.md" for name in ("index", "install", "quickstart")),
]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_every_block_does_what_the_page_says(page: Path, tmp_path: Path) -> None:
    reader = Reader(tmp_path)
    text = reader.read(page)
    assert not reader.failed, "\n\n".join(reader.failed)
    if os.environ.get("WRITE_DOCS"):
        page.write_text(text, encoding="utf-8")
        return
    assert not reader.wrong, "\n\n".join(reader.wrong)
