"""Take screenshots of reports in every state: wide, narrow, dark and as they are printed.

    python -m tests.report.screens FOLDER [WORD...]

Words choose the states whose names have one of them. Needs Playwright and Chromium.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import yaml

from racing.analysis.unseen import holdout
from racing.report import History, read_history
from racing.report.page import html, page_data
from racing.runner.run import run
from tests.analysis.portfolio.kit import write_kinds
from tests.analysis.test_unseen_front import HELD, raced
from tests.report.kit import told, told_search
from tests.report.states import STATES
from tests.runs_kit import write_scenario
from tests.worlds import normal_world

LOOKS = {
    "wide": {"viewport": {"width": 1440, "height": 900}},
    "phone": {"viewport": {"width": 390, "height": 844}},
    "dark": {"viewport": {"width": 1440, "height": 900}, "color_scheme": "dark"},
}

KINDS = ("sat", "php", "k")


def tested(folder: Path) -> History:
    """A race whose winner was tested on held-out instances."""
    scenario = write_scenario(folder, command=True, noise=0.8)
    parts = yaml.safe_load(scenario.read_text())
    parts["space"] = {"x": {"real": [0, 1], "default": 0.9}}
    parts["candidates"] = {"default": True, **parts["candidates"]}
    scenario.write_text(yaml.safe_dump(parts))
    run(scenario, log=folder / "log.sqlite")
    holdout(folder / "log.sqlite", [f"new-{k}" for k in range(24)])
    return read_history(folder / "log.sqlite")


def rich() -> History:
    """150 candidates with parameters of every kind, some of which fail."""
    costs = normal_world(150, 40, seed=4, noise=0.5)
    costs[::4, 7::20] = np.inf
    values: list[dict[str, object]] = [
        {
            "size": j % 17,
            "rate": 10.0 ** (j % 13 - 6),
            "kind": ["greedy", "random", "tabu"][j % 3],
            "on": j % 2 == 0,
            **({"limit": 4 ** (j % 9)} if j % 3 else {}),
        }
        for j in range(150)
    ]
    return told(costs, values=values, workers=8)


def _search(folder: Path) -> History:
    return read_history(told_search(folder, budget=200))


def _portfolio_search(folder: Path) -> History:
    scenario = write_kinds(folder, rule="none")
    parts = yaml.safe_load(scenario.read_text())
    del parts["candidates"], parts["rule"]
    parts["space"] = {"x": {"real": [0, 5], "default": 3.5}}
    scenario.write_text(yaml.safe_dump({**parts, "search": {"portfolio": 2}, "budget": 1200}))
    run(scenario, log=folder / "log.sqlite")
    holdout(folder / "log.sqlite", [f"{kind}-new-{k}" for k in range(8) for kind in KINDS])
    return read_history(folder / "log.sqlite")


def _front_tested(folder: Path) -> History:
    folder.mkdir(parents=True)
    log = raced(folder)
    holdout(log, HELD)
    return read_history(log)


def runs(folder: Path) -> dict[str, Callable[[], History]]:
    """Name → a run."""
    return {
        "tested": lambda: tested(folder / "tested"),
        "150 candidates": rich,
        "search": lambda: _search(folder / "search"),
        "portfolio search": lambda: _portfolio_search(folder / "portfolio"),
        "front, tested": lambda: _front_tested(folder / "front"),
        **STATES,
    }


def take(browser: object, page: str, folder: Path, name: str) -> Iterator[Path]:
    """Write the screenshots of a page; the whole of it, and what is printed as a PDF."""
    file = folder / f"{name}.html"
    file.write_text(page, encoding="utf-8")
    for look, how in LOOKS.items():
        tab = browser.new_page(**how)  # type: ignore[attr-defined]
        tab.goto(file.as_uri())
        tab.wait_for_selector("html[data-ready=yes]")
        path = folder / f"{name}-{look}.png"
        tab.screenshot(path=path, full_page=True)
        yield path
        tab.close()
    tab = browser.new_page(viewport={"width": 720, "height": 1000})  # type: ignore[attr-defined]
    tab.goto(file.as_uri())
    tab.wait_for_selector("html[data-ready=yes]")
    tab.emulate_media(media="print")
    tab.wait_for_selector("html.printing")
    path = folder / f"{name}-print.png"
    tab.screenshot(path=path, full_page=True)
    yield path
    tab.pdf(path=folder / f"{name}.pdf", format="A4")
    yield folder / f"{name}.pdf"
    tab.close()


def main(folder: Path, words: list[str]) -> int:
    """Take them all."""
    from playwright.sync_api import sync_playwright

    folder.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as work:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox"]
        )
        for name, make in runs(Path(work)).items():
            if words and not any(word in name for word in words):
                continue
            page = html(page_data(make(), Path("run.sqlite")))
            for path in take(browser, page, folder, name.replace(" ", "-").replace(",", "")):
                print(path)
        browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), sys.argv[2:]))
