"""Tables of scores from files, and the errors of files that cannot be read."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from racing.analysis.compare import read_table
from racing.analysis.compare.arrays import as_table
from racing.base.errors import InputError, TableError

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
