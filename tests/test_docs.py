"""What the documentation says of options and scenarios is what the code declares."""

from __future__ import annotations

import re
import runpy
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PAGES = runpy.run_path(str(ROOT / "docs" / "generate.py"))["pages"]()
MARKDOWN = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/*.md")])


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_a_page_made_from_the_code_is_up_to_date(path: Path) -> None:
    assert path.read_text() == PAGES[path], "run: python docs/generate.py"


@pytest.mark.parametrize("path", MARKDOWN, ids=lambda path: path.name)
def test_links_between_pages_lead_somewhere(path: Path) -> None:
    links = re.findall(r"\]\((?!https?:|#)([^)#]+)", path.read_text())
    assert [link for link in links if not (path.parent / link).exists()] == []
