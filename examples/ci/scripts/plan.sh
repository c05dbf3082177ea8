#!/bin/sh
# plan.sh <stack> <file>: writes the preview that somebody approves, and prints its digest for up.sh.
set -eu
stack=${1:?usage: plan.sh <stack> <file>}
file=${2:?usage: plan.sh <stack> <file>}
"$(dirname "$0")/preview.sh" "$stack" "$file"
sha256sum "$file" | cut -d ' ' -f 1
