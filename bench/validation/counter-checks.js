import { judgeGoodput, LOSS_SHARE } from './goodput.js'
import { judgeMeasures } from './measures.js'

/**
 * @typedef {object} CounterCheck - whether something that is wrong is noticed
 * @property {'latency' | 'loss'} what
 * @property {import('./equivalence.js').Equivalence} verdict - differs: it is noticed
 */

/** LATENCY_FACTOR by which the links of the counter-check are off. */
export const LATENCY_FACTOR = 1.1

/** Measures that links are to move. */
const TIMES = ['p50', 'p99']

/** @param {readonly import('./equivalence.js').Equivalent[]} measures */
const found = measures => (measures.some(({ verdict }) => verdict === 'differs') ? 'differs' : 'undecided')

/**
 * counterChecks say whether a validation would notice a simulation that is wrong: one whose links are a tenth slower, and one that loses
 * twice as much.
 *
 * @param {{ real: import('./measures.js').Observation[], slower: import('./measures.js').Observation[], unitMs: number }} observations -
 *   `slower`: of simulations whose links are
 * @param {readonly number[]} seeds
 * @returns {CounterCheck[]}
 */
export function counterChecks({ real, slower, unitMs }, seeds) {
  const times = judgeMeasures(real.slice(0, slower.length), slower, unitMs).filter(({ name }) =>
    TIMES.includes(name)
  )
  return [
    { what: 'latency', verdict: found(times) },
    { what: 'loss', verdict: found([judgeGoodput(unitMs, seeds, 2 * LOSS_SHARE)]) }
  ]
}
