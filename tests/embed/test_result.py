"""Results, races and rules in notebooks and as data frames."""

from __future__ import annotations

from html.parser import HTMLParser

import numpy as np
import pandas as pd
import pytest

import racing
from racing.analysis.compare import compare
from racing.base.errors import InputError
from racing.base.markup import MOST_ROWS, table
from racing.report import pictures

TEN = [{"x": k / 10, "name of it": "<b>" if k else "a&b"} for k in range(11)]


def cost(values, instance, seed):
    return abs(values["x"] - 0.3) + (seed % 7) / 100


def test_the_gain_has_the_unit_of_its_metric_or_of_the_costs():
    def both(values, instance, seed):
        return {"error": cost(values, instance, seed)}

    told = {"metrics": {"error": {"unit": "points"}}}
    for function, how, unit in ((both, told, "points"), (cost, {"unit": "s"}, "s"), (cost, {}, "")):
        found = racing.minimize(function, [{"x": 0.9}, {"x": 0.3}], range(8), **how)
        assert found.gain.unit == unit
        assert f"gain is 0.6{' ' * bool(unit)}{unit};" in str(found.gain)
        assert str(found.gain) in found._repr_html_()


TABLES = ("table", "caption", "thead", "tbody", "tr", "th", "td", "p", "strong", "ul", "li",
          "h2", "h3", "code", "pre")  # fmt: skip
PICTURES = ("div", "figure", "svg", "g", "path", "circle", "text", "figcaption", "rect",
            "defs", "style", "use", "clippath")  # fmt: skip
TAGS = {*TABLES, *PICTURES}


