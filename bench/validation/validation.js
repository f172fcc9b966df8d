import { readFileSync } from 'node:fs'
import { minimatch } from 'minimatch'
import { parse } from 'yaml'
import { median } from '../../src/kit/collections.js'
import { formatSignificant } from '../../src/kit/numbers.js'
import { keepTable } from '../parts/kept.js'
import { networkRun } from '../parts/network-run.js'
import { conditionsOf } from './conditions.js'
import { counterChecks, LATENCY_FACTOR } from './counter-checks.js'
import { MIN_PAIRS } from './equivalence.js'
import { judgeGoodput } from './goodput.js'
import { judgeMeasures, observationOf } from './measures.js'

/**
 * @typedef {import('../../src/scenarios/gossip/outcome.js').GossipResult} GossipResult
 * @typedef {Record<string, string | number>} Options - of a plan
 */

/** Runs of each side. */
const SEEDS = Number(process.env.BENCH_REPEATS ?? MIN_PAIRS)

/**
 * A small network leaves a machine of two cores most of its time; with links this slow a hop takes a machine that others use too less than a
 * twentieth of them. The topology is the same for all seeds, so that real runs differ in nothing but chance.
 */
const USUAL = Object.freeze({
  network: 'loopback',
  nodes: 30,
  topology: 'barabasi-albert:m=4,seed=42',
  linkLatency: '400ms',
  rate: '1/s',
  messages: 30
})

/** What a table calls them. L: latency of a link. @type {Readonly<Record<import('./measures.js').MeasureName, string>>} */
const MEASURE_TITLES = {
  p50: 'p50 of latency, in L',
  p99: 'p99 of latency, in L',
  hops: 'Hops of deliveries',
  meshDegrees: 'Mesh degree',
  duplicates: 'Duplicates per delivery',
  rpcs: 'RPCs per delivery',
  control: 'Control messages per delivery',
  bytes: 'Bytes per delivery',
  goodput: 'Goodput of a connection, kB/s'
}

/** What must hold of the worst real run. @type {Readonly<Record<import('./conditions.js').ConditionName, string>>} */
const CONDITION_TITLES = {
  links: 'CPU of a delivery, ms: at most',
  hops: 'A hop beyond its link, ms: at most',
  machine: 'Runs that --strict fails for: at most',
  load: 'CPU of the busiest process, %: at most',
  delivered: 'Deliveries that arrived: at least',
  mesh: 'Runs without a formed mesh: at most'
}

/** What must be noticed. @type {Readonly<Record<import('./counter-checks.js').CounterCheck['what'], string>>} */
const COUNTER_CHECK_TITLES = {
  latency: `Links ${Math.round(100 * (LATENCY_FACTOR - 1))} % slower`,
  loss: 'Twice the loss'
}

/** @param {Options} options @returns {Promise<GossipResult>} */
const runOf = async options => /** @type {GossipResult} */ ((await networkRun('gossip', options)).result)

/** @param {number[]} figures - of a run each */
function spread(figures) {
  const [middle, least, most] = [median(figures), Math.min(...figures), Math.max(...figures)]
  return `${formatSignificant(middle)} (${formatSignificant(least)}–${formatSignificant(most)})`
}

/** @param {number | null | undefined} figure */
const written = figure => (figure == null ? '–' : figure.toFixed(3))

/** @param {GossipResult} result @param {number} unitMs */
function observed(result, unitMs) {
  const observation = observationOf(result, unitMs)
  if (observation === null) throw new Error('a run delivered nothing')
  return observation
}

/**
 * rowsOf runs a plan on real TCP, simulated, and simulated with slower links, a seed after the other, and judges what they came to.
 *
 * @param {string} name
 * @param {Options} options - of the real runs
 * @returns {Promise<string[][]>}
 */
async function rowsOf(name, options) {
  const { congestionControl: _, ...others } = options
  const simulated = { ...others, network: 'simulated' }
  const unitMs = Number.parseFloat(String(options.linkLatency))
  const slower = { ...simulated, linkLatency: `${unitMs * LATENCY_FACTOR}ms` }
  /** @type {GossipResult[][]} */
  const runs = []
  for (let seed = 1; seed <= SEEDS; seed++) {
    process.stderr.write(`  ${name}: seed ${seed} of ${SEEDS}\n`)
    const three = []
    for (const side of [options, simulated, slower]) three.push(await runOf({ ...side, seed }))
    runs.push(three)
  }
  const sides = [0, 1, 2].map(side => runs.map(three => three[side]))
  const [real, ofSimulated, ofSlower] = sides.map(side => side.map(result => observed(result, unitMs)))
  const seeds = Array.from({ length: Math.max(MIN_PAIRS, SEEDS) }, (_, seed) => seed)
  const measures = [...judgeMeasures(real, ofSimulated, unitMs), judgeGoodput(unitMs, seeds)]
  return [
    ...measures.map(measure => [
      name,
      MEASURE_TITLES[measure.name],
      spread(measure.real),
      spread(measure.simulated),
      written(measure.ratio),
      `${written(measure.interval?.low)} … ${written(measure.interval?.high)}`,
      `± ${(100 * measure.margin).toFixed(1)} %`,
      measure.more === null ? measure.verdict : `${measure.verdict}: ${measure.more} more runs`
    ]),
    ...conditionsOf(sides[0], sides[1]).map(condition => [
      ...[name, CONDITION_TITLES[condition.name], written(condition.figure), '', '', ''],
      ...[formatSignificant(condition.limit), condition.met ? 'met' : 'not met']
    ]),
    ...counterChecks({ real, slower: ofSlower, unitMs }, seeds).map(({ what, verdict }) => [
      ...[name, COUNTER_CHECK_TITLES[what], '', '', '', '', ''],
      verdict === 'differs' ? 'noticed' : 'not noticed'
    ])
  ]
}

/** @param {Record<string, Options>} plans */
async function validated(plans) {
  const rows = []
  for (const [name, options] of Object.entries(plans)) rows.push(...(await rowsOf(name, options)))
  return {
    title: `The same plans on real TCP and simulated, ${SEEDS} seeds of each: median of the runs (least–most), ratio of simulated to real with its 90 % interval; conditions have the worst real run; the last two rows are simulations that are wrong on purpose`,
    head: ['Plan', 'Measure', 'Real', 'Simulated', 'Ratio', '90 % interval', 'Margin', 'Verdict'],
    rows
  }
}

/**
 * validation holds the simulated network against the real one: docs/simulation.md says how.
 *
 * @param {{ keep?: boolean }} [options]
 */
export async function validation({ keep = false } = {}) {
  const table = await validated({ usual: USUAL })
  if (keep) await keepTable('validation', table)
  return table
}

/**
 * validationCases does so for each of the cases, between network namespaces.
 *
 * @param {{ only: string }} options - of their names
 */
export function validationCases({ only }) {
  const { defaults, rows } = parse(readFileSync(new URL('cases.yaml', import.meta.url), 'utf8'))
  return validated(
    Object.fromEntries(
      rows.flatMap((/** @type {Options} */ { name, note: _, ...options }) =>
        minimatch(String(name), only) ? [[name, { ...defaults, ...options }]] : []
      )
    )
  )
}
