"""What `fix` changes in documents that people wrote, when everything they lead to is allowed.

    python benchmarks/fidelity.py [FOLDER …]

Reads the Markdown files and descriptions of installed packages (Python's and, where they are, Node's), or
the files below the folders given. Every address in a document counts as a recorded picture, and every host
as allowed. Prints how many come back byte for byte, and what was reported in the others. Ends with 3 when a
file was changed and nothing said of it, or when a second run changes it again.
"""

from __future__ import annotations

import argparse
import re
import sys
import sysconfig
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import citelint
from citelint.urls import parse_url

CHECKOUT = Path(__file__).resolve().parent.parent
PLACES = (Path(sysconfig.get_path("purelib")), CHECKOUT / "tests/renderers/node/node_modules")
_ADDRESS = re.compile(r"https?://[^\s<>\"')\]`|]+")


class _Everything:
    """A site that has every file."""

    def __contains__(self, _path: object) -> bool:
        return True


def documents(folders: list[Path]) -> Iterator[tuple[Path, bytes]]:
    """Every Markdown file that is UTF-8 text, once."""
    seen: set[bytes] = set()
    for folder in folders:
        for path in sorted([*folder.rglob("*.md"), *folder.rglob("METADATA")]):
            data = path.read_bytes()
            if path.name == "METADATA":
                head, _, data = data.partition(b"\n\n")
                if b"text/markdown" not in head:
                    continue
            if not data.strip() or data in seen or b"\0" in data:
                continue
            seen.add(data)
            try:
                data.decode()
            except UnicodeDecodeError:
                continue
            yield path, data


def manifest_for(text: str) -> citelint.Manifest:
    """Vouches for every address of the text, as a link and as a picture."""
    addresses = {match.rstrip(".,;:!?*") for match in _ADDRESS.findall(text)}
    sources = [
        {
            "id": f"s{number}",
            "url": address,
            "tool": "http.get",
            "level": "opened",
            "media_type": "image/png",
            "fetched_at": "2026-11-30T10:00:00Z",
            "sha256": "0" * 64,
        }
        for number, address in enumerate(sorted(addresses))
        if parse_url(address) is not None
    ]
    return citelint.Manifest.from_dict({"version": 1, "run": {"id": "fidelity"}, "sources": sources})


def policy_for(text: str) -> citelint.Policy:
    """Allows every host that the text leads to."""
    hosts = {
        f"{url.scheme}://{url.host}/"
        for address in _ADDRESS.findall(text)
        if (url := parse_url(address)) is not None and url.host and not url.port
    }
    return citelint.Policy(
        required=False, on_unverified="strip", allow=tuple(hosts), allow_mail=True, front_matter="keep"
    )


def main() -> int:
    """Read, fix, compare, print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folders", nargs="*", type=Path, help="in place of the installed packages")
    folders = parser.parse_args().folders or [place for place in PLACES if place.is_dir()]
    same = silent = unstable = refused = count = 0
    findings: Counter[str] = Counter()
    files: Counter[str] = Counter()
    for path, data in documents(folders):
        count += 1
        try:
            manifest, policy = manifest_for(data.decode()), policy_for(data.decode())
            result = citelint.fix(data, manifest, policy=policy, site_files=_Everything())
            again = citelint.fix(result.text, manifest, policy=policy, site_files=_Everything())
        except citelint.CitelintError as error:
            refused += 1
            print(f"refused: {path.name}: {error}")
            continue
        unstable += again.text != result.text
        if result.text.encode() == data:
            same += 1
            continue
        silent += not result.findings
        codes = Counter(finding.code for finding in result.findings)
        findings += codes
        files.update(set(codes))
    print(f"\n{count} documents: {same} byte for byte the same, {refused} refused, {unstable} not stable")
    print(f"changed without a word: {silent}\n\n{'':8}{'findings':>10}{'documents':>11}")
    for code, number in findings.most_common():
        print(f"{code:8}{number:10}{files[code]:11}")
    return 3 if silent or unstable else 0


if __name__ == "__main__":
    sys.exit(main())
