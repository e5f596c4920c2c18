"""The key `search`: what it takes, what it needs, what has no meaning beside it."""

from __future__ import annotations

import jsonschema
import pytest
import yaml

from racing.base.errors import InputError, ScenarioError
from racing.cli import main
from racing.scenario import Scenario, SearchSettings, json_schema, reads
from racing.search import IteratedSettings, Settings

BASE = """
target: {command: "true {parameters}"}
space: {a: {real: [0, 1], default: 0.5}, m: {categorical: [p, q], default: p}}
instances: {list: [i, j]}
"""


def scenario(extra: str, base: str = BASE) -> Scenario:
    """A scenario with these keys too."""
    return reads(base + extra, "race.yaml")


def test_true_means_the_defaults_and_false_no_search():
    assert scenario("search: true\nbudget: 100").search == SearchSettings()
    assert scenario("search: {window: 40, elites: 6}\nbudget: 100").search == SearchSettings(
        window=40, elites=6
    )
    off = scenario("search: false\ncandidates: {sample: 3}\nrace: {first_test: 1}")
    assert off.search is None


def test_the_settings_are_those_of_the_search():
    settings = SearchSettings(window=3, elites=6, confirm=0.2)
    assert settings.settings == Settings(elites=6, confirm=0.2)


@pytest.mark.parametrize(
    ("extra", "message"),
    [
        ("search: {portfolio: 1}\nbudget: 900", "portfolio must be a whole number from 2"),
        ("search: {portfolio: 9}\nbudget: 900", "portfolio must be a whole number from 2"),
        ("search: {portfolio: 0}\nbudget: 900", "search.portfolio"),
        ("search: {portfolio: -2}\nbudget: 900", "search.portfolio"),
        ("search: {portfolio: 2.5}\nbudget: 900", "search.portfolio"),
        ("search: {portfolio: two}\nbudget: 900", "search.portfolio"),
        ("search: {portfolio: [2]}\nbudget: 900", "search.portfolio"),
        ("search: {portfolio: true}\nbudget: 900", "search.portfolio"),
        ("search: {portfolio: 2}\nbudget: 900\nobjective: rank", "needs the objective mean"),
        ("search: {portfolio: 2, capping: 2}\nbudget: 900", "cannot have capping"),
        ("search: {scheme: irace, portfolio: 2}\nbudget: 900", "unknown key"),
        ("search: {portfolio: 4}\nbudget: 299", "give 300 or more"),
        ("search: {portfolio: 2}", "a search has no end of its own"),
    ],
)
def test_what_a_portfolio_cannot_be_is_refused(extra, message):
    with pytest.raises(ScenarioError) as error:
        scenario(extra)
    assert message in str(error.value)


def test_irace_means_iterated_racing():
    assert scenario("search: irace\nbudget: 100").search == IteratedSettings()
    given = scenario("search: {scheme: irace, mu: 7, elitist: false}\nbudget: 100")
    assert given.search == IteratedSettings(mu=7, elitist=False)
    assert scenario("search: continuous\nbudget: 100").search == SearchSettings()
    assert scenario("search: {scheme: continuous, window: 3}\nbudget: 9").search.window == 3


@pytest.mark.parametrize(
    ("extra", "objective"),
    [
        ("search: true", "mean"),
        ("search: irace", "rank"),
        ("search: {scheme: irace, mu: 6}", "rank"),
        ("search: irace\nrule: t-test", "mean"),
        ("search: irace\nrule: {name: t-test, alpha: 0.1}", "mean"),
        ("search: {scheme: irace, bound: 60}", "mean"),
        ("search: {scheme: irace, bound: 60}\nrule: f-test", "rank"),
        ("search: irace\nrule: t-test\nobjective: rank", "rank"),
    ],
)
def test_what_is_best_follows_from_the_scheme_and_its_test(extra, objective):
    base = BASE.replace("{parameters}", "{bound} {parameters}") if "bound" in extra else BASE
    assert scenario(f"{extra}\nbudget: 100", base).objective == objective


def test_it_is_written_out_and_read_back():
    for extra in (
        "search: true\nbudget: 100",
        "search: {window: 7, elites: 5}\nbudget: 100\ncandidates: {sample: 3}\nrule: bayes",
        "search: irace\nbudget: 100",
        "search: {scheme: irace, soft_restart: false, mu: 9}\nbudget: 100\nrule: t-test",
    ):
        read = scenario(extra)
        for resolved in (False, True):
            data = read.to_dict(resolved=resolved)
            assert ("rule" in data) == (read.rule is not None)
            assert Scenario.from_dict(data).to_dict(resolved=resolved) == data
            jsonschema.validate(data, json_schema())


def test_a_race_has_its_rule_written_out_and_a_search_has_none_of_its_own():
    race = scenario("candidates: {sample: 3}\nrace: {first_test: 1}")
    assert race.to_dict()["rule"]["name"] == "auto"
    assert race.plan.rule is not None
    assert scenario("search: true\nbudget: 100").plan.rule is None


