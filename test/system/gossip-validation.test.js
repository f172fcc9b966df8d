import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { judgeMeasures } from '../../bench/validation/measures.js'
import { observedIn, resultsOf } from '../acceptance/observed-run.js'

/** @typedef {import('../../bench/validation/measures.js').Observation} Observation */

const LONG = Object.freeze({ timeout: 900_000 })

/**
 * Of the plan that is validated by default, a part: what must be noticed in 30 messages of which each is verified is noticed in 12 that
 * nobody signs. A node has more neighbours than D.
 */
const PLAN = Object.freeze({
  network: 'simulated',
  nodes: 14,
  topology: 'barabasi-albert:m=6,seed=42',
  linkLatency: '100ms',
  signing: 'off',
  messages: 12,
  rate: '2/s'
})

/** @param {Record<string, string>} options @param {number} first - seed of 3 */
const several = async (options, first) => {
  const seeds = [0, 1, 2].map(i => first + i)
  return (await resultsOf({ ...PLAN, ...options }, seeds)).map(result => observedIn(result, 100))
}

describe('held against a simulated network', LONG, () => {
  /** @type {Observation[]} */
  let reference
  before(async () => {
    reference = await several({}, 11)
  })

  /** @param {Observation[]} runs */
  const apart = runs =>
    judgeMeasures(reference, runs, 100)
      .filter(({ verdict }) => verdict === 'differs')
      .map(({ name }) => name)

  test('other seeds of the same do not differ', async () => assert.deepEqual(apart(await several({}, 1)), []))

  /** @type {[string, Record<string, string>, string[]][]} */
  const WRONG = [
    ['links of twice the latency', { linkLatency: '200ms' }, ['p99']],
    ['IDONTWANT turned off', { idontwant_message_size_threshold: '1000000000' }, ['rpcs', 'control']],
    ['D = 8 and D_low = 6 instead of 6 and 4', { D: '8', D_low: '6' }, ['duplicates', 'bytes']]
  ]
  for (const [what, options, measures] of WRONG)
    test(`one with ${what} does not`, async () => {
      const found = apart(await several(options, 1))
      for (const measure of measures) assert.ok(found.includes(/** @type {any} */ (measure)), `${found}`)
    })
})
