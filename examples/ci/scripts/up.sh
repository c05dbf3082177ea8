#!/bin/sh
# up.sh <stack>: brings a stack to what the program says. Runs where `operatorCidrs` lets it reach the
# machines' Talos API. Killed, it is started again: what was delivered is taken up from there.
set -eu
stack=${1:?usage: up.sh <stack>}
cd "${PROJECT_DIR:-.}"
exec pulumi up --stack "$stack" --yes --skip-preview --non-interactive --color never
