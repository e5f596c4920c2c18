"""What a report costs: time and size of its page.

    python -m benchmarks.report_page [--small]

A race of 1,000, 20,000 and 100,000 evaluations in memory. Processor seconds of telling the
log again (replay, with the columns that pictures need) and of everything else (facts, pictures,
JSON, HTML), the page's size, and the seconds until it is ready in headless Chromium, where
Playwright and Chromium are installed.
"""

from __future__ import annotations

import argparse
import shutil
import tempfile
import time
from dataclasses import replace
from pathlib import Path

import numpy as np

from racing.core.budget import Budget
from racing.log import Log, MemoryLog, header_of
from racing.log.recorder import Recorder
from racing.race import Race
from racing.report import history
from racing.report.page import html, page_data
from racing.rules.none import Keep

CANDIDATES = 200


def race_of(evaluations: int) -> Race:
    """A race that drops nobody, so that it has so many evaluations."""
    candidates = [{"x": i / CANDIDATES, "kind": "abc"[i % 3]} for i in range(CANDIDATES)]
    return Race(candidates, range(evaluations // CANDIDATES), rule=Keep(), budget=Budget(), seed=1)


def record(race: Race, log: Log) -> float:
    """Tell a race made-up costs, through its log; processor seconds of it."""
    recorder, rng, number = Recorder(race, log), np.random.default_rng(1), 0
    begun = time.process_time()
    while not race.done:
        for experiment in recorder.ask():
            cost = experiment.candidate.id / CANDIDATES + float(rng.normal())
            outcome = experiment.outcome(cost, seconds=1.0)
            recorder.tell(replace(outcome, elapsed=float(number)))
            number += 1
    recorder.finish(elapsed=float(number))
    return time.process_time() - begun


def page(evaluations: int) -> tuple[float, float, str]:
    """(seconds of replay, seconds of all the rest, the page)."""
    race = race_of(evaluations)
    log = MemoryLog(header_of(race, name="a race"))
    record(race, log)
    begun = time.process_time()
    told = history(log)
    replayed = time.process_time()
    text = html(page_data(told, Path("run.sqlite")))
    return replayed - begun, time.process_time() - replayed, text


def ready(text: str) -> float | None:
    """Seconds until a page is ready in Chromium; None where there is none."""
    program = shutil.which("chromium") or shutil.which("chromium-browser")
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        return None
    if program is None:
        return None
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        file = Path(folder, "page.html")
        file.write_text(text, encoding="utf-8")
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        tab = browser.new_page()
        begun = time.perf_counter()
        tab.goto(file.as_uri())
        tab.wait_for_selector("html[data-ready=yes]", timeout=60_000)
        seconds = time.perf_counter() - begun
        browser.close()
    return seconds


def pages(small: bool) -> None:
    """Print a table of pages."""
    print("| evaluations | replay, s | the rest, s | page, kB | ready after, s |")
    print("| ---: | ---: | ---: | ---: | ---: |")
    for evaluations in (1000,) if small else (1000, 20_000, 100_000):
        replayed, rest, text = page(evaluations)
        seconds = None if small else ready(text)
        print(
            f"| {evaluations:,} | {replayed:.2f} | {rest:.2f} | {len(text.encode()) / 1000:.0f} "
            f"| {'–' if seconds is None else f'{seconds:.2f}'} |",
            flush=True,
        )


def main(arguments: list[str] | None = None) -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--small", action="store_true", help="small ones, as in the tests")
    given = parser.parse_args(arguments)
    pages(given.small)


if __name__ == "__main__":
    main()
