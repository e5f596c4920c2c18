"""The version of racing."""

__version__ = "0.1.0"
