import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { referenceRows } from '../../scripts/parts/reference-rows.js'
import { planFromArguments } from '../../src/cli/scenario-command.js'
import { describeNamespaceProblem } from '../../src/network/namespaces.js'
import { listUsableOptions } from '../../src/plan/options.js'
import { GOSSIP_OPTIONS } from '../../src/scenarios/gossip/options.js'
import { loadScenario } from '../../src/scenarios/index.js'
import { RENDEZVOUS_OPTIONS } from '../../src/scenarios/rendezvous/options.js'
import { COMPARISON_DOCUMENT } from '../../src/studies/compare/comparison-document.js'
import { listAbOptions, planAb } from '../../src/studies/compare/plan.js'
import { planSaturate } from '../../src/studies/saturate/plan.js'
import { SATURATION_DOCUMENT } from '../../src/studies/saturate/saturation-document.js'
import { SATURATION_SCENARIOS } from '../../src/studies/saturate/trials.js'
import { findDockerProblem } from '../../src/target/docker-processes.js'
import { scenarioNamed } from '../scenarios.js'
import { temporaryFolder } from '../temporary-folder.js'

/**
 * @typedef {import('../../src/plan/plan.js').OptionTable} OptionTable
 * @typedef {import('../../src/plan/plan.js').Problem} Problem
 *
 * @typedef {object} Command
 * @property {string} name
 * @property {OptionTable} listed - in its help
 * @property {OptionTable} base - the table of options that it takes some of
 * @property {(options: Record<string, unknown>) => Promise<readonly Problem[]>} problemsOf
 * @property {(folder: string) => Promise<void>} [keep] - writes a study of it, as one that was broken off at once
 */

const TARGET = '/ip4/127.0.0.1/tcp/8000/p2p/12D3KooWGjMCwDWeCzgZ1tAFuUbBLRqHgtdVMZxqYsD9GPXMzSzd'
const now = () => new Date(0)

/** Holds a study to go on with. */
const FOLDER = temporaryFolder()
const NETWORK_FILE = join(FOLDER, 'net.yaml')
await writeFile(NETWORK_FILE, 'classes: { home: { share: 100%, validation: 3ms } }')

/** What this machine lacks for namespaces is no refusal of the command. */
const LACKS = [describeNamespaceProblem(), findDockerProblem()]

/** @param {{ problems?: readonly Problem[] }} made */
const problemsIn = ({ problems = [] }) => problems

/** @param {string} scenario @param {string} name @param {OptionTable} base @returns {Command} */
const ofScenario = (scenario, name, base) => ({
  name,
  base,
  listed: listUsableOptions(scenarioNamed(scenario).options),
  problemsOf: async options =>
    problemsIn(
      await planFromArguments(scenarioNamed(scenario), { command: '', options, words: [] }, loadScenario)
    )
})

/**
 * @template {import('../../src/studies/study.js').StudyHead} D
 * @param {Omit<Command, 'problemsOf' | 'keep'>} command
 * @param {import('../../src/studies/study.js').StudyFile<D>} file
 * @param {(options: Record<string, unknown>) => Promise<import('../../src/studies/study-views.js').StudyOrProblems<D>>} plan
 * @returns {Command}
 */
const ofStudy = (command, file, plan) => ({
  ...command,
  problemsOf: async options => problemsIn(await plan(options)),
  async keep(folder) {
    const made = await plan({})
    assert.ok('planned' in made, JSON.stringify(made))
    await file.write(folder, made.planned.document)
  }
})

/** A cell of a grid is planned like every other: the one that asks for most will do. */
const A_CELL = { rendezvous: { rates: '200', connections: '4' }, gossip: { rate: '40', nodes: '50' } }

/** @param {'rendezvous' | 'gossip'} scenario @param {OptionTable} base */
const saturate = (scenario, base) =>
  ofStudy(
    { name: `saturate ${scenario}`, base, listed: SATURATION_SCENARIOS[scenario].options },
    SATURATION_DOCUMENT,
    options => {
      // a folder that is gone on in has its grid
      const grid = 'resume' in options ? {} : A_CELL[scenario]
      return planSaturate(
        { options: { ...grid, ...options }, words: [scenario] },
        { now, findScenario: loadScenario }
      )
    }
  )

