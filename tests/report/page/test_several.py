"""The page of several runs: its data, in every state, as JSON and as one file."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from racing.base.plain import json_text
from racing.report.page import html
from racing.report.page.data import several_data
from tests.report.states import EVIL, STATES, hostile
from tests.report.test_several import a_run


@pytest.mark.parametrize("state", [name for name in STATES if name not in ("maximized", "order")])
def test_every_state_stands_beside_another_run(state):
    data = several_data([STATES[state](), a_run(1)], [Path("a.sqlite"), Path("b.sqlite")])
    json.loads(json_text(data))
    assert data["summary"]["headline"]
    for table in data["summary"]["tables"]:
        assert all(len(row) == len(table["columns"]) for row in table["rows"])
    for one in data["pictures"]:
        assert not one["figure"] or one["table"]["rows"]


def test_the_winners_stand_beside_the_default():
    data = several_data([a_run(1), a_run(2)], [Path("a.sqlite"), Path("b.sqlite")])
    table = data["summary"]["tables"][1]
    assert table["columns"][1:] == ["#1 (a)", "#2 (a)", "#2 (b)"]
    assert table["rows"] == [["x", "0", "1", "2"]]


def test_hostile_names_are_no_markup():
    text = html(several_data([hostile(), hostile()], [Path("a.sqlite"), Path("b.sqlite")]))
    assert EVIL not in text
    assert "<img" not in text
