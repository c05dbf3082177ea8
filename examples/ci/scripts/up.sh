#!/bin/sh
# up.sh <stack>: updates a stack. Run it where `operatorCidrs` allows it to reach the machines' Talos API.
# After a kill, run it again: it continues.
set -eu
stack=${1:?usage: up.sh <stack>}
cd "${PROJECT_DIR:-.}"
exec pulumi up --stack "$stack" --yes --skip-preview --non-interactive --color never
