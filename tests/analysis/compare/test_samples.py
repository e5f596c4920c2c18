"""Files that lm-evaluation-harness, Promptfoo and Inspect wrote, as tables."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import numpy as np
import pytest

from racing.analysis.compare import compare, read_table
from racing.base.errors import TableError

DATA = Path(__file__).parents[2] / "data" / "samples"
"""Written by lm_eval 0.4.13 (model dummy), promptfoo 0.121.20 and inspect_ai 0.3.285 (mockllm)."""
LM_EVAL, PROMPTFOO, INSPECT = DATA / "lm_eval", DATA / "promptfoo.json", DATA / "inspect.csv"


# --- what the tools wrote ---------------------------------------------------------------------


def test_lm_evaluation_harness_by_hand():
    table = read_table(LM_EVAL, metric="acc", group="continent")
    assert table.names == ("large", "small")
    assert table.direction == "maximize"
    assert table.instances[:2] == ("capitals/0", "capitals/1")
    assert sorted(set(table.groups)) == ["Africa", "America", "Asia", "Europe"]
    for j, model in enumerate(table.names):
        (file,) = (LM_EVAL / model).iterdir()
        lines = [json.loads(line) for line in file.read_text().splitlines()]
        assert table.scores[:, j].tolist() == [line["acc"] for line in lines]


def test_files_of_lm_evaluation_harness_do_too_in_any_order():
    files = sorted(LM_EVAL.rglob("*.jsonl"), reverse=True)
    table = read_table(files, metric="acc_norm")
    assert table.names == ("small", "large")
    assert set(read_table(files, metric="acc_norm", group="task").groups) == {"capitals"}


def test_promptfoo_by_hand():
    table = read_table(PROMPTFOO, missing="drop-instances", group="page")
    results = json.loads(PROMPTFOO.read_text())["results"]["results"]
    assert table.names[0] == "small · What is {{a}} + {{b}}?"
    assert (table.m, table.n, table.left_out) == (4, 5, ("test 6",))  # where the service was down
    assert table.scores[0].tolist() == [
        one["score"] for one in sorted(results, key=lambda one: one["promptIdx"])
        if one["testIdx"] == 0
    ]  # fmt: skip
    assert table.groups == ("page-2", "page-2", "page-3", "page-3", "page-4")
    assert (read_table(PROMPTFOO, missing="drop-instances", metric="success").scores
            == table.scores).all()  # fmt: skip


def test_inspect_by_hand():
    table = read_table(INSPECT, group="metadata_document")
    assert table.names == ("mockllm/small", "mockllm/large")
    assert table.scores.shape == (12, 2, 2)  # two epochs
    with INSPECT.open(newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["id"] == "sum-2-3"]
    letters = [(row["model"], row["epoch"], row["score_match"]) for row in rows]
    own = table.scores[table.instances.index("sum-2-3")]
    for model, epoch, letter in letters:
        found = own[table.names.index(model), int(epoch) - 1]
        assert found == (1.0 if letter == "C" else 0.0)
    assert len(set(table.groups)) == 4


def test_what_is_read_can_be_compared():
    for path, how in ((LM_EVAL, {"metric": "acc"}), (INSPECT, {})):
        assert compare(read_table(path, **how)).table.n == 12
    assert read_table(INSPECT, direction="minimize").direction == "minimize"


# --- by laws ----------------------------------------------------------------------------------


def harness(folder: Path, model: str, *samples: dict[str, object], task: str = "t") -> Path:
    file = folder / model / f"samples_{task}_2026-01-01T00-00-00.000000.jsonl"
    file.parent.mkdir(parents=True, exist_ok=True)
    given = [{"doc_id": k, "doc": {}, "metrics": ["acc"], **one} for k, one in enumerate(samples)]
    file.write_text("".join(json.dumps(one) + "\n" for one in given))
    return file


def prompts(folder: Path, *results: dict[str, object]) -> Path:
    """Results of two providers on tests 0, 1, …; each mapping changes one of them."""
    file = folder / "results.json"
    base = [
        {
            "promptIdx": j, "testIdx": i, "score": 1, "success": True, "failureReason": 0,
            "provider": {"id": f"p{j}"}, "prompt": {"raw": "hello"},
            "testCase": {"vars": {"n": i}}, "vars": {"n": i},
        }
        for i in range(2)
        for j in range(2)
    ]  # fmt: skip
    for at, change in enumerate(results):
        base[at] |= change
    file.write_text(json.dumps({"results": {"results": base}}))
    return file


def sheet(folder: Path, *rows: str, header: str = "eval_id,model,id,epoch,score_match") -> Path:
    file = folder / "samples.csv"
    file.write_text("\n".join([header, *rows]) + "\n")
    return file


def test_tasks_of_one_model_are_one_column(tmp_path):
    for model in ("a", "b"):
        for task in ("one", "two"):
            harness(tmp_path, model, {"acc": 1}, {"acc": 0}, task=task)
    table = read_table(tmp_path)
    assert table.names == ("a", "b")
    assert table.instances == ("one/0", "one/1", "two/0", "two/1")


def test_filters_are_metrics_of_their_own(tmp_path):
    for model in ("a", "b"):
        strict = {"doc_id": 0, "filter": "strict", "acc": 0}
        harness(tmp_path, model, strict, {"doc_id": 0, "filter": "loose", "acc": 1})
    assert read_table(tmp_path, metric="acc,loose").scores.tolist() == [[1, 1]]
    assert read_table(tmp_path, metric="acc,strict").scores.tolist() == [[0, 0]]


def test_repeated_tests_of_promptfoo_are_repetitions(tmp_path):
    same = {"testCase": {"description": "hi", "vars": {}}}
    table = read_table(prompts(tmp_path, same, same, {**same, "score": 0}, same))
    assert table.instances == ("hi",)
    assert table.scores.tolist() == [[[1, 0], [1, 1]]]


def test_errors_are_missing_scores(tmp_path):
    table = read_table(prompts(tmp_path, {"failureReason": 2}), missing="drop-instances")
    assert table.left_out == ("test 1",)
    header = "eval_id,model,id,epoch,score_match,error"
    rows = ["1,a,x,1,C,", "2,b,x,1,C,busy", "1,a,y,1,P,", "2,b,y,1,N,"]
    table = read_table(sheet(tmp_path, *rows, header=header), missing="drop-instances")
    assert table.scores.tolist() == [[0.5, 0.0]]


def test_without_a_column_for_models_logs_are_compared(tmp_path):
    header = "eval_id,log,id,epoch,score_match"
    table = read_table(sheet(tmp_path, "1,l/a.eval,x,1,C", "2,l/b.eval,x,1,0.25", header=header))
    assert table.names == ("a", "b")
    assert np.array_equal(table.scores, [[1.0, 0.25]])


# --- refused ----------------------------------------------------------------------------------

BAD = {
    "no folder": (lambda f: f / "none.jsonl", {}, "cannot be read"),
    "an empty folder": (lambda f: f, {}, "run lm_eval with --log_samples"),
    "no json": (lambda f: write(f / "samples_x.jsonl", "{\n"), {}, r"jsonl:1: not JSON"),
    "another json": (lambda f: write(f / "samples_x.jsonl", "{}\n"), {}, ":1: no sample of lm-"),
    "no text": (lambda f: write(f / "samples_x.jsonl", b"\xff"), {}, "cannot be read"),
    "no samples": (lambda f: write(f / "samples_x.jsonl", ""), {"metric": "acc"},
                   "there is no metric"),
    "a metric of all": (lambda f: harness(f, "a", {"acc": [1, 2]}), {}, "of all samples together"),
    "a metric not there": (lambda f: harness(f, "a", {}), {}, "does not have it"),
    "a score that is text": (lambda f: harness(f, "a", {"acc": "good"}), {},
                             'acc must be a number for each sample; got "good"'),
    "several metrics": (lambda f: LM_EVAL, {}, "several metrics, acc, acc_norm; say which"),
    "an unknown metric": (lambda f: LM_EVAL, {"metric": "ac"}, "did you mean.*acc"),
    "an unknown group": (lambda f: LM_EVAL, {"metric": "acc", "group": "kontinent"},
                         "no field .kontinent.*did you mean"),
    "promptfoo: no json": (lambda f: write(f / "x.json", "["), {}, "cannot be read as JSON"),
    "promptfoo: other json": (lambda f: write(f / "x.json", "[1]"), {}, "no results of Promptfoo"),
    "promptfoo: a metric": (lambda f: prompts(f), {"metric": "sucess"}, "did you mean.*success"),
    "promptfoo: errors": (lambda f: PROMPTFOO, {}, "2 cells are missing: small"),
    "promptfoo: twice": (lambda f: prompts(f, {}, {"promptIdx": 0}), {}, "a second score of p0"),
    "inspect: no score": (lambda f: sheet(f, "1,a,x,1", header="eval_id,model,id,epoch"), {},
                          "no column score_"),
    "inspect: a letter": (lambda f: sheet(f, "1,a,x,1,Z"), {},
                          'csv:2: match must be a number for each sample; got "Z"'),
    "inspect: twice": (lambda f: sheet(f, "1,a,x,1,C", "2,a,x,1,C"), {}, "second score of a on x"),
    "inspect: two models": (lambda f: sheet(f, "1,a,x,1,C", "1,b,x,1,C"), {}, "has two models"),
    "two groups": (lambda f: sheet(f, "1,a,x,1,C,k", "2,b,x,1,C,l",
                                   header="eval_id,model,id,epoch,score_match,g"),
                   {"group": "g"}, "instance .x. is in the groups"),
    "several tables": (lambda f: [PROMPTFOO, INSPECT], {}, "several files are for samples_"),
    "a metric of a table": (lambda f: write(f / "t.csv", "instance,a,b\nx,1,2\n"),
                            {"metric": "acc"}, "no scores to choose from"),
    "one model": (lambda f: harness(f, "a", {"acc": 1}), {}, "algorithm"),
}  # fmt: skip


def write(path: Path, content: str | bytes) -> Path:
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


@pytest.mark.parametrize("case", BAD)
def test_what_cannot_be_read_is_refused_by_name(tmp_path, case):
    make, how, words = BAD[case]
    with pytest.raises(TableError, match=words):
        read_table(make(tmp_path), **how)
