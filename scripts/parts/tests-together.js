import { spawnSync } from 'node:child_process'

const TRIES = 9

/**
 * What a machine is given to do at a time, by what Node that does nothing takes to start on it (40 ms on a quiet machine):
 * files, tests within an acceptance file, each of which starts some processes, and timed files, which wait more than they work.
 */
const PACES = Object.freeze([
  { belowMs: 80, files: 4, tests: 3, timed: 2 },
  { belowMs: 120, files: 4, tests: 2, timed: 1 },
  { belowMs: Number.POSITIVE_INFINITY, files: 3, tests: 1, timed: 1 }
])

function startMs() {
  const sinceMs = performance.now()
  spawnSync(process.execPath, ['-e', '0'])
  return performance.now() - sinceMs
}

/**
 * testsTogether finds out how many tests this machine has time for: one that is slow, or that others keep busy, would do all of them too
 * late if it began as many as a fast one.
 *
 * @returns {{ files: number, tests: number, timed: number, startMs: number, slow: boolean }} startMs: what a start of Node takes, median
 */
export function testsTogether() {
  const ms = Array.from({ length: TRIES }, startMs).sort((a, b) => a - b)[(TRIES - 1) / 2]
  const pace = PACES.findIndex(({ belowMs }) => ms < belowMs)
  return { ...PACES[pace], startMs: ms, slow: pace > 0 }
}
