import { sumOf } from '../../../kit/lists.js'

/** @typedef {import('../../../network/node-host.js').Counters} Counters */

/** COUNTER_NAMES of all Counters. @type {readonly (keyof Counters)[]} */
export const COUNTER_NAMES = [
  'duplicates',
  'bytesSent',
  'bytesReceived',
  'rpcsSent',
  'rpcsReceived',
  'messagesSent',
  'messagesReceived',
  'ihaveSent',
  'iwantSent',
  'graftSent',
  'pruneSent',
  'idontwantSent',
  'accepted',
  'ignored',
  'rejected',
  'promisesBroken',
  'foreign',
  'refusedRpcs'
]

/** @param {(name: keyof Counters) => number} countOf */
const countersOf = countOf =>
  /** @type {Counters} */ (Object.fromEntries(COUNTER_NAMES.map(name => [name, countOf(name)])))

/**
 * sumCounters adds counters up.
 *
 * @param {Iterable<Counters>} list
 */
function sumCounters(list) {
  const all = [...list]
  return countersOf(name => sumOf(all, counters => counters[name] ?? 0))
}

/**
 * counterDifference is what was counted between two moments.
 *
 * @param {Counters} later
 * @param {Counters} earlier
 */
export const counterDifference = (later, earlier) =>
  countersOf(name => (later[name] ?? 0) - (earlier[name] ?? 0))

/** NetworkCounters sums what the hosts of all workers last told. One whose worker has died keeps what it told last. */
export class NetworkCounters {
  /** @type {Map<number, { seq: number, counters: Counters }>} by worker */
  #latest = new Map()

  /**
   * add takes an interval of a worker.
   *
   * @param {number} worker
   * @param {Pick<import('../../../network/node-host.js').HostInterval, 'seq' | 'counters'>} interval
   */
  add(worker, { seq, counters }) {
    const known = this.#latest.get(worker)
    if (known === undefined || seq > known.seq) this.#latest.set(worker, { seq, counters })
  }

  /** total of the network so far; kept at two moments, their difference is that of a phase. */
  total() {
    return sumCounters([...this.#latest.values()].map(({ counters }) => counters))
  }
}