/** @param {string[]} words @param {string} scenario @param {OptionTable} base */
const ab = (words, scenario, base) =>
  ofStudy(
    {
      name: ['ab', ...words].join(' '),
      base,
      listed: listAbOptions(/** @type {any} */ (scenarioNamed(scenario)))
    },
    COMPARISON_DOCUMENT,
    options => {
      // a folder that is gone on in has both plans
      const plans = 'resume' in options ? [] : ['', '']
      return planAb({ options, words: [...words, ...plans] }, { now, findScenario: loadScenario })
    }
  )

/** @type {Command[]} */
const COMMANDS = [
  ofScenario('rendezvous', 'rendezvous', RENDEZVOUS_OPTIONS),
  saturate('rendezvous', RENDEZVOUS_OPTIONS),
  ab([], 'rendezvous', RENDEZVOUS_OPTIONS),
  ofScenario('gossip', 'gossip', GOSSIP_OPTIONS),
  saturate('gossip', GOSSIP_OPTIONS),
  ab(['gossip'], 'gossip', GOSSIP_OPTIONS)
]

const ROWS = referenceRows(await readFile('results/reference/README.md', 'utf8'))

/**
 * The plan of the earlier runs that are committed of `ab`, with a number of runs of its own.
 *
 * @param {string} row
 */
function held(row) {
  const { argv } = ROWS.find(({ name }) => name === row) ?? assert.fail(`no row ${row}`)
  const words = argv.slice(argv.indexOf('--runs'))
  const pairs = words.flatMap((word, at) => (at % 2 === 0 ? [[word.slice(2), words[at + 1]]] : []))
  return { ...Object.fromEntries(pairs), runs: '8', baseline: `results/reference/${row}/a` }
}
const HELD = [held('ab-rendezvous'), held('ab-gossip')]

/**
 * On links that are not those of this machine.
 *
 * @param {Record<string, unknown>} options
 * @returns {Record<string, unknown>[]}
 */
const impaired = options => [
  { ...options, network: 'simulated' },
  { ...options, network: 'namespaces', nodes: '10', topology: 'ring', stable: '6', ephemeral: '4' }
]

/**
 * What is published, by nodes of a gossip network or by clients that are full peers.
 *
 * @param {Record<string, string>} options
 */
const published = options => [options, { ...options, mix: 'register=1,discover=8,publish=4' }]

/**
 * With what each option asks for something, and can be had, in one command or another. What a command does not list it gets by itself.
 *
 * @type {Readonly<Record<string, readonly Record<string, unknown>[]>>}
 */
