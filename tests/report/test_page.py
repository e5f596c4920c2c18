"""The page as text: one file, a strict policy, nothing hostile in it as markup, small enough."""

from __future__ import annotations

import hashlib
import json
import re
from base64 import b64encode
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest

from racing.answer.json import as_data
from racing.base.plain import json_text
from racing.report.page import compared_data, html, page_data
from racing.report.page.data import several_data
from racing.report.page.html import script
from racing.report.pictures import _EVERY, each, pictures
from tests.report.kit import told
from tests.report.page.test_metrics import compared
from tests.report.states import EVIL, STATES, hostile


class Seen(HTMLParser):
    """Tags with their attributes, and what scripts and styles hold."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.inside: list[tuple[str, str]] = []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))

    def handle_data(self, data):
        if self.tags and self.tags[-1][0] in ("script", "style"):
            self.inside.append((self.tags[-1][0], data))


def page(history, **how) -> str:
    return html(page_data(history, Path("run.sqlite")), **how)


def test_the_page_needs_nothing_else():
    seen = Seen(page(hostile()))
    for tag, attributes in seen.tags:
        assert tag not in ("link", "img", "iframe", "object", "embed", "base")
        assert not {"src", "srcset", "style"} & attributes.keys()
        assert not [name for name in attributes if name.startswith("on")]
    assert [tag for tag, _ in seen.tags].count("script") == 2


def test_the_policy_allows_what_is_in_the_page_and_nothing_else():
    text = page(hostile())
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', text)[1]
    assert policy.startswith("default-src 'none'; script-src 'sha256-")
    assert "unsafe" not in policy
    assert "connect-src" not in policy
    blocks = re.findall(r"<(script|style)>(.*?)</\1>", text, re.DOTALL)
    assert [kind for kind, _ in blocks] == ["style", "script"]
    for _, body in blocks:
        digest = b64encode(hashlib.sha256(body.encode()).digest()).decode()
        assert f"'sha256-{digest}'" in policy
    live = re.search(r'Policy" content="([^"]*)"', page(hostile(), live=True))[1]
    assert "connect-src 'self'" in live


def test_hostile_text_is_never_markup():
    text = page(hostile())
    assert EVIL not in text
    assert "<img" not in text
    assert "\x1b" not in text
    assert "\u202e" not in text
    facts = re.search(r'id="facts">(.*?)</script>', text, re.DOTALL)[1]
    assert "<" not in facts
    assert json.loads(facts)["run"]["name"] == EVIL


def test_hostile_names_are_no_markup_on_pages_of_several_runs_and_of_metrics():
    runs = several_data([hostile(), hostile()], [Path("a.sqlite"), Path("b.sqlite")])
    for text in map(html, (runs, compared_data(compared(), name=EVIL))):
        assert EVIL not in text
        assert "<img" not in text


def test_the_page_of_a_front_has_its_members_and_no_picture_of_one_metric():
    text = page(STATES["front"]())
    facts = json.loads(re.search(r'id="facts">(.*?)</script>', text, re.DOTALL)[1])
    [members] = facts["summary"]["tables"]
    assert [row[0] for row in members["rows"]] == ["#3", "#4", "#2"]
    assert members["columns"][2:4] == [">time", ">success"]
    assert facts["summary"]["use_title"] == "The configurations of the front"
    assert facts["pictures"][0]["id"] == "front"
    assert not [one["id"] for one in facts["pictures"] if "alone" in one["sentence"]]


@pytest.mark.parametrize("state", STATES)
def test_every_state_makes_json_and_a_page_with_an_answer_and_pictures(state):
    run = STATES[state]()
    assert json.loads(json_text(as_data(run)))["name"] == run.name
    facts = json.loads(re.search(r'id="facts">(.*?)</script>', page(run), re.DOTALL)[1])
    summary, found = facts["summary"], pictures(run)
    assert summary["headline"].endswith(".")
    assert summary["sentences"] or state == "front", "whose table says all"
    assert all(text == text.strip() and "None" not in text for text in summary["sentences"])
    assert summary["figures"]["Complete instances"].isdecimal()
    assert [one["id"] for one in facts["pictures"]] == [one.id for one in found]
    assert len({one.id for one in found}) == len(found)
    assert len(found) >= {"everything crashed": 1, "front": 5}.get(state, 12)
    assert [one for id in _EVERY for one in each(run, id)] == list(found)
    for one in found:
        assert one.title
        assert one.sentence.endswith((".", ")"))
        if one.figure or one.items:
            assert one.reading
            assert one.table is not None
            assert one.table.rows
            assert all(len(row) == len(one.table.columns) for row in one.table.rows)


def test_the_page_of_a_thousand_evaluations_is_small():
    costs = np.random.default_rng(1).random((25, 40))
    values = [{f"p{k}": float(costs[k % 25, j]) for k in range(12)} for j in range(40)]
    run = told(costs, rule="none", values=values)
    assert run.evaluations == 1000
    assert len(page(run).encode()) < 300_000


def test_columns_that_pictures_share_are_written_once():
    data = page_data(STATES["one survivor"](), Path("run.sqlite"))
    texts = [json.dumps(one) for one in data["columns"]]
    assert len(set(texts)) == len(texts) > 5
    assert all(len(one) >= 8 for one in data["columns"])
    used = {int(k) for k in re.findall(r'{"\$": (\d+)}', json.dumps(data["pictures"]))}
    assert used == set(range(len(data["columns"])))


def test_the_script_evaluates_no_text():
    assert not re.search(r"\beval\(|new Function|innerHTML", script())


def test_a_run_under_way_says_how_far_it_is():
    running = told(np.random.default_rng(1).random((9, 6)), stop_after=15, finish=False)
    progress = page_data(running, Path("run.sqlite"))["run"]["progress"]
    expected, elapsed = running.race.expected_evaluations, running.wall_seconds
    assert progress["share"] == round(15 / (15 + expected), 3)
    assert progress["seconds"] == pytest.approx(elapsed * expected / 15, rel=0.01)
    assert page_data(STATES["one survivor"](), Path("run.sqlite"))["run"]["progress"] is None
