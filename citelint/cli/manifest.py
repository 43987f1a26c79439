"""``citelint manifest``: the manifest's schema, and whether a manifest and its snapshots hold."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from citelint.errors import ManifestError
from citelint.manifest import Manifest, manifest_schema
from citelint.report.escape import show
from citelint.report.text import count


def configure(parser: argparse.ArgumentParser) -> None:
    """The arguments of ``manifest``."""
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    actions.add_parser("schema", help="print the JSON Schema of manifests", allow_abbrev=False)
    verify = actions.add_parser(
        "verify", help="validate a manifest and hash its snapshots", allow_abbrev=False
    )
    verify.add_argument("path", metavar="PATH", help="a manifest (answer.evidence.json)")


def run(args: argparse.Namespace) -> int:
    """Print the schema, or verify one manifest."""
    if args.action == "schema":
        print(json.dumps(manifest_schema(), indent=2))
        return 0
    return _verify(Path(args.path))


def _verify(path: Path) -> int:
    from citelint.evidence.snapshots import verify_snapshots

    try:
        manifest = Manifest.load(path)
        faults = verify_snapshots(manifest, path.parent)
    except ManifestError as error:
        place = f"{path}, {error.path}" if error.path else str(path)
        raise ManifestError(
            f"{place}: {error.code} {error.message}", code=error.code, help=error.help
        ) from None
    broken = sum(fault.kind != "missing" for fault in faults)
    for fault in faults:
        # A snapshot that retention has deleted leaves its hash and its citations valid.
        severity = "note" if fault.kind == "missing" else "error"
        place = f"{show(str(path))}, {fault.path}"
        print(f"{place}: {severity} {fault.code} {fault.source_id}: {show(fault.message)}")
    named = sum(bool(source.snapshot) for source in manifest.recorded)
    held = named - len(faults)
    print(f"{count(len(manifest.recorded), 'source')}, {named} with a snapshot: {held} hold, {broken} fail")
    return 1 if broken else 0
