"""Take the pictures of the guide to reports: parts of the pages of real runs, in a browser.

    racing run configs/clasp.yaml --log demo.sqlite
    racing test demo.sqlite examples/clasp/test/*.cnf
    racing run configs/clasp.yaml --log second.sqlite --set seed=2
    racing test second.sqlite examples/clasp/test/*.cnf
    racing run configs/clasp-search.yaml --log search.sqlite --budget 300
    python docs/howto/report/pictures.py demo.sqlite second.sqlite search.sqlite

Needs Playwright and Chromium.
"""

from __future__ import annotations

import io
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from racing.report.page import html, read_page_data
from racing.report.page.data import read_several_data

HERE = Path(__file__).resolve().parent
OF_A_RACE = (
    "head", "held-out", "best-so-far", "against-default", "ranks",
    "configurations", "importance", "effects", "map", "strips", "dropped", "budget",
    "workers", "survivors",
)  # fmt: skip
OF_A_SEARCH = ("sampling", "family")
OF_TWO = ("head", "tried")


def pages(demo: Path, second: Path, search: Path) -> Iterator[tuple[dict[str, Any], str, Any]]:
    """The data of each page, how the files of its pictures begin, and its parts."""
    yield read_page_data(demo), "", OF_A_RACE
    yield read_page_data(search), "", OF_A_SEARCH
    yield read_several_data([demo, second]), "two-", OF_TWO


def main(runs: list[str]) -> int:
    """Write a PNG file for each part."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox"]
        )
        for data, prefix, parts in pages(*map(Path, runs)):
            file = Path(folder, "report.html")
            file.write_text(html(data), encoding="utf-8")
            page = browser.new_page(viewport={"width": 1100, "height": 800})
            page.goto(file.as_uri())
            page.wait_for_selector("html[data-ready=yes]")
            for form in page.get_by_role("button", name="YAML").all():
                form.click()  # the command line has paths of this machine
            for part in parts:
                place = page.locator("header" if part == "head" else f"#{part}")
                _save(place.screenshot(), HERE / f"{prefix}{part}.png")
        browser.close()
    return 0


def _save(png: bytes, path: Path) -> None:
    """Write a picture with few colours, so that it is small; Pillow comes with matplotlib."""
    from PIL import Image

    Image.open(io.BytesIO(png)).convert("RGB").quantize(64).save(path, optimize=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
