"""Figures for papers, drawn by matplotlib; only positions are computed here.

charts, configurations, measures           pictures of a run
diagram, critical_difference               mean ranks of a comparison: as data, and drawn
pair_matrices, simplex                     p-values and posterior probabilities of a comparison
runs, portfolio                            pictures of several runs, and of a team
canvas, intervals                          what all of them share

Needs matplotlib, which is imported when something is drawn: pip install 'racing[plot]'.
"""
