"""The page as a person has it: searched, filtered, by keyboard, on a phone, in the dark."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from pytest_mcp_conformance.model import Ending, Status
from pytest_mcp_conformance.reporting.page import page
from tests.reporting.chromium import PROGRAM, Page, browser
from tests.reporting.runs import check, every_kind, hostile, record, result

pytestmark = pytest.mark.skipif(PROGRAM is None, reason="Chromium is not installed")

PHONE = 390
VISIBLE = "[...document.querySelectorAll('details.scenario:not([hidden]) .name')].map((each) => each.textContent)"
ROWS = "[...document.querySelectorAll('.matrix tbody tr:not([hidden]) th')].map((each) => each.textContent)"
COUNT = "document.getElementById('count').textContent"
OPEN_ALL = "for (const each of document.querySelectorAll('details')) each.open = true"
REACHED = "((each) => `${each.tagName} ${each.name || each.className}`.trim())(document.activeElement)"
SETTLED = "new Promise((done) => requestAnimationFrame(() => setTimeout(done, 50)))"

# The least contrast of any text with what lies behind it: WCAG 2.2, 1.4.3 asks for 4.5.
CONTRAST = """
(() => {
  const channel = (value) => (value /= 255) <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  const parts = (color) => color.match(/[\\d.]+/g).map(Number);
  const light = ([r, g, b]) => 0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b);
  const behind = (element) => {
    for (let each = element; each; each = each.parentElement) {
      const color = parts(getComputedStyle(each).backgroundColor);
      if (color.length < 4 || color[3] > 0) return color;
    }
    return [255, 255, 255];
  };
  let least = [99, ""];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement;
    if (!walker.currentNode.data.trim() || !element.checkVisibility() || element.closest("script, style")) continue;
    const [one, other] = [light(parts(getComputedStyle(element).color)), light(behind(element))].sort((a, b) => b - a);
    const contrast = (one + 0.05) / (other + 0.05);
    if (contrast < least[0]) least = [contrast, element.outerHTML.slice(0, 200)];
  }
  return least;
})()
"""


@pytest.fixture(scope="module")
def chromium() -> Iterator[Page]:
    with browser() as shown:
        yield shown


@pytest.fixture(scope="module")
def kinds(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("page") / "kinds.html"
    path.write_text(page(every_kind()))
    return path


@pytest.fixture(scope="module")
def wild(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("page") / "hostile.html"
    path.write_text(page(hostile()))
    return path


def choose(shown: Page, value: str) -> None:
    shown.run(f"document.querySelector('input[value=\"{value}\"]').click()")


def test_search_finds_names_checks_and_texts(chromium: Page, kinds: Path) -> None:
    chromium.open(kinds)
    assert chromium.run(COUNT) == "16 of 16 shown."
    for text, names in (
        ("one-fail", ["one-failure", "one-failure"]),
        ("TOOLS-NAME-FORMAT", ["one-warning"]),
        ("refused connection", ["gone"]),
        ("issues/7", ["excused"]),
        ("2025-11-25 failed", ["one-failure"]),
        ("no such thing", []),
    ):
        chromium.type("#search", text)
        assert chromium.run(VISIBLE) == names, text
        assert chromium.run(ROWS) == sorted(set(names))
        assert chromium.run("document.getElementById('none').hidden") is bool(names)
    chromium.type("#search", "")
    assert chromium.run(COUNT) == "16 of 16 shown."
    assert chromium.complaints() == []


def test_filters_combine_and_are_reset(chromium: Page, kinds: Path) -> None:
    chromium.open(kinds)
    choose(chromium, "failed")
    assert chromium.run(VISIBLE) == ["one-failure", "one-failure"]
    choose(chromium, "stale")
    assert chromium.run(VISIBLE) == ["one-failure", "one-failure", "repaired"]
    choose(chromium, "2025-11-25")
    assert chromium.run(VISIBLE) == ["one-failure"]
    chromium.type("#search", "nowhere")
    assert chromium.run(VISIBLE) == []
    chromium.run("document.querySelector('button[type=reset]').click()")
    chromium.run(SETTLED)
    assert chromium.run(COUNT) == "16 of 16 shown."


def test_a_cell_of_the_matrix_opens_its_scenario_even_where_a_filter_hides_it(chromium: Page, kinds: Path) -> None:
    chromium.open(kinds)
    choose(chromium, "failed")
    chromium.run("[...document.querySelectorAll('.matrix a')].find((each) => each.title === 'warned').click()")
    chromium.run(SETTLED)
    assert chromium.run("document.querySelector('details.scenario[open] .name').textContent") == "one-warning"
    assert chromium.run("document.activeElement.closest('details').dataset.state") == "warned"


def test_a_transcript_is_made_when_it_is_opened_and_shows_what_decided(chromium: Page, kinds: Path) -> None:
    chromium.open(kinds)
    assert chromium.run("document.querySelectorAll('.entry').length") == 0
    chromium.run("document.querySelector('details.failed').open = true")
    chromium.run("document.querySelector('details.failed .jump').click()")
    chromium.run(SETTLED)
    assert chromium.run("document.querySelectorAll('.entry').length") == 3
    assert "→ POST tools/list" in chromium.run("document.querySelector('.entry.decided').textContent")


def test_a_long_transcript_is_made_in_parts(chromium: Page, tmp_path: Path) -> None:
    path = tmp_path / "long.html"
    path.write_text(page(record(result("a", Ending.FAILED, check(Status.FAILURE, got=1), entries=497))))
    chromium.open(path)
    chromium.run("document.querySelector('details.transcript').open = true")
    chromium.run(SETTLED)
    assert chromium.run("document.querySelectorAll('.entry').length") == 200
    assert chromium.run("document.querySelector('.transcript > button').textContent") == "Show more (300 left)"
    for _ in range(2):
        chromium.run("document.querySelector('.transcript > button').click()")
    assert chromium.run("document.querySelectorAll('.entry').length") == 500
    assert chromium.run("document.querySelector('.transcript > button').hidden") is True


@pytest.mark.parametrize("which", ["kinds", "wild"])
def test_nothing_overflows_on_a_phone(chromium: Page, which: str, request: pytest.FixtureRequest) -> None:
    chromium.open(request.getfixturevalue(which), width=PHONE, height=844)
    assert chromium.run("document.documentElement.scrollWidth") == PHONE
    chromium.run(OPEN_ALL)
    chromium.run(SETTLED)
    assert chromium.run("document.querySelectorAll('.entry').length") > 10
    assert chromium.run("document.documentElement.scrollWidth") == PHONE


def test_hostile_texts_do_nothing(chromium: Page, wild: Path) -> None:
    chromium.open(wild)
    chromium.run(OPEN_ALL)
    chromium.run(SETTLED)
    chromium.type("#search", "</script><img src=x onerror=alert(1)>")
    assert "hostile-0" in chromium.run(VISIBLE)
    assert chromium.run("document.querySelectorAll('img, iframe, object, body script:not([type])').length") == 1
    assert "alert(1)" in chromium.run("document.querySelector('.entry').parentElement.textContent")
    assert chromium.complaints() == []


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_every_text_has_enough_contrast(chromium: Page, kinds: Path, *, dark: bool) -> None:
    chromium.open(kinds, dark=dark)
    chromium.run(OPEN_ALL)
    chromium.run("document.querySelector('.jump').click()")
    chromium.run(SETTLED)
    contrast, where = chromium.run(CONTRAST)
    assert contrast >= 4.5, where


def test_everything_is_reached_by_keyboard_and_has_a_name(chromium: Page, kinds: Path) -> None:
    chromium.open(kinds)
    reached = []
    for _ in range(60):
        chromium.press("Tab", 9)
        reached.append(chromium.run(REACHED))
    assert reached[0] == "A skip"
    assert {"INPUT", "INPUT state", "INPUT revision", "BUTTON", "A failed", "A passed", "SUMMARY"} <= set(reached)
    chromium.run("document.querySelector('details.scenario > summary').focus()")
    chromium.press("Enter", 13)
    assert chromium.run("document.querySelector('details.scenario').open") is True
    chromium.call("Accessibility.enable")
    nodes = chromium.call("Accessibility.getFullAXTree")["nodes"]
    operable = {"textbox", "searchbox", "checkbox", "button", "link", "DisclosureTriangle"}
    nameless = [node for node in nodes if node["role"]["value"] in operable and not node.get("name", {}).get("value")]
    assert nameless == []
    chromium.call("Accessibility.disable")


def test_a_page_of_many_scenarios_is_quick(chromium: Page, tmp_path: Path) -> None:
    failure = check(Status.FAILURE, got=[{"name": "echo"}])
    path = tmp_path / "many.html"
    path.write_text(
        page(
            record(
                *(result(f"scenario-{n}", Ending.FAILED, failure, answer="x" * 15_000, entries=200) for n in range(65))
            )
        )
    )
    chromium.open(path)
    ready = chromium.run("performance.getEntriesByType('navigation')[0].loadEventEnd")
    assert ready < 5_000
    spent = chromium.run(
        "(() => { const start = performance.now(); const box = document.getElementById('search'); box.value = 'scenario-6';"
        " box.dispatchEvent(new Event('input', { bubbles: true })); return performance.now() - start; })()"
    )
    assert spent < 1_000
    assert chromium.run(COUNT) == "6 of 65 shown."
