import { readFileSync } from 'node:fs'
import { setImmediate as turn } from 'node:timers/promises'

const SCHEDSTAT = `/proc/self/task/${process.pid}/schedstat`

/** CPU time of this thread, which neither a busy machine nor V8's own threads change; elsewhere of the process. */
function cpuMs() {
  if (process.platform === 'linux') return Number(readFileSync(SCHEDSTAT, 'latin1').split(' ', 1)[0]) / 1e6
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/**
 * watchTurns measures each turn of the event loop, in ms of CPU time, until it is stopped or the test ends: a watch that goes on keeps
 * its process alive.
 *
 * @param {import('node:test').TestContext} t
 */
export function watchTurns(t) {
  const watched = { longestMs: 0, on: true }
  t.after(() => {
    watched.on = false
  })
  const watch = async () => {
    let before = cpuMs()
    while (watched.on) {
      await turn()
      const now = cpuMs()
      watched.longestMs = Math.max(watched.longestMs, now - before)
      before = now
    }
  }
  watch()
  return watched
}

/** Numbers that point at one another in no order, more than the caches of a core hold. */
const CHASED = 1 << 20
const STEPS = 500_000
/** As it is on a machine that nothing else of its host disturbs. */
const USUAL_NS = 40

/**
 * slowness is how much longer memory takes to answer than it usually does: where others of the host fill the caches, collections and
 * compilations take several times as much CPU.
 *
 * @returns {number} 1 or more
 */
function slowness() {
  const next = Uint32Array.from({ length: CHASED }, (_, i) => i)
  for (let i = CHASED - 1; i > 0; i--) {
    const j = Math.floor(Math.random() * i)
    const kept = next[i]
    next[i] = next[j]
    next[j] = kept
  }
  const beganMs = cpuMs()
  let at = 0
  for (let step = 0; step < STEPS; step++) at = next[at]
  return Math.max(1, ((cpuMs() - beganMs) * 1e6) / STEPS / USUAL_NS)
}

/** A full collection or a compilation of V8's may fall into a turn, in one of several tries, but hardly in each. */
const TRIES = 3

/**
 * shortTurns tries something until no turn of the event loop takes longer than it may.
 *
 * @param {import('node:test').TestContext} t
 * @param {number} mostMs - CPU time of a turn
 * @param {() => Promise<void>} work - what may be done more than once
 * @returns {Promise<number[]>} the longest turn of each try in ms of a machine with usual memory; the last is at most mostMs, unless
 *   all tries were above
 */
export async function shortTurns(t, mostMs, work) {
  const slower = slowness()
  const turns = watchTurns(t)
  /** @type {number[]} */
  const longest = []
  do {
    turns.longestMs = 0
    await work()
    longest.push(turns.longestMs / slower)
  } while (longest[longest.length - 1] > mostMs && longest.length < TRIES)
  turns.on = false
  return longest
}
