"""Errors in reports: who is told as winner, by how much, and what hostile text becomes."""

from __future__ import annotations

from tests.mutants.mutation import mutation

# fmt: off
TABLE = (
    mutation("evaluations that decided nothing count", "report/facts.py",
             "        tally.remove(outcome)\n",
             "        pass\n",
             "report/test_facts.py::test_expenses_are_of_what_counts_in_every_state_of_a_run"),
    mutation("a gain in favour of the default", "report/gain.py",
             "difference=median_difference(costs[:, 0], costs[:, 1])",
             "difference=median_difference(costs[:, 1], costs[:, 0])",
             "report/test_gain.py"),
    mutation("the first candidate is the default, whoever is called so", "sketches.py",
             'named = [one for one in decider.candidates if one.name == "default"]',
             "named: list[Candidate] = []",
             "report/test_gain.py"),
    mutation("who is ahead has won", "report/story.py",
             'return f"{name} is ahead so far." if facts.stopped is None else f"{name} wins."',
             'return f"{name} wins."',
             "report/test_story.py"),
    mutation("a confirmed loss is told as a gain", "report/story.py",
             "'better' if confirmed.mean >= 0 else 'worse'",
             "'better'",
             "report/test_story.py"),
    mutation("any lead is clear", "report/story.py",
             "elif facts.gain.difference.low > 0:",
             "elif facts.gain.difference.high > 0:",
             "report/test_story.py"),
    mutation("text of a run ends the script of its page", "report/page/html.py",
             'text.replace("<", "\\\\u003c")',
             "text",
             "report/test_page.py"),
    mutation("the name of a run is markup", "report/page/html.py",
             'name=escape(run["name"])',
             'name=run["name"]',
             "report/test_page.py"),
    mutation("finalists are compared however few instances they share", "report/finalists.py",
             "if both.sum() >= least and len(chosen) < MOST:",
             "if len(chosen) < MOST:",
             "report/test_finalists.py"),
)
