"""Tests of the reference authorization server: what it must refuse."""
