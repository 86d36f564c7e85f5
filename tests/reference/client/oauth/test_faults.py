"""Faults of the OAuth side are named and described."""

from __future__ import annotations

import re

import pytest

from pytest_mcp_conformance.reference.client.oauth import OAuthFault


@pytest.mark.parametrize("fault", list(OAuthFault))
def test_a_fault_says_in_one_sentence_what_it_does(fault: OAuthFault) -> None:
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", fault)
    assert re.fullmatch(r"[A-Z][^.]*\.", fault.text), fault.text
