"""Writes the pages and blocks that are made from the code: options, scenarios, additions, what a server must expose.

    python docs/generate.py

A test holds that what is committed is what this writes.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from pathlib import Path

import yaml

from pytest_mcp_conformance.declared_options import DECLARED, Option
from pytest_mcp_conformance.listing import window
from pytest_mcp_conformance.model import DRAFT, Leg, Requirement, Scenario
from pytest_mcp_conformance.registry import scenarios
from pytest_mcp_conformance.running_client import CLIENT_ENDS
from pytest_mcp_conformance.wire_checks import response_content_type

ROOT = Path(__file__).resolve().parent.parent
LEGS = {Leg.SERVER: "Server", Leg.CLIENT: "Client", Leg.AUTHORIZATION: "Authorization server"}
DEFAULT = re.compile(r" \(default(?: for a server)?: (.+)\)$")  # at the end of a help text
KINDS = {
    "text": "a text",
    "flag": "a switch",
    "list": "a list",
    "seconds": "a number",
    "count": "a whole number",
    "path": "a path",
}


def pages() -> Mapping[Path, str]:
    """Return the text of every file that is made from the code, whole."""
    readme = ROOT / "README.md"
    options = ROOT / "docs" / "options.md"
    differences = ROOT / "docs" / "differences.md"
    howto = ROOT / "docs" / "howto-server.md"
    return {
        readme: with_block(readme.read_text(), "options", option_table()),
        options: with_block(options.read_text(), "options", option_reference()),
        ROOT / "docs" / "scenarios.md": scenario_page(),
        differences: with_block(differences.read_text(), "additions", addition_table()),
        ROOT / "docs" / "server-needs.md": needs_page(),
        howto: with_block(howto.read_text(), "action", action_table()),
        ROOT / "docs" / "contributing.md": (ROOT / "CONTRIBUTING.md").read_text(),
    }


def with_block(text: str, name: str, block: str) -> str:
    """Put `block` between the two comments that name it."""
    start, end = f"<!-- {name}: generated from the declarations, kept by a test -->", f"<!-- end of {name} -->"
    pattern = re.compile(f"{re.escape(start)}.*?{re.escape(end)}", re.DOTALL)
    return pattern.sub(lambda _: f"{start}\n{block}\n{end}", text)


def option_table() -> str:
    """Return the options as a table."""
    rows = [
        f"| `{option.flag}{f' {option.metavar}' if option.metavar else ''}` | {option.help} |" for option in DECLARED
    ]
    return "\n".join(["| option | meaning |", "| --- | --- |", *rows])


def option_reference() -> str:
    """Return the options as a table with the name in a file, the way it is written and the default."""
    rows = [
        f"| `{option.flag}{f' {option.metavar}' if option.metavar else ''}`<br>`{option.name}` | {KINDS[option.kind]} |"
        f" {default_of(option)} | {DEFAULT.sub('', option.help)} |"
        for option in DECLARED
    ]
    return "\n".join(["| option, in a file | written | default | meaning |", "| --- | --- | --- | --- |", *rows])


def default_of(option: Option) -> str:
    """Return the default that the help of an option names."""
    named = DEFAULT.search(option.help)
    if named:
        return named[1]
    return "off" if option.kind == "flag" else "none"


def action_table() -> str:
    """Return what the GitHub Action takes and gives as a table."""
    action = yaml.safe_load((ROOT / "action.yml").read_text())
    rows = [
        f"| input | `{name}` | {each['description']}{f' Default: {default}.' if (default := each.get('default')) else ''} |"
        for name, each in action["inputs"].items()
    ]
    rows += [f"| output | `{name}` | {each['description']} |" for name, each in action["outputs"].items()]
    return "\n".join(["| | name | meaning |", "| --- | --- | --- |", *rows])


def addition_table() -> str:
    """Return our own checks as a table: what each decides, by which rule of the specification, and in which scenarios."""
    deciding: dict[Requirement, list[str]] = {}
    for leg in LEGS:
        for scenario in scenarios(leg).values():
            for requirement in scenario.decides:
                if requirement.addition:
                    deciding.setdefault(requirement, []).append(scenario.name)
    deciding |= {response_content_type(DRAFT): ["every server scenario"], CLIENT_ENDS: ["every client scenario"]}
    rows = [
        f"| {', '.join(names)} | `{each.id}` | {each.level.value} | {each.text} | {places(each)} |"
        for each, names in deciding.items()
    ]
    head = ["| scenarios | check | level | what it decides | where it is written |", "| --- | --- | --- | --- | --- |"]
    return "\n".join([*head, *rows])


def places(requirement: Requirement) -> str:
    """Return the places of a requirement as links."""
    return ", ".join(f"[{reference.id}]({reference.url})" for reference in requirement.spec)


def scenario_page() -> str:
    """Return the reference of every scenario with its checks."""
    lines = [
        "# Scenarios",
        "",
        "Every scenario, from its declaration: its purpose, the revisions at which it runs, and what its checks decide.",
        "Each run that exchanges MCP messages has the check `wire-schema-valid` as well, with a server under test the addition",
        "`x-response-content-type` where it answered a request, and with a client the addition `x-client-exit`. An *addition*",
        "is a check that the published suite does not have.",
    ]
    for leg, title in LEGS.items():
        lines += ["", f"## {title}"]
        for scenario in scenarios(leg).values():
            lines += ["", *scenario_section(scenario)]
    return "\n".join(lines) + "\n"


def scenario_section(scenario: Scenario) -> Iterable[str]:
    """Give the lines of one scenario."""
    yield f"### {scenario.name}"
    yield ""
    yield scenario.purpose
    yield ""
    if scenario.task:
        yield f"What the client has to do: {scenario.task}"
        yield ""
    where = f"the extension `{scenario.extension}`" if scenario.extension else ", ".join(window(scenario))
    yield f"Runs at: {where}.{' Suite `pending`.' if scenario.pending else ''}"
    yield ""
    yield "| check | level | what it decides |"
    yield "| --- | --- | --- |"
    for requirement in scenario.decides:
        yield requirement_row(requirement)


def requirement_row(requirement: Requirement) -> str:
    """Return the row of one check, with its place in the specification and the revisions at which it is decided."""
    text = requirement.text.replace("|", "\\|")
    bounds = [f"from {requirement.since.value} on"] if requirement.since else []
    bounds += [f"before {requirement.until.value}"] if requirement.until else []
    remarks = [*bounds, *(["addition"] if requirement.addition else [])]
    place = f" [{requirement.spec[0].id}]({requirement.spec[0].url})" if requirement.spec else ""
    remark = f" ({', '.join(remarks)})" if remarks else ""
    return f"| `{requirement.id}` | {requirement.level.value} | {text}{remark}{place} |"


def needs_page() -> str:
    """Return what a server must expose for the published scenarios."""
    lines = [
        "# What your server must expose",
        "",
        "The published scenarios call tools, read resources and get prompts of these names. A scenario whose fixture is",
        "missing fails, in words that say so. `tests/implementations/mcp_server/` is a server on the official Python SDK",
        "that has them all.",
    ]
    known = scenarios(Leg.SERVER)
    lines += ["", "## Tools", ""]
    for name, (tool, users) in collected(known, "tools").items():
        schema = json.dumps(tool.input_schema)
        told = [tool.behaviour, f"returns {tool.returns}" if tool.returns else ""]
        lines.append(f"- `{name}`: {'; '.join(filter(None, told))}.")
        lines.append(f"  Input schema: `{schema}`. Used by {', '.join(users)}.")
    lines += ["", "## Resources", ""]
    for name, (resource, users) in collected(known, "resources").items():
        kind = "template " if resource.template else ""
        lines.append(f"- {kind}`{name}`: returns {resource.returns}. Used by {', '.join(users)}.")
    lines += ["", "## Prompts", ""]
    for name, (prompt, users) in collected(known, "prompts").items():
        arguments = (
            f" with the arguments {', '.join(f'`{each}`' for each in prompt.arguments)}" if prompt.arguments else ""
        )
        lines.append(f"- `{name}`{arguments}: returns {prompt.returns}. Used by {', '.join(users)}.")
    lines += ["", "## Methods and other", ""]
    for scenario in known.values():
        lines += [f"- {scenario.name}: {text}" for text in [*scenario.needs.methods, *scenario.needs.other]]
    lines += ["", "## Scenarios without fixtures", ""]
    lines += ["These ask for no tool, resource or prompt of a given name. What else some of them need is listed above."]
    lines += ["", *(f"- {name} ({', '.join(window(each))})" for name, each in known.items() if without_fixtures(each))]
    return "\n".join(lines) + "\n"


def without_fixtures(scenario: Scenario) -> bool:
    """Tell whether a scenario of the core protocol asks for nothing that a server would have for its sake alone."""
    needs = scenario.needs
    return not (needs.tools or needs.resources or needs.prompts or scenario.extension)


def collected(known: Mapping[str, Scenario], kind: str) -> dict[str, tuple[object, list[str]]]:
    """Return what the scenarios need of one kind, each once, with the scenarios that use it."""
    found: dict[str, tuple[object, list[str]]] = {}
    for scenario in known.values():
        for each in getattr(scenario.needs, kind):
            name = each.uri if kind == "resources" else each.name
            found.setdefault(name, (each, []))[1].append(scenario.name)
    return dict(sorted(found.items()))


def main() -> None:
    """Write every page that has changed."""
    for path, text in pages().items():
        if not path.exists() or path.read_text() != text:
            path.write_text(text)
            print(f"wrote {path.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
