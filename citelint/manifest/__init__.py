"""The evidence manifest: what the system that ran the tools vouches for.

It is read strictly and then only looked up. Every string in it is untrusted text all the same: titles
come from fetched pages, arguments from a model. Who writes one out escapes it for the place.
"""

from __future__ import annotations

from citelint.manifest.format import Call, Quote, Run, Source, manifest_schema
from citelint.manifest.lookup import Manifest, find_sidecar

__all__ = ["Call", "Manifest", "Quote", "Run", "Source", "find_sidecar", "manifest_schema"]
