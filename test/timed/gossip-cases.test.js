import '../../src/node-shim.js'
import assert from 'node:assert/strict'
import { access, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { before, describe, test } from 'node:test'
import { runGossip } from '../acceptance/gossip-network.js'
import { WHERE_POSSIBLE } from '../acceptance/namespaces.js'

const CASES = ['ring-30-jitter-signed', 'ba-30-loss1-signed', 'full-30-bandwidth-unsigned']

/** Of the list, a part: three nodes, two seeds. */
const SMALL = Object.freeze([
  ...['--validateSeeds', '2', '--nodes', '3', '--topology', 'ring', '--linkLatency', '40ms'],
  ...['--messages', '5', '--rate', '10/s', '--heartbeat_interval', '200ms']
])

describe('three cases of the list, between namespaces and simulated', {
  ...WHERE_POSSIBLE,
  timeout: 1_800_000
}, () => {
  /** @type {any} */
  let outcome
  /** @type {any[]} */
  let cases

  before(async () => {
    const chosen = CASES.flatMap(name => ['--only', name])
    outcome = await runGossip([
      '--validate',
      '--cases',
      'benchmarks/validation-cases.yaml',
      ...chosen,
      ...SMALL
    ])
    cases = JSON.parse(await readFile(join(outcome.folder, 'cases.json'), 'utf8')).cases
  })

  const ofCase = (/** @type {string} */ name) => cases.find(each => each.name === name)

  test('say before how many runs there are, and how long they take', () => {
    assert.match(outcome.stderr, /^3 cases to run, 18 runs, .+ to .+$/m)
  })

  test('are complete, and two seeds decide that nothing agrees', () => {
    assert.equal(outcome.code, 3, outcome.stderr)
    for (const name of CASES) {
      const { status, runs, verdict } = ofCase(name)
      assert.deepEqual([status, runs], ['complete', 2], name)
      for (const { name: measure, verdict: one } of verdict.measures)
        if (measure !== 'goodput') assert.notEqual(one, 'agrees', measure)
      const delivered = verdict.conditions.find((/** @type {any} */ { name }) => name === 'delivered')
      assert.equal(delivered.met, true, 'TCP repairs what was lost')
    }
  })

  test('have the same meshes on both networks: each node is a neighbour of each', () => {
    for (const name of CASES) {
      const { measures } = ofCase(name).verdict
      const { real, simulated } = measures.find((/** @type {any} */ each) => each.name === 'meshDegrees')
      assert.deepEqual({ real, simulated }, { real: [2, 2], simulated: [2, 2] }, name)
    }
  })

  test('stand each in a folder of its own, and the others are left for later', async () => {
    for (const name of CASES) await access(join(outcome.folder, name, 'validation.md'))
    const left = cases.filter(({ status }) => status === 'pending')
    assert.equal(left.length, cases.length - CASES.length)
    for (const { name } of left) await access(join(outcome.folder, name, 'validation.json'))
    assert.match(outcome.stdout, new RegExp(`^- Not run: ${left.length} of ${cases.length};`, 'm'))
  })
})
