"""`racing compare`: the papers' numbers through the command line, and how it refuses."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from racing.compare import read_table

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples" / "compare"
DEMSAR = EXAMPLES / "demsar_2006_table6.csv"
RANKS = EXAMPLES / "demsar_2006_table6_ranks.csv"
GARCIA = EXAMPLES / "garcia_herrera_2008_table2.csv"
AS_PRINTED = ("--ranks", "--no-tie-correction", "--test", "mean-ranks")


def test_demsar_table_6_gives_the_papers_numbers(racing):
    said = racing(
        "compare", RANKS, *AS_PRINTED, "--omnibus", "friedman", "--control", "C4.5", "--json"
    )
    assert said.code == 0
    ranks = {a["name"]: a["mean_rank"] for a in said.data["algorithms"]}
    assert ranks["C4.5"] == pytest.approx(3.143, abs=5e-4)
    assert ranks["C4.5+cf"] == pytest.approx(2.893, abs=5e-4)
    assert ranks["C4.5+m+cf"] == pytest.approx(1.964, abs=5e-4)
    assert said.data["omnibus"]["statistic"] == pytest.approx(9.28, abs=0.005)
    p = {c["first"]: c["p"] for c in said.data["comparisons"]}
    assert p["C4.5+m+cf"] == pytest.approx(0.0157, abs=5e-5)
    assert p["C4.5+m"] == pytest.approx(0.0192, abs=5e-5)
    assert p["C4.5+cf"] == pytest.approx(0.6084, abs=5e-5)
    shown = {c["first"] for c in said.data["comparisons"] if c["shown_to_differ"]}
    assert shown == {"C4.5+m", "C4.5+m+cf"}


def test_demsar_iman_davenport_and_critical_differences(racing):
    said = racing("compare", RANKS, *AS_PRINTED, "--json")
    assert said.data["omnibus"]["statistic"] == pytest.approx(3.69, abs=0.005)
    for options, cd in (
        (("--test", "nemenyi"), 1.25),
        (("--test", "nemenyi", "--alpha", "0.1"), 1.12),
        (("--test", "bonferroni-dunn", "--control", "C4.5"), 1.168),  # 1.16 in the text, cut off
    ):
        data = racing("compare", RANKS, "--ranks", *options, "--json").data
        assert data["critical_difference"] == pytest.approx(cd, abs=0.005)


def test_scores_that_tie_are_ranked_so(racing):
    said = racing(
        "compare", DEMSAR, "--maximize", "--omnibus", "friedman", "--no-tie-correction", "--json"
    )
    assert said.data["omnibus"]["statistic"] == pytest.approx(9.857, abs=5e-4)


@pytest.mark.parametrize(
    ("column", "correction"),
    [
        ("p", "none"),
        ("nemenyi", "bonferroni"),
        ("holm", "holm"),
        ("shaffer", "shaffer"),
        ("bergmann_hommel", "bergmann-hommel"),
    ],
)
def test_garcia_herrera_table_5(racing, column, correction):
    how = ("--maximize", "--test", "mean-ranks", "--correction", correction, "--json")
    said = racing("compare", GARCIA, *how)
    found = {
        frozenset((c["first"].replace("-", ""), c["second"].replace("-", ""))): c["adjusted_p"]
        for c in said.data["comparisons"]
    }
    path = ROOT / "tests" / "data" / "garcia_herrera_2008_table5_apv.csv"
    rows = list(csv.DictReader(path.read_text(encoding="utf-8").splitlines()))
    assert len(rows) == len(found) == 10
    for row in rows:
        pair = frozenset(row["hypothesis"].split(" vs "))
        assert found[pair] == pytest.approx(float(row[column]), rel=2e-3, abs=6e-5)


def test_the_report_is_one_that_people_read(racing):
    said = racing("compare", DEMSAR, "--maximize")
    assert said.code == 0
    assert said.err == ""
    assert "4 algorithms on 14 instances; higher scores are better." in said.out
    assert "C4.5+m+cf was shown to be better than C4.5." in said.out
    assert "Where the numbers come from" in said.out


def test_latex_and_markdown(racing):
    assert r"\begin{tabular}" in racing("compare", DEMSAR, "--maximize", "--latex").out
    assert racing("compare", DEMSAR, "--maximize", "--markdown").out.startswith("# Comparison of 4")


def test_all_figures(racing, tmp_path):
    files = {name: tmp_path / f"{name}.svg" for name in ("cd", "heatmap", "pmatrix", "simplex")}
    said = racing(
        "compare", DEMSAR, "--maximize", "--bayes", "signed-rank", "--rope", "0.01",
        "--cd", files["cd"], "--heatmap", files["heatmap"], "--pmatrix", files["pmatrix"],
        "--simplex", "C4.5", "C4.5+m", files["simplex"],
    )  # fmt: skip
    assert said.code == 0
    for file in files.values():
        assert file.read_text(encoding="utf-8").startswith("<?xml")
        assert f"wrote {file}" in said.err


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        (("none.csv",), "none.csv: cannot be read"),
        ((DEMSAR, "--control", "C5"), "no algorithm is called"),
        ((DEMSAR, "--heatmap", "a.png"), "no posterior probabilities"),
        ((DEMSAR, "--simplex", "C4.5", "C4.5+m", "a.png"), "--rope"),
        ((DEMSAR, "--cd", "a.gif"), "ends in .png"),
        ((DEMSAR, "--correction", "nemenyi"), "mean ranks"),
    ],
)
def test_what_cannot_be_used_ends_with_2_and_a_reason(racing, arguments, error):
    said = racing("compare", *arguments)
    assert said.code == 2
    assert said.out == ""
    assert error in said.err
    assert said.err.startswith("racing compare: ")


def test_the_log_of_a_race_is_compared_with_a_warning(racing, tmp_path):
    from racing.runs import run
    from tests.runs_kit import write_scenario

    log = tmp_path / "log.sqlite"
    run(write_scenario(tmp_path, noise=0.3), log=log)
    refused = racing("compare", log)
    assert refused.code == 2
    assert "a race does not run what it has dropped" in refused.err
    said = racing("compare", log, "--missing", "drop-instances", "--json")
    assert said.code == 0
    assert {"race", "left-out"} <= {note["kind"] for note in said.data["notes"]}
    table = read_table(log, missing="drop-instances")
    assert table.from_race
    assert said.data["instances"] == table.n


def test_scores_that_chose_nobody_are_compared_without_the_warning(racing, tmp_path):
    """A test of the winner, and a race in which everybody stayed."""
    from racing.holdout import holdout
    from racing.runs import run
    from tests.runs_kit import write_scenario

    race, everybody = tmp_path / "race.sqlite", tmp_path / "everybody.sqlite"
    run(write_scenario(tmp_path, noise=0.3), log=race)
    assert holdout(race, [f"new{k}" for k in range(6)], against="#2") is not None
    run(write_scenario(tmp_path, noise=0.3, rule="none"), log=everybody)
    for log in (tmp_path / "race.test.sqlite", everybody):
        said = racing("compare", log, "--json")
        assert said.code == 0
        assert "race" not in {note["kind"] for note in said.data["notes"]}
        assert not read_table(log).from_race
