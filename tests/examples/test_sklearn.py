"""The examples for scikit-learn, with fewer folds."""

from __future__ import annotations

import pytest

from examples.sklearn import data_sets, pipeline, size


def test_the_pipeline_is_tuned_with_fewer_fits_and_every_line_is_printed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    search, accuracy = pipeline.tune(5, 2)
    assert search.n_fits_ < 0.8 * 25 * 10
    assert accuracy > 0.9
    monkeypatch.setattr(pipeline, "tune", lambda: (search, accuracy))
    pipeline.main()
    said = capsys.readouterr().out
    assert f"{search.n_fits_} of 250 fits" in said
    assert "left as" in said


def test_a_tree_chosen_by_accuracy_and_size_has_no_more_leaves(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    both = {refit: size.tune(1, refit=refit) for refit in ("accuracy", "worth", "knee")}
    leaves = {
        refit: -found.cv_results_["mean_test_leaves"][found.best_index_]
        for refit, found in both.items()
    }
    assert leaves["worth"] <= leaves["accuracy"]
    assert both["knee"].cv_results_["on_front"][both["knee"].best_index_]
    found = both["worth"].cv_results_
    worth = found["mean_test_accuracy"] + size.PRICE * found["mean_test_leaves"]
    assert found["mean_test_worth"] == pytest.approx(worth)
    monkeypatch.setattr(size, "tune", lambda *, refit: both[refit])
    size.main()
    said = capsys.readouterr().out
    assert f"{both['worth'].n_fits_} of 100 fits" in said
    assert f"{leaves['worth']:.1f} leaves" in said
    assert said.partition("the front:")[2].count("leaves") == len(both["knee"].race_.front)


def test_the_classifiers_that_are_behind_on_most_data_sets_leave(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    race = data_sets.run(5, 1)
    names = {race.candidates[e.candidate - 1].name for v in race.verdicts for e in v.eliminated}
    assert "most frequent" in names
    assert str(race.winner) in ("SVC", "naive Bayes", "3 neighbours", "tree")
    monkeypatch.setattr(data_sets, "run", lambda: race)
    data_sets.main()
    assert f"winner: {race.winner}, after {race.outcomes} fits" in capsys.readouterr().out
