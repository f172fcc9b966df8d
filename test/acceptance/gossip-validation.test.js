import '../../src/node-shim.js'
import assert from 'node:assert/strict'
import { access, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { before, describe, test } from 'node:test'
import { ENGINE } from '../../src/network/simulated/engine.js'
import { judgeMeasures } from '../../src/studies/validation/result/judge-measures.js'
import { runGossip } from './gossip-network.js'
import { observedIn, resultsOf } from './observed-run.js'

/** @typedef {import('../../src/studies/validation/result/observation.js').Observation} Observation */

const LONG = Object.freeze({ timeout: 900_000 })

describe('a real network and its simulation', () => {
  test('are run in turn, compared and shown', LONG, async () => {
    const {
      code,
      stdout,
      stderr,
      folder,
      folders: names
    } = await runGossip([
      ...['--validate', '--validateSeeds', '2'],
      ...['--nodes', '5', '--workers', '1', '--topology', 'full', '--linkLatency', '100ms'],
      ...['--heartbeat_interval', '200ms', '--messages', '5', '--rate', '10/s']
    ])
    // a machine that is busy with other tests may not meet the conditions
    assert.ok(code === 0 || code === 3, stderr)
    assert.match(names.join(' '), /^\d{8}-\d{4}-validate-gossip-1$/)
    const { status, runs, verdict } = JSON.parse(await readFile(join(folder, 'validation.json'), 'utf8'))
    assert.deepEqual([status, verdict.passed], ['complete', code === 0])
    assert.match(stdout, code === 0 ? /- Passed: / : /- Not passed: /)
    assert.deepEqual(verdict.engines, [`engine-${ENGINE}`])
    assert.ok(stdout.includes(`real on TCP and simulated by engine ${ENGINE}: `), stdout)
    for (const side of ['real', 'simulated']) {
      assert.deepEqual(
        runs[side].map((/** @type {any} */ run) => run.plan.seed),
        [1, 2]
      )
      for (const { run } of runs[side]) await access(join(folder, run, 'report.html'))
    }
    const page = await readFile(join(folder, 'report.html'), 'utf8')
    for (const part of [
      'id="latencies"',
      'id="hops"',
      'id="mesh-degrees"',
      'id="measures"',
      'id="conditions"'
    ])
      assert.ok(page.includes(part), part)
  })
})

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

  /** Other latencies: gossip-fidelity.test.js. @type {[string, Record<string, string>, string[]][]} */
  const WRONG = [
    ['IDONTWANT turned off', { idontwant_message_size_threshold: '1000000000' }, ['rpcs', 'control']],
    ['D = 8 and D_low = 6 instead of 6 and 4', { D: '8', D_low: '6' }, ['duplicates', 'bytes']]
  ]
  for (const [what, options, measures] of WRONG)
    test(`one with ${what} does not`, async () => {
      const found = apart(await several(options, 1))
      for (const measure of measures) assert.ok(found.includes(/** @type {any} */ (measure)), `${found}`)
    })
})
