"""Tests of what a reader gets."""
