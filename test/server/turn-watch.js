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

/** A full collection or a compilation of V8's may fall into a turn, in one of several tries, but hardly in each. */
const TRIES = 3

/**
 * shortTurns tries something until no turn of the event loop takes longer than it may.
 *
 * @param {import('node:test').TestContext} t
 * @param {number} mostMs - CPU time of a turn
 * @param {() => Promise<void>} work - what may be done more than once
 * @returns {Promise<number[]>} the longest turn of each try in ms; the last is at most mostMs, unless all tries were above
 */
export async function shortTurns(t, mostMs, work) {
  const turns = watchTurns(t)
  const longest = []
  do {
    turns.longestMs = 0
    await work()
    longest.push(turns.longestMs)
  } while (turns.longestMs > mostMs && longest.length < TRIES)
  turns.on = false
  return longest
}
