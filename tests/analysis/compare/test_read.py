"""Tables of scores and of runs from files, and the errors of files that cannot be read."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from racing.analysis.compare import read_table
from racing.analysis.compare.arrays import as_table
from racing.analysis.compare.sheets import read_sheet
from racing.base.errors import InputError, TableError
from tests.analysis.compare.comparisons import read_runs

WIDE = "name,A,B\nx,1,2\ny,3,4\n"


@pytest.mark.parametrize(
    "content",
    [
        WIDE,
        WIDE.encode("utf-8-sig"),
        WIDE.encode("utf-16"),
        WIDE.replace("\n", "\r\n"),
        WIDE.replace(",", ";"),
        WIDE.replace(",", "\t"),
        "name;A;B\nx;1,0;2,0\ny;3,0;4,0\n",
        "name\tA\tB\nx\t1,0\t2e0\ny\t3\t4,0\n",
        "name,A,B,\nx,1,2,\ny,3,4,\n",
        '"name","A","B"\n"x"," 1 ","2"\n\n"y",3,4\n\n',
        "algorithm,instance,score\nA,x,1\nB,x,2\nA,y,3\nB,y,4\n",
        "Instance;Score;Algorithm;note\nx;1,0;A;-\nx;2,0;B;-\ny;3,0;A;-\ny;4,0;B;-\n",
    ],
)
def test_one_table_in_many_forms(file, content):
    table = read_table(file(content))
    assert table.names == ("A", "B")
    assert table.instances == ("x", "y")
    np.testing.assert_array_equal(table.costs, [[1, 2], [3, 4]])
    assert table.assumed


def test_repetitions_are_matched_within_each_instance(file):
    rows = ["algorithm,instance,repetition,score"]
    rows += [
        f"{a},{i},{i}{r},{v + r}" for a, v in (("A", 1), ("B", 5)) for i in "xy" for r in (0, 2)
    ]
    table = read_table(file("\n".join(rows)))
    assert table.scores.shape == (2, 2, 2)
    np.testing.assert_array_equal(table.means, [[2, 6], [2, 6]])


@pytest.mark.parametrize(
    "header", ["instance,fold,A,B", "fold,instance,A,B", "instance,A,B,Fold", "id,seed,fold,A,B"]
)
def test_repetitions_of_a_wide_table_are_no_instances(file, header):
    cells = {"instance": "{0}", "id": "{0}", "A": "{2}", "B": "{3}"}
    row = ",".join(cells.get(name, "{1}") for name in header.split(","))
    rows = [row.format(i, r, 1 + r, 5 + r) for i in (3, 1) for r in (0, 2)]
    text = "\n".join([header, *rows])
    table = read_table(file(text))
    assert (table.names, table.instances, table.repetitions) == (("A", "B"), ("3", "1"), 2)
    np.testing.assert_array_equal(table.means, [[2, 6], [2, 6]])
    with pytest.raises(
        TableError,
        match=r"t.csv:6: a second score of A on 1, the first is at \S+t.csv:5; delete one",
    ):
        read_table(file("\n".join([text, rows[-1]])))


def test_columns_of_a_wide_table_have_the_roles_that_are_given(file):
    path = file("a,b,set,round\n1,2,u,1\n3,5,u,2\n4,6,v,1\n5,9,v,2\n")
    roles = {"repetition": "round", "instance": "set"}
    for found in (
        read_table(path, columns=roles),
        read_table(path, columns=roles, layout="wide"),
        as_table(pd.read_csv(path), columns=roles),
    ):
        assert (found.names, found.instances) == (("a", "b"), ("u", "v"))
        assert found.scores.tolist() == [[[1, 3], [2, 5]], [[4, 5], [6, 9]]]
    with pytest.raises(TableError, match="none of scores; leave score=b out"):
        read_table(path, columns={**roles, "score": "b"}, layout="wide")
    with pytest.raises(InputError, match="one of a, b, set, round; got instance=c"):
        read_table(path, columns={"instance": "c"}, layout="wide")


def test_groups_of_a_wide_table_with_repetitions(file):
    text = "instance,text,fold,A,B\nx,t,1,1,2\nx,t,2,1,2\ny,u,1,1,2\ny,u,2,1,2\n"
    assert read_table(file(text), group="text").groups == ("t", "u")


@pytest.mark.parametrize(
    "text", ["A,B,C\n0.5,1,2\n1.0,2,3\n", "A,B,C\n12,1,2\n9,2,3\n", ",B,C\n0.5,1,2\n0.7,1,2\n"]
)
def test_scores_are_no_names_of_instances(file, text):
    with pytest.raises(
        TableError,
        match=r"t.csv:2: the first column .* must be the names of the instances; got numbers",
    ):
        read_table(file(text), duplicates="number")


@pytest.mark.parametrize("called", ["instance", "name", "seed", "noise"])
def test_numbers_name_instances_where_they_say_so_or_count(file, called):
    names = "12", "15" if called == "noise" else "0.5"
    table = read_table(file(f"{called},A,B\n{names[0]},1,2\n{names[1]},2,3\n"))
    assert table.instances == names
    assert read_table(file(",A,B\n12,1,2\n9,2,3\n")).instances == ("12", "9")


def test_failures_are_the_worst_scores(file):
    text = "name,A,B\nx,inf,2\ny,3,4\n"
    assert np.isposinf(read_table(file(text)).costs[0, 0])
    table = read_table(file(text.replace("inf", "-inf")), direction="maximize")
    assert np.isposinf(table.costs[0, 0])


GARBAGE = [
    ("", "one or more rows; got nothing"),
    ("name,A,B\n", "only a header"),
    ("name\nx\ny\n", "separated by commas, semicolons or tabs; got one column"),
    ("name,A\nx,1\ny,2\n", "two or more algorithms; got 1"),
    ("name,A,A\nx,1,2\n", "columns 2 and 3 are both called"),
    ("name,A,\nx,1,2\n", "column 3 has no name"),
    ("name,instance,A,B\nx,1,1,2\n", 't.csv:1: column 2 is called "instance"'),
    ("name,1,2\nx,1,2\n", "the first line must be a header"),
    ("name,A,B\nx,1,2\nx,3,4\n", 't.csv:3: instance "x" is on line 2 already'),
    ("name,A,B\n,1,2\n", "t.csv:2: the instance has no name"),
    ("name,A,B\nx,1\n", "t.csv:2: 2 cells, but the header has 3"),
    ("name,A,B\nx,1,2,3\n", "t.csv:2: 4 cells, but the header has 3"),
    ("name,A,B\nx,1,2\ny,3,timeout\n", 't.csv:3: "timeout" in column "B" is not a number'),
    ('name,A,B\nx,1,"2,5"\n', "a decimal comma needs semicolons or tabs"),
    ("name;A;B\nx;1,5;2.5\n", "write all numbers alike"),
    ("name;A;B\nx;1.000,5;2\n", "is not a number"),
    ("name,A,B\nx,1,\ny,3,4\n", "1 cell is missing: B on x"),
    ("name,A,B\nx,NaN,1\ny,NA,4\n", "2 cells are missing: A on x; A on y"),
    ("name,A,B\nx,-inf,2\n", "infinitely good"),
    ("name,A,B\nx,-1e80,2\n", "A on x is -1e+80, infinitely good"),
    ('name,A,B\nx,"1,2\n', "not CSV"),
    (b"name,A,B\nx,1,\xff\xfe\n", "t.csv:2: not UTF-8"),
    (b"\x00\x01\x02\x03", "not a text file"),
    ("algorithm,instance,score\nA,x,1\nA,x,2\n", "t.csv:3: a second score of A on x"),
    ("algorithm,instance,score\nA,x,1\n,x,2\n", "t.csv:3: the algorithm has no name"),
    ("algorithm,instance,score\nA,x,1\nB,x,?\n", "1 cell is missing: B on x"),
    ("algorithm,instance,score,score\nA,x,1,1\n", 'one column "score"; got 2'),
]


@pytest.mark.parametrize(("content", "said"), GARBAGE, ids=[said for _, said in GARBAGE])
def test_garbage_is_named_with_its_place(file, content, said):
    with pytest.raises(TableError) as error:
        read_table(file(content))
    assert said in str(error.value)
    assert "t.csv" in str(error.value)


def test_no_file_and_a_folder(tmp_path):
    with pytest.raises(TableError, match="cannot be read"):
        read_table(tmp_path / "none.csv")
    with pytest.raises(TableError, match="no samples_"):
        read_table(tmp_path)


def test_half_a_million_rows_are_read(file):
    n = 250_000
    lines = ["algorithm,instance,score"]
    lines += [f"{a},i{i},{i % 7 + k}" for i in range(n) for k, a in enumerate("AB")]
    table = read_table(file("\n".join(lines)))
    assert table.costs.shape == (n, 2)
    assert table.costs[8].tolist() == [1.0, 2.0]


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


def test_blank_lines_are_skipped_but_counted(file):
    sheet = read_sheet(file("name,A,B\n\nx,1,2\n,,\ny,3,4\n"))
    assert sheet.header == ["name", "A", "B"]
    assert sheet.rows == [["x", "1", "2"], ["y", "3", "4"]]
    assert sheet.lines == [3, 5]
    assert sheet.separator == ","


@pytest.mark.parametrize("word", ["", "NA", "n/a", "NaN", "null", "?", "-"])
def test_words_for_a_missing_score_are_not_numbers(file, word):
    sheet = read_sheet(file("name,A,B\n\nx,1,2\n"))
    found = sheet.numbers(["1", word], ["A", "B"])
    np.testing.assert_array_equal(found, [[1.0, np.nan]])


def test_true_and_false_are_one_and_zero(file):
    sheet = read_sheet(file("name,A,B\n\nx,1,2\n"))
    np.testing.assert_array_equal(sheet.numbers(["True", "false"], ["A", "B"]), [[1.0, 0.0]])


def test_an_error_names_file_line_and_column(file):
    sheet = read_sheet(file("name,A,B\n\nx,1,2\n"))
    with pytest.raises(TableError, match=r't\.csv:3: "soon" in column "B" is not a number'):
        sheet.numbers(["1", "soon"], ["A", "B"])
