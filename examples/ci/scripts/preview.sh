#!/bin/sh
# preview.sh <stack> <file>: writes the effect of a change on a stack as Markdown. It doesn't contact
# machines. It reads the state, and with it the cluster's secrets.
set -eu
stack=${1:?usage: preview.sh <stack> <file>}
file=${2:?usage: preview.sh <stack> <file>}
# shellcheck disable=SC2086 # it may be several words
${TALOS_AWS:-npx --no-install talos-aws} preview "$stack" --cwd "${PROJECT_DIR:-.}" --markdown >"$file"
