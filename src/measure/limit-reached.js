import { readdirSync } from 'node:fs'
import { fullestOfProcesses, memoryKills, memoryLimit } from '../kit/control-group.js'
import { grouped } from '../kit/numbers.js'
import { textOf } from '../kit/system-files.js'

/** Threads that Node starts with; a process of ours has another one. */
const THREADS = 12

/**
 * @typedef {object} System - what is asked of it
 * @property {(path: string) => string} read - a file; empty: it cannot be read
 * @property {() => number} user - 0 may have as many processes as it likes
 * @property {() => readonly string[]} processes - their numbers
 */

/** @type {System} */
const REAL = {
  read: textOf,
  user: () => process.getuid?.() ?? 0,
  processes: () => {
    try {
      return readdirSync('/proc').filter(name => /^\d+$/.test(name))
    } catch {
      return []
    }
  }
}

/** @param {string} name - of a limit of this process @param {System} system @returns {number} Infinity: none, or not known */
function ownLimit(name, { read }) {
  const [, soft = 'unlimited'] = new RegExp(`^${name} +(\\S+)`, 'm').exec(read('/proc/self/limits')) ?? []
  return soft === 'unlimited' ? Infinity : Number(soft)
}

/** threadsOf counts those of all processes of a user. @param {number} user @param {System} system */
const threadsOf = (user, { read, processes }) =>
  processes()
    .map(pid => read(`/proc/${pid}/status`))
    .filter(status => new RegExp(`^Uid:\\t${user}\\t`, 'm').test(status))
    .reduce((sum, status) => sum + Number(/^Threads:\t(\d+)/m.exec(status)?.[1] ?? 0), 0)

/**
 * noRoomForProcess says which limit leaves no room for one more process of ours.
 *
 * @param {System} [system]
 * @returns {string | null} null: none
 */
export function noRoomForProcess(system = REAL) {
  const group = fullestOfProcesses(system.read)
  if (group !== null && group.allowed - group.used < THREADS)
    return `its control group has ${group.used} of the ${group.allowed} processes and threads that it may have (pids.max)`
  const user = system.user()
  const allowed = ownLimit('Max processes', system)
  if (user === 0 || allowed === Infinity) return null
  const used = threadsOf(user, system)
  return allowed - used < THREADS
    ? `this user has ${used} of ${allowed} processes and threads: allow more, with ulimit -u`
    : null
}

/**
 * watchLimits notes what limits have done so far.
 *
 * @param {System} [system]
 * @returns {(how: { signal?: string | null, started: boolean }) => string} why a process of ours ended since then, behind its end in
 *   words; empty: no limit is likely to be the reason. `signal`: that ended it; `started`: it was ready before
 */
export function watchLimits(system = REAL) {
  const before = memoryKills(system.read)
  return ({ signal = null, started }) => {
    const cause =
      signal === 'SIGKILL'
        ? before !== null && Number(memoryKills(system.read)) > before && outOfMemory(system)
        : !started && (noRoomForProcess(system) ?? littleAddressSpace(system))
    return cause ? `: ${cause}` : ''
  }
}

/** @param {System} system */
function outOfMemory({ read }) {
  const limit = memoryLimit(read)
  return limit === null
    ? 'memory ran out on this machine'
    : `memory ran out, for its control group may have ${grouped(limit / 1e6)} MB`
}

/** WebAssembly reserves addresses by the 10 GB. @param {System} system */
function littleAddressSpace(system) {
  const bytes = ownLimit('Max address space', system)
  return bytes === Infinity
    ? null
    : `it may have ${grouped(bytes / 1e6)} MB of addresses, which are too few for Node: allow more, with ulimit -v`
}