@pytest.mark.parametrize(
    ("extra", "message"),
    [
        ("search: true", "budget: missing; a search has no end of its own"),
        ("search: true\nbudget: {instances: 2}", "budget: missing; a search has no end"),
        ("search: 3\nbudget: 9", "search must be true, irace, or a mapping with any of scheme"),
        ("search: iraze\nbudget: 9", "did you mean 'irace'?"),
        ("search: {scheme: 1}\nbudget: 9", "search.scheme must be continuous or irace; got 1"),
        ("search: {scheme: irace, window: 3}\nbudget: 9", "search.window: unknown key"),
        ("search: {scheme: irace, mu: 0}\nbudget: 9", "search.mu must be a whole number, 1 or"),
        (
            "search: {scheme: irace, each_test: 2}\nbudget: 9",
            "search.first_test must be a multiple of each_test, 2; got 5",
        ),
        ("search: irace\nbudget: 9\nrule: successive-halving", "cannot judge the challengers"),
        ("search: {window: 0}\nbudget: 9", "search.window must be a whole number, 1 or more"),
        ("search: {elite: 3}\nbudget: 9", "search.elite: unknown key; did you mean 'elites'?"),
        ("search: {prior: -1}\nbudget: 9", "search.prior must be a number, 0 or more; got -1"),
        ("search: {drop: 0.7}\nbudget: 9", "search.drop must be a number above 0 and below 0.5"),
        ("search: true\nbudget: 9\nrace: {first_test: 2}", "race: has no meaning for a search"),
        ("search: true\nbudget: 9\nrule: successive-halving", "cannot judge the challengers"),
        ("search: true\nbudget: 1", "do not cover one instance for the 2 configurations"),
        ("budget: 9", "candidates: missing; give the configurations to race, or search: true"),
    ],
)
def test_what_is_wrong_is_said_with_its_key(extra, message):
    with pytest.raises(ScenarioError) as caught:
        scenario(extra)
    assert message in str(caught.value)


TIMED = BASE.replace('"}', '", cost: time}')
ANSWER = BASE.replace("parameters}", "parameters} --limit={bound}")


def test_capping_needs_costs_that_are_times():
    capped = "search: {capping: 2}\nbudget: 100"
    for base in (TIMED, ANSWER):
        read = scenario(capped, base)
        assert read.search.capping == 2
        assert Scenario.from_dict(read.to_dict()).search == read.search
    for extra, base, message in (
        (capped, BASE, "search.capping: needs costs that are times: set target.cost"),
        (capped + "\ndirection: maximize", ANSWER, "and direction is maximize"),
        (capped, TIMED.replace("cost", "evaluator: sh, cost"), "a target with an evaluator"),
        ("search: true\nbudget: 9", ANSWER, "has {bound}, and runs have bounds only in a search"),
        ("candidates: {sample: 3}\nrace: {first_test: 1}", ANSWER, "target.command: has {bound}"),
    ):
        with pytest.raises(ScenarioError) as caught:
            scenario(extra, base)
        assert message in str(caught.value)


def test_without_a_space_there_is_nothing_to_search():
    base = "target: {command: 'true {parameters}'}\ninstances: {list: [i]}\n"
    with pytest.raises(ScenarioError, match="search: needs a space, and the scenario has none"):
        scenario("search: true\nbudget: 9", base)


def test_clauses_that_leave_no_sample_are_refused_at_the_line_of_the_one_at_fault():
    base = BASE.replace(", default: 0.5", "").replace(", default: p", "")
    clauses = ["m == p and a > 0.9", "a < 0.6", "m == q and a < 0.9", "a > 0.4", "a > 0.2"]
    text = "search: true\nbudget: 100\nforbidden:\n" + "".join(f"- {one}\n" for one in clauses)
    with pytest.raises(ScenarioError) as caught:
        scenario(text, base)
    message = "forbidden[3]: a > 0.4 leaves no sampled configuration beside a < 0.6"
    assert str(caught.value) == f"race.yaml:11: {message}"
    rare = "search: true\nbudget: 100\nforbidden: [a > 0.001]\n"
    assert scenario(rare, base).space.size > 0
    one = "candidates: {list: [{a: 0.5, m: p}]}\n"
    assert scenario("search: true\nbudget: 100\nforbidden: [a != 0.5]\n" + one, base)
    with pytest.raises(ScenarioError, match=":7: forbidden: only 0 of 1 config"):
        scenario("search: true\nbudget: 100\nforbidden: [a != 0.5]\n", base)


def test_python_takes_and_refuses_the_same():
    parts = yaml.safe_load(BASE)
    built = Scenario(**parts, search=True, budget=100)
    assert built.search == SearchSettings()
    assert Scenario(**parts, search={"window": 4}, budget=100).search == SearchSettings(window=4)
    with pytest.raises(InputError, match="a search has no end of its own"):
        Scenario(**parts, search=True)
    with pytest.raises(InputError, match="elites must be a whole number"):
        SearchSettings(elites=0)


ALONE = [
    "a: {categorical: [x]}",
    "a: {categorical: [x, y]}\nforbidden: [a == x]",
    "a: {integer: [1, 9]}\nb: {categorical: [u, v], when: a > 2}\nforbidden: [a != 4, b == u]",
]


@pytest.mark.parametrize("parameters", ALONE)
@pytest.mark.parametrize(
    "search",
    [
        "search: true",
        "search: irace",
        "search: {portfolio: 2}",
        "search: true\nmetrics: {q: minimize, t: minimize}\nobjective: {front: [q, t]}",
    ],
)
def test_a_space_of_one_configuration_has_nothing_to_search(tmp_path, capsys, search, parameters):
    space, _, forbidden = parameters.partition("\nforbidden")
    text = 'target: {command: "echo {parameters} 1 2"}\ninstances: [i, j]\nbudget: 400\n'
    text += f"{search}\nspace:\n"
    text += "".join(f"  {line}\n" for line in space.split("\n"))
    path = tmp_path / "race.yaml"
    path.write_text(text + (f"forbidden{forbidden}\n" if forbidden else ""))
    for command in ("check", "plan", "run"):
        assert main([command, str(path)]) == 2
        said = capsys.readouterr().err
        assert "space: there is nothing to search: it holds one configuration" in said
        assert said.count("\n") == 1
