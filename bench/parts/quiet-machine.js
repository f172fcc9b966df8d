import { spawn } from 'node:child_process'
import os from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { readPressure } from '../../src/measure/resources.js'
import { setLowestPriority } from '../../src/run/workers.js'
import { MAX_STEAL_PERCENT } from '../../src/studies/matrix/matrix-document.js'

const LOOK_MS = 5000
/** For as long as who began it lives. */
const LOOP = 'const by = process.ppid; while (process.ppid === by);'

/**
 * watchSteal tells, when it is called again, how much of all cores other guests of the host have taken since.
 *
 * @returns {() => number} percent; 0 where the system does not tell
 */
export function watchSteal() {
  const was = readPressure().ticks
  return () => {
    const is = readPressure().ticks
    if (was === null || is === null || is.all === was.all) return 0
    return (100 * (is.stolen - was.stolen)) / (is.all - was.all)
  }
}

/** isStolen says whether so much was taken that a figure is the host's. @param {number} stealPercent */
export const isStolen = stealPercent => stealPercent > MAX_STEAL_PERCENT

/**
 * untilQuiet waits until others of the host leave the machine alone.
 *
 * @param {number} mostMs - no longer than this
 */
export async function untilQuiet(mostMs) {
  const until = performance.now() + mostMs
  for (let percent = 100; isStolen(percent) && performance.now() < until; ) {
    const stolen = watchSteal()
    await sleep(LOOK_MS)
    percent = stolen()
  }
}

/**
 * keepAwake keeps all cores from sleeping, by loops that run only where nobody else wants a core: the core of a virtual machine that sleeps is
 * given to others of its host, and comes late when it is wanted again.
 *
 * @returns {() => void} ends that
 */
export function keepAwake() {
  // a session of its own can be lowered as a whole: within ours a loop would take as much as the workers, which have theirs
  const loops = os
    .cpus()
    .map(() => spawn(process.execPath, ['-e', LOOP], { stdio: 'ignore', detached: true }))
  for (const { pid } of loops) setLowestPriority(/** @type {number} */ (pid))
  const end = () => {
    for (const loop of loops) loop.kill('SIGKILL')
  }
  process.once('exit', end)
  return end
}
