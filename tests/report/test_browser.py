"""The page in a real browser: nothing fails, nothing is requested, everything is there and answers.

Needs Playwright and Chromium; without them the tests are skipped. One browser serves all tests.
"""

from __future__ import annotations

import re
import shutil
import threading
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import racing
from racing.analysis.compare import as_table
from racing.report import read_history
from racing.report.live import Feed, LiveServer
from racing.report.page import compared_data, html, page_data, read_page_data
from racing.report.page.data import several_data
from racing.report.pictures import pictures
from racing.runner.run import resume, run
from tests.analysis.portfolio.kit import kinds_log
from tests.report.kit import told
from tests.report.page.test_metrics import compared
from tests.report.pictures.test_several import a_run
from tests.report.states import STATES, hostile
from tests.runs_kit import write_scenario
from tests.waiting import eventually
from tests.worlds import normal_world

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or ""
AXE = Path(__file__).parent / "axe" / "axe.min.js"
SERIOUS = ("serious", "critical")

pytestmark = pytest.mark.skipif(not CHROMIUM, reason="there is no chromium on this machine")


@pytest.fixture(scope="module")
def browser() -> Iterator[object]:
    sync = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
    with sync.sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield found
        found.close()


class Tab:
    """A page that was opened from a file, with all that it said and asked for."""

    def __init__(self, browser, file: Path, **how):
        self.said: list[str] = []
        self.asked: list[str] = []
        self.page = browser.new_page(**how)
        self.page.on("console", lambda message: self.said.append(message.text))
        self.page.on("pageerror", lambda error: self.said.append(str(error)))
        self.page.on("request", lambda request: self.asked.append(request.url))
        self.page.goto(file.as_uri())
        self.page.wait_for_selector("html[data-ready=yes]", timeout=20_000)
        words = self.page.inner_text("body")
        self.said += re.findall(r"undefined|\bNaN\b|\[object", words)

    def close(self) -> None:
        self.page.close()


@pytest.fixture(scope="module")
def rich_run(tmp_path_factory) -> Path:
    costs = normal_world(12, 30, seed=4, noise=0.4)
    costs[::4, 7] = float("inf")
    values = [
        {
            "size": float(j),
            "rate": 10.0 ** (j - 6),
            "kind": ["a", "b", "c"][j % 3],
            "on": j % 2 == 0,
            **({"extra": j, "limit": 4**j} if j % 3 else {}),
        }
        for j in range(12)
    ]
    return saved(tmp_path_factory.mktemp("rich"), told(costs, values=values))


def saved(folder: Path, history) -> Path:
    path = folder / "report.html"
    path.write_text(html(page_data(history, Path("run.sqlite"))))
    return path


@pytest.fixture
def open_(browser) -> Iterator[object]:
    tabs: list[Tab] = []

    def opened(file: Path, **how) -> Tab:
        tabs.append(Tab(browser, file, **how))
        return tabs[-1]

    yield opened
    for tab in tabs:
        tab.close()


def test_every_picture_is_drawn_and_nothing_is_said_or_asked_for(open_, rich_run):
    tab = open_(rich_run)
    assert tab.said == []
    assert tab.asked == [rich_run.as_uri()]
    charts = tab.page.locator(".picture:not(.empty) :is(.chart svg.figure, ul.items):visible")
    assert charts.count() >= 11
    for k in range(charts.count()):
        assert charts.nth(k).bounding_box()["width"] > 200


def test_only_the_new_values_are_bold(open_, rich_run):
    page = open_(rich_run).page
    weights = page.locator(".changes tbody tr").first.evaluate(
        "row => [...row.children].map((cell) => Number(getComputedStyle(cell).fontWeight))"
    )
    assert weights[:2] == [400, 400]
    assert weights[2] > 600


def test_the_pointer_shows_what_a_point_is(open_, rich_run):
    page = open_(rich_run).page
    chart = page.locator("#survivors .chart")
    chart.scroll_into_view_if_needed()
    box = chart.bounding_box()
    for share in (0.1, 0.12, 0.14, 0.2, 0.3, 0.5):
        page.mouse.move(box["x"] + share * box["width"], box["y"] + 48)
    page.locator("#effects .chart").scroll_into_view_if_needed()
    boxes = [one.bounding_box() for one in page.locator("#effects .figure path.dots").all()]
    point = min(boxes, key=lambda box: box["width"])  # that of the winner alone
    page.mouse.move(point["x"] + point["width"] / 2, point["y"] + point["height"] / 2)
    page.wait_for_selector("#effects .tip", state="visible")
    assert "mean place" in page.locator("#effects .tip").inner_text()


