import { replayedMs } from '../../../plan/arrivals-option.js'
import { isOurs } from './conditions.js'
import { inOrder, writeFault } from './fault-option.js'
import { keptElsewhere } from './store-option.js'

/**
 * @typedef {import('./fault-option.js').Fault} Fault
 * @typedef {import('../../../plan/option.js').Rule} Rule
 */

/** @param {Fault} fault @returns {number} ms; Infinity: it is not undone, and nothing can come after it */
const endOf = ({ kind, atMs, forMs, server }) =>
  forMs !== null ? atMs + forMs : kind === 'kill' && server !== undefined ? atMs : Infinity

/** @param {readonly Fault[]} faults @param {number} durationMs */
function beyondTheEnd(faults, durationMs) {
  const late = faults.find(fault => fault.atMs + (fault.forMs ?? 0) >= durationMs)
  return late === undefined
    ? null
    : `has "${writeFault(late)}", which is not over before the end of --duration (${durationMs}ms): give it more time, or let the fault come earlier`
}

/** @param {readonly Fault[]} faults */
function twoAtOnce(faults) {
  const [first, second] =
    inOrder(faults)
      .map((fault, i, all) => [fault, all[i + 1]])
      .find(([fault, next]) => next !== undefined && next.atMs < endOf(fault)) ?? []
  return first === undefined
    ? null
    : `has "${writeFault(second)}" before "${writeFault(first)}" is over: one at a time`
}

/** @param {readonly Fault[]} faults @param {number} servers */
function notOfThese(faults, servers) {
  const which = servers > 1 ? `--servers ${servers}` : 'one server'
  const wrong = faults.find(({ server = 1 }) => server > servers)
  if (wrong !== undefined) return `has "${writeFault(wrong)}", and there is ${which}`
  if (servers > 1 && faults.some(({ server }) => server === undefined))
    return `must say which of ${servers} servers it is done to, such as "server=2 at=20s kill"`
  return servers > 1 ? killedBefore(faults, servers) : null
}

/** @param {readonly Fault[]} faults @param {number} servers */
function killedBefore(faults, servers) {
  /** @type {Set<number | undefined>} */
  const killed = new Set()
  for (const fault of inOrder(faults)) {
    if (killed.has(fault.server)) return `has "${writeFault(fault)}" for a server that was killed before`
    if (fault.kind === 'kill') killed.add(fault.server)
  }
  return killed.size === servers ? `kills all of ${servers} servers: one must be left` : null
}

/** @param {string[]} needs @param {(faults: readonly Fault[], values: Record<string, any>) => ReturnType<Rule['refuse']>} refuse @returns {Rule} */
const rule = (needs, refuse) => ({
  flag: 'fault',
  needs,
  refuse: ({ fault, ...values }) => (fault === undefined ? null : refuse(fault, values))
})

/** FAULT_RULES are the combinations with --fault that cannot be run. @type {readonly Rule[]} */
export const FAULT_RULES = [
  rule(
    ['target', 'targets'],
    (_, values) =>
      !isOurs(values) && 'is done to our own server and cannot be given with --target or --targets'
  ),
  rule(
    ['server', 'store', 'servers'],
    (faults, { server, ...values }) =>
      faults.some(({ kind }) => kind === 'cpu') &&
      (server === 'process' || keptElsewhere(/** @type {any} */ (values))) &&
      'has a cpu, which needs --server docker: nothing limits a process'
  ),
  rule(['duration', 'arrivals'], (faults, { duration, arrivals }) => {
    const durationMs = duration ?? replayedMs(arrivals)
    return durationMs === undefined
      ? 'needs --duration: a fault comes at a time of the measurement'
      : beyondTheEnd(faults, durationMs)
  }),
  rule([], twoAtOnce),
  rule(['servers'], (faults, { servers }) => notOfThese(faults, servers))
]
