"""That there is anything to see: the browser asks, both observers notice, refusals are no requests."""

from __future__ import annotations

from tests.browser.loopback import host_of
from tests.browser.sections import visit_all
from tests.browser.visit import Browser

EVERYTHING = """<!doctype html><title>x</title>
<link rel=prefetch href=http://prefetch.example/p>
<link rel=preconnect href=https://preconnect.example>
<link rel=stylesheet href=http://sheet.example/c.css>
<style>
  @media print { p { background: url(http://print.example/p) } }
  a:hover { background: url(http://hover.example/h) }
  a:focus { border-image: url(http://focus.example/f) }
</style>
<img src=https://image.example/i.png alt="">
<p>p</p>
<iframe src=https://frame.example/></iframe>
<object data=http://object.example/o></object>
<video poster=http://poster.example/p></video>
<script>new WebSocket("ws://socket.example/"); navigator.sendBeacon("http://beacon.example/")</script>
<a href="#x" ping=http://ping.example/p>link</a>
<div style="height: 30000px"></div>
<img loading=lazy src=http://lazy.example/ width=10 height=10 alt="">
"""
HOSTS = {
    f"{name}.example"
    for name in (
        "prefetch sheet print hover focus image frame object poster socket beacon ping lazy".split()  # noqa: SIM905
    )
}


def test_both_observers_see_what_a_page_fetches(another_browser: Browser) -> None:
    seen = another_browser.visit(EVERYTHING, click="a")
    assert {host_of(url) for url in seen.asked} == HOSTS
    assert not seen.refused
    heard = set(seen.heard)
    # Of a connection that is only prepared, nobody tells when; the browser itself never does.
    for _ in range(200):
        if "preconnect.example:443" in heard:
            break
        heard |= another_browser.visit("<p>Later.").heard
    assert {host_of(one) for one in heard} == HOSTS | {"preconnect.example"}


def test_a_page_that_asks_for_nothing_is_seen_to_ask_for_nothing(browser: Browser) -> None:
    seen = browser.visit("<p><a href=https://link.example/>link</a> <a href='#x'>here</a>")
    assert not seen.asked | seen.refused | seen.heard
    assert (seen.hovered, seen.focused, seen.kept) == (2, 2, True)


def test_what_a_policy_refuses_is_no_request(browser: Browser) -> None:
    policy = "<meta http-equiv=Content-Security-Policy content=\"default-src 'none'\">"
    seen = browser.visit(f"<!doctype html><title>x</title>{policy}<img src=http://image.example/ alt=''>")
    assert not seen.asked | seen.heard
    assert seen.refused == {"http://image.example/"}


def test_a_page_that_leads_away_is_seen_to(browser: Browser) -> None:
    seen = browser.visit("<meta http-equiv=refresh content='0; url=http://away.example/'><p>x")
    assert seen.asked == seen.heard == {"http://away.example/"}
    assert not seen.kept


def test_every_piece_is_looked_at(browser: Browser) -> None:
    pieces = [f"<img src=http://{name}.example/ alt=''>" for name in "abcdefgh"]
    pieces[2] += "<!--"
    pieces[5] += "<textarea>"
    shown = list(visit_all(browser, pieces))
    assert [piece for each in shown for piece in each.pieces] == pieces
    assert {host_of(url) for each in shown for url in each.seen.asked} == {f"{x}.example" for x in "abcdefgh"}
