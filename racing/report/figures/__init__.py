"""Figures for papers, drawn by matplotlib; only positions are computed here.

charts, configurations                     pictures of a run
diagram, critical_difference               mean ranks of a comparison: as data, and drawn
pair_matrices, simplex                     p-values and posterior probabilities of a comparison
canvas                                     what all of them share

Needs matplotlib, which is imported when something is drawn: pip install 'racing[plot]'.
"""
