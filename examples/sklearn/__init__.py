"""Races in place of grid searches, on data that comes with scikit-learn."""
