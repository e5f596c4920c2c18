"""`racing compare --metric NAME=FILE`: finished algorithms by several metrics at once."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import racing as library
from racing.analysis.compare import read_table
from racing.analysis.compare.methods import at_terminal
from racing.answer.json import as_data
from racing.base.plain import json_text
from racing.runner.run import run as run_race
from tests.runs_kit import write_scenario

HEAD = "instance,a,b,c,d\n"


@pytest.fixture
def files(tmp_path: Path) -> dict[str, Path]:
    """Accuracy, of which more is better, and time: a is right, c fast, d neither."""
    right, time, few = (tmp_path / f"{name}.csv" for name in ("right", "time", "few"))
    noise = [(7 * i % 5) / 10 for i in range(12)]
    right.write_text(
        HEAD + "".join(f"i{i},{9 - x},{7 + x},{4 - x},{3 + x}\n" for i, x in enumerate(noise))
    )
    rows = [f"i{i},{9 - x},{5 + x},{2 - x},{8 + x}\n" for i, x in enumerate(noise)]
    time.write_text(HEAD + "".join(reversed(rows)))
    few.write_text(HEAD + "".join(rows[1:]))
    return {"right": right, "time": time, "few": few}


def given(files: dict[str, Path]) -> tuple[str, ...]:
    return (
        "--metric", f"right:maximize={files['right']}", "--metric", f"time={files['time']}",
    )  # fmt: skip


def test_it_says_what_python_says(racing, files):
    said = racing("compare", *given(files), "--rope", "time=0.5", "--alpha", 0.1, "--json")
    assert said.code == 0
    found = library.compare_metrics(
        {
            "right": read_table(files["right"], direction="maximize"),
            "time": read_table(files["time"]),
        },
        rope={"time": 0.5}, alpha=0.1,
    )  # fmt: skip
    with at_terminal():  # caveats name its options
        assert said.data == json.loads(json_text(as_data(found.facts())))
    assert said.data["metrics"][0]["direction"] == "maximize"
    assert [one["name"] for one in said.data["algorithms"]] == ["a", "b", "c", "d"]
    assert ("b", "d") in found.statements


def test_a_direction_of_all_gives_way_to_that_of_a_metric(racing, files):
    own = ("--metric", f"right={files['right']}", "--metric", f"time:minimize={files['time']}")
    said = racing("compare", "--maximize", *own, "--json")
    assert [one["direction"] for one in said.data["metrics"]] == ["maximize", "minimize"]


@pytest.mark.parametrize("way", ["--markdown", "--latex", "--all-rows"])
def test_it_is_set_as_other_comparisons_are(racing, files, tmp_path, way):
    said = racing("compare", *given(files), way, "--tables", tmp_path / "out")
    assert said.code == 0
    assert "(knee) is" in " ".join(said.out.split()) or r"\begin{table}" in said.out
    assert (tmp_path / "out" / "front.csv").read_text().startswith("algorithm,front,P(on the front")


def test_failures_are_told_of_in_every_form(racing, files, tmp_path):
    for name, worst in (("right", "-inf"), ("time", "inf")):
        lines = files[name].read_text().splitlines(keepends=True)
        broken = [line.split(",") if line.startswith("i5,") else line for line in lines]
        files[name].write_text(
            "".join(x if isinstance(x, str) else ",".join([*x[:4], f"{worst}\n"]) for x in broken)
        )
    said = racing("compare", *given(files), "--json").data
    assert [one["failed"] for one in said["algorithms"]] == [0, 0, 0, 1]
    assert said["algorithms"][-1]["on_front"] == 0
    kinds = [one["kind"] for one in said["notes"]]
    assert "failed-runs" in kinds
    assert "failures-disagree" not in kinds
    assert "1 run failed. Front" in racing("compare", *given(files)).out
    page = tmp_path / "page.html"
    latex = racing("compare", *given(files), "--latex", "--html", page)
    assert "& failed &" in " ".join(latex.out.split())
    assert "1 run failed. Front" in page.read_text()
    assert f"wrote {page}" in latex.err


@pytest.mark.parametrize(
    ("policy", "failed", "mean"),
    [
        ("worst", 1, 4.0),
        ("rate", 0, (4 * 11 + 1 - 35 / 12) / 12),
        ("time=20,right=-8", 0, (4 * 11 - 8) / 12),
    ],
)
def test_failures_count_as_the_policy_says(racing, files, policy, failed, mean):
    for name, worst in (("right", "-inf"), ("time", "inf")):
        rows = (f"i{i},1,2,3,{4 if i != 5 else worst}\n" for i in range(12))
        files[name].write_text(HEAD + "".join(rows))
    said = racing("compare", *given(files), "--on-failure", policy, "--json").data
    found = next(one for one in said["algorithms"] if one["name"] == "d")
    assert found["failed"] == failed
    assert found["means"]["right"][0] == pytest.approx(mean)


def test_the_front_is_drawn(racing, files, tmp_path):
    pytest.importorskip("matplotlib", reason="figures need the extra racing[plot]")
    drawn = [tmp_path / "front.svg", tmp_path / "front.png"]
    said = racing("compare", *given(files), "--front", drawn[0], "--front", drawn[1])
    assert said.code == 0
    assert all(one.stat().st_size > 1000 for one in drawn)
    assert "<!-- right, higher is better -->" in drawn[0].read_text()


def test_one_score_of_samples_is_still_chosen_by_its_name(racing, files):
    said = racing("compare", files["right"], "--metric", "acc")
    assert "leave out FILE and give each metric a table: --metric NAME=FILE" in said.err


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ((), "FILE: no table to compare; give one, or one for each metric"),
        (("--metric", "right={right}"), "two or more metrics; got 1 (right)"),
        (("--metric", "acc", "--metric", "time={time}"), 'must be NAME=FILE, such as time=time.c'),
        (("--metric", "={right}", "--metric", "time={time}"), "must be NAME=FILE"),
        (("--metric", "t={right}", "--metric", "t={time}"), '"t" is given twice'),
        (("--metric", "a:max={right}", "--metric", "t={time}"), "must be a:minimize=FILE or"),
        (("--metric", "a={right}", "--metric", "t=none.csv"), "none.csv: cannot be read"),
        (("--metric", "a={right}", "--metric", "t={few}"), 'the table of t has no instance "i0"'),
        (("{right}", "--metric", "a", "--metric", "b"), "it names one score of samples"),
        (("{right}", "--rope", "time=0.1"), "time names a metric; of one table say --rope DIFF"),
        (("METRICS", "--rope", "0.1"), "so name it: --rope NAME=0.1"),
        (("METRICS", "--rope", "tim=0.1"), 'no metric is called "tim"; did you mean'),
        (("METRICS", "--rope", "time=x"), "invalid float value: 'x'"),
        (("METRICS", "--cd", "cd.svg"), "--cd: is for a comparison by one metric; leave it out"),
        (("METRICS", "--control", "a"), "--control: is for a comparison by one metric"),
        (("METRICS", "--no-tie-correction"), "--no-tie-correction: is for a comparison by one"),
        (("METRICS", "--bayes", "joint"), "--bayes: is for a comparison by one metric"),
        (("METRICS", "--prior-weight", "1"), "--prior-weight: is for a comparison by one metric"),
        (("METRICS", "--unpaired"), "--unpaired: is for a comparison by one metric"),
        (("METRICS", "--front", "front.gif"), "front.gif must end in .png"),
        (("METRICS", "--html", "no/page.html"), "no/page.html: cannot be written"),
        (("{right}", "--front", "a.png"), "--front: is for several metrics; leave out FILE"),
        (("METRICS", "--on-failure", "time=60"), "a score for each metric (right, time); got"),
        (("METRICS", "--on-failure", "60"), "a score for each metric (right, time); got 60"),
        (("METRICS", "--on-failure", "wrost"), 'must be worst, rate or stop'),
        (("{right}", "--on-failure", "a=6"), "penalty must be a number; got {'a': 6.0}"),
        (("METRICS", "--longtable"), "--longtable: is for --latex"),
    ],
)  # fmt: skip
def test_bad_input_says_how_to_mend_it(racing, files, options, message):
    words = [part for one in options for part in (given(files) if one == "METRICS" else [one])]
    said = racing("compare", *(word.format(**files) for word in words))
    assert said.code != 0
    assert message in " ".join(said.err.split())


def test_the_log_of_a_race_is_not_the_table_of_a_metric(racing, files, tmp_path):
    log = tmp_path / "race.sqlite"
    run_race(write_scenario(tmp_path, noise=0.3), log=log)
    said = racing("compare", "--metric", f"time={log}", "--metric", f"right={files['right']}")
    assert said.code != 0
    assert "is the log of a race; write its tables with `racing export" in said.err
