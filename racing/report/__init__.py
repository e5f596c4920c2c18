"""From a run's log to facts, and from these to documents, JSON, pages and figures.

facts, parts, counts             a run in figures, in the user's direction, as it was driven or is
                                 replayed: `--json`, pages and documents are made of this record
run_document, run_tables         documents of a run, and of a test on unseen problems
families                         the gain for each family of instances
watched                          a run under way: what it does now, and a document
history, parameters              a run replayed once: what all pictures are made of
check, forecast, plan            a scenario before it runs: its goal, facts, and documents
explanation                      what explains a winner, as a document
portfolio                        a team as a document, and as text that is used
forms, picture                   what is drawn: axes, and marks of eight forms; words around it
pictures/                        history → pictures: title, sentence, figure and table
page/                            pictures → one HTML file
figures                          pictures → files by matplotlib, and axes of one's own
notebook                         a race, a search or a result in notebooks
live                             the page of a run that is at work
"""

from racing.report.facts import Facts, facts_after, gather
from racing.report.history import History, history, read_history

__all__ = ["Facts", "History", "facts_after", "gather", "history", "read_history"]
