#!/bin/sh
# drift.sh <stack> <file>: writes how AWS and the machines differ from what is recorded, and changes
# nothing. Ends with 0 when they don't, with 2 when they do, with anything else when it can't tell.
# Runs where it reaches the machines: one that doesn't answer counts as it is recorded.
set -eu
stack=${1:?usage: drift.sh <stack> <file>}
file=${2:?usage: drift.sh <stack> <file>}
log=$(mktemp)
trap 'rm -f "$log"' EXIT
code=0
(cd "${PROJECT_DIR:-.}" && pulumi refresh --stack "$stack" --preview-only --expect-no-changes --diff \
  --non-interactive --color never) >"$log" 2>&1 || code=$?
if [ "$code" -eq 0 ]; then
  exit 0
fi
if ! grep -q 'no changes were expected' "$log"; then
  cat "$log" >&2
  exit "$code"
fi
{
  printf '<!-- talos-aws drift of %s -->\n\n' "$stack"
  printf 'AWS or machines of `%s` are not as they are recorded. `pulumi up --refresh` takes back what the\n' "$stack"
  printf 'program says otherwise; what is meant to stay belongs into the program.\n\n````diff\n'
  # The engine's marks where a diff has them, so that lines are coloured.
  grep -vE '^(warning: using |error: no changes were expected)' "$log" | sed -E 's/^( *)([-+~]) /\2\1/'
  printf '````\n'
} >"$file"
exit 2
