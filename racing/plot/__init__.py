"""Figures: what to draw as data, then drawing; nothing is computed here.

Needs matplotlib, which is imported when something is drawn: pip install 'racing[plot]'.
"""
