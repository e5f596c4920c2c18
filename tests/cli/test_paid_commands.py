"""The commands, where evaluations are paid for and where earlier logs are reused."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest
import yaml

from tests.runs_kit import calls, write_scenario

PAID = """
def paid(values, instance, seed):
    return {"cost": solve(values, instance, seed), "spent": {"usd": 0.01, "tokens": 250}}
"""


def scenario(folder: Path, paid: str = PAID, **keys: object) -> Path:
    path = write_scenario(folder, candidates=4, instances=10, rule="none")
    target = folder / "target.py"
    target.write_text(target.read_text() + paid)
    data = {**yaml.safe_load(path.read_text()), "target": {"python": "target.py:paid"}, **keys}
    path.write_text(yaml.safe_dump(data))
    return path


def test_check_prices_the_race(racing, tmp_path):
    path = scenario(tmp_path, budget={"usd": 0.2})
    said = racing("check", path)
    assert said.code == 0
    assert "and $0.01 and 250 tokens, for candidate" in said.out
    assert "at most 20 evaluations" in said.out
    assert "about $0.2 and 5,000 tokens at most" in said.out
    assert "20 evaluations, about" in said.out.partition("The first test")[2]
    found = racing("check", path, "--json").data
    assert found["forecast"]["price"] == {"usd": 0.01, "tokens": 250}
    assert found["reuse"] is None


def test_every_command_tells_what_was_reused(racing, tmp_path):
    path = scenario(tmp_path)
    old, new = tmp_path / "old.sqlite", tmp_path / "new.sqlite"
    assert racing("run", path, "--log", old, "--quiet", "--budget", "16").code == 1  # 4 instances
    reuse = ("--set", "reuse=old.sqlite")
    said = racing("check", path, *reuse, "--no-run")
    assert "Earlier runs: 16 outcomes of this target can be taken; 16 fit" in said.out
    assert "$0.4 and 10,000 tokens at most" in said.out  # by the price in the earlier log
    told = "16 evaluations were not made again but taken from old.sqlite, which saved $0.16"
    assert told in racing("run", path, *reuse, "--log", new, "--quiet").out
    shown = racing("show", new)
    assert told in shown.out
    assert "paid: $0.24, 6,000 tokens" in shown.out
    assert racing("show", new, "--json").data["reuse"]["logs"] == {"old.sqlite": 16}
    assert "16 reused" in racing("watch", new, "--once").out
    assert racing("report", new, "-o", tmp_path / "page.html").code == 0
    assert "16 evaluations were not made again" in (tmp_path / "page.html").read_text()
    racing("export", new, "--to", tmp_path / "out")
    with (tmp_path / "out" / "outcomes.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert [row["reused"] for row in rows] == ["old.sqlite"] * 16 + [""] * 24
    assert racing("run", path, "--set", "reuse=none.sqlite", "--force").code == 2


@pytest.mark.parametrize("spent", ["{}", '{"tokens": 250}'])
def test_a_limit_that_the_target_never_tells_is_refused(racing, tmp_path, spent):
    told = PAID.replace('{"usd": 0.01, "tokens": 250}', spent)
    path = scenario(tmp_path, told, budget={"usd": 0.2}, instances={"list": ["a"], "repeat": True})
    for command, first in (("check", "first evaluation does"), ("run", "first 10 evaluations do")):
        said = racing(command, path)
        assert said.code == 3
        assert f"budget.usd is limited, but the target's {first} not tell" in said.err
    assert 11 <= len(calls(tmp_path)) <= 13, "one more may run beside the tenth"


FREE = PAID.replace('"usd": 0.01, "tokens": 250', '"usd": 0, "tokens": 0')


@pytest.mark.parametrize("search", [False, True])
def test_a_run_that_ends_by_payments_alone_ends_where_nothing_costs(racing, tmp_path, search):
    path = scenario(tmp_path, FREE, budget={"usd": 0.2}, instances={"list": ["a"], "repeat": True})
    if search:
        data = yaml.safe_load(path.read_text())
        del data["candidates"], data["rule"]
        space = {"x": {"real": [0, 1]}}
        path.write_text(yaml.safe_dump({**data, "search": True, "space": space}))
    said = racing("run", path)
    assert said.code == 3
    assert "budget.usd is the only limit, but the target's first 100 evaluations tell" in said.err
    assert 100 <= len(calls(tmp_path)) <= 103


def test_a_run_that_has_another_end_may_be_free(racing, tmp_path):
    path = scenario(tmp_path, FREE, budget={"usd": 0.2}, instances=[f"i{k}" for k in range(30)])
    assert racing("run", path).code == 0
    assert len(calls(tmp_path)) == 120


def test_what_is_free_may_be_told(racing, tmp_path):
    path = scenario(tmp_path, PAID.replace("0.01", "0"), budget={"usd": 0.2})
    assert racing("check", path).code == racing("run", path).code == 0
