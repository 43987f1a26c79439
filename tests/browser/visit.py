"""A visit to a page: it is loaded, printed, scrolled through, focused and hovered over.

What it asks for meanwhile is noted, as the browser tells it and as the network hears it.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from tests.browser.devtools import DevTools, Event, ProtocolError
from tests.browser.loopback import ICON, Loopback

_INERT = ("data:", "about:", "blob:")
"""Schemes of addresses that no network hears of."""

_SETTLE = """new Promise(done =>
  requestAnimationFrame(() => requestIdleCallback(() => done(true))))"""
_SCROLL = """(async () => {
  for (const one of document.querySelectorAll('details')) one.open = true;
  const step = Math.max(innerHeight, 500);
  for (let top = 0; top < document.documentElement.scrollHeight; top += step) {
    scrollTo(0, top);
    await new Promise(done => requestAnimationFrame(done));
  }
  return true;
})()"""
_FOCUS = """(() => {
  let held = 0;
  for (const one of document.querySelectorAll('*')) {
    one.focus?.({preventScroll: true});
    held += document.activeElement === one && one !== document.body;
  }
  return held;
})()"""
# Of elements that differ in nothing that a pointer could set off, one is enough.
_TARGETS = """(() => {
  const kinds = 'a, area, img, summary, button, input, svg, object, embed, [onmouseover]';
  const different = new Map();
  for (const one of document.querySelectorAll(kinds)) {
    const bare = one.cloneNode(false);
    for (const name of bare.getAttributeNames()) {
      if (/^(id|title|alt|rel|name|(aria|data)-.*)$/.test(name)) bare.removeAttribute(name);
    }
    if (bare.getAttribute('href')?.startsWith('#')) bare.setAttribute('href', '#');
    different.set(bare.outerHTML, one);
  }
  globalThis.targets = [...different.values()];
  return globalThis.targets.length;
})()"""
_PLACE = """(() => {
  const one = globalThis.targets[%d];
  one.scrollIntoView({block: 'center', behavior: 'instant'});
  const box = one.getClientRects()[0];
  return box && [box.x + box.width / 2, box.y + box.height / 2];
})()"""


class Visited(NamedTuple):
    """What became of a visit."""

    at: str
    """Where the page was."""
    asked: frozenset[str]
    """The addresses that the browser sent requests to, by its own account, beside the page's."""
    refused: frozenset[str]
    """Those that it would have asked for if the page's policy had let it."""
    heard: frozenset[str]
    """What the network was asked for: addresses, and of encrypted ones ``host:port``."""
    hovered: int
    focused: int
    kept: bool
    """Whether the page had the shape that was asked for and is still there; see :meth:`Browser.visit`."""


class Browser:
    """One tab that goes from page to page."""

    def __init__(self, tools: DevTools, network: Loopback) -> None:
        self._tools = tools
        self._network = network
        self._page = ""
        self._asked: dict[tuple[str, str], str] = {}
        self._refused: set[str] = set()
        self._open: set[str] = set()
        self._loaded: set[str] = set()
        self._gone = False
        tools.on_event = self._note
        target = tools.call("Target.createTarget", url="about:blank")["targetId"]
        self._session: str = tools.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        self._call("Page.enable")
        self._call("Page.setLifecycleEventsEnabled", enabled=True)
        self._call("Network.enable")
        self._call("Network.setCacheDisabled", cacheDisabled=True)

    def visit(self, html: str, *, shape: str = "true", click: str = "") -> Visited:
        """Everything a reader does with a page but clicking, which is done to the element *click* selects.

        *shape* is what must hold of the page once it is there, in JavaScript; otherwise it is left at once.
        """
        self._asked.clear()
        self._refused.clear()
        self._gone = False
        self._page = self._network.serve(html)
        loader = self._call("Page.navigate", url=self._page)["loaderId"]
        self._tools.wait(lambda: self._gone or loader in self._loaded, "loading a page")
        kept = self._evaluate(shape) is True
        focused = hovered = 0
        if kept:
            self._settle()
            self._call("Emulation.setEmulatedMedia", media="print")
            self._settle()
            self._call("Emulation.setEmulatedMedia", media="")
            self._evaluate(_SCROLL)
            focused = self._evaluate(_FOCUS) or 0
            hovered = self._hover()
        if click:
            self._point(
                self._evaluate(f"globalThis.targets = [document.querySelector({click!r})]; {_PLACE % 0}"),
                "Pressed",
            )
        self._settle()
        return Visited(
            at=self._page,
            asked=frozenset(self._asked.values()),
            refused=frozenset(self._refused),
            heard=frozenset(self._network.take()),
            hovered=hovered,
            focused=focused,
            kept=kept and not self._gone,
        )

    def _hover(self) -> int:
        hovered = 0
        for number in range(self._evaluate(_TARGETS) or 0):
            place = self._evaluate(_PLACE % number)
            if place:
                self._point(place)
                hovered += 1
        return hovered

    def _point(self, place: list[float], *then: str) -> None:
        x, y = place
        self._call("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)
        for kind in (*then, *(["Released"] if then else [])):
            self._call("Input.dispatchMouseEvent", type=f"mouse{kind}", x=x, y=y, button="left", clickCount=1)

    def _settle(self) -> None:
        """Waits until the page has nothing left to do and every request has come to its end."""
        self._evaluate(_SETTLE)
        while self._open and not self._gone:
            self._tools.wait(lambda: not self._open, "the end of all requests")
            self._evaluate(_SETTLE)

    def _evaluate(self, script: str) -> Any:
        """The value of a script in the page; None when the page is left meanwhile."""
        try:
            done = self._call("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        except ProtocolError:
            self._gone = True
            return None
        assert "exceptionDetails" not in done, done["exceptionDetails"]
        return done["result"].get("value")

    def _call(self, method: str, **params: Any) -> Event:
        return self._tools.call(method, self._session, **params)

    def _note(self, event: Event) -> None:
        params = event["params"]
        match event["method"]:
            case "Network.requestWillBeSent":
                self._note_request(params["requestId"], params["request"]["url"])
            case "Network.webSocketCreated":
                self._asked[params["requestId"], ""] = params["url"]
            case "Network.loadingFinished":
                self._open.discard(params["requestId"])
            case "Network.loadingFailed":
                self._open.discard(params["requestId"])
                if params.get("blockedReason"):
                    for asked in [one for one in self._asked if one[0] == params["requestId"]]:
                        self._refused.add(self._asked.pop(asked))
            case "Page.frameNavigated" if "parentId" not in params["frame"]:
                self._gone = params["frame"]["url"] != self._page
            case "Page.lifecycleEvent" if params["name"] == "load":
                self._loaded.add(params["loaderId"])

    def _note_request(self, number: str, address: str) -> None:
        if address.startswith(_INERT) or address in self._network.pages or address == ICON:
            return
        self._asked[number, address] = address
        self._open.add(number)
