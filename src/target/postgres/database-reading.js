import { readdirSync, readFileSync } from 'node:fs'
import { sumOf } from '../../kit/lists.js'
import { statFields } from '../../kit/proc-stat.js'

/** Ticks of the clock that Linux counts CPU time in, the same on all architectures that Node runs on. */
const TICK_MS = 10

/** What one process has of what many share takes the kernel half a millisecond to add up, and a database has fifty. */
const MEMORY_EVERY_MS = 1000

/**
 * databaseReader gives what reads the CPU time of a PostgreSQL, of processes that have ended too, and the memory of those that run, each with
 * its part of what they share: that once a second.
 *
 * @param {number} postmaster - pid
 * @returns {() => Promise<import('../../measure/resource-series.js').Reading>}
 */
export function databaseReader(postmaster) {
  let [rssBytes, rssMs] = [0, Number.NEGATIVE_INFINITY]
  return async () => {
    const all = processesOf(postmaster)
    const atMs = performance.now()
    if (atMs - rssMs >= MEMORY_EVERY_MS) {
      rssBytes = sumOf(all, ({ pid }) => shareOf(pid))
      rssMs = atMs
    }
    return { atMs, cpuMs: (all[0].endedTicks + sumOf(all, ({ ticks }) => ticks)) * TICK_MS, rssBytes }
  }
}

/** @param {number} postmaster - pid */
function processesOf(postmaster) {
  const own = statOf(postmaster)
  if (own === undefined) throw new Error('the database has ended')
  const children = childrenOf(postmaster).map(statOf)
  return [own, ...children.flatMap(stat => (stat?.parent === postmaster ? [stat] : []))]
}

/**
 * Of no disk, so that nothing waits: without promises a hundred of them take a quarter of the CPU time.
 *
 * @param {string} path
 * @returns {string | undefined} undefined: it is of a process that has ended, or the kernel does not tell
 */
function told(path) {
  try {
    return readFileSync(path, 'latin1')
  } catch {}
}

/**
 * Where the kernel tells whose children processes are, only those are looked at: to look at all others took three times as much CPU.
 *
 * @param {number} pid
 */
const childrenOf = pid =>
  (told(`/proc/${pid}/task/${pid}/children`)?.split(' ') ?? readdirSync('/proc'))
    .filter(name => /^\d+$/.test(name))
    .map(Number)

/** @param {number} pid - of a process that may have ended meanwhile */
function statOf(pid) {
  const text = told(`/proc/${pid}/stat`)
  if (text === undefined) return
  const fields = statFields(text)
  const [utime, stime, cutime, cstime] = fields.slice(11, 15).map(Number)
  return { pid, parent: Number(fields[1]), ticks: utime + stime, endedTicks: cutime + cstime }
}

/** @param {number} pid */
const shareOf = pid =>
  Number(/^Pss:\s+(\d+) kB/m.exec(told(`/proc/${pid}/smaps_rollup`) ?? '')?.[1] ?? 0) * 1024
