"""Headless Chromium, driven over its DevTools pipe: no driver program and no network port."""

from __future__ import annotations

import base64
import itertools
import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

PROGRAM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
    "--remote-debugging-pipe",
)


class Page:
    """One page of the browser."""

    def __init__(self, to_browser: int, from_browser: int) -> None:
        self.messages: list[dict[str, Any]] = []  # events, console output and errors among them
        self._to, self._from = to_browser, from_browser
        self._numbers = itertools.count(1)
        self._rest = b""
        self._session: str | None = None
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")

    def open(self, path: Path, *, width: int = 1280, height: int = 900, dark: bool = False) -> None:
        """Show a file and wait until it is loaded."""
        self.call(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 600
        )
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.call("Emulation.setEmulatedMedia", features=[scheme])
        self.visit(path.as_uri())

    def visit(self, url: str) -> None:
        """Go to an address and wait until it is loaded."""
        self.messages.clear()
        self.call("Page.navigate", url=url)
        while not any(message.get("method") == "Page.loadEventFired" for message in self.messages):
            self.messages.append(self._receive())

    def run(self, script: str) -> Any:
        """Evaluate an expression, a promise awaited, and return its value."""
        answer = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in answer, answer
        return answer["result"].get("value")

    def type(self, selector: str, text: str) -> None:
        """Replace what stands in an input, as keys would."""
        self.run(f"document.querySelector({json.dumps(selector)}).select()")
        self.run(f"document.querySelector({json.dumps(selector)}).focus()")
        if text:
            self.call("Input.insertText", text=text)
        else:
            self.press("Backspace", 8)

    def press(self, key: str, code: int) -> None:
        """Press a key."""
        for kind in ("keyDown", "keyUp"):
            extra = {"text": "\r"} if key == "Enter" and kind == "keyDown" else {}
            self.call("Input.dispatchKeyEvent", type=kind, key=key, code=key, windowsVirtualKeyCode=code, **extra)

    def picture(self, path: Path, *, whole: bool = False) -> None:
        """Save what is seen, or the whole page, as PNG."""
        answer = self.call("Page.captureScreenshot", captureBeyondViewport=whole)
        path.write_bytes(base64.b64decode(answer["data"]))

    def complaints(self) -> list[str]:
        """Return what the browser reported: errors of scripts, refused resources, requests to anywhere."""
        found = []
        for message in self.messages:
            match message.get("method"):
                case (
                    "Runtime.exceptionThrown"
                    | "Log.entryAdded"
                    | "Runtime.consoleAPICalled"
                    | "Page.javascriptDialogOpening"
                ):
                    found.append(json.dumps(message["params"]))
                case "Network.requestWillBeSent" if not message["params"]["request"]["url"].startswith("file:"):
                    found.append(message["params"]["request"]["url"])
        return found

    def call(self, method: str, **parameters: Any) -> dict[str, Any]:
        """Send a command and return its result."""
        number = next(self._numbers)
        command = {"id": number, "method": method, "params": parameters}
        if self._session:
            command["sessionId"] = self._session
        os.write(self._to, json.dumps(command).encode() + b"\0")
        while True:
            message = self._receive()
            if message.get("id") == number:
                assert "error" not in message, message
                result: dict[str, Any] = message["result"]
                return result
            self.messages.append(message)

    def _receive(self) -> dict[str, Any]:
        while b"\0" not in self._rest:
            part = os.read(self._from, 1 << 20)
            assert part, "the browser has ended"
            self._rest += part
        text, _, self._rest = self._rest.partition(b"\0")
        message: dict[str, Any] = json.loads(text)
        return message


@contextmanager
def browser() -> Iterator[Page]:
    """Start a browser and give a page of it."""
    assert PROGRAM is not None
    child_reads, to_browser = os.pipe()
    from_browser, child_writes = os.pipe()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        # The browser expects its pipes as descriptors 3 and 4, which this process may use itself.
        arguments = " ".join(FLAGS)
        shell = f'exec "$0" {arguments} --user-data-dir="$1" about:blank 3<&{child_reads} 4>&{child_writes}'
        process = subprocess.Popen(
            ["bash", "-c", shell, PROGRAM, folder],
            pass_fds=(child_reads, child_writes),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(child_reads)
        os.close(child_writes)
        try:
            page = Page(to_browser, from_browser)
            yield page
            page._session = None
            page.call("Browser.close")
            process.wait(10)
        finally:
            process.kill()
            process.wait()
            os.close(to_browser)
            os.close(from_browser)
