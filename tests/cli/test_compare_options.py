"""The options of `racing compare` are those of the Python function, with its defaults."""

from __future__ import annotations

import argparse
import inspect

import pytest

import racing
from racing.analysis.compare.methods import ALIASES, CORRECTIONS, SHORTHANDS
from racing.analysis.compare.options import ALL, OPTIONS, PYTHON, check_design, flag_of
from racing.analysis.compare.paired import PAIRED
from racing.analysis.compare.unpaired import UNPAIRED
from racing.base.errors import InputError
from racing.cli.compare import ARGUMENTS
from racing.cli.options import add_options


def parser() -> argparse.ArgumentParser:
    found = argparse.ArgumentParser()
    add_options(found, ARGUMENTS)
    return found


def test_nothing_given_asks_for_the_defaults_of_the_function():
    given = vars(parser().parse_args([]))
    wanted = inspect.signature(racing.compare).parameters
    both = set(given) & set(wanted)
    assert both == {name for name, one in PYTHON.items() if one.flag is not None}
    for name in both:
        default = wanted[name].default
        assert given[name] == default or (not given[name] and not default), name


def test_every_option_is_listed_once_and_in_the_docstring():
    flags = [flag for action in parser()._actions for flag in action.option_strings]
    assert len(flags) == len(set(flags))
    named = {flag_of(name) for name, one in OPTIONS.items() if one.flag is not None}
    assert named - {"--direction"} == set(flags) - {"-h", "--help", "--minimize", "--maximize"}
    for name, one in PYTHON.items():
        assert f"{name} : {one.help}" in racing.compare.__doc__


@pytest.mark.parametrize(
    ("option", "values"),
    [
        ("--test", (*PAIRED.tests, *SHORTHANDS, *UNPAIRED.tests)),
        ("--omnibus", (*PAIRED.omnibus, *UNPAIRED.omnibus, "none")),
        ("--correction", (*CORRECTIONS, *ALIASES)),
        ("--bayes", ("signed-rank", "sign", "joint", "hierarchical", "rank-sum", "kruskal")),
        ("--bound", ("precise", "lower", "upper")),
        ("--also", ("contrasts", "plackett-luce", "cohens-d", "akinshin-gamma")),
    ],
)
def test_every_choice_is_accepted_and_named_in_the_help(option, values):
    help_ = "".join(parser().format_help().split())
    for value in values:
        found = getattr(parser().parse_args([option, value]), option.strip("-"))
        assert found in (value, [value])
    assert all(value in help_ for value in values if value not in ALIASES)


@pytest.mark.parametrize(
    ("given", "named"),
    [
        (("--minimize", "--maximize"), "--maximize: not allowed with argument --minimize"),
        (("--json", "--latex"), "--latex: not allowed with argument --json"),
        (("--test", "guess"), "--test: invalid choice: 'guess'"),
        (("--alpha", "small"), "--alpha: invalid float value: 'small'"),
        (("--simplex", "A", "B"), "--simplex: expected 3 arguments"),
        (("--columns", "score"), "--columns: must be ROLE=NAME"),
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


@pytest.mark.parametrize("design", ["paired", "unpaired", "metrics"])
def test_an_option_of_another_design_is_refused_and_a_default_is_not(design):
    for name, one in OPTIONS.items():
        check_design({name: one.default}, design)
        if design in one.designs.split():
            check_design({name: "given"}, design)
        else:
            assert one.designs != ALL
            with pytest.raises(InputError, match=f"^{name}: is for "):
                check_design({name: "given"}, design)


def test_an_option_that_is_none_is_refused_as_by_any_function():
    with pytest.raises(TypeError, match="unexpected keyword argument 'contol'"):
        racing.compare([[1.0, 2.0], [2.0, 3.0]], contol="A1")
    with pytest.raises(TypeError, match="unexpected keyword argument 'control'"):
        racing.compare_metrics({}, control="A1")


def test_a_comparison_by_several_metrics_has_the_options_of_its_design():
    named = set(inspect.signature(racing.compare_metrics).parameters) - {"tables"}
    assert named == {name for name, one in PYTHON.items() if "metrics" in one.designs.split()}
    for name in named:
        assert f"\n{name} : {PYTHON[name].help}" in racing.compare_metrics.__doc__
