import { runScenario } from '../../src/run/run.js'
import { loadScenario } from '../../src/scenarios/index.js'
import { readComparedFigures } from '../../src/studies/compare/comparison.js'
import { makePlanOf, scenarioNamed } from '../../test/scenarios.js'
import { observationOf } from '../validation/measures.js'

/**
 * @typedef {object} SameRun - what is kept of a run of a plan that is run again and again
 * @property {import('../../src/studies/compare/comparison.js').ComparedFigures} figures
 * @property {import('../validation/measures.js').Observation | null} observation - of a network
 */

/** Latency of the links that times of a network are counted in. */
export const UNIT_MS = 50

/** SAME_PLANS are what is held against itself: light loads of 5 s. @type {Readonly<Record<string, Record<string, unknown>>>} */
export const SAME_PLANS = {
  rendezvous: {
    server: 'process',
    nClients: 2,
    workers: 1,
    initialRegistrations: 100,
    nNamespaces: 1,
    benchmarkType: 'DISCOVER',
    discoverLimit: 20,
    // p99 needs 1,000 operations
    rate: '220/s',
    duration: '5s',
    warmup: '500ms'
  },
  gossip: {
    nodes: 6,
    topology: 'full',
    workers: 1,
    linkLatency: `${UNIT_MS}ms`,
    heartbeat_interval: '300ms',
    // and 1,000 deliveries
    rate: '42/s',
    duration: '5s',
    messageBytes: 200
  }
}

/** Hundredths of a distribution are enough here, and 400 runs of them fit into a file. @param {SameRun['observation']} observation */
const thinned = observation =>
  observation && { ...observation, latencies: observation.latencies.filter((_, i) => i % 10 === 5) }

/** samePlan is the plan of that name. @param {string} name */
export function samePlan(name) {
  const { plan, problems } = makePlanOf(name, SAME_PLANS[name])
  if (plan === undefined) throw new Error(JSON.stringify(problems))
  return plan
}

/**
 * sameRun runs one of those plans.
 *
 * @param {string} name
 * @returns {Promise<SameRun>}
 */
export async function sameRun(name) {
  /** @type {any} */
  let result
  for await (const record of runScenario(loadScenario)(samePlan(name), { id: 'bench' }))
    if (record.type === 'result') result = record.result
  if (result?.status !== 'complete') throw new Error(`a run failed: ${result?.reason?.message}`)
  return {
    figures: readComparedFigures(result, scenarioNamed(name).compared?.figures ?? []),
    observation: name === 'gossip' ? thinned(observationOf(result, UNIT_MS)) : null
  }
}
