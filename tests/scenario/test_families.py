"""Families of instances: how they are told, noted and refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from racing.base.errors import InputError, ScenarioError
from racing.core.experiment import Instance
from racing.scenario import InstanceSource, Problem, Scenario
from racing.scenario.families import families, kinds

NAMES = ["data/clique/a-1.cnf", "data/tseitin/b-2.cnf", "data/clique/c-3.cnf"]


@pytest.mark.parametrize(
    ("by", "expected"),
    [
        ("folder", ("clique", "tseitin", "clique")),
        (r"data/(\w)", ("c", "t", "c")),
        (r"[abc](?=-)", ("a", "b", "c")),
    ],
)
def test_they_are_the_folder_or_what_an_expression_matches(by, expected):
    assert families(NAMES, by, Path()) == expected


def test_a_file_of_no_folder_is_in_the_current_one():
    assert families(["a.cnf", "x/b.cnf"], "folder", Path()) == (".", "x")


def test_a_table_names_instances_as_written_or_as_the_same_file(tmp_path):
    (tmp_path / "kinds.csv").write_text('instance,size,kind\na.cnf,1,k3\n"b, c.cnf",2, php \n\n')
    told = families(["a.cnf", "b, c.cnf", str(tmp_path / "a.cnf")], "kinds.csv:kind", tmp_path)
    assert told == ("k3", "php", "k3")
    assert families(["a.cnf"], "kinds.csv:size", tmp_path) == ("1",)


@pytest.mark.parametrize(
    ("by", "said"),
    [
        ("(clique", "is not a regular expression: missing"),
        ("clique", 'gives no family for "data/tseitin/b-2.cnf"; give `folder`'),
        ("(x?)data", 'gives no family for "data/clique/a-1.cnf" and 2 more of 3'),
        ("none.csv:kind", "none.csv: no such file"),
        ("kinds.csv:kin", "kinds.csv:1: no column .* is called \"kin\"; did you mean 'kind'"),
        ("kinds.csv:instance", 'kinds.csv:1: no column after the first.*"instance"'),
        ("kinds.csv:kind", "data/tseitin/b-2.cnf"),
        ("wide.csv:kind", "wide.csv:3: 3 cells under 2 headings"),
        ("empty.csv:kind", 'empty.csv:2: the instance "a" has no family'),
        ("quote.csv:kind", "quote.csv:2: cannot be read as CSV"),
        (".:kind.csv", "gives no family"),
    ],
)
def test_what_tells_no_family_is_refused(tmp_path, by, said):
    (tmp_path / "kinds.csv").write_text("instance,kind\ndata/clique/a-1.cnf,k\n")
    (tmp_path / "wide.csv").write_text("instance,kind\na,k\nb,k,k\n")
    (tmp_path / "empty.csv").write_text("instance,kind\na,\n")
    (tmp_path / "quote.csv").write_text('instance,kind\na,"k\n')
    with pytest.raises(InputError, match=said):
        families(NAMES, by, tmp_path)


def test_a_source_fills_in_what_instances_do_not_name():
    source = InstanceSource(list=["k/a", Problem("k/b", family="own"), "p/c"], family="folder")
    found = source.problems(Path())
    assert [one.family for one in found] == ["k", "own", "p"]
    assert source.stream(found, Path()).families == ("k", "own", "p")


def test_what_is_written_out_needs_no_table_any_more(tmp_path):
    (tmp_path / "kinds.csv").write_text("instance,kind\na,k\nb,p\n")
    source = InstanceSource(list=["a", "b"], family="kinds.csv:kind")
    kept = source.written_out(source.problems(tmp_path), tmp_path)
    (tmp_path / "kinds.csv").unlink()
    assert [one.family for one in kept.problems(tmp_path)] == ["k", "p"]
    with pytest.raises(InputError):
        source.problems(tmp_path)


def test_a_group_is_the_family_where_no_other_is_named():
    listed = [Problem("a", group="g"), Problem("b", group="h")]
    stream = InstanceSource(list=listed, order="listed").resolve(Path())
    assert [stream.at(step, 1).family for step in (0, 1)] == ["g", "h"]
    stream = InstanceSource(list=listed, order="listed", family="(.)").resolve(Path())
    assert [stream.at(step, 1).family for step in (0, 1)] == ["a", "b"]


def test_all_instances_have_a_family_or_none_has():
    with pytest.raises(InputError, match='"b" has no family, but others have one'):
        InstanceSource(list=[Problem("a", family="k"), "b"])


def test_a_scenario_says_where_the_family_is_wrong():
    data = {"target": {"python": "t.py:f"}, "candidates": {"list": [{"x": 1}, {"x": 2}]}}
    with pytest.raises(ScenarioError, match=r"instances\.family.*not a regular expression"):
        Scenario.from_dict({**data, "instances": {"list": ["a", "b"], "family": "("}})


def test_one_family_is_refused_where_families_are_asked_for():
    with pytest.raises(InputError, match="all 2 instances are of one family, 'x'"):
        kinds([Instance(0, "x/a", 1), Instance(1, "x/b", 1)], "folder", Path())


def test_an_expression_that_searches_for_ever_is_ended(monkeypatch):
    monkeypatch.setattr("racing.scenario.families.PATIENCE", 0.5)
    for by in (r"^(a+)+$", r"(.*)(.*)(.*)(.*)(.*)(.*)(.*)b", r"(a?){40}a{40}"):
        with pytest.raises(InputError, match="a repetition in a repetition"):
            families(["a" * 39 + "!"], by, Path())


def test_names_of_any_characters_are_searched():
    names = ["a\ud83d", "ü\0", 'q"\\', "\x1b\n"]
    assert families([f"{name}-1" for name in names], "(?s)^(.+)-", Path()) == tuple(names)
