"""`racing compare`: the papers' numbers through the command line, and how it refuses."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from racing.analysis.compare import read_table
from racing.analysis.unseen import holdout
from racing.runner.run import run
from tests.runs_kit import write_scenario

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


def test_the_report_is_one_that_people_read_and_draws_nothing_unasked(
    racing, tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    said = racing("compare", DEMSAR, "--maximize")
    assert not [*tmp_path.iterdir()]
    assert said.code == 0
    assert said.err == ""
    assert "4 algorithms on 14 instances; higher scores are better." in said.out
    assert "C4.5+m+cf was shown to be better than C4.5." in said.out
    assert "Where the numbers come from" in said.out


def test_latex_and_markdown(racing):
    assert r"\begin{tabular}" in racing("compare", DEMSAR, "--maximize", "--latex").out
    assert racing("compare", DEMSAR, "--maximize", "--markdown").out.startswith("# Comparison of 4")


def test_all_figures(racing, tmp_path):
    names = ("cd", "again", "heatmap", "pmatrix", "simplex")
    files = {name: tmp_path / f"{name}.svg" for name in names}
    said = racing(
        "compare", DEMSAR, "--maximize", "--bayes", "signed-rank", "--rope", "0.01",
        "--cd", files["cd"], "--cd", files["again"], "--heatmap", files["heatmap"],
        "--pmatrix", files["pmatrix"],
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
        ((DEMSAR, "--bayes", "sign", "--rope", "1", "--simplex", "C4.5", "D", "a.png"), '"D"'),
        ((DEMSAR, "--cd", "a.gif"), "must end in .png"),
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
    race, everybody = tmp_path / "race.sqlite", tmp_path / "everybody.sqlite"
    run(write_scenario(tmp_path, noise=0.3), log=race)
    assert holdout(race, [f"new{k}" for k in range(6)], against="#2") is not None
    run(write_scenario(tmp_path, noise=0.3, rule="none"), log=everybody)
    for log in (tmp_path / "race.test.sqlite", everybody):
        said = racing("compare", log, "--json")
        assert said.code == 0
        assert "race" not in {note["kind"] for note in said.data["notes"]}
        assert not read_table(log).from_race


HGS, CLASP = EXAMPLES / "hgs_runs.csv", EXAMPLES / "clasp_runs.csv"


def test_runs_of_hgs_by_problem_and_over_the_problems(racing):
    found = racing("compare", HGS, "--unpaired", "--minimize", "--json").data
    assert [len(one["comparisons"]) for one in found["problems"]] == [3] * 6
    worst = {one["algorithms"][-1]["name"] for one in found["problems"]}
    assert worst == {"without SWAP*"}
    assert found["over"]["paired"]["instances"] == 6


def test_runs_of_clasp_with_a_cutoff_and_profiles(racing, tmp_path):
    figures = {
        name: tmp_path / f"{name}.svg" for name in ("strips", "ecdf", "solved", "performance")
    }
    options = [part for name, file in figures.items() for part in (f"--{name}", file)]
    said = racing(
        "compare", CLASP, "--unpaired", "--minimize", "--cutoff", 1000, "--profiles", "--html",
        tmp_path / "page.html", "--tables", tmp_path / "tables", *options,
    )  # fmt: skip
    assert said.code == 0
    assert "runs were stopped at the cutoff of 1000" in said.out
    assert "a stopped run counting 10 cutoffs" in " ".join(said.out.split())
    assert all(file.exists() for file in figures.values())
    assert (tmp_path / "tables" / "times.csv").exists()
    assert "Share solved over time" in (tmp_path / "page.html").read_text(encoding="utf-8")


def test_one_problem_with_the_figures_of_pairs(racing, tmp_path):
    one = ("--unpaired", "--minimize", "--problem", "random-1")
    said = racing("compare", CLASP, *one, "--cd", tmp_path / "cd.svg", "--pmatrix",
                  tmp_path / "p.svg", "--latex")  # fmt: skip
    assert said.code == 0
    assert r"\begin{table}" in said.out
    assert (tmp_path / "cd.svg").exists()


def test_profiles_of_a_paired_table(racing):
    said = racing("compare", DEMSAR, "--maximize", "--profiles")
    assert "How are the scores distributed?" in said.out
    assert "higher scores are better here" in " ".join(said.out.split())
    assert "Design: paired." in said.out


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--unpaired", "--group", "x"), "--group: is for a paired table; leave out one"),
        (("--problem", "p"), "--problem: is for runs that nothing pairs; add --unpaired"),
        (("--unpaired", "--problem", "p"), 'no problem is called "p"'),
        (("--unpaired", "--cd", "cd.svg"), "there are 4 problems; choose one (--problem"),
        (("--unpaired", "--solved", "s.svg"), "--solved: needs the time at which runs"),
        (("--unpaired", "--cutoff", "0"), "cutoff must be a number above 0"),
        (("--unpaired", "--maximize", "--cutoff", "9"), "infinitely good"),
        (("--unpaired", "--test", "wilcoxon"), "test must be brunner-munzel"),
        (("--test", "dunn"), "columns of unpaired runs may have any length (--unpaired)"),
        (("--unpaired", "--layout", "wide"), "is not a number"),
        (("--unpaired", "--test", "steel"), "steel needs a control (--control NAME)"),
    ],
)  # fmt: skip
def test_bad_input_of_runs_says_how_to_mend_it(racing, options, message):
    said = racing("compare", CLASP, *options)
    assert said.code != 0
    assert message in " ".join(said.err.split())


def test_figures_without_their_footnote(racing, tmp_path):
    pytest.importorskip("matplotlib", reason="figures need the extra racing[plot]")
    sizes = []
    for k, more in enumerate(((), ("--no-footnote",))):
        file = tmp_path / f"{k}.svg"
        assert racing("compare", DEMSAR, "--maximize", "--cd", file, *more).code == 0
        sizes.append(file.stat().st_size)
    assert sizes[0] > sizes[1]


def test_uneven_repetitions_with_an_empty_cell(racing, tmp_path):
    runs = {("a", 4), ("b", 2), ("c", 1)}
    lines = [
        f"{name},{problem},{fold},{problem + fold}"
        for problem in range(8)
        for name, many in sorted(runs)
        for fold in range(many)
        if (name, problem) != ("c", 3)
    ]
    path = tmp_path / "long.csv"
    path.write_text("\n".join(["algorithm,instance,fold,score", *lines, ""]), encoding="utf-8")
    refused = racing("compare", path)
    assert refused.code == 2
    assert "leave out 1 of 8 instances (--missing average,drop-instances)" in refused.err
    data = racing("compare", path, "--missing", "average,drop-instances", "--json").data
    assert (data["instances"], data["repetitions"], data["left_out"]) == (7, 4, ["3"])
    assert {"left-out", "repetitions"} <= {note["kind"] for note in data["notes"]}
