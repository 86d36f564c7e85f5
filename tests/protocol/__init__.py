"""Tests of what lies below every scenario."""
