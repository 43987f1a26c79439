"""Addresses: read as a browser reads them (WHATWG), compared by one key, and judged.

Pure: nothing here looks anything up. What is a matter of fact about the web rather than of logic
(tracking parameters, redirectors, labels that linkifiers know) is data in ``rules/urls/``.
"""

from __future__ import annotations

from citelint.urls.compare import is_known_suffix, lies_about, near_miss, same_address, under_prefix
from citelint.urls.faults import UrlFault, url_faults
from citelint.urls.parse import Url, looks_absolute, parse_url, url_key
from citelint.urls.payload import is_payload, payload_in_host
from citelint.urls.written import as_destination

__all__ = [
    "Url",
    "UrlFault",
    "as_destination",
    "is_known_suffix",
    "is_payload",
    "lies_about",
    "looks_absolute",
    "near_miss",
    "parse_url",
    "payload_in_host",
    "same_address",
    "under_prefix",
    "url_faults",
    "url_key",
]
