import { changesState } from '../../../load/rounds.js'
import { replayedMs, saysItsRates } from '../../../plan/arrivals-option.js'
import { inOrder, writeFault } from './fault-option.js'

/**
 * @typedef {import('./fault-option.js').Fault} Fault
 * @typedef {import('../../../plan/option.js').Rule} Rule
 */

/** @param {Fault} fault @returns {number} ms; Infinity: it is not undone */
const endOf = ({ atMs, forMs }) => (forMs === null ? Infinity : atMs + forMs)

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

/** @param {string[]} needs @param {(faults: readonly Fault[], values: Record<string, any>) => ReturnType<Rule['refuse']>} refuse @returns {Rule} */
const rule = (needs, refuse) => ({
  flag: 'fault',
  needs,
  refuse: ({ fault, ...values }) => (fault === undefined ? null : refuse(fault, values))
})

/** FAULT_RULES are the combinations with --fault that cannot be run. @type {readonly Rule[]} */
export const FAULT_RULES = [
  rule(
    ['target'],
    (_, { target }) => target !== undefined && 'is done to our own server and cannot be given with --target'
  ),
  rule(
    ['server'],
    (faults, { server }) =>
      faults.some(({ kind }) => kind === 'cpu') &&
      server === 'process' &&
      'has a cpu, which needs --server docker: nothing limits a process'
  ),
  rule(['duration', 'arrivals'], (faults, { duration, arrivals }) => {
    const durationMs = duration ?? replayedMs(arrivals)
    return durationMs === undefined
      ? 'needs --duration: a fault comes at a time of the measurement'
      : beyondTheEnd(faults, durationMs)
  }),
  rule([], twoAtOnce),
  rule(
    ['benchmarkType', 'registerMode', 'rate', 'arrivals'],
    (_, { rate, arrivals, ...values }) =>
      changesState(/** @type {any} */ (values)) &&
      rate === undefined &&
      !saysItsRates(arrivals) &&
      'needs a measurement in one piece, and this one is undone every now and then: use --rate, --benchmarkType DISCOVER or --registerMode refresh'
  )
]
