"""Targets, single evaluations, and the pools that run many of them."""
