"""What a browser may ask for, so that what it did ask for can be held against it."""

from __future__ import annotations

from collections.abc import Iterable

from tests.browser.loopback import host_of
from tests.browser.visit import Visited
from tests.renderers.matrix import key, sinks


def addresses(urls: Iterable[str]) -> set[str]:
    """Addresses in the one form in which they are compared, without the fragments, which no request holds."""
    return {key(url.partition("#")[0]) or url for url in urls}


def fetched(html: str) -> set[str]:
    """What in *html* fetches by itself, as a parser sees it that is not the browser's."""
    return addresses(found.url for found in sinks(html) if found.channel == "auto")


def faults(seen: Visited, allowed: Iterable[str], expected: set[str] | None = None) -> list[str]:
    """What is wrong with a visit: anything asked for outside *allowed*, or not just what was *expected*.

    Also that which only the page's policy kept the browser from asking for.
    """
    admitted = addresses(allowed)
    asked = addresses(seen.asked)
    found = [f"asked for {url}" for url in sorted(asked - admitted)]
    found += [] if seen.kept else ["the page has led away"]
    found += [f"would have asked for {url}" for url in sorted(addresses(seen.refused) - admitted)]
    hosts = {host_of(url) for url in admitted}
    found += [
        f"the network heard of {one}" for one in sorted(seen.heard) if not _admits(one, admitted, hosts)
    ]
    if expected is not None:
        found += [f"did not ask for {url}" for url in sorted(expected - asked)]
    return found


def _admits(heard: str, admitted: set[str], hosts: set[str]) -> bool:
    """Of an encrypted request the network hears no more than the host."""
    return key(heard) in admitted if "://" in heard else host_of(heard) in hosts
