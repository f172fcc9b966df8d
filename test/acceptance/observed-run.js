import assert from 'node:assert/strict'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import pLimit from 'p-limit'
import { findScenario } from '../../src/scenarios/index.js'
import { runScenario } from '../../src/scenarios/run-scenario.js'
import { observationOf } from '../../src/studies/validation/result/observation.js'
import { makePlanOf } from '../scenarios.js'
import { base } from './loadtest.js'

/**
 * @typedef {import('../../src/scenarios/gossip/gossip-types.js').GossipResult} GossipResult
 * @typedef {import('../../src/studies/validation/result/observation.js').Observation} Observation
 */

/** Two at a time: each has a process of its own. */
const limit = pLimit(2)

let folders = 0

/**
 * observedRuns runs a gossip network as often as there are seeds, and tells what is compared of it. Pages of these runs are of no
 * interest, so no program is started for them.
 *
 * @param {Record<string, string | boolean | number>} options - of the plan, as in a YAML file
 * @param {{ seeds: number[], latencyMs: number }} how - latencyMs: of its links
 * @returns {Promise<Observation[]>} a seed after the other
 */
export const observedRuns = (options, { seeds, latencyMs }) =>
  Promise.all(seeds.map(seed => limit(() => observedRun({ ...options, seed }, latencyMs))))

/** @param {Record<string, string | boolean | number>} options @param {number} latencyMs */
async function observedRun(options, latencyMs) {
  const { plan, problems } = makePlanOf('gossip', options)
  if (plan === undefined) throw new Error(JSON.stringify(problems))
  const folder = join(base, `observed-${++folders}`)
  await mkdir(folder)
  const components = {
    id: 'a-run',
    folder,
    signal: new AbortController().signal,
    cacheDir: join(base, 'cache')
  }
  /** @type {GossipResult | null} */
  let result = null
  for await (const record of runScenario(findScenario)(plan, components))
    if (record.type === 'result') result = /** @type {GossipResult} */ (record.result)
  assert.equal(result?.status, 'complete', JSON.stringify(result?.reason))
  return (
    observationOf(/** @type {GossipResult} */ (result), latencyMs) ?? assert.fail('nothing was delivered')
  )
}
