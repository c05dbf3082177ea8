#!/bin/sh
# preview.sh <stack> <file> [<export>]: writes the effect of a change on a stack as Markdown. It doesn't contact machines.
# From an export (export.sh) it needs no account, no state and no secret. Without one it reads the state, and with it
# the cluster's secrets.
set -eu
stack=${1:?usage: preview.sh <stack> <file> [<export>]}
file=${2:?usage: preview.sh <stack> <file> [<export>]}
export=${3:-}
if [ -n "$export" ] && [ ! -f "$export" ]; then
  printf 'error: there is no export of %s at "%s": run the job that writes it on the default branch (export.sh)\n' \
    "$stack" "$export" >&2
  exit 1
fi
# shellcheck disable=SC2086 # it may be several words
${TALOS_AWS:-npx --no-install talos-aws} preview "$stack" --cwd "${PROJECT_DIR:-.}" --markdown \
  ${export:+--state "$export"} >"$file"
