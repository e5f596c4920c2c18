"""`--by`: gains by family in `show`, `test` and `report`."""

from __future__ import annotations

import pytest
import yaml

from racing.runner.run import run
from tests.runs_kit import write_scenario

NAMES = [f"data/{kind}/{k}" for k in range(12) for kind in ("clique", "tseitin")]


@pytest.fixture
def log(tmp_path):
    path, scenario = tmp_path / "log.sqlite", write_scenario(tmp_path, noise=0.3, rule="none")
    told = yaml.safe_load(scenario.read_text())
    told["candidates"] = {"list": [{"x": 0.9}, {"x": 0.1}]}
    told["instances"] = {"list": NAMES}
    scenario.write_text(yaml.safe_dump(told))
    run(scenario, log=path)
    return path


def test_show_tells_families_only_where_they_are_asked_for(racing, log):
    assert "by family" not in racing("show", log).out
    assert racing("show", log, "--json").data["families"] is None
    said = racing("show", log, "--by", "family").out
    assert "By family, #2 is better than #1 on clique and tseitin (95 % for all" in said
    assert "#2 over #1 by family\n" in said
    assert "intervals of 95 % for all 2 together" in said
    row = next(line for line in said.splitlines() if line.split()[:2] == ["clique", "12"])
    assert row.split()[-3:] == ["12/0/0", "better", "#2"]


@pytest.mark.parametrize("by", ["folder", "data/([a-z]+)", "family"])
def test_however_they_are_told_the_gains_are_the_same(racing, log, by):
    expected = racing("show", log, "--by", "family", "--json").data["families"]
    assert racing("show", log, "--by", by, "--json").data["families"] == expected


def test_a_table_is_seen_from_where_the_command_is_given(racing, log, tmp_path, monkeypatch):
    (tmp_path / "here").mkdir()
    rows = "".join(f"{name},{name[-1]}\n" for name in NAMES)
    (tmp_path / "here" / "kinds.csv").write_text(f"instance,digit\n{rows}")
    monkeypatch.chdir(tmp_path / "here")
    found = racing("show", log, "--by", "kinds.csv:digit", "--json").data["families"]
    assert [one["family"] for one in found["families"]] == list("0123456789")


@pytest.mark.parametrize(
    ("by", "said"),
    [
        ("(", "is no regular expression"),
        ("clique", 'says no family of "data/tseitin/'),
        ("data", "instances are of one family, 'data'"),
        ("no.csv:kind", "no.csv: no such file"),
    ],
)
def test_what_tells_no_families_is_refused(racing, log, by, said):
    for command in ("show", "report"):
        result = racing(command, log, "--by", by)
        assert result.code == 2
        assert said in result.err


def test_held_out_instances_have_families_too(racing, log, tmp_path):
    new = [f"data/{kind}/new-{k}" for k in range(8) for kind in ("clique", "tseitin")]
    said = racing("test", log, *new, "--by", "folder", "--quiet").out
    assert "#2 over #1 by family on instances that had no part in the choice" in said
    assert "By family, #2 is better than #1 on clique and tseitin" in said
    data = racing("test", log, *new, "--by", "folder", "--quiet", "--json").data
    assert [one["instances"] for one in data["families"]["families"]] == [8, 8]
    assert "that had no part in the choice" in racing("show", log, "--by", "folder").out


def test_the_report_has_a_picture_of_them(racing, log, tmp_path):
    racing("report", log, "--by", "folder", "--output", tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text()
    assert '"id": "families"' in page or '"id":"families"' in page
