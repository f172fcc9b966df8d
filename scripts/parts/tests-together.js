import { spawnSync } from 'node:child_process'

const TRIES = 9

/** What Node that does nothing takes on the machine whose times CONTRIBUTING has: 40 ms. */
const SLOW_MS = 80

/** What a machine is given to do at a time: files, and tests within an acceptance file, each of which starts some processes. */
const USUAL = Object.freeze({ files: 4, tests: 3 })
const SLOW = Object.freeze({ files: 2, tests: 1 })

function startMs() {
  const sinceMs = performance.now()
  spawnSync(process.execPath, ['-e', '0'])
  return performance.now() - sinceMs
}

/**
 * testsTogether finds out how many tests this machine has time for: one that is slow, or that others keep busy, would do all of them too
 * late if it began as many as a fast one.
 *
 * @returns {{ files: number, tests: number, startMs: number, slow: boolean }} startMs: what a start of Node takes, median
 */
export function testsTogether() {
  const ms = Array.from({ length: TRIES }, startMs).sort((a, b) => a - b)[(TRIES - 1) / 2]
  const slow = ms > SLOW_MS
  return { ...(slow ? SLOW : USUAL), startMs: ms, slow }
}
