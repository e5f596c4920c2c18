"""Every how-to has a picture, and the pictures are made by a command."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path

import pytest

from tests.docs.blocks import ROOT

HOWTO = ROOT / "docs" / "howto"
IMAGE = re.compile(r"!\[[^\]]{10,}\]\(([^)]+\.(?:svg|png))\)")
PAGES = sorted(HOWTO.glob("*.md"))
WITHOUT = ("metrics", "portfolio", "from-irace", "from-optuna", "from-smac3")
"""Guides without a picture: none yet, or nothing to see in them."""


@pytest.mark.parametrize(
    "page", [page for page in PAGES if page.stem not in WITHOUT], ids=lambda page: page.stem
)
def test_every_how_to_has_a_picture_with_words_for_it(page: Path) -> None:
    found = IMAGE.findall(page.read_text(encoding="utf-8"))
    assert found
    assert all((HOWTO / name).is_file() for name in found)


def test_no_picture_is_left_that_no_page_shows() -> None:
    shown = "".join(
        page.read_text(encoding="utf-8")
        for page in (*(ROOT / "docs").rglob("*.md"), ROOT / "README.md")
    )
    files = [*(HOWTO / "report").glob("*.png"), *(HOWTO / "pictures").glob("*.svg")]
    assert [file.name for file in files if f"/{file.name}" not in shown] == []


def test_the_command_draws_what_the_code_of_a_page_does() -> None:
    pytest.importorskip("matplotlib", reason="figures need the extra racing[plot]")
    place = importlib.util.spec_from_file_location("draw", HOWTO / "draw.py")
    assert place is not None
    assert place.loader is not None
    module = importlib.util.module_from_spec(place)
    place.loader.exec_module(module)
    drawn = {file.stem for file in (HOWTO / "pictures").glob("*.svg")}
    assert {*module.PAGES, "prompts"} == drawn
    figure = module.PAGES["own-loop"]()
    bars = [path for one in figure.axes[0].collections for path in one.get_paths()]
    heights = [bar.vertices[:, 1].max() for bar in bars]
    assert max(heights) == heights[0] == 8
