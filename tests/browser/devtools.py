"""Chromium, and its DevTools protocol over a pair of pipes: commands go in, events come out.

With the standard library alone: a library that drives browsers would bring a browser of its own. Over pipes
and not over a port, so that the browser ends when the tests do, however they end.
"""

from __future__ import annotations

import fcntl
import json
import os
import queue
import shutil
import signal
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

Event = dict[str, Any]

NAMES = ("chromium", "chromium-browser", "google-chrome")
DEADLINE = 60.0
"""Seconds after which a browser that says nothing has failed; nothing takes anywhere near as long."""
FLAGS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-dev-shm-usage",
    "--disable-site-isolation-trials",  # frames of other hosts are then seen with their page
    "--no-first-run",
    "--no-default-browser-check",
    "--disable-background-networking",
    "--disable-breakpad",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-domain-reliability",
    "--disable-extensions",
    "--disable-sync",
    "--disable-popup-blocking",
    "--window-size=1200,2000",
    "--proxy-bypass-list=<-loopback>",
    "--remote-debugging-pipe",
)


class ProtocolError(Exception):
    """The browser refused a command."""


class DevTools:
    """One conversation with a browser: commands, and everything that it tells by itself."""

    def __init__(self, incoming: int, outgoing: int) -> None:
        self._outgoing = outgoing
        self._messages: queue.SimpleQueue[Event | None] = queue.SimpleQueue()
        self._last = 0
        self._answers: dict[int, Event] = {}
        self.on_event: Callable[[Event], None] = lambda _: None
        threading.Thread(target=self._listen, args=(incoming,), daemon=True).start()

    def post(self, method: str, session: str = "", **params: Any) -> int:
        """Sends a command without waiting for what comes of it; the number under which that will come."""
        self._last += 1
        message: Event = {"id": self._last, "method": method, "params": params}
        if session:
            message["sessionId"] = session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self._outgoing, data) :]
        return self._last

    def call(self, method: str, session: str = "", **params: Any) -> Event:
        """Carries a command out."""
        number = self.post(method, session, **params)
        self.wait(lambda: number in self._answers, method)
        answer = self._answers.pop(number)
        if "error" in answer:
            raise ProtocolError(f"{method}: {answer['error']}")
        result: Event = answer["result"]
        return result

    def wait(self, until: Callable[[], bool], what: str) -> None:
        """Hears the browser out until something holds; fails when that takes too long."""
        end = time.monotonic() + DEADLINE
        while not until():
            try:
                message = self._messages.get(timeout=max(0, end - time.monotonic()))
            except queue.Empty:
                raise TimeoutError(f"{what}: nothing within {DEADLINE:.0f} seconds") from None
            if message is None:
                raise ConnectionError(f"{what}: the browser has ended")
            if "id" in message:
                self._answers[message["id"]] = message
            else:
                self.on_event(message)

    def _listen(self, incoming: int) -> None:
        rest = b""
        while data := os.read(incoming, 1 << 16):
            *messages, rest = (rest + data).split(b"\0")
            for message in messages:
                self._messages.put(json.loads(message))
        self._messages.put(None)
        os.close(incoming)


def find_chromium() -> str | None:
    return next(filter(None, map(shutil.which, NAMES)), None)


@contextmanager
def chromium(program: str, proxy_port: int) -> Iterator[DevTools]:
    """A browser with an empty profile, that knows no network but the proxy."""
    theirs_in, ours_out = map(_high, os.pipe())
    ours_in, theirs_out = map(_high, os.pipe())
    actions = [
        (os.POSIX_SPAWN_DUP2, theirs_in, 3),
        (os.POSIX_SPAWN_DUP2, theirs_out, 4),
        *((os.POSIX_SPAWN_OPEN, number, os.devnull, os.O_RDWR, 0) for number in (0, 1, 2)),
    ]
    profile = tempfile.TemporaryDirectory(prefix="citelint-browser-", ignore_cleanup_errors=True)
    proxy = f"--proxy-server=http://127.0.0.1:{proxy_port}"
    command = [program, *FLAGS, proxy, f"--user-data-dir={profile.name}"]
    process = os.posix_spawn(program, command, os.environ, file_actions=actions, setpgroup=0)
    os.close(theirs_in)
    os.close(theirs_out)
    tools = DevTools(ours_in, ours_out)
    try:
        yield tools
        with suppress(ProtocolError, ConnectionError):
            tools.call("Browser.close")
    finally:
        os.close(ours_out)
        _end(process)
        profile.cleanup()


def _high(number: int) -> int:
    """The same end of a pipe under a number that is in nobody's way."""
    high = fcntl.fcntl(number, fcntl.F_DUPFD_CLOEXEC, 10)
    os.close(number)
    return high


def _end(process: int) -> None:
    """Waits for the browser, which ends when nobody talks to it; then what it left behind goes as well."""
    end = time.monotonic() + 10
    while os.waitpid(process, os.WNOHANG) == (0, 0):
        if time.monotonic() > end:
            os.killpg(process, signal.SIGKILL)
            os.waitpid(process, 0)
            return
        time.sleep(0.02)
    with suppress(ProcessLookupError):
        os.killpg(process, signal.SIGKILL)
