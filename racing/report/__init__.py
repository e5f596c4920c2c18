"""From a run's log to facts, from facts to data, and from these to text, pages and figures.

facts, tally, gain, search_facts           a run in figures, as it was driven or is replayed
data, pair_data, holdout_data,             the same as plain data: `--json`, and what texts are of
  front_data, explanation_data, team_data
paired, answer, limit_words,               what a comparison shows, and the result in words
  search_answer
families, family_rows, family_words        the same for each family of instances
use_forms                                  the winner's configuration as a command line, YAML, JSON
status                                     whether a run is at work, and what to do next, in words
history                                    a run replayed once: what all pictures are made of
outcome_columns, trajectory, failures      what is collected meanwhile
matrices, eliminations, lead, pair,        one question each
  origins, parameters, scales, finalists,
  importance, incumbent, spending, payment,
  worker_timeline, activity
several                                    runs side by side
portfolio, portfolio_words,                teams: as data, in words, to be used
  portfolio_forms
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
