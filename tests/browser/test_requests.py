"""Which requests does a browser make for what ``render`` writes? Chromium, with a proxy that only listens."""

from __future__ import annotations

import shutil
import subprocess
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

import citelint
from citelint.rendering.page import page

NAMES = ("chromium", "chromium-browser", "google-chrome")
OURS = (".example", ".test")
"""The hosts of the corpora; a browser has business of its own as well."""
FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-extensions",
    "--virtual-time-budget=3000",
    "--proxy-bypass-list=<-loopback>",
]


@pytest.fixture(scope="session")
def chromium() -> str:
    found = next(filter(None, map(shutil.which, NAMES)), None)
    if found is None:
        pytest.skip("there is no Chromium on this machine")
    return found


@pytest.fixture
def requested(chromium: str, tmp_path: Path) -> Iterator[Callable[[str], set[str]]]:
    """Opens HTML in the browser and gives the hosts of the corpora that it asked for."""
    seen: set[str] = set()

    class Proxy(BaseHTTPRequestHandler):
        def _note(self) -> None:
            host = self.path.partition("://")[2] or self.path
            seen.add(host.partition("/")[0].partition(":")[0])
            self.send_error(403)

        do_GET = do_POST = do_HEAD = do_CONNECT = do_OPTIONS = _note  # noqa: N815 - names of the base class

        def log_message(self, *_: Any) -> None:
            """Silent."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Proxy)
    threading.Thread(target=server.serve_forever, daemon=True).start()

    def open_(html: str) -> set[str]:
        seen.clear()
        file = tmp_path / "page.html"
        file.write_text(html, "utf-8")
        proxy = f"--proxy-server=http://127.0.0.1:{server.server_address[1]}"
        profile = f"--user-data-dir={tmp_path / 'profile'}"
        command = [chromium, *FLAGS, proxy, profile, "--dump-dom", file.as_uri()]
        done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=120)
        assert "</html>" in done.stdout
        return {host for host in seen if host.endswith(OURS)}

    yield open_
    server.shutdown()


def test_the_proxy_sees_what_a_page_fetches(requested: Callable[[str], set[str]]) -> None:
    html = "<!doctype html><title>x</title><img src='http://evil.example/x.png'><link rel=preconnect href='https://b.test'>"
    assert "evil.example" in requested(html)


def test_no_attack_makes_the_browser_ask_anybody(
    requested: Callable[[str], set[str]], shared: Path, read_jsonl: Callable[[Path], list[dict[str, Any]]]
) -> None:
    manifest = citelint.Manifest.from_dict({"version": 1, "run": {"id": "attack"}, "sources": []})
    policy = citelint.Policy(required=False)
    fragments = [
        citelint.render(row["input"], manifest, policy=policy).text
        for name in ("exfiltration.jsonl", "reader-differences.jsonl")
        for row in read_jsonl(shared / "attacks" / name)
        if row["kind"] == "markdown" and "\0" not in row["input"]
    ]
    assert len(fragments) > 150
    # Without the page's policy, which would forbid requests by itself; then with it.
    assert requested(f"<!doctype html><title>all</title>{'<hr>'.join(fragments)}") == set()
    assert requested(page("<hr>".join(fragments), title="all", image_sources=[], language="en")) == set()
