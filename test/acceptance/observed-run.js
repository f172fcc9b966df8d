import assert from 'node:assert/strict'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import pLimit from 'p-limit'
import { observationOf } from '../../bench/validation/measures.js'
import { runScenario } from '../../src/run/run.js'
import { loadScenario } from '../../src/scenarios/index.js'
import { makePlanOf } from '../scenarios.js'
import { base } from './loadtest.js'
import { inSimulator } from './simulator.js'

/** @typedef {import('../../src/scenarios/gossip/outcome.js').GossipResult} GossipResult */

/** Two at a time: each has a process. */
const limit = pLimit(2)

let folders = 0

/**
 * resultsOf runs a gossip network as often as there are seeds. Pages of these runs are of no interest, so none are made.
 *
 * @param {Record<string, string | boolean | number>} options - of the plan, as in a YAML file
 * @param {number[]} seeds
 * @param {{ ownProcess?: boolean }} [how] - ownProcess: none has a process that another one had before
 * @returns {Promise<GossipResult[]>} a seed after the other
 */
export const resultsOf = (options, seeds, { ownProcess = false } = {}) =>
  Promise.all(
    seeds.map(seed =>
      limit(() => resultOf({ ...options, seed }, ownProcess ? {} : { startProcess: inSimulator }))
    )
  )

/**
 * observedIn tells what is compared of a run.
 *
 * @param {GossipResult} result
 * @param {number} latencyMs - of its links
 */
export const observedIn = (result, latencyMs) =>
  observationOf(result, latencyMs) ?? assert.fail('nothing was delivered')

/** @param {Record<string, string | boolean | number>} options @param {object} how - the run has its processes */
async function resultOf(options, how) {
  const { plan, problems } = makePlanOf('gossip', options)
  if (plan === undefined) throw new Error(JSON.stringify(problems))
  const folder = join(base, `observed-${++folders}`)
  await mkdir(folder)
  const components = {
    id: 'a-run',
    folder,
    signal: new AbortController().signal,
    cacheDir: join(base, 'cache'),
    ...how
  }
  /** @type {GossipResult | null} */
  let result = null
  for await (const record of runScenario(loadScenario)(plan, components))
    if (record.type === 'result') result = /** @type {GossipResult} */ (record.result)
  assert.equal(result?.status, 'complete', JSON.stringify(result?.reason))
  return /** @type {GossipResult} */ (result)
}
