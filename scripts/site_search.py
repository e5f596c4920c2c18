"""Ask the search of the built site what newcomers ask; one of the first three hits must answer.

Links from outside to places that have moved must lead there too.

python -m scripts.site_search build/docs
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

FIRST = 3
ASKED = {
    "timeout": ("questions", "howto/program"),
    "parallel": ("questions", "execution"),
    "resume": ("questions", "cli"),
    "windows": ("questions", "support"),
    "seeds": ("questions", "scenario/instances"),
    "failures": ("questions", "scenario/target"),
    "two metrics": ("questions", "howto/metrics"),
    "cluster": ("questions", "howto/cluster"),
    "notebook": ("questions", "howto/embed"),
    "why this winner": ("questions", "howto/explain"),
    "irace": ("howto/from-irace", "irace"),
    "optuna": ("howto/optuna", "howto/from-optuna"),
    "budget": ("choosing", "questions"),
    "rule": ("choosing/rule", "rules"),
}
"""Words that newcomers look for → pages that explain them."""


MOVED = {"rules.html#auto": "rules/budget.html#auto"}
"""A place that was on a page → where it is now, to which the page has a link."""


def hits(folder: Path) -> dict[str, list[str]]:
    """The pages that the search of a site finds first for each question, without suffix.

    Raises
    ------
    TimeoutError
        If a link to a place that has moved does not lead there.
    """
    from playwright.sync_api import sync_playwright

    chromium = shutil.which("chromium")
    found = {}
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        page = browser.new_page()
        page.set_default_timeout(180_000)  # the search shows one hit after the other
        for asked in ASKED:
            page.goto(f"{(folder / 'search.html').resolve().as_uri()}?q={asked}")
            page.wait_for_selector("#search-results li a")
            page.wait_for_function("Search.status.innerText.includes('finished')")
            links = page.locator("#search-results li > a").evaluate_all(
                "links => links.map(link => link.getAttribute('href'))"
            )
            found[asked] = [link.partition(".html")[0] for link in links]
        for place, now in MOVED.items():
            page.goto(f"{folder.resolve().as_uri()}/{place}")
            page.wait_for_url(f"**/{now}")
        browser.close()
    return found


def problems(folder: Path) -> list[str]:
    """The questions whose pages do not come first, one line each; [] where there is no Chromium."""
    if shutil.which("chromium") is None:
        return []
    return [
        f"search: {asked!r} finds {', '.join(found[:FIRST])} first, not {' or '.join(ASKED[asked])}"
        for asked, found in hits(folder).items()
        if not set(ASKED[asked]) & set(found[:FIRST])
    ]


if __name__ == "__main__":
    wrong = problems(Path(sys.argv[1]))
    print("\n".join(wrong))
    sys.exit(bool(wrong))
