"""Runs from files: both forms, columns of unequal length, and what is refused with which words."""

from __future__ import annotations

import pytest

from racing.base.errors import TableError
from tests.analysis.compare.comparisons import read_runs


def runs_of(table):
    return [[x.tolist() for x in own] for own in table.runs]


def test_a_line_for_each_run(file):
    table = read_runs(
        file("problem,algorithm,seed,score\np,a,1,2\np,b,2,3\nq,b,3,1\np,a,4,inf\nq,a,9,7\n")
    )
    assert (table.names, table.instances) == (("a", "b"), ("p", "q"))
    assert runs_of(table) == [[[2, float("inf")], [3]], [[7], [1]]]


def test_columns_of_unequal_length(file):
    table = read_runs(file("run;a;b\n1;1,5;2\n2;2,5;4\n3;3,5\n"), direction="maximize")
    assert table.instances == ("",)
    assert runs_of(table) == [[[1.5, 2.5, 3.5], [2, 4]]]
    assert table.empty == 0
    assert (table.direction, table.assumed) == ("maximize", False)


def test_a_hole_in_a_column_is_counted_and_the_end_of_one_is_not(file):
    table = read_runs(file("a,b\n1,5\n,6\n3,7\n4,\n,\n5,\n"))
    assert runs_of(table) == [[[1, 3, 4, 5], [5, 6, 7]]]
    assert table.empty == 1


def test_columns_with_a_problem(file):
    table = read_runs(file("Problem,a,b\np,1,2\np,3,\nq,4,5\n"))
    assert table.instances == ("p", "q")
    assert runs_of(table) == [[[1, 3], [2]], [[4], [5]]]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("algorithm,score\na,1\nb,\n", r"t.csv:3: no score of b; .*not made has no line"),
        ("algorithm,score\na,1\n,2\n", r"t.csv:3: the algorithm has no name"),
        ("problem,algorithm,score\n,a,1\n", r"t.csv:2: the problem has no name"),
        ("algorithm,score,score\na,1,1\n", r"must have one column .score.; got 2"),
        ("bench,algorithm,score\nx,a,1\n", r"column .bench. is not known.*call it problem"),
        ("problem,instance,algorithm,score\nx,y,a,1\n", r"column .problem. is not known"),
        ("algorithm,score\na,1,2\n", r"t.csv:2: 3 cells, but the header has 2"),
        ("name,a,b\nx,1,2\ny,3,4\n", r"column .name. holds no number \(.x.\).*call it problem"),
        ("a,b\n1,two\n", r"t.csv:2: .two. in column .b. is not a number; write a"),
        ("a,a\n1,2\n", r"are both called .a.; rename one"),
        ("problem,a,b\np,1,2\nq,3,\n", r"no run of b on q. Add the runs .*missing='drop"),
        ("a,b\n1,\n2,\n", r"no run of b. Add the runs"),
    ],
)  # fmt: skip
def test_bad_files_say_how_to_fix_them(file, text, message):
    with pytest.raises(TableError, match=message):
        read_runs(file(text))


def test_a_log_and_a_file_that_is_not_there(tmp_path):
    log = tmp_path / "run.sqlite"
    log.write_bytes(b"SQLite format 3\x00" + bytes(100))
    with pytest.raises(TableError, match="pairs its scores by instance; leave out paired=False"):
        read_runs(log)
    with pytest.raises(TableError, match="cannot be read"):
        read_runs(tmp_path / "nothing.csv")


def test_the_layout_can_be_forced(file):
    path = file("algorithm,score\n1,2\n3,4\n")
    assert read_runs(path, layout="wide").names == ("algorithm", "score")