def test_values_that_differ_by_factors_have_a_logarithmic_axis(open_, rich_run):
    page = open_(rich_run).page
    page.locator("#effects select").select_option("rate")
    written = page.locator("#effects .chart svg text").all_text_contents()
    assert {"0.0001", "1", "100"} <= set(written)
    places = page.locator("#configurations .chart svg text").all_text_contents()
    assert places.count("not active") == 2, "the line of what is not active, also on such an axis"
    assert {"10", "1000000"} <= set(places)


def test_arrow_keys_go_through_the_points_and_say_them(open_, rich_run):
    page = open_(rich_run).page
    said = {}
    for id in ("survivors", "ranks", "configurations", "effects", "dropped", "workers", "budget"):
        page.locator(f"#{id} .chart").focus()
        page.keyboard.press("ArrowRight")
        first = page.locator(f"#{id} .said").inner_text()
        page.keyboard.press("ArrowRight")
        said[id] = first, page.locator(f"#{id} .said").inner_text()
    assert all(first and second for first, second in said.values())
    assert said["ranks"][0] != said["ranks"][1]
    assert "candidate: " in said["configurations"][0]


def test_heads_sort_and_words_filter(open_, rich_run):
    page = open_(rich_run).page
    part = page.locator("#ranks")
    part.locator(".behind summary").click()
    head = part.get_by_role("button", name="mean score")
    head.click()
    column = part.locator("tbody tr td:nth-child(6)").all_inner_texts()
    numbers = [float(text.replace("−", "-")) for text in column if text != "–"]
    assert numbers == sorted(numbers)
    head.click()
    assert part.locator("th[aria-sort=descending]").count() == 1
    part.locator("input[type=search]").fill("winner")
    assert part.locator("tbody tr").count() == 1
    before = part.locator(".chart").inner_html()
    part.get_by_label("Rows").select_option("by entry")
    assert part.locator(".chart").inner_html() != before


def test_brushing_an_axis_filters_the_table(open_, rich_run):
    page = open_(rich_run).page
    part = page.locator("#configurations")
    part.locator(".chart").scroll_into_view_if_needed()
    box = part.locator(".chart").bounding_box()
    x, top = box["x"] + 4, box["y"] + 20
    page.mouse.move(x, top)
    page.mouse.down()
    page.mouse.move(x, top + 100, steps=5)
    page.mouse.move(x, top + 200, steps=5)
    page.mouse.up()
    part.locator("tbody tr").first.wait_for()
    kept = part.locator("tbody tr").count()
    assert 0 < kept < 12
    places = [float(text) for text in part.locator("tbody tr td:nth-child(3)").all_inner_texts()]
    assert max(places) < 0.6
    assert part.locator(".many path.faded").count() == 12 - kept
    page.mouse.click(box["x"] + 200, top)
    assert part.locator("tbody tr").count() == 12


def test_hostile_names_and_messages_do_nothing(open_, tmp_path):
    tab = open_(saved(tmp_path, hostile()))
    page = tab.page
    for summary in page.locator("summary").all():
        if summary.is_visible():
            summary.click()
    for id in ("ranks", "effects", "configurations"):
        page.locator(f"#{id} .chart").focus()
        page.keyboard.press("ArrowRight")
    assert page.evaluate("window.hacked") is None
    assert page.locator("img").count() == 0
    assert tab.said == []
    assert len(tab.asked) == 1
    assert "window.hacked=1" in page.locator("#failures pre").first.inner_text()
    width = page.evaluate("document.documentElement.scrollWidth - innerWidth")
    assert width <= 0


def test_several_runs_stand_on_one_page(open_, tmp_path):
    path = tmp_path / "both.html"
    logs = [Path("first.sqlite"), Path("second.sqlite")]
    path.write_text(html(several_data([a_run(1), a_run(2, best=2.0)], logs)))
    tab = open_(path, viewport={"width": 390, "height": 800})
    assert tab.said == []
    assert tab.page.locator("#result table").count() == 2
    assert tab.page.locator(".picture .chart svg").count() >= 4
    assert tab.page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_comparison_by_several_metrics_fits_on_a_phone(open_, tmp_path):
    found = compared("quality", "time", "memory", failed=((3, 3),))
    path = tmp_path / "metrics.html"
    path.write_text(html(compared_data(found, name="three")))
    tab = open_(path, viewport={"width": 390, "height": 800}, bypass_csp=True)
    page = tab.page
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert page.locator("#result table tbody tr").count() == 4
    assert page.locator("#to-keep-in-mind li").count() == len(found.notes)
    page.locator("#front .chart").focus()
    page.keyboard.press("ArrowLeft")
    knee = f"{found.names[found.knee]}, on the front: yes, the best compromise"
    assert page.locator("#front .said").inner_text().startswith(knee)
    page.get_by_label("Across").select_option(index=1)
    assert page.locator("#front .chart svg").count() == 1
    page.evaluate(AXE.read_text())
    violations = page.evaluate("axe.run()")["violations"]
    assert [one["id"] for one in violations if one["impact"] in SERIOUS] == []
    assert tab.said == []