const ASKED = {
  nClients: [{ nClients: '3' }],
  providers: [{ providers: '3', discoverers: '7' }],
  discoverers: [{ providers: '3', discoverers: '7' }],
  providerRate: [{ providers: '3', discoverers: '7', providerRate: '3/s', discovererRate: '7/s' }],
  discovererRate: [{ providers: '3', discoverers: '7', providerRate: '3/s', discovererRate: '7/s' }],
  nNamespaces: [{ nNamespaces: '3' }],
  initialRegistrations: [{ initialRegistrations: '7' }],
  benchmarkRuns: [{ benchmarkRuns: '50' }],
  duration: [{ duration: '90s' }],
  benchmarkType: [{ benchmarkType: 'DISCOVER' }],
  mix: [
    { mix: 'register=1,discover=3,unregister=0', benchmarkType: 'MIXED' },
    { mix: 'register=1,refresh=1,discover=3' }
  ],
  discoverLimit: [{ discoverLimit: '100' }, { discoverLimit: '100', cookies: true }],
  discoverInexistentNamespaces: [{ discoverInexistentNamespaces: true, benchmarkType: 'DISCOVER' }],
  registerMode: [{ registerMode: 'new', duration: '1s' }],
  ttl: [{ ttl: '3h' }],
  recordDomain: [{ recordDomain: 'libp2p-routing-state' }],
  seed: [{ seed: '3' }],
  rate: [{ rate: '3/s' }, { rate: '3/s', publishers: 'random', duration: '5s' }],
  arrivals: [
    { arrivals: 'poisson', rate: '3/s' },
    { arrivals: 'poisson', publishers: 'random', duration: '9s' }
  ],
  thinkTime: [{ thinkTime: '3s' }],
  maxInFlight: [{ maxInFlight: '3', rate: '3/s' }],
  timeout: [{ timeout: '3s' }],
  connectionPerOperation: [{ connectionPerOperation: true }],
  streamPerOperation: [
    { streamPerOperation: false },
    { streamPerOperation: false, connectionPerOperation: false }
  ],
  inFlight: [{ inFlight: '3' }],
  workers: [{ workers: '1' }],
  stack: [{ stack: 'libp2p-2' }],
  server: [{ server: 'docker' }],
  serverStack: [{ serverStack: 'libp2p-2' }],
  cpus: [{ cpus: '3' }, { cpus: '0.3', network: 'docker' }],
  memory: [{ memory: '300mb' }, { memory: '300mb', network: 'docker' }],
  target: [{ target: TARGET }],
  targets: [{ targets: `${TARGET},${TARGET.replace('8000', '8001').replace('12D3KooWG', '12D3KooWQ')}` }],
  address: [{ bus: 'nats://127.0.0.1:4222', agents: '1', address: '127.0.0.1' }],
  bus: [{ bus: 'nats://127.0.0.1:4222', agents: '1' }],
  agents: [{ bus: 'nats://127.0.0.1:4222', agents: '1' }],
  targetPid: [{ targetPid: '3', target: TARGET }],
  targetContainer: [{ targetContainer: 'three', target: TARGET }],
  iOwnTheTarget: [{ iOwnTheTarget: true, target: TARGET }],
  maxPeerRegistrations: [{ maxPeerRegistrations: '30000' }],
  minDuration: [{ minDuration: '3s', benchmarkRuns: '30' }],
  warmup: [{ warmup: '3s' }],
  skipLookUp: [{ skipLookUp: true }],
  fault: [{ fault: 'at=1s pause=1s', duration: '9s', benchmarkType: 'DISCOVER' }],
  samples: [{ samples: true }],
  profile: [{ profile: 'cpu' }],
  threshold: [
    { threshold: 'DISCOVER.p99 < 9s', benchmarkType: 'DISCOVER' },
    { threshold: 'deliveryRatio > 1%' }
  ],
  strict: [{ strict: true }],
  runs: [{ runs: '8' }],
  baseline: HELD,
  failOn: HELD.flatMap(held => [
    { ...held, failOn: 'p99 > +10%' },
    { ...held, failOn: 'cpuPerDelivery > +10%' },
    { ...held, failOn: 'staleShare > +10%' }
  ]),
  resume: [{ resume: FOLDER }, { resume: FOLDER, runs: '8' }],
  allowUndecided: [{ allowUndecided: true }],
  outputFile: [{ outputFile: '/tmp/never-written.md' }],
  outputDir: [{ outputDir: '/tmp/never-made' }],
  junit: [{ junit: '/tmp/never-written.xml' }],
  jsonLines: [{ jsonLines: '/tmp/never-written.jsonl' }],
  deliveries: [{ deliveries: '/tmp/never-written.csv' }],
  dashboard: [{ dashboard: '' }, { dashboard: '9001' }],
  csv: [{ csv: true }],
  json: [{ json: true }],
  quiet: [{ quiet: true }],
  prometheus: [{ prometheus: '0' }],
  config: [{ config: 'package-lock.yaml' }],

  nodes: [{ nodes: '23' }],
  topology: [{ topology: 'full' }],
  dialOrder: [{ dialOrder: 'ascending' }],
  networkFile: [{ networkFile: NETWORK_FILE }],
  network: impaired({}),
  congestionControl: impaired({ congestionControl: 'host' }),
  nodesPerContainer: [{ nodesPerContainer: '3', network: 'docker', linkLatency: '0' }],
  linkLatency: [{ linkLatency: '3ms' }, ...impaired({ linkLatency: '3ms' })],
  linkJitter: impaired({ linkJitter: '3ms' }),
  linkLoss: impaired({ linkLoss: '3%' }),
  linkBandwidth: impaired({ linkBandwidth: '3MB/s' }),
  upBandwidth: impaired({ upBandwidth: '3MB/s' }),
  downBandwidth: impaired({ downBandwidth: '3MB/s' }),
  partition: impaired({ partition: 'hold@1s-2s:0|1' }),
  churn: impaired({ churn: '3%/min' }),
  sendQueue: [{ sendQueue: '3', network: 'simulated' }],
  messages: [{ messages: '3', publishers: 'random' }],
  publishers: [
    { publishers: 'every', duration: '3s' },
    { publishers: 'random', duration: '3s' }
  ],
  interval: [{ interval: '3ms', publishers: 'every', duration: '3s' }],
  loadModel: [{ loadModel: 'closed', publishers: 'every', duration: '3s' }],
  messageBytes: published({ messageBytes: '300' }),
  topics: published({ topics: '3' }),
  refreshEvery: [
    { refreshEvery: '3s', topology: 'rendezvous' },
    { refreshEvery: '3s', churn: '1,every=2s,away=1s', benchmarkType: 'DISCOVER', discoverLimit: '500' }
  ],
  hostile: [{ hostile: 'slow=3' }],
  hostileEvery: [{ hostileEvery: '3s', hostile: 'slow' }],
  cookies: [{ cookies: true, churn: '1,every=2s,away=1s', benchmarkType: 'DISCOVER' }],
  maxBacklog: [{ maxBacklog: '3mb' }],
  memoryCeiling: [{ memoryCeiling: '3gb' }],
  pubsub: [{ pubsub: 'floodsub' }],
  security: [{ security: 'plaintext' }],
  transport: [{ transport: 'websocket' }],
  muxer: [{ muxer: 'mplex' }],
  signing: published({ signing: 'off' }),
  keyType: [{ keyType: 'secp256k1' }],
  fastMsgId: [{ fastMsgId: 'on' }],
  validation: [{ validation: 'accept=3,ignore=1,reject=1' }],
  validationDelay: [{ validationDelay: '3ms' }],
  topicScoreParams: [{ topicScoreParams: {} }],
  preset: [{ preset: 'study-2019' }],
  warmupTimeout: [{ warmupTimeout: '3s' }],
  cooldown: [{ cooldown: '3s' }],
  traces: [{ traces: true }],
  D: [{ D: '7' }],
  D_high: [{ D_high: '30' }]
}

