"""Tables of scores that are 0 or 1: shares, their differences, McNemar's test, groups."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.stats

from racing.analysis.compare import as_table, compare, read_table
from racing.analysis.compare.report import document
from racing.answer.json import as_data
from racing.answer.text import text
from racing.base.errors import InputError, TableError
from racing.stats import share_difference


def right(seed: int = 1, n: int = 60) -> np.ndarray:
    """(n, 3) answers, 1 is right."""
    rng = np.random.default_rng(seed)
    return (rng.random((n, 3)) < [0.9, 0.6, 0.55]).astype(int)


def test_the_report_shows_shares_and_mcnemars_test():
    scores = right()
    c = compare(scores, direction="maximize")
    shown = text(document(c))
    assert c.choices.test == "mcnemar"
    assert all(words in shown for words in ("share of 1", "difference of shares"))
    assert not any(words in shown for words in ("median", "advantage"))
    assert [row["share"] for row in as_data(c.facts())["algorithms"]] == [
        scores[:, i].mean() for i in c.order
    ]


def test_p_values_are_binomial_and_differences_those_of_shares():
    scores = right()
    c = compare(scores, direction="maximize", correction="none")
    for k, (i, j) in enumerate(zip(c.family.first, c.family.second, strict=True)):
        wins, losses = (int((scores[:, a] > scores[:, b]).sum()) for a, b in ((i, j), (j, i)))
        p = scipy.stats.binomtest(wins, wins + losses).pvalue
        assert c.family.pvalues[k] == pytest.approx(p)
        difference = scores[:, i].mean() - scores[:, j].mean()
        assert c.effects.difference[k] == pytest.approx(difference)


def test_groups_widen_the_intervals_also_where_instances_are_left_out():
    scores = np.repeat(right(n=20), 4, axis=0).astype(float)
    groups = np.repeat([f"text {i}" for i in range(20)], 4)
    alone = compare(scores, direction="maximize")
    clustered = compare(scores, direction="maximize", groups=groups)
    widths = [c.effects.high - c.effects.low for c in (alone, clustered)]
    assert (widths[1] > 1.3 * widths[0]).all()
    scores[:6, 0] = np.nan
    fewer = compare(scores, direction="maximize", groups=groups, missing="drop-instances")
    expected = share_difference(-scores[6:, 0], -scores[6:, 1], groups=groups[6:])
    assert fewer.effects.low[0] == expected.low
    assert "19 groups" in text(document(fewer))


def test_groups_of_other_scores_are_said_to_count_for_nothing():
    (said,) = (one for one in compare(right() + 0.5, groups=[1, 2, 3] * 20).notes
               if one.kind.startswith("groups"))  # fmt: skip
    assert said.kind == "groups-ignored"
    assert said.text.startswith("Instances come in 3 groups. Nothing here accounts for that")


@pytest.mark.parametrize("form", ["wide", "long"])
def test_a_file_names_groups_in_a_column(tmp_path, form):
    file = tmp_path / "answers.csv"
    wide = "item,text,a,b\nq1,t1,True,false\nq2,t1,1,0\nq3,t2,FALSE,true\n"
    long = (
        "algorithm,instance,text,score\na,q1,t1,true\nb,q1,t1,0\na,q2,t1,1\nb,q2,t1,0\n"
        "a,q3,t2,0\nb,q3,t2,1\n"
    )
    file.write_text(wide if form == "wide" else long)
    table = read_table(file, direction="maximize", group="text")
    assert (table.names, table.groups) == (("a", "b"), ("t1", "t1", "t2"))
    assert table.scores.tolist() == [[1, 0], [1, 0], [0, 1]]


@pytest.mark.parametrize(
    ("text_", "message"),
    [
        ("item,a,b\nq1,1,0\n", 'answers.csv:1: the header has 0 columns "text"'),
        ("item,text,a,b\nq1,,1,0\n", "answers.csv:2: the column"),
        ("algorithm,instance,text,score\na,q1,t1,1\nb,q1,t2,0\n", "answers.csv:3: instance"),
    ],
)
def test_a_column_of_groups_that_cannot_be_read(tmp_path, text_, message):
    file = tmp_path / "answers.csv"
    file.write_text(text_)
    with pytest.raises(TableError, match=message):
        read_table(file, group="text")


def test_other_scores_are_compared_as_before_and_refuse_mcnemars_test():
    scores = right() + 0.5
    assert compare(scores).choices.test == "wilcoxon"
    assert compare(right(), test="sign").choices.test == "sign"
    with pytest.raises(InputError, match="mcnemar is for scores that are 0 or 1"):
        compare(scores, test="mcnemar")
    with pytest.raises(TableError, match="60 labels, one per instance; got 2"):
        compare(right(), groups=["a", "b"])
    with pytest.raises(TableError, match="has names, direction and groups already"):
        compare(as_table(right()), groups=["a"] * 60)
