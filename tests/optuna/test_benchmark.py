"""The benchmark of pruners, in its small form."""

from __future__ import annotations

from benchmarks.optuna_pruners import PRUNERS, main


def test_every_pruner_has_its_row_and_saves_evaluations(capsys):
    main(["--small"])
    rows = [line.split("|")[1:-1] for line in capsys.readouterr().out.splitlines()[2:]]
    shares = {name.strip(): float(share.split("±")[0]) for name, share, _ in rows}
    assert set(shares) == set(PRUNERS)
    assert shares.pop("none") == 1.0
    assert all(share < 0.9 for share in shares.values())
