#!/bin/sh
# drift.sh <stack> <file>: writes how AWS and the machines differ from the state, and changes nothing.
# Exit code: 0 without differences, 2 with differences, anything else if it can't compare.
# It must reach the machines: one that doesn't answer counts as unchanged.
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
# The fence is longer than any in the text, which could end it otherwise.
fence=$(awk 'BEGIN { most = 3 }
  { while (match($0, /`+/)) { if (RLENGTH > most) most = RLENGTH; $0 = substr($0, RSTART + RLENGTH) } }
  END { while (most-- >= 0) printf "`" }' "$log")
{
  printf '<!-- talos-aws drift of %s -->\n\n' "$stack"
  printf 'AWS or machines of `%s` are not as they are recorded. `pulumi up --refresh` takes back what the\n' "$stack"
  printf 'program says otherwise; what is meant to stay belongs into the program.\n\n%sdiff\n' "$fence"
  # The engine's marks become those of a diff, so that lines are coloured.
  grep -vE '^(warning: using |error: no changes were expected)' "$log" | sed -E 's/^( *)([-+~]) /\2\1/'
  printf '%s\n' "$fence"
} >"$file"
exit 2
