#!/usr/bin/env bash
# Runs tests on another Node, the current LTS line: the unit tests of what touches Node's own interfaces, and the acceptance tests that
# touch most of the program, a simulation and its digest among them; the whole suite (npx -p node@24 -- node scripts/test.js) would take as
# long again. With --short a first run and a simulation: that other runs come to their end there, too, is seen by npm run test:package.
set -euo pipefail
cd "$(dirname "$0")/.."

line=24
files=(test/acceptance/{first-run,gossip-simulated}.test.js)
if [[ ${1:-} != --short ]]; then
  mapfile -t -O "${#files[@]}" files < <(find test/{client,libp2p,network,protocol,run,server} -name '*.test.js' | sort)
  files+=(test/acceptance/operations.test.js)
fi
if [[ "$(node --version)" == v${line}.* ]]; then
  echo "this is Node $line already"
  exit
fi
npx --yes --package "node@$line" -- node scripts/test.js "${files[@]}"
