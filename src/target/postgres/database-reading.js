import { readdir, readFile } from 'node:fs/promises'
import { statFields } from '../../kit/proc-stat.js'

/** Ticks of the clock that Linux counts CPU time in, the same on all architectures that Node runs on. */
const TICK_MS = 10

/**
 * databaseReading reads the CPU time of a PostgreSQL, of processes that have ended too, and the memory of those that run, each with its part
 * of what they share.
 *
 * @param {number} postmaster - pid
 * @returns {Promise<import('../../measure/resource-series.js').Reading>}
 */
export async function databaseReading(postmaster) {
  const own = await statOf(postmaster)
  if (own === undefined) throw new Error('the database has ended')
  const children = (await Promise.all((await childrenOf(postmaster)).map(statOf))).filter(
    stat => stat?.parent === postmaster
  )
  const all = [own, ...children].flatMap(stat => (stat === undefined ? [] : [stat]))
  const bytes = await Promise.all(all.map(({ pid }) => shareOf(pid)))
  return {
    atMs: performance.now(),
    cpuMs: (own.endedTicks + all.reduce((sum, { ticks }) => sum + ticks, 0)) * TICK_MS,
    rssBytes: bytes.reduce((sum, some) => sum + some, 0)
  }
}

/**
 * Where the kernel tells whose children processes are, only those are looked at: to look at all others took three times as much CPU.
 *
 * @param {number} pid
 */
async function childrenOf(pid) {
  const told = await readFile(`/proc/${pid}/task/${pid}/children`, 'latin1').catch(() => null)
  const all = told === null ? await readdir('/proc') : told.split(' ')
  return all.filter(name => /^\d+$/.test(name)).map(Number)
}

/** @param {number} pid - of a process that may have ended meanwhile */
async function statOf(pid) {
  const text = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => undefined)
  if (text === undefined) return
  const fields = statFields(text)
  const [utime, stime, cutime, cstime] = fields.slice(11, 15).map(Number)
  return { pid, parent: Number(fields[1]), ticks: utime + stime, endedTicks: cutime + cstime }
}

/** @param {number} pid */
async function shareOf(pid) {
  const text = await readFile(`/proc/${pid}/smaps_rollup`, 'latin1').catch(() => '')
  return Number(/^Pss:\s+(\d+) kB/m.exec(text)?.[1] ?? 0) * 1024
}
