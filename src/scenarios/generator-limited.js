import { QUANTILES } from '../measure/summary.js'

/**
 * @typedef {import('../result/types.js').Summary} Summary
 * @typedef {import('../result/types.js').Warning} Warning
 * @typedef {'p50' | 'p99'} Key
 */

/** BUSY: above this share of its time a generator does not send what it would. */
const BUSY = 0.9

/** A percentile of which more than this share is client overhead is more of the load generator than of what is under test. */
const MAX_OVERHEAD = 0.5

/** @type {readonly Key[]} */
const KEYS = ['p50', 'p99']

/** @param {readonly [of: string, summary: Partial<Summary>][]} times */
const overheadsOf = times =>
  times.flatMap(([of, summary]) =>
    KEYS.flatMap(key => {
      const { ms = 0, overheadMs = 0 } = summary[key] ?? {}
      return overheadMs > MAX_OVERHEAD * ms ? [{ of, share: QUANTILES[key], ms, overheadMs }] : []
    })
  )

/**
 * Clients that wait for replies share what a server carries that is used up: their times follow from its throughput. Overhead does not make
 * them longer, it is time in which they would have waited at the server. Not where the load generator is used up as well: it may be what
 * holds both back.
 *
 * @param {import('../result/types.js').LimitedBy} [limitedBy]
 */
const isServers = limitedBy =>
  limitedBy?.by.length === 1 &&
  limitedBy.by[0] === 'server CPU' &&
  limitedBy.shares.every(({ name }) => name !== 'offered load')

/** What is the generator's: it was used up, or other programs had the cores that it needs. */
const OWN = new Set(['load generator', 'machine'])

/**
 * generatorLimited says whether a run measured its load generator rather than what is under test: the generator alone was used up, or client
 * overhead is more than half of p50 or p99. Overhead does not count where clients of the closed model used up the server, and nothing else.
 *
 * @param {object} measured
 * @param {readonly { worker: number, utilization: number }[]} measured.health
 * @param {import('../result/types.js').LimitedBy} [measured.limitedBy] - absent: not looked at; then a worker counts as used up that was more than
 *   90 % busy
 * @param {readonly [of: string, summary: Partial<Summary>][]} [measured.times] - of operations or deliveries, by their names
 * @returns {Warning[]} one at most
 */
export function generatorLimited({ health, limitedBy, times = [] }) {
  const overheads = isServers(limitedBy) ? [] : overheadsOf(times)
  const [busiest] = health.toSorted((a, b) => b.utilization - a.utilization)
  const isUsedUp =
    limitedBy === undefined
      ? busiest !== undefined && busiest.utilization > BUSY
      : limitedBy.by.length > 0 && limitedBy.by.every(name => OWN.has(name))
  if (!isUsedUp && overheads.length === 0) return []
  const { worker = 0, utilization = 0 } = busiest ?? {}
  const usedUp = limitedBy === undefined ? { busy: { worker, utilization } } : { busy: null, limitedBy }
  return [{ code: 'GENERATOR_LIMITED', values: { ...(isUsedUp ? usedUp : { busy: null }), overheads } }]
}
