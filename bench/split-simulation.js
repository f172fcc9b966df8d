import { fileURLToPath } from 'node:url'
import { minimatch } from 'minimatch'
import { orderRuns } from '../src/studies/compare/study.js'
import { ROOT } from './parts/checkout.js'
import { kept } from './parts/kept.js'
import { ratioOf } from './parts/ratio-rows.js'
import { timedRun } from './parts/timed-run.js'

/**
 * @typedef {object} Split - what a run took of its processes while it published
 * @property {number} busiestSeconds - CPU time of that with most
 * @property {number} allSeconds - CPU time of all
 * @property {number} wallSeconds
 * @property {string} digest
 * @property {number | null} lookaheadMs - null: of one process
 * @property {number | null} pressure - %
 */

const ALWAYS = [
  'gossip',
  '--network',
  'simulated',
  '--topology',
  'barabasi-albert:m=6',
  '--signing',
  'off',
  '--seed',
  '1'
]
const REGIONS = fileURLToPath(new URL('parts/regions.json', import.meta.url))
/** @param {number} messages */
const studyOf = messages => [
  ...['--nodes', '95', '--preset', 'study-2019'],
  ...['--rate', '200/s', '--messages', String(messages)]
]
const STUDY = studyOf(2000)

/**
 * Two networks that targets are for, the first for as long as it takes that what is done once, starting and compiling, is not most of the pressure;
 * and the first over lookaheads, for less long.
 *
 * @type {Readonly<Record<string, readonly string[]>>}
 */
const NETWORKS = Object.freeze({
  '95 nodes': [...studyOf(6000), '--linkLatency', '100ms'],
  '1000 nodes': ['--nodes', '1000', '--rate', '10/s', '--messages', '100', '--linkLatency', '100ms'],
  '95 nodes, 0 ms': [...STUDY, '--linkLatency', '0ms'],
  '95 nodes, 1 ms': [...STUDY, '--linkLatency', '1ms'],
  '95 nodes, 2 ms': [...STUDY, '--linkLatency', '2ms'],
  '95 nodes, 5 ms': [...STUDY, '--linkLatency', '5ms'],
  '95 nodes, 20 ms': [...STUDY, '--linkLatency', '20ms'],
  '95 nodes, lognormal': [...STUDY, '--linkLatency', 'lognormal:100ms,30ms'],
  '95 nodes, regions': [...STUDY, '--linkLatency', `file:${REGIONS}`]
})

const MAX_BUSIEST = 0.59
const MAX_SUM = 1.15
const MIN_SPEEDUP = 1.7
/** %: a core more, and nothing had waited. */
const MAX_PRESSURE = 10

/** @param {readonly string[]} network @param {number} workers @returns {Promise<Split>} */
async function measured(network, workers) {
  const { document, pressure } = await timedRun(ROOT, [...ALWAYS, ...network, '--workers', String(workers)])
  const { outcome, run } = document
  const publish = run.phases.find((/** @type {any} */ { name }) => name === 'publish')
  const seconds = run.simulator.resources.map(
    (/** @type {any} */ { cpu }) => ((cpu.averagePercent / 100) * publish.durationMs) / 1000
  )
  return {
    busiestSeconds: Math.max(...seconds),
    allSeconds: seconds.reduce((/** @type {number} */ sum, /** @type {number} */ each) => sum + each, 0),
    wallSeconds: publish.durationMs / 1000,
    digest: outcome.digest,
    lookaheadMs: run.simulator.split?.lookaheadMs ?? null,
    pressure
  }
}

/** @param {string} name @param {Record<'a' | 'b', Split[]>} sides - a: of one process */
function rowOf(name, { a, b }) {
  const shown = (/** @type {readonly (readonly [number, number])[]} */ pairs) => {
    const { ratio, interval } = ratioOf(pairs)
    const { low, high } = interval
    return high === Number.POSITIVE_INFINITY
      ? ratio.toFixed(2)
      : `${ratio.toFixed(2)} [${low.toFixed(2)}, ${high.toFixed(2)}]`
  }
  /** @param {keyof Split & ('busiestSeconds' | 'allSeconds' | 'wallSeconds')} key */
  const pairs = key => a.map((one, pair) => /** @type {const} */ ([one[key], b[pair][key]]))
  const same = [...a, ...b].every(({ digest }) => digest === a[0].digest)
  const { lookaheadMs } = b[0]
  const faster = pairs('wallSeconds').map(([one, two]) => /** @type {const} */ ([two, one]))
  const quiet = faster.filter((_, pair) => [a, b].every(side => (side[pair].pressure ?? 100) < MAX_PRESSURE))
  return [
    name,
    lookaheadMs === null ? 'one process' : lookaheadMs.toPrecision(3),
    String(a.length),
    shown(pairs('busiestSeconds')),
    shown(pairs('allSeconds')),
    shown(faster),
    quiet.length === 0 ? 'none' : `${shown(quiet)}, ${quiet.length}`,
    same ? 'the same' : 'DIFFERENT'
  ]
}

/**
 * splitSimulation is what two processes take of a simulated network beside one, in turns.
 *
 * @param {{ pairs: number, only: string, keep: boolean }} options - `only`: of the networks
 */
export async function splitSimulation({ pairs, only, keep }) {
  const table = {
    title: `Two processes over one, pairs of runs in turns (95 % intervals where there are enough): at most ${MAX_BUSIEST} for the busiest, ${MAX_SUM} for both, at least ${MIN_SPEEDUP} × as fast`,
    head: [
      'Network',
      'Lookahead, ms',
      'Pairs',
      'CPU, busiest ÷ one',
      'CPU, both ÷ one',
      'Speed-up',
      `Pressure below ${MAX_PRESSURE} %, pairs`,
      'Digest'
    ],
    rows: /** @type {string[][]} */ ([])
  }
  /** @type {Record<string, string[]>} */
  const rows = {}
  for (const [name, network] of Object.entries(NETWORKS).filter(([each]) => minimatch(each, only))) {
    /** @type {Record<'a' | 'b', Split[]>} */
    const sides = { a: [], b: [] }
    for (const { arm } of orderRuns(pairs, ['a', 'b'])) {
      const split = await measured(network, arm === 'a' ? 1 : 2)
      sides[arm].push(split)
      process.stderr.write(`  ${name}, ${arm === 'a' ? 'one process' : 'two'}: ${JSON.stringify(split)}\n`)
    }
    rows[name] = rowOf(name, sides)
  }
  return keep ? kept('split-simulation', table, rows) : { ...table, rows: Object.values(rows) }
}
