import { sumOf } from '../../../kit/lists.js'
import { changesState, stateRound } from '../../../load/rounds.js'
import { AUTO } from '../../../plan/rate-or-auto.js'
import { slower } from '../../../plan/scale.js'
import { isOpen } from './conditions.js'

/**
 * @typedef {import('../../../plan/plan.js').Plan} Plan
 */

/** The part of the capacity at which latency is asked for: what a server is run at, with room for peaks. */
const SHARE = 1 / 3

/** Operations behind each p99: twice those without which it is not printed. */
const OPERATIONS = 2000
const SHORTEST_SECONDS = 5

/** A throughput over less time is that of the start, and no third is taken of it. */
const CAPACITY_MS = 5000

/** @param {Record<string, any>} values */
const noCapacity = ({ thinkTime, fault = [], duration, minDuration }) =>
  thinkTime !== undefined || fault.length > 0 || (duration ?? minDuration) < CAPACITY_MS

/**
 * latencyRateIn is the rate that options ask for latency at.
 *
 * @param {Record<string, any>} values - of options
 * @returns {Plan['latencyRate']}
 */
export function latencyRateIn({ latencyRate, ...values }) {
  const { rate, arrivals } = values
  return isOpen({ rate, arrivals }) || (latencyRate === AUTO && noCapacity(values)) ? null : latencyRate
}

/** LATENCY_RULE refuses a third of what is not measured. @type {import('../../../plan/option.js').Rule} */
export const LATENCY_RULE = {
  flag: 'latencyRate',
  needs: ['rate', 'arrivals', 'thinkTime', 'fault', 'duration', 'minDuration'],
  refuse: (values, given) =>
    given.has('latencyRate') &&
    values.latencyRate === AUTO &&
    !isOpen(/** @type {any} */ (values)) &&
    noCapacity(values) &&
    `needs a capacity to take a third of: ${CAPACITY_MS / 1000} s or more of --duration or --minDuration, without --thinkTime and --fault. Else give a rate`
}

/** shorterLatency is the rate of a plan that takes less time. @param {Plan} plan @param {number} measuredMs @param {number} share - of a rate */
export function shorterLatency({ latencyRate }, measuredMs, share) {
  if (latencyRate === AUTO) return measuredMs < CAPACITY_MS ? null : AUTO
  return slower(latencyRate, share)
}

/**
 * latencyRateOf is the rate at which a run asks for latency, once its capacity was measured.
 *
 * @param {Pick<Plan, 'latencyRate'>} plan
 * @param {Pick<import('../../../result/types.js').Figures, 'operations'>} capacity - as it was measured
 * @returns {number | null} operations per second; null: it does not
 */
export function latencyRateOf({ latencyRate }, { operations }) {
  if (latencyRate !== AUTO) return latencyRate || null
  const { CONNECT, ...sent } = operations
  const capacity = sumOf(Object.values(sent), ({ throughputPerSecond }) => throughputPerSecond)
  return Number((capacity * SHARE).toPrecision(3)) || null
}

/**
 * latencyPlan is the plan of the part of a run that asks for latency: operations are due at a rate, for as long as there are enough of
 * the rarest type for its p99. Where they change what the server holds, they are made in rounds.
 *
 * @param {Plan} plan
 * @param {number} ratePerSecond
 * @returns {Plan}
 */
export function latencyPlan(plan, ratePerSecond) {
  const rarest = Math.min(...Object.values(plan.mix ?? {}).filter(share => share > 0), 1)
  // draws of a mix are random: three standard deviations more
  const enough = plan.mix === null ? OPERATIONS : (OPERATIONS + 3 * Math.sqrt(OPERATIONS)) / rarest
  const operations = Math.max(enough, ratePerSecond * SHORTEST_SECONDS)
  const rounds = changesState(plan) ? Math.ceil(operations / stateRound(plan)) : 1
  const benchmarkRuns = Math.ceil(operations / rounds)
  return {
    ...plan,
    ratePerSecond,
    arrivals: 'constant',
    durationMs: null,
    benchmarkRuns,
    // a round lasts about as long as its operations are due in: half of one less makes it so many rounds
    minDurationMs: rounds === 1 ? 0 : ((rounds - 0.5) * benchmarkRuns * 1000) / ratePerSecond,
    thinkTimeMs: null,
    inFlight: 1,
    faults: [],
    latencyRate: null
  }
}
