"""The state of a search as text."""

from __future__ import annotations

from racing.cli.search_text import say_changes, say_search

SEARCH = {
    "tried": {"given": 1, "sobol": 8, "model": 1}, "window": 6, "iterations": None,
    "phase": "running", "progress": 0.254, "notes": ["the space has 3 configurations"],
}  # fmt: skip


def said(capsys, **more):
    finished = more.pop("finished", False)
    say_search({"search": {**SEARCH, **more}, "finished": finished})
    return capsys.readouterr().out.splitlines()


def test_it_counts_configurations_by_where_they_come_from(capsys):
    first, now, note = said(capsys)
    assert first == (
        "10 configurations tried (1 given, 8 spread over the space, 1 near an elite); window 6."
    )
    assert now == (
        "Now racing challengers against the elites; 25 % of the budget for searching spent."
    )
    assert note == "Note: the space has 3 configurations."


def test_a_search_that_is_over_is_in_no_phase(capsys):
    assert not any(line.startswith("Now") for line in said(capsys, finished=True))


def test_iterated_racing_counts_iterations(capsys):
    assert said(capsys, iterations=1)[0].endswith("; 1 iteration.")
    assert said(capsys, tried={"joined": 2})[0].startswith("2 configurations tried (2 joined)")


def test_changes_are_a_table_of_the_parameters_that_differ(capsys):
    parameters = {
        "rate": {"from": 0.123456789, "to": 1e-9},
        "limit": {"from": None, "to": 5},
        "kind": {"from": "a", "to": None},
    }
    say_changes({"baseline": "default", "winner": "#7", "parameters": parameters})
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert ["parameter", "default", "#7"] in lines
    assert ["rate", "0.123457", "1e-09"] in lines
    assert ["limit", "–", "5"] in lines
    assert ["kind", "a", "–"] in lines


def test_without_a_winner_nothing_is_said_of_changes(capsys):
    say_changes(None)
    assert capsys.readouterr().out == ""
