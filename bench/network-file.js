import { computeSum, median } from '../src/kit/collections.js'
import { formatSignificant } from '../src/kit/numbers.js'
import { keepTable } from './parts/kept.js'
import { networkRun } from './parts/network-run.js'
import { MIN_PAIRS } from './validation/equivalence.js'
import { judgeFigures } from './validation/measures.js'

/** @typedef {import('../src/scenarios/gossip/outcome.js').GossipResult} GossipResult */

const SEEDS = Number(process.env.BENCH_REPEATS ?? MIN_PAIRS)
const SIDES = [{ network: 'namespaces', congestionControl: 'reno' }, { network: 'simulated' }]
const PLAN = {
  nodes: 24,
  topology: 'barabasi-albert:m=6,seed=42',
  preset: 'study-2019',
  networkFile: 'bench/validation/network.yaml',
  duration: '40s',
  cooldown: '60s'
}

/** As in docs/simulation.md: a share of the real figure, or so many ms where that is more. */
const MARGINS = { p50: { share: 0.05, ms: 2 }, p99: { share: 0.15, ms: 5 }, bytes: { share: 0.05, ms: 0 } }

/** @typedef {{ what: string, measure: keyof typeof MARGINS, value: number }} Figure */

/**
 * @param {string} what
 * @param {{ all: import('../src/report/schema.js').Summary }} latency
 * @param {readonly ('p50' | 'p99')[]} measures
 * @returns {Figure[]} those that there are samples enough for
 */
const timesOf = (what, { all }, measures) =>
  measures.flatMap(measure => {
    const ms = all[measure]?.ms
    return ms === undefined ? [] : [{ what, measure, value: ms }]
  })

/** @param {GossipResult} result @returns {Figure[]} */
function figuresOf({ plan, outcome: { groups, topics } }) {
  if (groups === undefined) throw new Error('a run has no classes and zones')
  return [
    ...groups.classes.flatMap(each => [
      ...timesOf(`class ${each.class}`, each.latency, ['p50', 'p99']),
      { what: `class ${each.class}`, measure: /** @type {const} */ ('bytes'), value: each.bytesReceived ?? 0 }
    ]),
    ...groups.pairs.flatMap(({ from, to, latency }) => timesOf(`${from} → ${to}`, latency, ['p50'])),
    ...topics.flatMap(({ topic, latency }) =>
      latency === undefined ? [] : timesOf(`topic ${plan.topics[topic].name}`, latency, ['p50', 'p99'])
    )
  ]
}

/** @param {readonly number[]} figures */
const spread = figures =>
  `${formatSignificant(median([...figures]))} (${formatSignificant(Math.min(...figures))}–${formatSignificant(Math.max(...figures))})`

/**
 * networkFile holds a network of three classes in three zones between namespaces against the same one simulated, by the rows that its file
 * gives a result.
 *
 * @param {{ keep?: boolean }} [options]
 * @returns {Promise<import('./figures.js').Table>}
 */
export async function networkFile({ keep = false } = {}) {
  /** @type {Figure[][][]} */
  const runs = []
  for (let seed = 1; seed <= SEEDS; seed++) {
    process.stderr.write(`  seed ${seed} of ${SEEDS}\n`)
    const both = []
    for (const side of SIDES)
      both.push(figuresOf((await networkRun('gossip', { ...PLAN, ...side, seed })).result))
    runs.push(both)
  }
  const rows = runs[0][0].flatMap(({ what, measure }) => {
    const of = (/** @type {Figure[]} */ figures) =>
      figures.find(each => each.what === what && each.measure === measure)?.value
    const pairs = runs.map(([real, simulated]) => [of(real), of(simulated)])
    // a percentile needs samples in each run
    if (pairs.flat().includes(undefined)) return []
    const [real, simulated] = [0, 1].map(side => pairs.map(pair => Number(pair[side])))
    const { share, ms } = MARGINS[measure]
    const margin = Math.max(share, (ms * real.length) / computeSum(real))
    const { verdict, ratio, interval, more } = judgeFigures(
      { name: /** @type {any} */ (measure), real, simulated },
      margin
    )
    return [
      [
        what,
        measure === 'bytes' ? 'MB received' : `${measure} ms`,
        ...[real, simulated].map(each => spread(measure === 'bytes' ? each.map(bytes => bytes / 1e6) : each)),
        ratio === null ? '–' : ratio.toFixed(3),
        interval === null ? '–' : `${interval.low.toFixed(3)} … ${interval.high.toFixed(3)}`,
        `± ${(margin * 100).toFixed(1)} %`,
        more === null ? verdict : `${verdict}: ${more} more runs needed`
      ]
    ]
  })
  const table = {
    title: `A network of a file between namespaces and simulated, ${SEEDS} seeds`,
    head: ['Row', 'Measure', 'Namespaces', 'Simulated', 'Ratio', '90 % interval', 'Margin', 'Verdict'],
    rows
  }
  if (keep) await keepTable('network-file', table)
  return table
}
