"""Take screenshots of pages in every state: wide, narrow, light, dark, and as they are printed.

    python -m tests.report.screens FOLDER [WORD...]

Words choose the states whose names have one of them. A page that is wider than its window is named.
Needs Playwright and Chromium.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import yaml

import racing
from racing.analysis.compare.profiles import profiles
from racing.analysis.unseen import holdout
from racing.report import History, read_history
from racing.report.page import compared_data, html, page_data
from racing.report.page.data import read_several_data, team_page
from racing.runner.run import run
from tests.analysis.portfolio.kit import kinds_log, write_kinds
from tests.analysis.test_unseen_front import HELD, raced
from tests.report.kit import told, told_search
from tests.report.states import STATES
from tests.runs_kit import write_scenario
from tests.worlds import normal_world

LOOKS: dict[str, dict[str, Any]] = {
    f"{width}-{scheme}": {"viewport": {"width": width, "height": 900}, "color_scheme": scheme}
    for width in (1280, 400)
    for scheme in ("light", "dark")
}

TABLES = Path(__file__).parents[2] / "examples" / "compare"
KINDS = ("sat", "php", "k")


def tested(folder: Path, *, seed: int) -> History:
    """A race whose winner was tested on held-out instances."""
    scenario = write_scenario(folder, command=True, noise=0.8, seed=seed)
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


def _team(folder: Path) -> dict[str, Any]:
    return team_page(racing.portfolio(kinds_log(folder, rule="none")), name="log.sqlite")


def _several(folder: Path) -> dict[str, Any]:
    logs = [folder / name / "log.sqlite" for name in ("first", "second")]
    for seed, log in enumerate(logs):
        log.parent.mkdir(parents=True)
        tested(log.parent, seed=seed + 1)
    return read_several_data(logs)


def _paired() -> dict[str, Any]:
    file = TABLES / "garcia_herrera_2008_table2.csv"
    return compared_data(racing.compare(file, direction="maximize"), name=file.name)


def _unpaired(name: str) -> dict[str, Any]:
    file = TABLES / name
    found = racing.compare(file, paired=False)
    return compared_data(found, name=file.name, profiles=profiles(found.table))


def _metrics() -> dict[str, Any]:
    tables = {name: TABLES / f"tsp_{name}.csv" for name in ("quality", "time")}
    return compared_data(racing.compare_metrics(tables), name="")


def pages(folder: Path) -> dict[str, Callable[[], dict[str, Any]]]:
    """Name → the data of a page."""
    runs: dict[str, Callable[[], History]] = {
        "tested": lambda: tested(folder / "tested", seed=1),
        "150 candidates": rich,
        "search": lambda: _search(folder / "search"),
        "portfolio search": lambda: _portfolio_search(folder / "portfolio"),
        "front, tested": lambda: _front_tested(folder / "front"),
        **STATES,
    }
    return {
        **{name: partial(_of_run, make) for name, make in runs.items()},
        "live": partial(_of_run, _under_way),
        "team": lambda: _team(folder / "team"),
        "several": lambda: _several(folder / "several"),
        "compared, paired": _paired,
        "compared, one problem": partial(_unpaired, "clasp_runs.csv"),
        "compared, problems": partial(_unpaired, "hgs_runs.csv"),
        "compared, metrics": _metrics,
    }


def _under_way() -> History:
    return told(normal_world(12, 40, seed=4, noise=0.4), stop_after=150, finish=False)


def _of_run(make: Callable[[], History]) -> dict[str, Any]:
    return page_data(make(), Path("run.sqlite"))


def take(browser: Any, page: str, folder: Path, name: str) -> None:
    """Write the screenshots of a page; the whole of it, and what is printed as a PDF."""
    file = folder / f"{name}.html"
    file.write_text(page, encoding="utf-8")
    for look, how in {**LOOKS, "print": {"viewport": {"width": 720, "height": 1000}}}.items():
        tab = browser.new_page(**how)
        tab.goto(file.as_uri())
        tab.wait_for_selector("html[data-ready=yes]")
        if look == "print":
            tab.emulate_media(media="print")
            tab.wait_for_selector("html.printing")
            tab.pdf(path=folder / f"{name}.pdf", format="A4")
        elif (over := tab.evaluate("document.documentElement.scrollWidth - innerWidth")) > 0:
            print(f"{name}, {look}: the page is {over} pixels wider than its window")
        tab.screenshot(path=folder / f"{name}-{look}.png", full_page=True)
        tab.close()


def main(folder: Path, words: list[str]) -> int:
    """Take them all."""
    from playwright.sync_api import sync_playwright

    folder.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as work:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox"]
        )
        for name, make in pages(Path(work)).items():
            if words and not any(word in name for word in words):
                continue
            take(browser, html(make()), folder, name.replace(" ", "-").replace(",", ""))
            print(name)
        browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), sys.argv[2:]))
