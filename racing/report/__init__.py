"""From a run's log to facts, and from facts to a page and to figures.

facts, gain, search                        what `racing show` prints
heard, course, history                     a run told again once: what all pictures are made of
matrices, departures, running, lanes       one question each, as data
uses, failures, parameters, pair           ...
finalists, origins                         ...
story                                      the run in a paragraph
pictures/                                  facts → pictures: title, sentence, table and numbers
page/                                      pictures → one HTML file
figures/                                   pictures → matplotlib
live                                       the page while the run goes on
"""

from racing.report.facts import Facts, gather
from racing.report.history import History, history

__all__ = ["Facts", "History", "gather", "history"]
