"""The commands `report` and `compare --html`."""

from __future__ import annotations

import csv
import json

from racing.cli import exits, main
from racing.runner.run import run
from tests.runs_kit import calls, write_scenario


def a_run(folder):
    log = folder / "log.sqlite"
    run(write_scenario(folder, budget=60), log=log)
    return log


def test_the_page_lies_beside_the_log_or_where_it_is_wanted(tmp_path, capsys):
    log = a_run(tmp_path)
    assert main(["report", str(log)]) == exits.OK
    page = (tmp_path / "log.html").read_text()
    assert page.startswith("<!doctype html>")
    assert '<h1 id="headline">#' in page or "Undecided" in page
    assert main(["report", str(log), "-o", str(tmp_path / "other.html"), "--json"]) == exits.OK
    assert json.loads(capsys.readouterr().out) == {"files": [str(tmp_path / "other.html")]}
    assert (tmp_path / "other.html").read_text() == page


def test_figures_go_into_a_folder(tmp_path):
    log = a_run(tmp_path)
    assert main(["report", str(log), "--svg", str(tmp_path / "figures")]) == exits.OK
    names = {path.name for path in (tmp_path / "figures").iterdir()}
    assert {"survivors.svg", "ranks.svg", "effects.svg"} <= names
    assert not (tmp_path / "log.html").exists()


def test_two_runs_share_a_page(tmp_path, capsys):
    logs = []
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        logs.append(str(a_run(tmp_path / name).rename(tmp_path / f"{name}.sqlite")))
    assert main(["report", *logs]) == exits.OK
    text = (tmp_path / "one-two.html").read_text()
    assert "2 runs" in text
    assert "found the same configuration." in text
    assert main(["report", *logs, "--png", str(tmp_path / "figures")]) == exits.BAD_INPUT
    assert "take one run" in capsys.readouterr().err


def test_what_cannot_be_read_or_written_is_said(tmp_path, capsys):
    assert main(["report", str(tmp_path / "nothing.sqlite")]) != exits.OK
    assert "there is no log" in capsys.readouterr().err
    log = a_run(tmp_path)
    assert main(["report", str(log), "-o", str(tmp_path / "no" / "page.html")]) != exits.OK
    assert "cannot be written" in capsys.readouterr().err


def test_a_table_of_results_gets_a_page_too(tmp_path):
    rows = "\n".join(f"i{k},{k},{k + 1 + k % 3},{9 - k % 4}" for k in range(9))
    (tmp_path / "table.csv").write_text(f"instance,<b>a</b>,b,c\n{rows}\n")
    page = tmp_path / "page.html"
    assert main(["compare", str(tmp_path / "table.csv"), "--html", str(page)]) == exits.OK
    text = page.read_text()
    assert "which has the best mean rank" in text
    assert "<b>a</b>" not in text


# --- the command `racing export` ---


def test_export_writes_tables(racing, log, tmp_path):
    said = racing("export", log)
    assert said.code == 0
    files = said.out.splitlines()
    assert str(tmp_path / "log" / "outcomes.csv") in files
    with (tmp_path / "log" / "outcomes.csv").open() as file:
        assert len(list(csv.DictReader(file))) == len(calls(tmp_path))
    assert racing("export", log, "--to", tmp_path / "b", "--json").data["files"]
