"""From a run's log to facts, and from these to documents, JSON, pages and figures.

facts, tally, search_facts                 a run in figures, as it was driven or is replayed
run, run_document                          the same in the user's direction: `--json`, and documents
families                                   the gain for each family of instances
use_forms                                  the winner's configuration as a command line, YAML, JSON
status                                     whether a run is at work, and what to do next, in words
history                                    a run replayed once: what all pictures are made of
outcome_columns, trajectory, failures      what is collected meanwhile
matrices, eliminations, lead, pair,        one question each
  origins, parameters, scales, finalists,
  importance, incumbent, spending, payment,
  worker_timeline, activity
several                                    runs side by side
check, forecast, plan                      a scenario before it runs: facts, and documents of them
explanation, explanation_document          what explains a winner: facts, and a document of them
portfolio, portfolio_words                 teams: facts and a document, in words
watched                                    a run under way, as a document
summary                                    the head of a page
names                                      how candidates are named and ordered on pages
forms                                      what is drawn: axes, and marks of eight forms
pictures/                                  history → pictures: title, sentence, figure and table
page/                                      pictures → one HTML file
figures                                    pictures → files by matplotlib, and axes of one's own
notebook                                   small pictures of a race or search in notebooks
live, bounded_server                       the page of a run that is at work
"""

from racing.report.facts import Facts, facts_after, gather
from racing.report.history import History, history, read_history

__all__ = ["Facts", "History", "facts_after", "gather", "history", "read_history"]
