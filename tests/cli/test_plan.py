"""The command `racing plan`."""

from __future__ import annotations

import pytest

from tests.runs_kit import write_scenario, write_search


@pytest.fixture
def search(tmp_path):
    return write_search(tmp_path, budget=90)


def test_plan_says_what_the_budget_buys(racing, search):
    said = racing("plan", search, "--seconds", "2", "--jobs", "3")
    assert said.code == 0
    assert "window 6; 10 is recommended for this many jobs" in said.out
    data = racing("plan", search, "--json").data
    assert data["evaluations"] <= 90
    assert data["larger"]["challengers"] > data["challengers"]
    assert data["hours"] is None
    assert racing("plan", search, "--jobs", "0").code == 2
    assert racing("plan", search, "--seconds", "0").code == 2


def test_plan_is_priced(racing, tmp_path):
    path = write_search(tmp_path, budget={"usd": 0.9})
    said = racing("plan", path, "--price", "usd=0.01,tokens=100")
    assert said.code == 0
    assert "about $0.9 and 9,000 tokens in all" in said.out.replace("0.89", "0.9").replace(
        "8,900", "9,000"
    )
    assert "charged, such as --price usd=0.003" in racing("plan", path).err


@pytest.mark.parametrize("price", ["usd", "usd=", "usd=-1", "usd=nan", "=3", "usd=0.1;tokens=2"])
def test_a_price_that_is_none_is_refused(racing, tmp_path, price):
    said = racing("plan", write_search(tmp_path, budget=90), "--price", price)
    assert said.code == 2
    assert "must be names with amounts" in said.err


def test_a_race_has_no_plan(racing, tmp_path):
    said = racing("plan", write_scenario(tmp_path))
    assert said.code == 2
    assert "the scenario has no search" in said.err
