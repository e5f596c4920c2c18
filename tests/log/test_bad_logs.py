"""What can be wrong with a log: docs/bad-input.md lists it, and here it happens.

Every case gets its log from `tests.log.samples`, 15 outcomes in a file that is closed, and returns
what must raise. Whatever happens, what was recorded before is still there, or the file is as it was
found.
"""

from __future__ import annotations

import os
import re
import shutil
import socket
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from racing.base.errors import LogBusy, LogDamaged, LogError, LogVersionError, RacingError
from racing.log import SQLiteLog, opening, rows
from racing.log.export import export
from racing.report import gather
from tests.log.samples import CANDIDATES, HEADER, VERDICT, fill, instance, make, outcome

DOCS = Path(__file__).parents[2] / "docs" / "bad-input.md"
N = 15

Case = Callable[[Path], None]
CASES: dict[str, tuple[Case, type[LogError]]] = {}


def case(what: str, kind: type[LogError] = LogError) -> Callable[[Case], Case]:
    def register(function: Case) -> Case:
        CASES[what] = function, kind
        return function

    return register


def resume(path: Path) -> None:
    with SQLiteLog.open(path, write=True) as log:
        fill(log, N + 5, start=N)


def sql(path: Path, script: str) -> None:
    with closing(sqlite3.connect(path)) as db:
        db.executescript(script)


@case("`resume` or `show` of a log that is not there")
def missing(path: Path) -> None:
    path.unlink()
    resume(path)


@case("`run` where a log is already")
def existing(path: Path) -> None:
    SQLiteLog.create(path, HEADER)


@case("`run` where the `-wal` file of a deleted log lies")
def left_over(path: Path) -> None:
    path.rename(f"{path}-wal")
    SQLiteLog.create(path, HEADER)


@case("`log:` in a folder that is a file")
def under_a_file(path: Path) -> None:
    SQLiteLog.create(path / "run.sqlite", HEADER)


@case("a folder")
def folder(path: Path) -> None:
    resume(path.parent)


@case("a device or a pipe")
def pipe(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)
    resume(path)


@case("an empty file", LogDamaged)
def empty(path: Path) -> None:
    os.truncate(path, 0)
    resume(path)


@case("a file that is not a database", LogDamaged)
def prose(path: Path) -> None:
    path.write_text("candidate,cost\n1,2.5\n" * 100)
    resume(path)


@case("a database of another program", LogDamaged)
def foreign(path: Path) -> None:
    path.unlink()
    sql(path, "CREATE TABLE bookmark (url TEXT); PRAGMA application_id = 7")
    resume(path)


@case("a log of a newer version", LogVersionError)
def newer(path: Path) -> None:
    sql(path, "PRAGMA user_version = 99; UPDATE run SET racing = '9.1.0'")
    resume(path)


