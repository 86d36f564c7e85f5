"""Implementations that conform, to run against when nothing else is given and to prove the checks on."""
