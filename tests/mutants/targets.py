"""Errors in what is made of a target's answer."""

from __future__ import annotations

from tests.mutants.mutation import mutation

SCORE = ("evaluate/test_score.py",)

# fmt: off
TABLE = (
    mutation("the seconds that a target reports are ignored",
             "None if seconds is None else _seconds(seconds),",
             "None,",
             *SCORE),
    mutation("negative seconds are taken",
             "if not least <= number <= most:",
             "if not number <= most:",
             *SCORE),
    mutation("1,234.5 is skipped",
             "if NUMBER_LIKE.fullmatch(word):",
             "if False:",
             *SCORE),
    mutation("true is a number of seconds",
             "or (isinstance(value, bool) and not truth):",
             ":",
             *SCORE),
    mutation("NaN is a cost",
             "if math.isnan(number):",
             "if False:",
             *SCORE),
    mutation("scores to be maximized are minimized",
             'cost_of(attempt.score, self.direction)',
             "attempt.score",
             "evaluate/test_evaluator.py"),
    mutation("an attempt too few",
             "number < 1 + self.retries + (self.deaths > 0)",
             "number < self.retries + (self.deaths > 0)",
             "evaluate/test_task.py"),
    mutation("a death of a worker allows no attempt more",
             "number < 1 + self.retries + (self.deaths > 0)",
             "number < 1 + self.retries",
             "evaluate/test_task.py"),
    mutation("a worker that died is charged to the experiment",
             "self.seconds += 0.0 if died else attempt.seconds",
             "self.seconds += attempt.seconds",
             "evaluate/test_task.py"),
    mutation("only the last attempt's seconds count",
             "seconds=attempt.seconds + self.seconds",
             "seconds=attempt.seconds",
             "evaluate/test_task.py"),
)
