#!/bin/sh
# up.sh <stack> [<approved>]: updates a stack. Run it where `operatorCidrs` allows it to reach the machines' Talos API.
# With the digest of an approved preview (plan.sh) it first previews again, and changes nothing if that differs.
# After a kill, run it again: it continues. An approval is then for what was left.
set -eu
stack=${1:?usage: up.sh <stack> [<approved>]}
if [ $# -gt 1 ]; then
  file=$(mktemp)
  trap 'rm -f "$file"' EXIT
  now=$("$(dirname "$0")/plan.sh" "$stack" "$file")
  if [ "$now" != "$2" ]; then
    cat "$file" >&2
    printf 'error: this update of %s is not what was approved (%s, now %s): nothing was changed. Approve it anew.\n' \
      "$stack" "$2" "$now" >&2
    exit 1
  fi
fi
cd "${PROJECT_DIR:-.}"
pulumi up --stack "$stack" --yes --skip-preview --non-interactive --color never
