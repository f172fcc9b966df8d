import { readFile } from 'node:fs/promises'
import { minimatch } from 'minimatch'
import { parse } from 'yaml'
import { formatSignificant } from '../src/kit/numbers.js'
import { ROOT } from './parts/checkout.js'
import { kept, keptValues } from './parts/kept.js'
import { timedRun } from './parts/timed-run.js'

/** @typedef {{ name: string, args: string[] }} Load */
/** @typedef {{ limited: boolean, perSecond: number, tailMs: number, overhead: string, limitedBy: string }} Found */

/** The tables of the rendezvous source. */
const FILES = [
  'rendezvous-register',
  'rendezvous-discover-20',
  'rendezvous-discover-100',
  'rendezvous-discover-inexistent'
]

/** Each is measured for at least so long. */
const LENGTH = '3s'

/** The default as it is, and at loads below the most. @type {readonly Load[]} */
const DEFAULTS = [
  { name: 'default', args: ['--duration', LENGTH] },
  { name: 'default, DISCOVER', args: ['--benchmarkType', 'DISCOVER', '--duration', LENGTH] },
  { name: 'default at 200 a second', args: ['--rate', '200/s', '--duration', LENGTH] },
  { name: 'default at 1,000 a second', args: ['--rate', '1000/s', '--duration', LENGTH] }
]

/** What a row says beside the options of its run. */
const BESIDE = new Set(['note', 'runs', 'reference', 'name', 'minDuration'])

/** @param {string} name - of a matrix file @returns {Promise<Load[]>} */
async function loadsOf(name) {
  const { defaults, rows } = parse(
    await readFile(new URL(`../benchmarks/${name}.yaml`, import.meta.url), 'utf8')
  )
  return rows.map((/** @type {Record<string, unknown>} */ row) => {
    const options = Object.entries({ ...defaults, ...row }).filter(([key]) => !BESIDE.has(key))
    const { nClients, initialRegistrations, nNamespaces, benchmarkRuns, discoverLimit } = {
      ...defaults,
      ...row
    }
    const said = {
      ...{ c: nClients, r: initialRegistrations, ns: nNamespaces },
      ...{ ops: benchmarkRuns, limit: discoverLimit }
    }
    return {
      name: `${name} ${Object.entries(said)
        .flatMap(([key, value]) => (value === undefined ? [] : `${key}${value}`))
        .join(' ')}`,
      args: [
        ...options.flatMap(([key, value]) => [`--${key}`, String(value)]),
        // what registers more with each operation has a length of its own
        ...['--minDuration', defaults.benchmarkType === 'REGISTER' ? '0s' : LENGTH]
      ]
    }
  })
}

/** @param {readonly string[]} args @returns {Promise<Found>} */
async function run(args) {
  const { document } = await timedRun(ROOT, [...args, '--server', 'process', '--skipLookUp'])
  const [first] = Object.values(document.outcome.operations)
  const { p50, p95, p99 } = first.rt.all
  return {
    limited: document.run.warnings.some((/** @type {any} */ { code }) => code === 'GENERATOR_LIMITED'),
    perSecond: first.throughputPerSecond,
    tailMs: (p99 ?? p95 ?? p50).ms,
    overhead: [p50, p99]
      .flatMap(time => (time === null ? [] : `${Math.round((100 * time.overheadMs) / time.ms)} %`))
      .join(', '),
    limitedBy: document.outcome.limitedBy.by.join(', ') || 'not determined'
  }
}

/** A fifth more, or a fifth sooner. @param {Found} one @param {Found} two */
const isBetter = (one, two) => two.perSecond >= 1.2 * one.perSecond || two.tailMs <= one.tailMs / 1.2

/**
 * generatorLimited counts the loads of the source's tables, and of the default, in which the load generator was the limit, and tries each of
 * those with another generator process: it is confirmed where that brings a fifth more throughput, or a tail that is a fifth shorter.
 *
 * @param {{ only: string, keep: boolean }} options
 */
export async function generatorLimited({ only, keep }) {
  const all = [...DEFAULTS, ...(await Promise.all(FILES.map(loadsOf))).flat()]
  const loads = all.filter(({ name }) => minimatch(name, only))
  /** @type {Record<string, string[]>} */
  const rows = {}
  for (const { name, args } of loads) {
    const one = await run(args)
    const two = one.limited ? await run([...args, '--workers', '2']) : null
    const cells = [one, ...(two === null ? [] : [two])].map(
      ({ perSecond, tailMs }) => `${formatSignificant(perSecond)}/s, ${formatSignificant(tailMs)} ms`
    )
    rows[name] = [
      ...[name, one.limitedBy, one.overhead, one.limited ? 'yes' : 'no', cells[0], cells[1] ?? ''],
      two === null ? '' : isBetter(one, two) ? 'yes' : 'no'
    ]
    process.stderr.write(`  ${rows[name].join('  ')}\n`)
  }
  const counted = Object.values({ ...(keep && (await keptValues('generator-limited')).rows), ...rows })
  const limited = counted.filter(([, , , yes]) => yes === 'yes')
  const table = {
    title: `Generator-limited runs: ${limited.length} of ${counted.length}, DISCOVER and the default measured for ${LENGTH} or more, REGISTER for the operations of its row (at most 15 % are to be)`,
    head: [
      ...['Load', 'Limited by', 'Client overhead of p50, p99', 'Generator-limited', 'Throughput, tail'],
      ...['With two generator processes', 'Better by a fifth']
    ],
    rows: Object.values(rows)
  }
  return keep ? kept('generator-limited', table, rows) : table
}
