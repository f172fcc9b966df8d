import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { parseOptionText } from '../../src/plan/options.js'
import { GOSSIP_OPTIONS } from '../../src/scenarios/gossip/options.js'
import { aGossipResult } from '../scenarios/gossip/a-gossip-result.js'
import { makePlanOf, scenarioNamed } from '../scenarios.js'
import { runCommand } from './run-command.js'

/**
 * @typedef {import('../../src/cli/index.js').RunScenario} RunScenario
 * @typedef {import('../scenarios/gossip/a-gossip-result.js').Shape} Shape
 */

/** @type {string} */
let base

/** For the tests of a group: outside of one, hooks run around those of all files of the process. */
const inFolder = () => {
  beforeEach(async () => {
    base = await mkdtemp(join(tmpdir(), 'loadtest-gossip-'))
  })
  afterEach(() => rm(base, { recursive: true }))
}

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

/** @param {string} text @param {boolean} abortOnFail */
const failed = (text, abortOnFail = false) => ({
  ...{ text, metric: 'deliveryRatio', operator: /** @type {const} */ ('>='), limit: 100, unit: '%' },
  ...{ actual: 98, passed: false, ...(abortOnFail ? { brokeOff: true } : {}) }
})

const BUSY = {
  code: 'GENERATOR_LIMITED',
  values: { busy: { worker: 0, utilization: 0.97 }, overheads: [] }
}

describe('the exit code of gossip', () => {
  inFolder()

  test('is 0 after a complete run, whose table is printed and whose result is kept', async () => {
    const { exitCode, stdout } = await run([])
    assert.equal(exitCode, 0)
    assert.match(stdout, /^\| Nodes \| Topology +\| Network +\|.*\| MDR % \|/m)
    assert.match(stdout, /repeat: node index\.js rerun .*20261120-0712-gossip-1$/m)
    const result = JSON.parse(await readFile(join(await folderOf(), 'result.json'), 'utf8'))
    assert.deepEqual([result.scenario, result.status], ['gossip', 'complete'])
  })

  /** @type {[string, string[], Shape, number, RegExp][]} */
  const cases = [
    [
      '1 when a worker died',
      [],
      {
        result: { status: 'partial', reason: { code: 'WORKER_DIED', message: 'worker 0 ended with SIGKILL' } }
      },
      1,
      /^⚠ Partial result: worker 0 ended with SIGKILL$/m
    ],
    [
      '3 when a threshold is not met',
      [],
      { outcome: { thresholds: [failed('deliveryRatio >= 100%')] } },
      3,
      /^\| ✖ deliveryRatio >= 100% +\| 98\.0 % +\| failed \|/m
    ],
    [
      '3 when a threshold broke it off',
      [],
      {
        outcome: { thresholds: [failed('deliveryRatio >= 100%')] },
        result: { status: 'partial', reason: { code: 'THRESHOLD_FAILED', message: 'threshold failed' } }
      },
      3,
      /^⚠ Partial result: threshold failed$/m
    ],
    [
      '4 with --strict when the machine was too busy',
      ['--strict'],
      { warnings: [BUSY] },
      4,
      /Generator-limited: worker 0 of the load generator was 97 % busy\./
    ],
    [
      '0 without --strict',
      [],
      { warnings: [BUSY] },
      0,
      /Generator-limited: worker 0 of the load generator was 97 % busy\./
    ],
    ['0 when something is missing: that is what was measured', ['--strict'], { gone: [3] }, 0, /MDR/]
  ]
  for (const [what, args, shape, code, said] of cases)
    test(`is ${what}`, async () => {
      const { exitCode, stdout, stderr } = await run(args, ending(shape))
      assert.equal(exitCode, code, stderr)
      assert.match(stdout, said)
    })
})

describe('an option of gossip', () => {
  inFolder()

  /** @type {[string, string[], Record<string, unknown>][]} */
  const cases = [
    ['is written in camelCase', ['--linkLatency', '50ms'], { linkLatencyMs: 50 }],
    [
      'is written in kebab-case',
      ['--link-latency=50ms', '--key-type', 'secp256k1'],
      { linkLatencyMs: 50, keyType: 'secp256k1' }
    ],
    [
      'of gossipsub is written as in its specification',
      ['--D', '8', '--D_low=5', '--no-flood_publish', '--do_px', '--heartbeat_interval', '700ms'],
      { gossipsub: { D: 8, Dlo: 5, floodPublish: false, doPX: true, heartbeatInterval: 700 } }
    ],
    [
      'can be given several times where it makes sense',
      ['--threshold', 'deliveryRatio >= 99%', '--threshold', 'skipped <= 0'],
      {}
    ]
  ]
  for (const [what, args, expected] of cases)
    test(what, async () => {
      const plan = await planOf(args)
      for (const [key, value] of Object.entries(expected)) assert.deepEqual(plan[key], value)
      assert.equal(plan.thresholds.length, args.filter(arg => arg === '--threshold').length)
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
  inFolder()

  /** @param {string[]} argv */
  const help = async argv => (await runCommand(argv, { base, scenarioOf: () => ending() })).stdout

  test('has every option in its group, with its default', async () => {
    const text = await help(['gossip', '--help', 'all'])
    /** @type {Record<string, string>} */
    const groups = {}
    let group = ''
    for (const line of text.split('Examples:')[0].split('\n')) {
      if (/^\S.*:$/.test(line)) group = line
      const name = /^ +(?:-\w, )?--?(\w+) /.exec(line)?.[1]
      if (name !== undefined) groups[name] = group
    }
    for (const [name, option] of Object.entries(GOSSIP_OPTIONS)) {
      assert.equal(groups[name], option.group, name)
      if (option.default !== undefined) assert.ok(text.includes(`[default: ${option.default}]`), name)
    }
  })

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
