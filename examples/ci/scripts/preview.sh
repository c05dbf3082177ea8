#!/bin/sh
# preview.sh <stack> <file>: writes what a change would do to a stack as Markdown. Needs no way to the
# machines; whoever runs it reads the state, and with it the cluster's secrets.
set -eu
stack=${1:?usage: preview.sh <stack> <file>}
file=${2:?usage: preview.sh <stack> <file>}
# shellcheck disable=SC2086 # it may be several words
${TALOS_AWS:-npx --no-install talos-aws} preview "$stack" --cwd "${PROJECT_DIR:-.}" --markdown >"$file"
