"""Data frames of every shape that pandas makes of results: the table, or what to write instead."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import racing
from racing.analysis.compare import as_table
from racing.base.errors import InputError, TableError

INSTANCES, METHODS, FOLDS = tuple(f"d{i}" for i in range(8)), ("a", "b", "c"), range(4)


def long() -> pd.DataFrame:
    """A row for each score; the score of a method on a data set in a fold says which it is."""
    return pd.DataFrame(
        [
            (method, dataset, fold, 100 * i + 10 * j + fold)
            for j, method in enumerate(METHODS)
            for i, dataset in enumerate(INSTANCES)
            for fold in FOLDS
        ],
        columns=["method", "dataset", "fold", "accuracy"],
    )


def wide() -> pd.DataFrame:
    """The means of the folds, a column for each method."""
    return long().groupby(["dataset", "method"]).accuracy.mean().unstack()


def foreign() -> pd.DataFrame:
    """The long form with names that say nothing."""
    return long().set_axis(["wer", "was", "lauf", "wie"], axis=1)


PIVOT = {"columns": "method", "values": "accuracy"}
SHAPES = {
    "wide": (wide(), 1),
    "wide, instances in a column": (wide().reset_index(), 1),
    "long": (long(), 4),
    "long, categories": (long().astype({"method": "category", "dataset": "category"}), 4),
    "index (instance, repetition)": (long().pivot(index=["dataset", "fold"], **PIVOT), 4),
    "index (repetition, instance)": (long().pivot(index=["fold", "dataset"], **PIVOT), 4),
    "columns (algorithm, repetition)": (
        long().pivot(index="dataset", columns=["method", "fold"], values="accuracy"), 4),
    "columns (value, algorithm, repetition)": (
        long().pivot(index="dataset", columns=["method", "fold"]), 4),
    "all in the index": (long().set_index(["method", "dataset", "fold"]), 4),
    "a series": (long().set_index(["method", "dataset", "fold"]).accuracy, 4),
    "numbers as text": (wide().astype(str), 1),
}  # fmt: skip


@pytest.mark.parametrize(("frame", "folds"), SHAPES.values(), ids=SHAPES)
def test_the_table_of_a_frame(frame: pd.DataFrame, folds: int) -> None:
    table = as_table(frame)
    assert (table.names, table.instances, table.repetitions) == (METHODS, INSTANCES, folds)
    expected = 100.0 * np.arange(8)[:, None] + 10 * np.arange(3)
    scores = table.repeated - (np.arange(4) if folds > 1 else 1.5)
    np.testing.assert_array_equal(scores, np.repeat(expected[:, :, None], folds, axis=2))


REFUSED = {
    "long, foreign names": (
        foreign(), r"say which column is what, such as columns={'algorithm': 'wer', "
        r"'instance': 'was', 'repetition': 'lauf', 'score': 'wie'}"),
    "long, two scores": (long().assign(time=1.5), r"such as columns={'score': 'time'}"),
    "rows are algorithms": (wide().T, r"interchange them \(pandas: frame.T\)"),
    "levels without names": (
        SHAPES["index (instance, repetition)"][0].rename_axis([None, None]),
        r'frame.rename_axis\(index=\["instance", "repetition"\]\)'),
    "no rows": (wide()[:0], r"one row or more, .*got shape \(0, 3\)"),
    "a column of text": (wide().assign(note="x"), '"x" in column "note" is not a number'),
    "missing cells": (
        wide().mask(wide() == 11.5),
        r"1 cell is missing: b on d0\. Fill them, or leave out 1 of 8 instances "),
}  # fmt: skip


@pytest.mark.parametrize(("frame", "message"), REFUSED.values(), ids=REFUSED)
def test_what_to_write_instead(frame: pd.DataFrame, message: str) -> None:
    with pytest.raises(TableError, match=message):
        as_table(frame)


def test_the_message_of_a_long_frame_can_be_taken_as_it_is() -> None:
    with pytest.raises(TableError) as refused:
        racing.compare(foreign())
    told = str(refused.value).partition("columns=")[2]
    columns = dict(pair.strip("{}").split(": ") for pair in told.replace("'", "").split(", "))
    assert racing.compare(foreign(), columns=columns).table.repetitions == 4


def test_guessed_columns_are_said() -> None:
    (said,) = (one for one in racing.compare(long()).notes if one.kind == "columns")
    assert said.facts["columns"] == {
        "algorithm": "method", "instance": "dataset", "repetition": "fold", "score": "accuracy"
    }  # fmt: skip


def uneven() -> pd.DataFrame:
    """Four repetitions of a, two of b, one of c."""
    frame = long()
    return frame[frame.fold < frame.method.map({"a": 4, "b": 2, "c": 1})]


def test_uneven_repetitions_are_averaged_on_request_and_it_is_said() -> None:
    with pytest.raises(TableError, match=r"Fill them, or average .*missing='average'\); a failure"):
        racing.compare(uneven())
    with pytest.raises(TableError, match=r"0 of 8 are left, and 1 are needed; try missing='aver"):
        racing.compare(uneven(), missing="drop-instances")
    found = racing.compare(uneven(), missing="average")
    np.testing.assert_array_equal(found.table.means[0], [1.5, 10.5, 20.0])
    (said,) = (one for one in found.notes if one.kind == "repetitions")
    assert said.text.startswith("The 1 to 4 repetitions of an algorithm on an instance were aver")


def test_instances_may_have_repetitions_of_different_number() -> None:
    frame = long()[lambda x: (x.dataset != "d0") | (x.fold < 2)]
    found = racing.compare(frame)
    np.testing.assert_array_equal(found.table.sizes[:, 0], [2, *[4] * 7])
    assert "The 2 to 4 repetitions" in str(found)


def test_uneven_repetitions_in_groups() -> None:
    frame = uneven()
    groups = frame.dataset.map(dict(zip(INSTANCES, "ppqqrrss", strict=True))).tolist()
    table = as_table(frame, missing="average", groups=groups)
    assert table.groups == tuple("ppqqrrss")
    runs = as_table(frame.drop(columns="fold"), paired=False)
    assert runs.sizes.tolist() == [[4, 2, 1]] * 8


@pytest.mark.parametrize("kind", [list, np.array, pd.Series])
def test_groups_may_be_a_list_an_array_or_a_column(kind) -> None:
    groups = kind(list("ppqqrrss"))
    assert as_table(wide(), groups=groups).groups == tuple("ppqqrrss")
    with pytest.raises(InputError, match="groups: is for a paired table"):
        racing.compare(wide(), paired=False, groups=groups)


def test_a_repeated_instance_is_named_with_its_rows() -> None:
    with pytest.raises(TableError, match=r'row 8: instance "d0" is in row 0 already'):
        as_table(pd.concat([wide(), wide()]))


def test_cells_without_any_repetition_are_left_out_besides() -> None:
    frame = uneven()[lambda x: (x.dataset != "d3") | (x.method != "c")]
    with pytest.raises(TableError, match=r"1 of 8 instances .*'average', 'drop-in"):
        as_table(frame, missing="average")
    table = as_table(frame, missing=("average", "drop-instances"))
    assert (table.n, table.left_out) == (7, ("d3",))
    table = as_table(frame, missing=("average", "drop-algorithms"))
    assert (table.names, table.left_out) == (("a", "b"), ("c",))
    with pytest.raises(TableError, match="or average and one of the last two; got"):
        as_table(frame, missing=("average", "refuse"))


def test_frames_of_other_libraries_keep_their_names() -> None:
    class Other:
        def to_pandas(self) -> pd.DataFrame:
            return wide()

    assert as_table(Other()).names == METHODS


def test_a_mapping_may_have_uneven_repetitions() -> None:
    scores = {name: np.full((8, many), float(many)) for name, many in (("a", 10), ("b", 5))}
    with pytest.raises(TableError, match="average the repetitions that are there"):
        as_table(scores)
    table = as_table(scores, missing="average")
    np.testing.assert_array_equal(table.sizes, [[10, 5]] * 8)
    np.testing.assert_array_equal(table.means, [[10.0, 5.0]] * 8)


@pytest.mark.parametrize("paired", [True, False])
def test_a_frame_of_a_csv_is_the_table_of_its_file(tmp_path: Path, paired: bool) -> None:
    file = tmp_path / "scores.csv"
    for frame in (wide().reset_index(drop=True), *[long()] * paired):
        frame.to_csv(file)
        of_frame = as_table(pd.read_csv(file), paired=paired)
        assert of_frame.names == as_table(file, paired=paired).names == METHODS
    (said,) = racing.compare(pd.read_csv(file)).notes[1:2]
    assert said.kind == "columns"
    wide().reset_index(drop=True).to_csv(file)
    (said,) = racing.compare(pd.read_csv(file)).notes[1:2]
    assert said.facts["columns"] == {"instance": "Unnamed: 0"}


def test_a_first_column_of_whole_numbers_may_be_names_or_scores() -> None:
    frame = wide().reset_index(drop=True)
    frame.insert(0, "size", range(20, 28))
    with pytest.raises(TableError, match=r"\(\"size\"\) must be names .* or scores; got distinct"):
        as_table(frame)
    named = as_table(frame.set_index("size"))
    assert (named.names, named.instances[:2]) == (METHODS, ("20", "21"))
    assert as_table(frame.rename_axis("instance")).names == ("size", *METHODS)
    assert as_table(frame.assign(size=[3] * 8)).names == ("size", *METHODS)


def test_labels_of_columns_are_names_also_if_they_are_numbers() -> None:
    assert as_table(pd.DataFrame(wide().to_numpy() + 0.25)).names == ("0", "1", "2")


def test_series_in_a_mapping_are_paired_by_their_index() -> None:
    a, b = wide().a, wide().b
    for other in (b[::-1], b.tolist()):
        table = as_table({"x": a, "y": other})
        assert (table.names, table.instances) == (("x", "y"), INSTANCES)
        np.testing.assert_array_equal(table.scores, wide()[["a", "b"]])
    folds = long().set_index(["dataset", "fold"]).groupby("method").accuracy
    assert as_table({name: own[::-1] for name, own in folds}).repetitions == 4
    several = {name: pd.DataFrame({0: own, 1: own}) for name, own in (("x", a), ("y", b[::-1]))}
    np.testing.assert_array_equal(as_table(several).means, wide()[["a", "b"]])


@pytest.mark.parametrize(
    ("index", "message"),
    [([*INSTANCES[:7], "e"], 'index of "y" must be that of "x".*; got "e" in one'),
     ([*INSTANCES, "d0"], "got labels that repeat")],
)  # fmt: skip
def test_series_of_other_instances_are_refused(index: list[str], message: str) -> None:
    with pytest.raises(TableError, match=message):
        as_table({"x": wide().a, "y": pd.Series(1.0, index)})
    with pytest.raises(TableError, match='got "x" 8, "y" 3'):
        as_table({"x": wide().a, "y": [1.0, 2.0, 3.0]})


EMPTY = wide().reset_index(drop=True).rename_axis("instance").mask(lambda x: x == 11.5)


@pytest.mark.parametrize(
    "frame",
    [EMPTY.astype(object).where(EMPTY.notna(), None), EMPTY.astype("Float64"),
     (2 * EMPTY).astype("Int64"), (EMPTY > 90).astype("boolean").mask(EMPTY.isna()),
     EMPTY.convert_dtypes()],
    ids=["None", "Float64", "Int64", "boolean", "convert_dtypes"],
)  # fmt: skip
def test_whatever_pandas_takes_as_missing_is_missing(frame: pd.DataFrame) -> None:
    with pytest.raises(TableError, match="1 cell is missing: b on 0"):
        as_table(frame)
    assert as_table(frame, missing="drop-instances").left_out == ("0",)
    runs = as_table({name: frame[name] for name in METHODS}, paired=False)
    assert runs.sizes.tolist() == [[8, 7, 8]]


def test_a_missing_score_in_the_long_form_is_missing() -> None:
    frame = long().astype({"accuracy": "Float64"})
    frame.loc[5, "accuracy"] = pd.NA
    with pytest.raises(TableError, match=r"1 cell is missing.*: a on d1"):
        as_table(frame)


@pytest.mark.parametrize("cell", [pd.Timestamp("2020"), pd.Timedelta("1s"), 1j])
@pytest.mark.parametrize("paired", [True, False])
def test_cells_that_are_no_scores_are_named(cell: object, paired: bool) -> None:
    frame = wide().reset_index(drop=True).assign(c=pd.Series([cell] * 8))
    with pytest.raises(TableError, match='in column "c" is not a number'):
        as_table(frame, paired=paired)


def test_whole_numbers_can_name_the_algorithms_of_the_long_form() -> None:
    frame = long().replace({"method": {"a": 1, "b": 2, "c": 3}}).astype({"method": int})
    frame = frame.rename(columns={"method": "model"})
    for one in (frame, frame[["dataset", "model", "fold", "accuracy"]]):
        table = as_table(one)
        assert (table.names, table.n, table.repetitions) == (("1", "2", "3"), 8, 4)
    scores = pd.DataFrame({"dataset": INSTANCES, "model": range(8), "b": [1] * 8})
    assert as_table(scores).names == ("model", "b")


def test_columns_of_repetitions_are_joined_and_are_no_scores() -> None:
    frame = long().assign(seed=long().fold // 2, fold=long().fold % 2)
    assert as_table(frame).repetitions == 4
    told = r"such as columns=\{'repetition': 'fold', 'score': 'b'\}"
    with pytest.raises(TableError, match=told):
        as_table(frame.assign(b=1.5))
    with pytest.raises(TableError, match=r"columns=\{'repetition': 'fold'\}"):
        as_table(frame.drop(columns="accuracy"))
