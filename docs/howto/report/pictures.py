"""Take the pictures of the guide to reports: parts of the pages of two real runs, in a browser.

    python docs/howto/report/pictures.py runs/clasp.sqlite runs/clasp-search.sqlite

The runs are those of configs/clasp.yaml and configs/clasp-search.yaml. Needs Playwright and
Chromium.
"""

from __future__ import annotations

import io
import shutil
import sys
import tempfile
from pathlib import Path

from racing.cli.web import live_data
from racing.report.page import html

HERE = Path(__file__).resolve().parent
PARTS = {
    0: ("head", "against-default", "difference", "ranks", "configurations", "effects", "workers"),
    1: ("survivors", "family", "sampling"),
}


def main(runs: list[str]) -> int:
    """Write a PNG file for each part."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox"]
        )
        for number, run in enumerate(runs):
            file = Path(folder, "report.html")
            file.write_text(html(live_data(Path(run))), encoding="utf-8")
            page = browser.new_page(viewport={"width": 1100, "height": 800})
            page.goto(file.as_uri())
            page.wait_for_selector("html[data-ready=yes]")
            for part in PARTS[number]:
                place = page.locator("header" if part == "head" else f"#{part}")
                _save(place.screenshot(), HERE / f"{part}.png")
        browser.close()
    return 0


def _save(png: bytes, path: Path) -> None:
    """Write a picture with few colours, so that it is small; Pillow comes with matplotlib."""
    from PIL import Image

    Image.open(io.BytesIO(png)).convert("RGB").quantize(64).save(path, optimize=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
