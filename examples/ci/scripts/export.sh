#!/bin/sh
# export.sh <stack> <file>: writes a stack's state without any secret, from which preview.sh previews without an account.
# It reads the state, so run it where only merged code runs.
set -eu
stack=${1:?usage: export.sh <stack> <file>}
file=${2:?usage: export.sh <stack> <file>}
# shellcheck disable=SC2086 # it may be several words
${TALOS_AWS:-npx --no-install talos-aws} export "$stack" --cwd "${PROJECT_DIR:-.}" --file "$file"
