"""Take the pictures of the guide to reports: parts of the pages of four real runs, in a browser.

    python docs/howto/report/pictures.py clasp.sqlite clasp-search.sqlite hgs.sqlite wine.sqlite

The runs are those of configs/clasp.yaml, configs/clasp-search.yaml and configs/hgs.yaml, and of
examples/sklearn/pipeline.py. Needs Playwright and Chromium.
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
PARTS: tuple[tuple[str, tuple[str, ...]], ...] = (
    (
        "",
        ("head", "against-default", "difference", "ranks", "configurations", "effects", "workers"),
    ),
    ("", ("survivors", "family", "sampling")),
    ("hgs-", ("survivors", "dropped", "posterior", "budget", "finalists")),
    ("wine-", ("ranks", "effects")),
)
"""For each run, how the files of its pictures begin, and the parts of its page."""


def main(runs: list[str]) -> int:
    """Write a PNG file for each part; `-` skips a run."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox"]
        )
        for run, (prefix, parts) in zip(runs, PARTS, strict=True):
            if run == "-":
                continue
            file = Path(folder, "report.html")
            file.write_text(html(live_data(Path(run))), encoding="utf-8")
            page = browser.new_page(viewport={"width": 1100, "height": 800})
            page.goto(file.as_uri())
            page.wait_for_selector("html[data-ready=yes]")
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
