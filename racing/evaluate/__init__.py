"""Targets, how one evaluation goes, and the pools that run many."""
