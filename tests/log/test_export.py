"""What `racing export` writes, read back by other readers than ours."""

from __future__ import annotations

import csv
import json
import math
from collections.abc import Callable, Iterator
from pathlib import Path

import pandas as pd
import pytest

from racing.base.errors import LogError
from racing.core.candidate import Candidate
from racing.core.experiment import Instance, Outcome, Status
from racing.log import Header, Log, MemoryLog, SQLiteLog, replay
from racing.log.export import Table, as_csv, candidates, export, matrix, outcomes
from tests.log.samples import CANDIDATES, HEADER, VERDICT, fill, make

ODD = 'comma, "quote"\nnew line; =1+1 ✗'


@pytest.fixture(params=["memory", "sqlite"])
def log(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Log]:
    if request.param == "sqlite":
        with SQLiteLog.open(make(tmp_path / "run.sqlite"), write=False) as kept:
            yield kept
        return
    log = MemoryLog(HEADER)
    log.add(CANDIDATES)
    fill(log, 15)
    log.record_verdict(VERDICT)
    yield log


def read(path: Path) -> list[dict[str, str]]:
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def test_all_files(log: Log, tmp_path: Path) -> None:
    paths = export(log, tmp_path / "new" / "folder")
    names = "candidates.csv outcomes.csv verdicts.csv eliminations.csv matrix.csv run.json"
    assert [path.name for path in paths] == names.split()
    assert sorted(path.name for path in (tmp_path / "new" / "folder").iterdir()) == sorted(
        names.split()
    )
    head, _, second = paths[1].read_text().splitlines()[:3]
    assert head == (
        "number,candidate,name,step,instance,seed,score,cost,seconds,status,attempts,elapsed,"
        "worker,started,counted,message,bound,spent,refused,reused"
    )
    assert second == "2,2,#2,0,0.cnf,100,1.0,-1.0,0.01,ok,1,1.0,,,true,,,,0,"
    rows = read(paths[1])
    assert len(rows) == 15
    assert rows[0]["score"] == "0.0"
    assert (rows[3]["score"], rows[3]["status"]) == ("-inf", "timeout")
    entered = paths[0].read_text().splitlines()
    assert entered[0] == "id,name,parent,origin,entered,alpha,rule,ants"
    assert entered[3] == "3,#3,2,given,0,0.1,as,"
    verdict, out = read(paths[2])[0], read(paths[3])[0]
    assert (verdict["leader"], verdict["gate"], verdict["gate_passed"]) == ("1", "Friedman", "true")
    assert (out["candidate"], out["reason"], out["value"]) == ("3", "inferior", "0.01")
    log.close()


def test_the_matrix_is_a_table_for_comparisons(log: Log, tmp_path: Path) -> None:
    path = {path.name: path for path in export(log, tmp_path, formats=["csv"])}["matrix.csv"]
    table = pd.read_csv(path, index_col="instance")
    assert list(table.columns) == ["default", "#2", "#3"]
    assert list(table.index) == [f"{step}.cnf" for step in range(5)]
    assert table.loc["2.cnf"].tolist() == [6.0, 7.0, 8.0]
    assert table.loc["1.cnf", "default"] == -math.inf
    log.close()


def test_json_is_strict_and_complete(log: Log, tmp_path: Path) -> None:
    def refuse(constant: str) -> None:
        raise AssertionError(constant)

    (path,) = export(log, tmp_path, formats=["json"])
    data = json.loads(path.read_text(encoding="utf-8"), parse_constant=refuse)
    assert list(data) == [
        *("run", "target_files", "candidates", "outcomes", "verdicts", "eliminations")
    ]
    assert data["target_files"] == []
    assert data["run"]["direction"] == "maximize"
    assert data["run"]["winner"] == 2
    assert data["candidates"][1]["values"] == {"alpha": 0.5, "rule": "mmas", "ants": 10}
    assert (data["outcomes"][3]["score"], data["outcomes"][3]["cost"]) == ("-inf", "inf")
    assert data["outcomes"][4]["score"] == 4.0
    assert data["eliminations"][0]["against"] == 1
    log.close()


def test_odd_strings_and_names_survive() -> None:
    log = MemoryLog(Header(name="odd", seed=1, scenario={"race": {"first_test": 1}}))
    log.add([Candidate(1, {"name": ODD, "flag": True}, ODD), Candidate(2, {"id": "é"}, ODD)])
    for step in (0, 1):
        log.record(
            Outcome(1, step, math.inf, status=Status.CRASHED, message=ODD),
            Instance(step, ODD, 7 + step),
        )
        log.record(Outcome(2, step, 3.0), Instance(step, ODD, 7 + step))
    race = replay(log)
    rows = list(csv.DictReader(as_csv(candidates(log, race)).splitlines(keepends=True)))
    assert list(rows[0]) == [
        *("id", "name", "parent", "origin", "entered"),
        *("parameter.name", "flag", "parameter.id"),
    ]
    assert rows[0]["parameter.name"] == ODD
    assert rows[0]["flag"] == "true"
    row = next(csv.DictReader(as_csv(outcomes(log, race)).splitlines(keepends=True)))
    assert (row["message"], row["instance"], row["score"]) == (ODD, ODD, "inf")
    assert as_csv(Table(("=x",), [("=1+1",), ("-2.5",), ("@f",), (-2.5,)])).split() == [
        *("'=x", "'=1+1", "-2.5", "'@f", "-2.5"),
    ]
    assert "'" not in as_csv(Table(("=x",), [("=1+1",)]), raw=True)
    table = matrix(log, race)
    assert table.columns == ("instance", f"{ODD} (#1)", f"{ODD} (#2)")
    found = list(table.rows)
    assert [row[0] for row in found] == [f"{ODD} (seed 7)", f"{ODD} (seed 8)"]
    assert found[0][1:] == (math.inf, 3.0)


def test_a_log_without_candidates_is_refused(tmp_path: Path) -> None:
    with pytest.raises(LogError, match="cannot be replayed: there are no candidates"):
        export(MemoryLog(HEADER), tmp_path)


def test_a_file_is_replaced_whole_or_not_at_all(
    log: Log, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "out"
    first = {path: path.read_bytes() for path in export(log, folder)}
    fail: Callable[[int], None] = _fail
    monkeypatch.setattr("racing.log.export.os.fsync", fail)
    with pytest.raises(LogError, match=r"cannot export to .*out: No space left"):
        export(log, folder)
    assert {path: path.read_bytes() for path in folder.iterdir()} == first
    log.close()


def _fail(fd: int) -> None:
    raise OSError(28, "No space left on device")
