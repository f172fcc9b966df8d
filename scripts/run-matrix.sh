#!/usr/bin/env bash
# Runs every table of the source document: `npm run matrix -- --scale 0.1`, or with any other option of the command.
set -euo pipefail
cd "$(dirname "$0")/.."
exec node index.js matrix "$@"