/** Parameters of gossipsub are all alike. @param {string} key @param {OptionTable} listed */
const askedFor = (key, listed) =>
  ASKED[key] ?? [
    { [key]: listed[key].default ?? (listed[key].flag ? true : undefined) ?? '3' },
    { [key]: '3s' },
    { [key]: '0.3' }
  ]

/** @param {Command} command @param {string} key @returns {Promise<string[]>} why it cannot be had; empty: it can */
async function refusals({ listed, problemsOf }, key) {
  const why = []
  for (const options of askedFor(key, listed)) {
    const known = Object.entries(options).filter(([name]) => Object.hasOwn(listed, name))
    const problems = await problemsOf(Object.fromEntries(known))
    // a plan file that is not there is named before its option can be of use, and a baseline of other plans is read before it is refused
    const refused = problems.filter(
      ({ flag, allowed }) =>
        !(key === 'config' && flag === '--config') &&
        !(flag === '--network' && LACKS.includes(allowed)) &&
        !(flag === '--baseline' && /^is of another plan/.test(allowed))
    )
    if (refused.length === 0) return []
    why.push(...refused.map(({ flag, value, allowed }) => `${flag} ${value} ${allowed}`))
  }
  return why
}

describe('the help of a command', () => {
  for (const command of COMMANDS) {
    const { name, listed, base, problemsOf, keep } = command
    test(`${name} lists nothing that it always refuses`, async () => {
      await keep?.(FOLDER)
      const options = Object.keys(listed).filter(key => Object.hasOwn(base, key))
      const refused = await Promise.all(options.map(async key => [key, await refusals(command, key)]))
      assert.deepEqual(
        refused.filter(([, why]) => why.length > 0),
        []
      )
    })

    test(`${name} refuses what it does not list, and says why`, async () => {
      const absent = Object.keys(base).filter(key => !Object.hasOwn(listed, key))
      for (const key of absent) {
        const problems = await problemsOf({ [key]: base[key].flag ? true : '3' })
        const said = problems.filter(({ flag }) => flag === `--${key}`)
        assert.match(
          said[0]?.allowed ?? '',
          /^does not apply here: \S/,
          `${key}: ${JSON.stringify(problems)}`
        )
      }
      assert.ok(absent.length > 0 || ['rendezvous', 'gossip'].includes(name))
    })
  }
})
