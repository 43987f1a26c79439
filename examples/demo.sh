#!/bin/sh
# The main job on the answer beside this script: check it, fix a copy, render a page.
#   sh examples/demo.sh OUTPUT-FOLDER
set -eu
here=$(dirname "$0")
out=${1:?usage: demo.sh OUTPUT-FOLDER}

exec 3>&1 # what the demo itself says, wherever the output of a command goes

# citelint ends with 1 when there are findings, or when it changed a file: here that is what should happen.
expect() {
    wanted=$1
    shift
    printf '\n$ %s\n' "$*" >&3
    ended=0
    "$@" || ended=$?
    [ "$ended" -eq "$wanted" ] || { printf 'the demo expected exit code %s, not %s\n' "$wanted" "$ended" >&2; exit 1; }
}

mkdir -p "$out"
cp -R "$here/answer.md" "$here/answer.evidence.json" "$here/snapshots" "$out"

expect 0 citelint manifest verify "$out/answer.evidence.json"
expect 1 citelint check --format concise "$out/answer.md"
expect 1 citelint fix "$out/answer.md" >"$out/findings.txt" # which are the same once more
expect 0 citelint check "$out/answer.md"
expect 0 citelint render --to page -o "$out/answer.html" "$out/answer.md"

cat <<END

What happened: the answer in $here/ was checked against its evidence manifest; a copy was fixed, so that only
links and citations which the manifest vouches for are left, with the list of sources written from the manifest;
and a page was rendered from it. Nothing in $here/ was changed.

  before   $here/answer.md
  after    $out/answer.md
  page     file://$(cd "$out" && pwd)/answer.html
END
