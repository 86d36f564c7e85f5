"""Tells whether an implementation of the Model Context Protocol conforms, and if not, what exactly is wrong."""

__all__ = ["__version__"]

__version__ = "0.1.0"
