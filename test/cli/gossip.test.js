import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { parseOptionText } from '../../src/plan/options.js'
import { aGossipResult } from '../scenarios/gossip/a-gossip-result.js'
import { makePlanOf, scenarioNamed } from '../scenarios.js'
import { emptyBeforeEach, temporaryFolder } from '../temporary-folder.js'
import { runCommand } from './run-command.js'

/**
 * @typedef {import('../../src/cli/index.js').RunScenario} RunScenario
 * @typedef {import('../scenarios/gossip/a-gossip-result.js').Shape} Shape
 */

const base = temporaryFolder()

/** @param {Shape} [shape] @returns {RunScenario} */
const ending = shape =>
  async function* (plan, { id }) {
    const result = aGossipResult({ options: { nodes: '10', messages: '20' }, ...shape })
    yield { type: 'start', id, plan, run: {} }
    yield { type: 'result', result: { ...result, id, plan: /** @type {any} */ (plan) } }
  }

/** @param {string[]} args @param {RunScenario} [scenario] */
const run = (args, scenario = ending()) =>
  runCommand(['gossip', ...args, '--outputDir', join(base, 'results')], { base, scenarioOf: () => scenario })

/** @param {string[]} args @returns {Promise<any>} the plan that is run */
async function planOf(args) {
  let planned
  const { stderr } = await run(args, (plan, components) => {
    planned = plan
    return ending()(plan, components)
  })
  assert.ok(planned, stderr)
  return planned
}

const folderOf = async () => join(base, 'results', (await readdir(join(base, 'results')))[0])

describe('the exit code of gossip', () => {
  emptyBeforeEach(base)

  test('is 0 after a complete run, whose table is printed and whose result is kept', async () => {
    const { exitCode, stdout } = await run([])
    assert.equal(exitCode, 0)
    assert.match(stdout, /^\| Nodes \| Topology +\| Network +\|.*\| MDR % \|/m)
    assert.match(stdout, /repeat: node index\.js rerun .*20261120-0712-gossip-1$/m)
    const result = JSON.parse(await readFile(join(await folderOf(), 'result.json'), 'utf8'))
    assert.deepEqual([result.scenario, result.status], ['gossip', 'complete'])
  })

  // the others are those of any scenario: run-exit-code.test.js
  test('is 1 when a worker died', async () => {
    const reason = { code: 'WORKER_DIED', message: 'worker 0 ended with SIGKILL' }
    const { exitCode, stdout, stderr } = await run([], ending({ result: { status: 'partial', reason } }))
    assert.equal(exitCode, 1, stderr)
    assert.match(stdout, /^⚠ Partial result: worker 0 ended with SIGKILL$/m)
  })
})

describe('an option of gossip', () => {
  emptyBeforeEach(base)

  test('of gossipsub is written as in its specification', async () => {
    const typed = '--D 8 --D_low=5 --no-flood_publish --do_px --heartbeat_interval 700ms'
    const { gossipsub } = await planOf(typed.split(' '))
    assert.deepEqual(gossipsub, { D: 8, Dlo: 5, floodPublish: false, doPX: true, heartbeatInterval: 700 })
  })

  test('can stand in a YAML file; flags win over it', async () => {
    const config = join(base, 'load.yaml')
    await writeFile(
      config,
      [
        'nodes: 20',
        'topology: { kind: regular, k: 4 }',
        'topics: { foo: 0.7, bar: 0.4 }',
        'message-bytes: { min: 10, max: 20 }',
        'signing: off',
        'D: 8',
        'flood_publish: false',
        'topicScoreParams: { foo: { topicWeight: 0.5 } }',
        'threshold:',
        '  - deliveryRatio >= 99%',
        '  - { metric: latency.p50 < 1s, abortOnFail: true, grace: 2s }'
      ].join('\n')
    )
    const plan = await planOf(['--config', config, '--nodes', '30'])
    assert.deepEqual(
      [plan.nodes, plan.topology, plan.signing, plan.gossipsub, plan.messageBytes],
      [30, { kind: 'regular', k: 4, seed: 1 }, false, { D: 8, floodPublish: false }, { min: 10, max: 20 }]
    )
    assert.deepEqual(plan.topicScoreParams, { foo: { topicWeight: 0.5 } })
    assert.deepEqual(plan.topics[1], { name: 'bar', chance: 0.4 })
    assert.deepEqual([plan.thresholds.length, plan.thresholds[1].graceMs], [2, 2000])
  })
})

describe('gossip --help', () => {
  test('has examples that can be run', async () => {
    for (const [, line] of scenarioNamed('gossip').command.examples) {
      const { options, words } = await parseOptionText(
        line.replace('file:network.graphml', 'full'),
        scenarioNamed('gossip').options
      )
      assert.deepEqual(words, ['gossip'])
      // where the engine of an example is not, that is all there is to say of it
      const problems = makePlanOf('gossip', options).problems ?? []
      const wrong = problems.filter(
        ({ allowed }) => !allowed.startsWith('needs a Docker engine of this machine')
      )
      assert.deepEqual(wrong, [], line)
    }
  })
})
