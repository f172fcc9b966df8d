#!/usr/bin/env bash
# Checks types and runs the tests of the simulated network against the oldest gossipsub that package.json admits; npm test
# has the newest. Works on a copy, so that what is installed here stays as it is. With --short without the tests of what is around
# gossipsub, and not of it: the virtual environment of a process, and a network that is split over several.
set -euo pipefail
cd "$(dirname "$0")/.."

range=$(node --print 'require("./package.json").dependencies["@libp2p/gossipsub"]')
oldest=$(sed -E 's/^>=([0-9.]+) .*/\1/' <<< "$range")

mapfile -t files < <(find test/simulator -name '*.test.js' | sort)
if [[ ${1:-} == --short ]]; then
  mapfile -t files < <(printf '%s\n' "${files[@]}" | grep --invert-match --extended-regexp '/(virtual-environment|environment|split)\.test\.js$')
fi

copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
tar --create --exclude=./.git --exclude=./results . | tar --extract --directory "$copy"
cd "$copy"
npm install --no-save --no-audit --no-fund "@libp2p/gossipsub@$oldest"
echo "gossipsub $(node --print 'require("./node_modules/@libp2p/gossipsub/package.json").version')"
npm run types
node scripts/test.js "${files[@]}"
