#!/usr/bin/env bash
# Runs all tests: npm run test:all. What needs more than Node is skipped where that is missing, and said to be, but fails where CI is set. Where
# the time gets short, less is run, and said to be: SHORTER.
set -euo pipefail
cd "$(dirname "$0")/.."

# left tells how many minutes of the time that a run may take are left
readonly MINUTES=80
left() { echo $((MINUTES - SECONDS / 60)); }

# timed runs a command and says how long it took; one that would take more than what is left is ended, so that the others still run
timed() {
  local since=$SECONDS
  timeout --verbose --kill-after=10 "$(left)m" "$@"
  echo "$* took $(((SECONDS - since) / 60)) min $(((SECONDS - since) % 60)) s; $(left) min are left"
}

# beside runs a command beside the others, its output in a file; its process is in $!
logs=$(mktemp --directory)
beside() {
  local log=$1
  shift
  timeout --verbose --kill-after=10 "$(left)m" "$@" > "$logs/$log" 2>&1 &
}

# finish ends what runs beside the others, and shows what it wrote
finish() {
  jobs -p | xargs --no-run-if-empty kill 2> /dev/null || true
  wait
  find "$logs" -type f -exec cat {} +
  rm -rf "$logs"
}
trap finish EXIT

timed npm test -- system

# what the timed tests leave of the cores goes to what has no time of its own: foreign peers are built, which takes minutes (interop goes on
# where this has come), and the package is tried, on Node 20 and 24, of which what cannot be had here is named
beside interop-build chrt --idle 0 node test/interop/build.js
building=$!
beside package chrt --idle 0 npm run test:package
package=$!

# what two cores do in time when nothing else keeps them busy
timed npm run test:timed
kill "$building" 2> /dev/null || true
wait "$building" || true

# from here on the cores are never idle: what is left of the package takes its turns with the others (timeout leads a process group)
{ pgrep --pgroup "$package" || true; } | xargs --no-run-if-empty --max-args=1 chrt --other --pid 0 || true

if (($(left) < 10)); then
  echo "SHORTER: only $(left) min are left: no foreign peers, no oldest gossipsub, no broken runs, no soak, no second Node"
  wait "$package"
  exit
fi

# Broken runs and the soak mostly wait: the others run beside them. Of broken runs npm run test:broken makes more by itself, which takes as
# long as all the others together: ten are in every phase, and broken in every way.
waiting=("$package")
if (($(left) < 60)); then
  echo "SHORTER: only $(left) min are left: no broken runs, no soak"
else
  BROKEN_RUNS=10 KILLS=10 beside broken npm run test:broken
  waiting+=($!)
  beside soak npm run test:soak
  waiting+=($!)
fi

# other implementations; what is built of them is kept outside the project
timed npm run interop

# the second Node and the other end of the range of gossipsub versions have what does not repeat other tests: all of theirs is for who changes
# what touches Node's interfaces, or that range
if (($(left) < 40)); then
  echo "SHORTER: only $(left) min are left: no second Node"
else
  timed npm run test:second-node -- --short
fi
timed npm run test:oldest-gossipsub -- --short

# of the docs npm run test:documented runs the lines, too
if (($(left) < 40)); then
  echo "SHORTER: only $(left) min are left: no command lines of README"
else
  DOCUMENTS=README.md timed npm run test:documented
fi

exit_code=0
for pid in "${waiting[@]}"; do wait "$pid" || exit_code=$?; done
exit "$exit_code"