class Cells(HTMLParser):
    """The cells of the last table of a text, row by row; all tags are closed."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.rows: list[list[str]] = []
        self.open: list[str] = []
        self.texts: list[str] = []
        self.feed(text)
        assert not self.open

    def handle_starttag(self, tag, attrs):
        if tag == "br":  # which has no end
            return
        assert tag in TAGS
        self.open.append(tag)
        if tag == "table":
            self.rows = []
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self.rows[-1].append("")

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.texts.append(data)
        if {"td", "th"} & {*self.open}:
            self.rows[-1][-1] += data


@pytest.fixture(scope="module")
def found() -> racing.Result:
    return racing.maximize(
        lambda *told: -cost(*told), TEN, range(20), budget=150, race={"min_survivors": 2}
    )


def test_a_result_is_frozen(found):
    with pytest.raises(AttributeError):
        found.cost = 0.0


def test_the_ranking_is_shown_in_the_direction_of_the_run(found):
    cells = Cells(found._repr_html_())
    head, first = cells.rows[:2]
    row = dict(zip(head, first, strict=True))
    assert row["candidate"] == str(found.winner)
    assert float(row["mean score"].replace("−", "-")) == pytest.approx(found.score, rel=1e-3)
    assert found.score < 0 < found.cost
    assert "<b>" in row["configuration"], "escaped, and read back by the parser"
    assert len(cells.rows) == 1 + len(found.ranking)


def test_a_race_and_a_search_show_how_far_they_are(found):
    assert Cells(found.race._repr_html_()).rows == Cells(found._repr_html_()).rows
    search = racing.minimize(cost, {"x": {"real": [0, 1]}}, range(9), budget=150).search
    cells = Cells(search._repr_html_())
    assert cells.rows[1][1] == str(search.winner)
    assert any(" evaluations" in text for text in cells.texts)
    fresh = racing.Race(TEN, range(5))
    assert "11 of 11 candidates left" in Cells(fresh._repr_html_()).texts[0]


def test_a_front_is_told_with_its_best_compromise():
    def solve(values, instance, seed):
        return {"quality": (1 - values["x"]) ** 2, "time": values["x"]}

    given = [{"x": x / 4} for x in range(5)]
    several = {"metrics": {"quality": {}, "time": {}}, "rule": "none"}
    found = racing.minimize(
        solve, given, range(6), objective={"front": ["quality", "time"]}, **several
    )
    assert found.front == found.race.front
    assert str(found.gain) == "Of a front, each metric has a gain of its own."
    assert len(found.front) == 5
    x = found.best["x"]
    compromise = f"best compromise {found.winner} (x: {x:g})"
    means = f"quality {(1 - x) ** 2:.4g}, time {x:g}"
    assert repr(found).startswith(f"<Result: front of 5, {compromise}: {means}; 30 evaluations")
    formula = racing.minimize(
        solve, given, range(6), objective={"minimize": "quality + 2 * time"}, **several
    )
    assert formula.front == ()
    assert "best #1 (x: 0), score 1 (quality 1, time 0);" in repr(formula)


def test_where_nothing_meets_a_constraint_it_says_so():
    aim = {"minimize": "quality", "subject_to": ["time <= 4"]}
    found = racing.minimize(
        lambda values, *_: {"quality": values["x"], "time": 4.5 + values["x"]},
        [{"x": 1}, {"x": 2}], range(9),
        metrics={"quality": "minimize", "time": "minimize"}, objective=aim, budget=40,
    )  # fmt: skip
    told = "<Result: nothing meets time <= 4, nearest #1 (x: 1), score 1 (quality 1, time 5.5); "
    assert repr(found).startswith(told)


def test_a_team_is_told_by_its_members(found):
    assert found.team == ()
    team = racing.minimize(
        lambda values, instance, seed: abs(values["x"] - float(instance)),
        {"x": {"real": [0, 1], "default": 0.5}},
        {"list": ["0.1", "0.9"], "repeat": True},
        budget=600,
        search={"portfolio": 2},
    )
    assert team.team == team.search.team
    members = [f"{one} (x: {one.values['x']:.4g})" for one in team.team]
    assert repr(team).startswith(f"<Result: team of {members[0]} and {members[1]}; ")
    assert str(team.gain).startswith("On ")
    assert "the team is better than one run of default by " in str(team.gain)


def test_a_verdict_shows_every_number(found):
    verdict = next(one for one in found.race.verdicts if one.eliminated)
    rows = Cells(verdict._repr_html_()).rows
    assert len(rows) == 1 + min(len(verdict.eliminated), MOST_ROWS)
    assert rows[1][0] == f"#{verdict.eliminated[0].candidate}"
    assert rows[1][3] == verdict.eliminated[0].measure


def test_results_show_the_latest_rows_of_the_survivors(found):
    results = found.race.results
    rows = Cells(results._repr_html_()).rows
    assert rows[0][1:] == [f"#{results.candidates[i]}" for i in results.survivors]
    assert rows[1][0] == str(len(results.costs))
    shown = [float(cell) for cell in rows[1][1:]]
    assert shown == pytest.approx(results.costs[-1, results.survivors], rel=1e-3)


def test_a_comparison_shows_its_ranking():
    rng = np.random.default_rng(1)
    scores = pd.DataFrame({f"<{name}>": rng.normal(size=12) for name in "abc"})
    told = compare(scores, direction="maximize")
    rows = Cells(told._repr_html_()).rows
    assert [row[0] for row in rows[1:]] == [told.names[i] for i in told.order]


def test_long_tables_are_cut_and_say_so():
    cells = Cells(table("many", ["n"], ([i] for i in range(100)), total=100))
    assert len(cells.rows) == 1 + MOST_ROWS
    assert cells.texts[-1] == f"{100 - MOST_ROWS} more rows are not shown"
    assert len(Cells(table("few", ["n"], [[1]])).rows) == 2


def test_a_data_frame_has_a_row_for_each_candidate(found):
    frame = found.to_frame()
    assert list(frame.index) == [one.id for one in found.candidates]
    assert list(frame["x"]) == [one.values["x"] for one in found.candidates]
    assert frame["status"].value_counts()["winner"] == 1
    assert (frame["status"] == "dropped").sum() == len(found.eliminations)
    assert frame.loc[found.winner.id, "mean_score"] == pytest.approx(found.score)
    for one in found.eliminations:
        row = frame.loc[one.candidate.id]
        assert row["dropped_after"] == one.after
        assert row["against"] == one.against.id
        assert row["value"] == one.elimination.value
    assert frame["dropped_after"].isna().sum() == len(found.ranking)
    assert found.to_pandas().equals(frame)


def test_parameters_called_like_columns_have_columns_of_their_own():
    tried = [{"value": 1.0, "status": "a"}, {"value": 2.0, "status": "b"}]
    frame = racing.minimize(lambda v, i, s: v["value"] + i, tried, range(4)).to_frame()
    assert list(frame["param_value"]) == [1.0, 2.0]
    assert list(frame["param_status"]) == ["a", "b"]
    assert set(frame["status"]) <= {"winner", "survivor", "dropped"}


def test_a_data_frame_has_the_mean_of_each_metric():
    def solve(values, instance, seed):
        if (values["x"], instance) == (0, 0):
            raise ValueError
        return {"time": values["x"] + instance, "success": float(instance < values["mean_time"])}

    tried = [{"x": x, "mean_time": x + 1} for x in range(3)]
    found = racing.minimize(
        solve,
        tried,
        range(4),
        rule="none",
        metrics={"time": "minimize", "success": "maximize"},
        objective={"minimize": "time", "subject_to": ["success >= 0.5"]},
    )
    frame = found.to_frame()
    assert list(frame["param_mean_time"]) == [1, 2, 3]
    assert frame["failures"].tolist() == [1, 0, 0]
    assert frame["mean_time"].tolist() == [2.0, 2.5, 3.5]
    assert frame["mean_success"].tolist() == [0.0, 0.5, 0.75]
    assert frame["mean_score"].equals(frame["mean_time"].rename("mean_score"))


def test_a_failure_with_a_penalty_is_counted_in_the_frame():
    def solve(values, instance, seed):
        return instance / (instance > values["x"])

    tried, penalty = [{"x": x} for x in range(3)], {"penalty": 9}
    found = racing.minimize(solve, tried, range(4), rule="none", on_failure=penalty)
    frame = found.to_frame()
    assert frame["failures"].tolist() == [1, 2, 3]
    assert frame["mean_score"].tolist() == [3.75, 5.75, 7.5]


def test_the_costs_as_a_data_frame(found):
    frame = found.race.results.to_frame()
    assert frame.shape == found.race.results.costs.shape
    assert list(frame.columns) == list(found.race.results.candidates)


def test_without_an_outcome_there_is_no_score():
    def broken(values, instance, seed):
        raise ValueError

    with pytest.raises(racing.base.errors.TargetFailed) as told:
        racing.minimize(broken, TEN, range(4))
    result = told.value.result
    assert (result.cost, result.score) == (None, None)
    assert result.to_frame()["failures"].sum() == len(TEN)
    assert "every evaluation failed" in Cells(result._repr_html_()).texts[0]


def test_the_gain_is_there_and_can_be_printed_in_every_state():
    space = {"x": {"real": [0, 1], "default": 0.9}}
    found = racing.minimize(cost, space, range(200), budget=300)
    assert found.gain.better
    assert found.gain.estimate == found.search.gain.estimate
    assert str(found.gain).startswith(f"On {found.gain.where}, #")
    by = f"{found.gain.estimate:.4g} (95 % interval {found.gain.low:.4g} to "
    assert f"; better than default by {by}" in repr(found)
    assert f") on {found.gain.where}; " in repr(found)
    without = racing.minimize(cost, {"x": {"real": [0, 1]}}, range(200), budget=300)
    assert str(without.gain) == "There is no default to compare with."
    assert without.gain.estimate is None
    few = racing.minimize(cost, [{"x": 0.9}, {"x": 0.1}], range(3), rule="none")
    assert "it cannot be said whether #2 is better than #1" in str(few.gain)
    assert "; too few instances to say whether better than #1: " in repr(few)
    first = racing.minimize(cost, [{"x": 0.1}, {"x": 0.9}], range(30))
    assert str(first.gain) == "Nothing is shown to be better than #1."


@pytest.mark.parametrize("kept", [None, "run.sqlite"], ids=["memory", "file"])
def test_a_result_writes_its_page_and_draws_its_pictures(tmp_path, kept):
    def at_the_end(event):
        if isinstance(event, racing.embed.Ended):
            event.result.report(tmp_path / "page.html")

    log = kept and tmp_path / kept
    found = racing.minimize(cost, TEN, range(40), log=log, callbacks=[at_the_end])
    page = tmp_path / "page.html"
    told = page.read_text(encoding="utf-8")
    assert found.report(page) == page
    assert len(page.read_text(encoding="utf-8")) > 0.9 * len(told)
    assert str(found.winner) in page.read_text(encoding="utf-8")
    drawn = found.plot("survivors")
    assert drawn.axes[0].get_xlabel()
    assert found.plot(ax=drawn.axes[0]) is drawn
    with pytest.raises(InputError, match="did you mean 'survivors'"):
        found.plot("survivor")


def test_a_picture_is_drawn_without_the_others(monkeypatch):
    found = racing.minimize(cost, TEN, range(40))
    for id in pictures._EVERY.keys() - {"survivors"}:
        monkeypatch.setitem(pictures._EVERY, id, None)
    assert found.plot("survivors").axes
