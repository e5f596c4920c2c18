"""From a run's log to facts, and from these to documents, JSON, pages and figures.

facts, tally                     a run in figures, as it was driven or is replayed
run, run_document, run_tables    the same in the user's direction: `--json`, and documents
unseen                           a test of its result on unseen problems: facts, and a document
families                         the gain for each family of instances
use_forms                        the winner's configuration as a command line, YAML, JSON
status                           whether a run is at work, and what to do next, in words
watched                          a run under way: what it does now, and a document
history, matrices, parameters    a run replayed once: what all pictures are made of
several                          runs side by side
check, forecast, plan            a scenario before it runs: its goal, facts, and documents
explanation                      what explains a winner, as a document
portfolio                        teams: facts, a document, in words
forms, picture                   what is drawn: axes, and marks of eight forms; words around it
pictures/                        history → pictures: title, sentence, figure and table
page/                            pictures → one HTML file
figures                          pictures → files by matplotlib, and axes of one's own
notebook                         a race, a search or a result in notebooks
live, bounded_server             the page of a run that is at work
"""

from racing.report.facts import Facts, facts_after, gather
from racing.report.history import History, history, read_history

__all__ = ["Facts", "History", "facts_after", "gather", "history", "read_history"]