def test_a_diagram_opens_at_the_best_and_heads_stand_above_their_numbers(open_, tmp_path):
    scores = np.random.default_rng(1).normal(range(5), 1, size=(20, 5))
    names = [f"algorithm number {k}" for k in range(5)]
    path = racing.compare(as_table(scores, names=names)).report(tmp_path / "page.html")
    tab = open_(path, viewport={"width": 400, "height": 800})
    chart = tab.page.locator("#finalists .chart")
    chart.scroll_into_view_if_needed()
    wide, at = chart.evaluate("box => [box.scrollWidth - box.clientWidth, box.scrollLeft]")
    assert 0 < wide == pytest.approx(at, abs=1)
    tab.page.locator("#comparisons summary", has_text="The numbers").click()
    how = "(cell, at) => getComputedStyle(cell.querySelector('button') ?? cell).textAlign"
    heads = tab.page.locator("#comparisons th").evaluate_all(f"cells => cells.map({how})")
    cells = tab.page.locator("#comparisons tbody tr").first.locator("td")
    sides = cells.evaluate_all(f"cells => cells.map({how})")
    assert [side == "right" for side in heads] == [side == "right" for side in sides]
    assert sides.count("right") >= 7
    assert tab.said == []


@pytest.mark.parametrize("state", [name for name in STATES if name != "1 candidate"])
def test_every_state_is_drawn_without_an_error(open_, tmp_path, state):
    tab = open_(saved(tmp_path, STATES[state]()))
    assert tab.said == []
    assert tab.page.locator("#headline").inner_text()
    drawn = tab.page.locator(".picture").count()
    assert drawn + tab.page.locator("#nothing dt").count() == len(pictures(STATES[state]()))


def test_dark_phone_and_print(open_, rich_run):
    tab = open_(rich_run, color_scheme="dark", viewport={"width": 390, "height": 800})
    page = tab.page
    background = "getComputedStyle(document.body).backgroundColor"
    assert page.evaluate(background) == "rgb(17, 22, 28)"
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.emulate_media(media="print")
    page.wait_for_selector("html.printing")
    assert page.evaluate(background) == "rgb(255, 255, 255)"
    assert not page.locator("nav").is_visible()
    assert len(page.pdf()) > 20_000
    page.emulate_media(media="screen")
    page.wait_for_selector("html:not(.printing)")
    assert tab.said == []


def test_families_fit_on_a_phone(open_, tmp_path):
    run = read_history(kinds_log(tmp_path, rule="none", budget=150))
    page = open_(saved(tmp_path, run), viewport={"width": 390, "height": 800}).page
    assert page.locator("#families svg").is_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_serious(open_, rich_run, scheme):
    page = open_(rich_run, color_scheme=scheme, bypass_csp=True).page
    for summary in page.locator("summary").all():
        if summary.is_visible():
            summary.click()
    page.evaluate(AXE.read_text())
    found = page.evaluate("axe.run()")["violations"]
    serious = [(one["id"], one["nodes"][0]["html"]) for one in found if one["impact"] in SERIOUS]
    assert serious == []


def test_the_live_page_follows_the_run_and_survives_a_reload(browser, tmp_path):
    log = tmp_path / "log.sqlite"
    run(write_scenario(tmp_path, budget=40), log=log)
    server = LiveServer(Feed(lambda: read_page_data(log), log))
    thread = threading.Thread(target=server.serve)
    thread.start()
    said: list[str] = []
    page = browser.new_page()
    page.on("console", lambda message: said.append(message.text))
    try:
        page.goto(server.address)
        page.wait_for_selector("html[data-told='1'][data-ready=yes]", timeout=20_000)
        page.locator("#survivors select").select_option("evaluations")
        before = page.locator("#figures").inner_text()
        resume(log, budget=90)
        assert eventually(lambda: page.locator("#figures").inner_text() != before)
        assert page.locator("#survivors select").input_value() == "evaluations"
        page.reload()
        page.wait_for_selector("html[data-ready=yes]")
        assert page.locator(".picture:not(.empty) .chart").count() >= 8
        assert [text for text in said if "favicon" not in text] == []
    finally:
        page.close()
        server.end()
        thread.join()
