"""The options of `racing compare` are those of the Python function, with its defaults."""

from __future__ import annotations

import argparse
import inspect

import pytest

import racing
from racing.analysis.compare import choices
from racing.cli.compare_options import add_bayes, add_output, add_table, add_tests


def parser() -> argparse.ArgumentParser:
    found = argparse.ArgumentParser()
    for add in (add_table, add_tests, add_bayes, add_output):
        add(found)
    return found


def test_nothing_given_asks_for_the_defaults_of_the_function():
    given = vars(parser().parse_args([]))
    wanted = inspect.signature(racing.compare).parameters
    both = {name for name in given if name in wanted} - {"seed"}
    assert {"alpha", "control", "omnibus", "test", "correction", "missing", "rope"} <= both
    for name in both:
        default = wanted[name].default
        if given[name] is not None and default is not inspect.Parameter.empty:
            assert given[name] == default or (not given[name] and not default), name


@pytest.mark.parametrize(
    ("option", "values"),
    [
        ("--test", (*choices.TESTS, *choices.SHORTHANDS)),
        ("--omnibus", choices.OMNIBUS),
        ("--correction", (*choices.CORRECTIONS, *choices.ALIASES)),
        ("--bayes", choices.POSTERIORS),
        ("--bound", choices.BOUNDS),
        ("--also", choices.ALSO),
    ],
)
def test_every_choice_is_accepted_and_named_in_the_help(option, values):
    help_ = "".join(parser().format_help().split())
    for value in values:
        found = getattr(parser().parse_args([option, value]), option.strip("-").replace("-", "_"))
        assert found in (value, [value])
    assert all(value in help_ for value in values if value not in choices.ALIASES)


@pytest.mark.parametrize(
    ("given", "named"),
    [
        (("--minimize", "--maximize"), "--maximize: not allowed with argument --minimize"),
        (("--json", "--latex"), "--latex: not allowed with argument --json"),
        (("--test", "guess"), "--test: invalid choice: 'guess'"),
        (("--alpha", "small"), "--alpha: invalid float value: 'small'"),
        (("--simplex", "A", "B"), "--simplex: expected 3 arguments"),
    ],
)
def test_what_does_not_go_together_or_is_not_known_is_refused(given, named, capsys):
    with pytest.raises(SystemExit) as refused:
        parser().parse_args(given)
    assert refused.value.code == 2
    assert named in capsys.readouterr().err


def test_a_figure_may_be_asked_for_again():
    found = parser().parse_args(["--cd", "a.svg", "--cd", "b.svg", "--simplex", "A", "B", "c.svg"])
    assert found.cd == ["a.svg", "b.svg"]
    assert found.simplex == [["A", "B", "c.svg"]]
    assert found.heatmap == []
