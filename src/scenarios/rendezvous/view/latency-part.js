import { counted, significant } from '../../../kit/numbers.js'
import { operationsOf, throughput } from '../../../report/table.js'

/**
 * @typedef {import('../../../result/types.js').Result} Result
 * @typedef {Result['run']['phases'][number]} Phase
 */

/** What runs ask for latency at, beside their capacity. @param {string} name of a phase */
const renamed = name => (name === 'measure' ? 'capacity' : name === 'latency' ? 'measure' : name)

/**
 * latencyPart is what a run tells of latency, as a run of the open model alone.
 *
 * @param {Result} result
 * @returns {Result | null} null: it did not ask
 */
export function latencyPart({ plan, outcome: { latency, ...outcome }, run, ...document }) {
  if (latency == null) return null
  const { ratePerSecond, health, lateness, ...measured } = latency
  return {
    ...document,
    plan: { ...plan, ratePerSecond, arrivals: 'constant', thinkTimeMs: null, inFlight: 1 },
    outcome: { ...outcome, ...measured, latency: null, lookUp: null, thresholds: [], faults: [], soak: null },
    run: {
      ...run,
      health,
      lateness,
      phases: run.phases.map(phase => ({ ...phase, name: renamed(phase.name) }))
    }
  }
}

/** @param {Result} result */
function capacityTitle(result) {
  const { nClients } = result.plan
  const found = operationsOf(result)
    .filter(([type]) => type !== 'CONNECT')
    .map(([type, operation]) => {
      const cpu = operation.serverCpuMicrosPerOperation
      return `${throughput(operation)} ${type}/s${cpu === null ? '' : `, ${significant(cpu)} µs of server CPU each`}`
    })
  return `Capacity: ${found.join('; ')}. Each of ${counted(nClients, 'client')} sends again once it was answered: times are clients ÷ throughput.`
}

/** @param {Result} part */
const latencyTitle = ({ plan }) =>
  `Latency: operations are due at ${significant(plan.ratePerSecond ?? 0)}/s${plan.latencyRate === 'auto' ? ', a third of the capacity' : ''}, and times count from then.`

/**
 * questionsOf are the questions that a run asks, each with what it tells, as a run of its own.
 *
 * @param {Result} result
 * @returns {{ title: string, result: Result }[]} `title`: empty where there is but one
 */
export function questionsOf(result) {
  const latency = latencyPart(result)
  if (latency === null) return [{ title: '', result }]
  return [
    { title: capacityTitle(result), result },
    { title: latencyTitle(latency), result: latency }
  ]
}
