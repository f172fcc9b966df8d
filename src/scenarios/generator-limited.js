import { QUANTILES } from '../measure/summary.js'

/**
 * @typedef {import('../result/types.js').Summary} Summary
 * @typedef {import('../result/types.js').Warning} Warning
 * @typedef {'p50' | 'p99'} Key
 */

/** BUSY: above this share of its time a generator does not send what it would. */
export const BUSY = 0.9

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
 * generatorLimited says whether a run measured its load generator rather than what is under test: a worker was used up, or client overhead is
 * more than half of p50 or p99.
 *
 * @param {readonly { worker: number, utilization: number }[]} health
 * @param {readonly [of: string, summary: Partial<Summary>][]} [times] - of operations or deliveries, by their names
 * @returns {Warning[]} one at most
 */
export function generatorLimited(health, times = []) {
  const [busiest] = health.toSorted((a, b) => b.utilization - a.utilization)
  const busy = busiest !== undefined && busiest.utilization > BUSY
  const overheads = overheadsOf(times)
  if (!busy && overheads.length === 0) return []
  const { worker, utilization } = busiest ?? {}
  return [{ code: 'GENERATOR_LIMITED', values: { busy: busy ? { worker, utilization } : null, overheads } }]
}