@case("a truncated log", LogDamaged)
def truncated(path: Path) -> None:
    os.truncate(path, path.stat().st_size // 2)
    resume(path)


@case("a log with a page overwritten", LogDamaged)
def overwritten(path: Path) -> None:
    with path.open("r+b") as file:
        file.seek(4096)
        file.write(b"\xff" * 4096)
    resume(path)


@case("a log edited by hand: a status that there is not", LogDamaged)
def edited(path: Path) -> None:
    with closing(sqlite3.connect(path)) as db, db:
        row = db.execute(f"SELECT {rows.OUTCOME} FROM outcome WHERE number = 3").fetchone()
        cells = tuple("fine" if cell == "ok" else cell for cell in row[:-1])
        new = "fine", rows.checksum(cells)
        db.execute("UPDATE outcome SET status = ?, checksum = ? WHERE number = 3", new)
    db.close()
    with SQLiteLog.open(path, write=False) as log:
        log.outcomes()


@case("a log edited by hand: another cost", LogDamaged)
def other_cost(path: Path) -> None:
    sql(path, "UPDATE outcome SET cost = cost - 1 WHERE number = 3")
    with SQLiteLog.open(path, write=False) as log:
        log.outcomes()


@case("a log with a damaged schema", LogDamaged)
def damaged_schema(path: Path) -> None:
    whole = path.read_bytes()
    path.write_bytes(whole.replace(b"CREATE TABLE verdict", b"CREATE \xffABLE verdict"))
    resume(path)


@case("a log with a view in place of a table", LogDamaged)
def endless_view(path: Path) -> None:
    numbers = "WITH RECURSIVE n (k) AS (SELECT 1 UNION ALL SELECT k + 1 FROM n)"
    sql(path, f"DROP TABLE outcome; CREATE VIEW outcome AS {numbers} SELECT k AS number FROM n")
    SQLiteLog.open(path, write=False)


@case("a log with the page of another table in place of its outcomes", LogDamaged)
def swapped(path: Path) -> None:
    whole, outcomes, attempts = path.read_bytes(), root(path, "outcome"), root(path, "extension")
    pages = [whole[start : start + 4096] for start in range(0, len(whole), 4096)]
    pages[outcomes] = pages[attempts]
    path.write_bytes(b"".join(pages))
    SQLiteLog.open(path, write=False)


@case("a log with a damaged page, damaged while it is read", LogDamaged)
def damaged_meanwhile(path: Path) -> None:
    with SQLiteLog.open(path, write=False) as log:
        log._db.execute("PRAGMA shrink_memory")
        with path.open("r+b") as file:
            file.seek(4096 * root(path, "outcome"))
            file.write(b"\xff" * 4096)
        with log.snapshot():
            log.outcomes()


def root(path: Path, table: str) -> int:
    """The first page of a table, from 0."""
    with closing(sqlite3.connect(path)) as db:
        sql = "SELECT rootpage FROM sqlite_master WHERE name = ?"
        return int(db.execute(sql, (table,)).fetchone()[0]) - 1


@case("a log that has a second name, a hard link")
def hard_link(path: Path) -> None:
    os.link(path, path.with_name("other.sqlite"))
    resume(path)


@case("a log whose file is deleted while a run writes it")
def deleted(path: Path) -> None:
    with SQLiteLog.open(path, write=True) as log:
        path.unlink()
        fill(log, N + 1, start=N)


@case("a log whose file is replaced while a run writes it")
def replaced(path: Path) -> None:
    with SQLiteLog.open(path, write=True) as log:
        shutil.copy(path, other := path.with_name("copy"))
        other.replace(path)
        fill(log, N + 1, start=N)


@case("`resume` by another name of the log, a symbolic link, while the run is at work", LogBusy)
def linked(path: Path) -> None:
    with SQLiteLog.open(path, write=True):
        (link := path.with_name("link.sqlite")).symlink_to(path.name)
        try:
            resume(link)
        except LogBusy as error:
            raise LogBusy(str(error).replace("link.sqlite", "run.sqlite")) from error


@case("`resume` while the run is still at work", LogBusy)
def busy(path: Path) -> None:
    with SQLiteLog.open(path, write=True):
        resume(path)


@case("an SQL shell in the middle of a transaction", LogBusy)
def shell(path: Path) -> None:
    db = sqlite3.connect(path, isolation_level=None)
    db.execute("BEGIN IMMEDIATE")
    try:
        resume(path)
    finally:
        db.close()


@case("the disk full")
def full(path: Path) -> None:
    with SQLiteLog.open(path, write=True) as log:
        log._db.execute("PRAGMA max_page_count = 1")  # that is: no page more than there are
        for k in range(N, 10_000):
            log.record(outcome(k), instance(outcome(k).step))


@case("a quota, a limit on file sizes, or a failing disk")
def limited(path: Path) -> None:
    result = subprocess.run(
        [sys.executable, "-c", LIMITED, path], capture_output=True, text=True, check=True
    )
    raise LogError(result.stdout.strip())


LIMITED = f"""
import resource, signal, sys
sys.path.insert(0, {str(Path(__file__).parent)!r})
from samples import fill
from racing.base.errors import LogError
from racing.log import SQLiteLog
with SQLiteLog.open(sys.argv[1], write=True) as log:
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
    try:
        fill(log, 10_000, start={N})
    except LogError as error:
        print(error)
"""


@case("a read-only log")
def read_only(path: Path) -> None:
    path.chmod(0o444)
    with unprivileged():
        resume(path)


@case("a read-only folder")
def read_only_folder(path: Path) -> None:
    path.parent.chmod(0o555)
    with unprivileged():
        resume(path)


@case("an experiment evaluated twice")
def twice(path: Path) -> None:
    with SQLiteLog.open(path, write=True) as log:
        log.record(replace(outcome(4), cost=1.5), instance(1))


@case("`resume` with other instances")
def other_instances(path: Path) -> None:
    with SQLiteLog.open(path, write=True) as log:
        log.record(outcome(N), replace(instance(5), seed=1))
        log.record(outcome(N + 1), replace(instance(5), seed=2))


@case("`resume` with other candidates")
def other_candidates(path: Path) -> None:
    with SQLiteLog.open(path, write=True) as log:
        log.add([replace(CANDIDATES[1], values={"alpha": 9.0})])


@case("`resume` with another rule")
def other_rule(path: Path) -> None:
    with SQLiteLog.open(path, write=True) as log:
        log.record_verdict(replace(VERDICT, leader=2))


EDITED = {
    "a log edited by hand: another winner": "UPDATE run SET winner = 1, stopped = 'budget'",
    "a log with a trigger": "CREATE TRIGGER t AFTER INSERT ON outcome BEGIN SELECT 1; END",
    "a log without one of its tables": "DROP TABLE extension",
    "a log that lost some outcomes": "DELETE FROM outcome WHERE number BETWEEN 5 AND 8",
    "a log that lost a candidate": "DELETE FROM candidate WHERE number = 3",
}
for what, script in EDITED.items():
    CASES[what] = (lambda path, script=script: (sql(path, script), resume(path)), LogDamaged)


@contextmanager
def unprivileged() -> Iterator[None]:
    """Not as root, for whom nothing is read-only."""
    root = os.geteuid() == 0
    if root:
        os.seteuid(65534)
    try:
        yield
    finally:
        if root:
            os.seteuid(0)


@pytest.fixture
def path() -> Iterator[Path]:
    """A sample log, in a folder that everybody may write."""
    folder = Path(tempfile.mkdtemp(prefix="racing-"))
    folder.chmod(0o777)
    path = make(folder / "run.sqlite", N)
    path.chmod(0o666)
    yield path
    folder.chmod(0o777)
    shutil.rmtree(folder)


def promised() -> dict[str, str]:
    """What docs/bad-input.md says of logs: bad input → message, with … for what varies."""
    section = DOCS.read_text().partition("\n## Logs\n")[2].partition("\n## ")[0]
    rows = [line.strip("| ").split(" | ") for line in section.splitlines() if line.startswith("| ")]
    return {what.strip(): message.strip() for what, message in rows[2:]}


@pytest.mark.parametrize("view", ["run", "outcome", "session"])
def test_a_log_of_a_newer_version_is_not_searched_for_ever(path: Path, view: str) -> None:
    numbers = "WITH RECURSIVE n (k) AS (SELECT 1 UNION ALL SELECT k + 1 FROM n)"
    body = f"{numbers} SELECT max(k) AS racing FROM n"
    sql(path, f"PRAGMA user_version = 99; DROP TABLE {view}; CREATE VIEW {view} AS {body}")
    with pytest.raises(LogVersionError):
        SQLiteLog.open(path, write=False)


def test_any_two_pages_swapped_lose_no_outcome(path: Path) -> None:
    """Only equal pages, and those of tables without rows, may be swapped unnoticed."""
    whole = path.read_bytes()
    pages = [whole[start : start + 4096] for start in range(0, len(whole), 4096)]
    for one, other in combinations(range(1, len(pages)), 2):
        mixed = pages.copy()
        mixed[one], mixed[other] = mixed[other], mixed[one]
        path.write_bytes(b"".join(mixed))
        with suppress(LogDamaged), SQLiteLog.open(path, write=False) as log:
            assert log.outcomes() == [outcome(k) for k in range(N)]
            assert log.verdicts() == [VERDICT]


def test_the_docs_list_every_case() -> None:
    assert promised().keys() == CASES.keys()
    assert len(CASES) >= 20


@pytest.mark.parametrize("what", CASES)
def test_a_bad_log_gets_its_message(what: str, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opening, "WAIT", 0.01)
    function, kind = CASES[what]
    with pytest.raises(LogError) as caught:
        function(path)
    said = str(caught.value).replace(str(path.parent), "runs")
    pattern = ".*".join(map(re.escape, promised()[what].split("…")))
    assert re.fullmatch(pattern, said, re.DOTALL), said
    assert type(caught.value) is kind
    assert not list(path.parent.glob("*.new*"))


@pytest.mark.parametrize("function", [full, limited, read_only, read_only_folder, shell, busy])
def test_outcomes_outlive_the_fault(
    function: Case, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(opening, "WAIT", 0.01)
    with pytest.raises(LogError):
        function(path)
    path.parent.chmod(0o777)
    path.chmod(0o666)
    with SQLiteLog.open(path, write=True) as log:
        n = len(log.outcomes())
        assert n >= N
        fill(log, n + 5, start=n)
        assert log.outcomes() == [outcome(k) for k in range(n + 5)]


@pytest.mark.parametrize("size", [1, 15, 16, 99, 100, 511, 512, 4095, 4096, 4097, 20_000, -1])
@pytest.mark.parametrize("write", [False, True])
def test_a_log_cut_anywhere_is_refused_and_left_alone(path: Path, size: int, write: bool) -> None:
    os.truncate(path, size if size > 0 else path.stat().st_size - 1)
    before = path.read_bytes()
    with pytest.raises(LogDamaged):
        SQLiteLog.open(path, write=write)
    assert path.read_bytes() == before
    assert [found.name for found in path.parent.iterdir()] == [path.name]


def test_a_log_with_any_page_overwritten_is_refused_and_left_alone(path: Path) -> None:
    whole = path.read_bytes()
    for start in range(0, len(whole), 4096):
        for junk in (b"\0", b"\xff", b"racing"):
            page = (junk * 4096)[:4096]
            path.write_bytes(broken := whole[:start] + page + whole[start + 4096 :])
            for write in (False, True):
                with pytest.raises(LogDamaged):
                    SQLiteLog.open(path, write=write)
            assert path.read_bytes() == broken


def test_readers_need_no_right_to_write(path: Path) -> None:
    path.chmod(0o444)
    path.parent.chmod(0o555)
    with unprivileged(), SQLiteLog.open(path, write=False) as log:
        assert len(log.outcomes()) == N


def test_a_log_in_use_is_read_by_others_too(path: Path) -> None:
    with SQLiteLog.open(path, write=True) as log:
        fill(log, N + 1, start=N)
        for found in path.parent.iterdir():
            found.chmod(0o444)
        path.parent.chmod(0o555)
        with unprivileged(), SQLiteLog.open(path, write=False) as reader:
            assert len(reader.outcomes()) == N + 1
        path.parent.chmod(0o777)


def test_a_closed_log_says_so(path: Path) -> None:
    log = SQLiteLog.open(path, write=True)
    log.close()
    with pytest.raises(LogError, match="closed"):
        log.outcomes()


def test_what_flipped_bytes_and_odd_cells_do_is_told(path: Path) -> None:
    """Whatever a damaged log holds, reading it ends well or with an error of ours."""
    whole, rng = path.read_bytes(), np.random.default_rng(1)
    read, refused = 0, 0
    for trial in range(150):
        for ending in ("-wal", "-shm"):
            path.with_name(path.name + ending).unlink(missing_ok=True)
        if trial % 2:
            broken = bytearray(whole)
            for place in rng.integers(100, len(whole), size=rng.integers(1, 6)):
                broken[place] ^= 1 << int(rng.integers(8))
            path.write_bytes(broken)
        else:
            path.write_bytes(whole)
            column, value = rng.choice(COLUMNS), rng.choice(ODD_CELLS)
            table, _, name = str(column).partition(".")
            with suppress(sqlite3.Error):
                sql(path, f"UPDATE {table} SET {name} = {value} WHERE rowid = 1")
        try:
            with SQLiteLog.open(path, write=False) as log:
                gather(log)
                export(log, path.with_name("out"))
            read += 1
        except RacingError:
            refused += 1
    assert read > 10
    assert refused > 50


COLUMNS = [
    *("run.name", "run.seed", "run.direction", "run.objective", "run.scenario", "run.stopped"),
    *("run.winner", "candidate.id", "candidate.name", "candidate.configuration", "candidate.draw"),
    *("candidate.parent", "candidate.origin", "candidate.entered", "instance.step"),
    *("instance.name", "instance.seed", "outcome.candidate", "outcome.step", "outcome.cost"),
    *("outcome.seconds", "outcome.status", "outcome.message", "outcome.attempts"),
    *("outcome.elapsed", "outcome.worker", "outcome.started", "outcome.checksum"),
    *("verdict.instances", "verdict.leader", "verdict.about", "verdict.steps", "verdict.gate"),
    *("verdict.gate_statistic", "elimination.candidate", "elimination.against"),
    *("elimination.reason", "elimination.measure", "elimination.value", "session.pid"),
    *("session.started", "session.elapsed"),
]
ODD_CELLS = ["NULL", "-7", "99", "1e999", "'odd'", "x'00ff'", "'[]'", "'{\"race\": 3}'", "''"]


def test_a_log_that_lost_its_wal_says_so(path: Path) -> None:
    killed = path.with_name("killed")
    killed.mkdir()
    with SQLiteLog.open(path, write=True) as log:
        log.begin_session(2**22 + 1, socket.gethostname())  # no process has such an id
        fill(log, N + 4, start=N)
        for ending in ("", "-wal"):
            shutil.copy(f"{path}{ending}", killed)
        log.end_session("interrupted")
    alone = path.with_name("alone.sqlite")
    shutil.copy(killed / path.name, alone)
    for name, lost in ((killed / path.name, False), (alone, True), (path, False)):
        for _ in range(2):  # reading tidies up, and must not be taken for a loss
            with SQLiteLog.open(name, write=False) as log:
                assert log.lost_wal == lost
    with SQLiteLog.open(killed / path.name, write=False) as log:
        assert len(log.outcomes()) == N + 4
        assert log.sessions()[-1].why == "killed"
