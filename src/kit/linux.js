// Reads Linux system files: CPU quota and throttling, memory limits, processes killed for lack of memory, process
// groups.

import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'

/**
 * What control groups of Linux allow this process, by either version: https://docs.kernel.org/admin-guide/cgroup-v2.html and
 * https://docs.kernel.org/admin-guide/cgroup-v1/. A group is limited by those around it too.
 *
 * @typedef {(path: string) => string} ReadSystemFile - a file of the system's; empty: it cannot be read
 */

const ROOT = '/sys/fs/cgroup'

/**
 * groupsOf finds the folders of the groups that this process is in, its own first. In a container the path may be that of the host, and
 * only the last of them is there.
 *
 * @param {string} controller
 * @param {ReadSystemFile} read
 * @returns {string[]}
 */
function groupsOf(controller, read) {
  const lines = [...read('/proc/self/cgroup').matchAll(/^\d+:([^:]*):(\/.*)$/gm)]
  const pathOf = (/** @type {string} */ name) =>
    lines.find(([, controllers]) => controllers.split(',').includes(name))?.[2]
  const own = pathOf(controller)
  const [root, path] = own === undefined ? [ROOT, pathOf('') ?? '/'] : [`${ROOT}/${controller}`, own]
  const names = path.split('/').filter(name => name !== '' && name !== '..')
  return names.map((_, i) => [root, ...names.slice(0, names.length - i)].join('/')).concat(root)
}

/**
 * @template T
 * @param {string} controller
 * @param {readonly string[]} files - of a group, by version
 * @param {(text: string, group: string) => T | null} valueIn - null: it says nothing
 * @param {ReadSystemFile} read
 * @returns {T[]} of each group that says something
 */
const readGroupValues = (controller, files, valueIn, read) =>
  groupsOf(controller, read).flatMap(group =>
    files.flatMap(file => {
      const text = read(`${group}/${file}`)
      const value = text === '' ? null : valueIn(text, group)
      return value === null ? [] : [value]
    })
  )

/** @param {readonly number[]} values @returns {number | null} */
const minOrNull = values => (values.length === 0 ? null : Math.min(...values))

/** @param {string} text @returns {number | null} null: no limit, which version 1 writes as the largest number that it knows */
const limitIn = text => (/^\d{1,18}\s*$/.test(text) ? Number(text) : null)

/**
 * readQuotaCores is how many cores' time this process may use.
 *
 * @param {ReadSystemFile} [read]
 * @returns {number | null} null: that of all, or not known
 */
export const readQuotaCores = (read = readSystemFile) =>
  minOrNull(
    readGroupValues(
      'cpu',
      ['cpu.max', 'cpu.cfs_quota_us'],
      (text, group) => {
        const [, quota, period = read(`${group}/cpu.cfs_period_us`)] =
          /^(\d+)(?: (\d+))?\s*$/.exec(text) ?? []
        return quota === undefined ? null : Number(quota) / Number(period)
      },
      read
    )
  )

/**
 * countUsableCores is how many cores this process can keep busy: those that it may run on, as far as its quota goes.
 *
 * @param {ReadSystemFile} [read]
 * @returns {number} 1 or more, whole
 */
export const countUsableCores = (read = readSystemFile) =>
  Math.max(1, Math.floor(Math.min(availableParallelism(), readQuotaCores(read) ?? Infinity)))

/**
 * readThrottledMs is for how long this process and those in a group with it were held back, since the group began, because they had used what
 * they may of the cores.
 *
 * @param {ReadSystemFile} [read]
 * @returns {number | null} null: not known
 */
export function readThrottledMs(read = readSystemFile) {
  const all = readGroupValues(
    'cpu',
    ['cpu.stat'],
    text => {
      const { throttled_usec: micros, throttled_time: ns } = parseFlatKeyed(text)
      return micros === undefined && ns === undefined ? null : (micros ?? 0) / 1e3 + (ns ?? 0) / 1e6
    },
    read
  )
  return all.length === 0 ? null : all.reduce((sum, ms) => sum + ms, 0)
}

/**
 * readMemoryLimit is how much memory this process may have together with those in a group with it.
 *
 * @param {ReadSystemFile} [read]
 * @returns {number | null} bytes; null: as much as there is, or not known
 */
export const readMemoryLimit = (read = readSystemFile) =>
  minOrNull(readGroupValues('memory', ['memory.max', 'memory.limit_in_bytes'], limitIn, read))

/**
 * countMemoryKills counts the processes of this group that were killed for want of memory.
 *
 * @param {ReadSystemFile} [read]
 * @returns {number | null} null: not known
 */
export const countMemoryKills = (read = readSystemFile) =>
  readGroupValues(
    'memory',
    ['memory.events', 'memory.oom_control'],
    text => parseFlatKeyed(text).oom_kill ?? null,
    read
  ).at(0) ?? null

/**
 * findFullestProcessGroup is the group that has the least room for another process or thread.
 *
 * @param {ReadSystemFile} [read]
 * @returns {{ used: number, allowed: number } | null} null: none has a limit, or it is not known
 */
export const findFullestProcessGroup = (read = readSystemFile) =>
  readGroupValues(
    'pids',
    ['pids.max'],
    (text, group) => {
      const allowed = limitIn(text)
      return allowed === null ? null : { used: Number(read(`${group}/pids.current`)), allowed }
    },
    read
  ).toSorted((a, b) => a.allowed - a.used - (b.allowed - b.used))[0] ?? null

/** readSystemFile gives a file of the system's, or nothing where it cannot be read. @param {string} path */
export function readSystemFile(path) {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return ''
  }
}

/** parseFlatKeyed reads a file of a control group that has a key and a number a line. @param {string} text @returns {Record<string, number>} */
export const parseFlatKeyed = text =>
  Object.fromEntries(
    text
      .trim()
      .split('\n')
      .map(line => line.split(' '))
      .map(([key, value]) => [key, Number(value)])
  )

/**
 * parseStatFields is what Linux tells of a process behind its name in brackets, which may hold spaces and brackets itself:
 * state, parent, group, session, … (proc_pid_stat(5), fields from the third on).
 *
 * @param {string} text - of /proc/<pid>/stat
 * @returns {string[]}
 */
export const parseStatFields = text => text.slice(text.lastIndexOf(')') + 2).split(' ')
