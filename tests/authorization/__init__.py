"""Tests of the authorization leg."""
