"""Tells whether an implementation of the Model Context Protocol conforms, and if not, what exactly is wrong.

PYTEST_DONT_REWRITE: there are no asserts here, and pytest would warn that the package was imported before it looked.
"""

__all__ = ["__version__"]

__version__ = "0.1.0"
