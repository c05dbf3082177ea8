#!/bin/sh
# check-drift.sh <stack>: opens or updates the issue about a stack's drift, or closes it.
set -eu
stack=${1:?usage: check-drift.sh <stack>}
here=$(dirname "$0")
file=$(mktemp)
trap 'rm -f "$file"' EXIT
code=0
"$here/drift.sh" "$stack" "$file" || code=$?
case $code in
  0) node "$here/report.mjs" steady "$stack" ;;
  2) node "$here/report.mjs" drift "$stack" "$file" ;;
  *) exit "$code" ;;
esac
