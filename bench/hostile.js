import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { markdownTable } from 'markdown-table'
import { estimateHostileMs } from '../src/load/trials.js'
import { estimateHodgesLehmann } from '../src/measure/statistics.js'
import { compareStretches } from '../src/scenarios/rendezvous/figures.js'
import { HOSTILE_KINDS } from '../src/scenarios/rendezvous/peer-options.js'
import { MAX_REPEATS } from '../src/studies/matrix/matrix-document.js'
import { untilQuiet } from './parts/quiet-machine.js'
import { runOfOurs } from './parts/run-of-ours.js'

/**
 * @typedef {import('../src/report/schema.js').HostileOutcome['pairs'][number]} Pair
 *
 * @typedef {object} Row - in results/reference/hostile.json
 * @property {string} kind
 * @property {number} times - its usual rate
 * @property {number} seconds - of a stretch
 * @property {boolean} awake - cores were kept from sleeping
 * @property {string[]} dates - of its runs
 * @property {Pair[]} pairs
 * @property {Pair[]} setAside
 * @property {{ heap: number, external: number } | null} left - the most of its runs; null: not known
 *
 * @typedef {object} HostileOptions
 * @property {number} pairs
 * @property {number} piece - pairs of one run at most; 0: all in one run. Runs are made until there are `pairs`
 * @property {number} seconds - of a stretch
 * @property {string} rows - names with commas between, such as `frames,unread10`; empty: all
 * @property {boolean} awake
 * @property {boolean} keep - in results/reference/hostile.json, and begin with what is kept there
 */

const FILE = fileURLToPath(new URL('../results/reference/hostile.json', import.meta.url))
const MEASURED = ['http', 'requests', 'unread', 'store', 'records', 'handshakes', 'frames']
/** How many times as long an operation may take at the 99th percentile, by how many times their usual rate hostile peers have. */
const TARGETS = new Map([
  [1, 2],
  [10, 3]
])
const MB = 1e6
const MAX_UNTIL_QUIET_MS = 600_000

/** A client that asks more often than so many times a second meets the server's limit on bytes of replies to one address. */
const MAX_RATE_EACH = 100

/** Honest clients ask so often that p99 of each stretch is known: 1,000 times. @param {number} seconds - of a stretch */
const rateFor = seconds => Math.ceil(1000 / seconds)

/** They ask at the times that are due, until code is compiled and then for all stretches. */
const HONEST = [
  ...['--benchmarkType', 'DISCOVER', '--discoverLimit', '20'],
  ...['--initialRegistrations', '1000', '--nNamespaces', '10', '--warmup', '15s', '--skipLookUp'],
  ...['--server', 'process']
]

const HEAD = [
  ...['Hostile peers', 'Pairs', 'Set aside', 'p99 quiet, ms', 'p99 hostile, ms', 'Ratio of p99'],
  ...['95 % interval', 'Target', 'Not answered', 'Server CPU quiet → hostile, %', 'Longest turn, ms'],
  ...['RSS quiet → hostile, MB', 'Heap, external left, %', 'Recovery, ms', 'Not sent, %']
]

/** @param {string} kind @param {number} times */
const nameOf = (kind, times) => (times === 1 ? kind : `${kind}${times}`)

const ROWS = MEASURED.flatMap(kind =>
  [...TARGETS.keys()].map(times => ({ kind, times, name: nameOf(kind, times) }))
)

/** @returns {Promise<Row[]>} */
const keptRows = async () => JSON.parse(await readFile(FILE, 'utf8').catch(() => '[]'))

/** @param {Row} row - takes the place of what is kept under its name */
async function keep(row) {
  const name = nameOf(row.kind, row.times)
  const others = (await keptRows()).filter(({ kind, times }) => nameOf(kind, times) !== name)
  const all = ROWS.flatMap(({ kind, times }) =>
    [row, ...others].filter(each => each.kind === kind && each.times === times)
  )
  await writeFile(FILE, `${JSON.stringify(all, null, 1)}\n`)
  const what = MEASURED.map(kind => `- ${kind}: ${HOSTILE_KINDS[kind].what}\n`)
  const table = markdownTable([HEAD, ...all.map(cellsOf)], { align: ['l', ...HEAD.slice(1).map(() => 'r')] })
  const awake = all.every(each => each.awake) ? 'Cores were kept from sleeping (`--awake`).\n\n' : ''
  await writeFile(FILE.replace(/json$/, 'md'), `${what.join('')}\n${awake}${table}\n`)
}

/** @param {readonly (number | null)[]} values - of stretches in which all is known */
const known = values => values.map(Number)

/** @param {Row} row @returns {string[]} under HEAD */
function cellsOf({ kind, times, pairs, setAside, left }) {
  const sides = [pairs.map(({ quiet }) => quiet), pairs.map(({ hostile }) => hostile)]
  const ratio = compareStretches(pairs, 'p99')
  const cpu = sides.map(stretches =>
    estimateHodgesLehmann(known(stretches.map(({ cpuPercent }) => cpuPercent)))
  )
  const rss = sides.map(stretches => Math.max(...known(stretches.map(({ rssBytes }) => rssBytes))) / MB)
  const own = pairs.map(pair => pair.hostile)
  const recovery = Math.max(...known(own.map(({ recoveryMs }) => recoveryMs)))
  return [
    nameOf(kind, times),
    String(pairs.length),
    String(setAside.length),
    ...(ratio === null
      ? ['–', '–', '–']
      : [ratio.quietMs, ratio.hostileMs, ratio.ratio].map(
          x => `${ratio.atLeast ? '≥ ' : ''}${x.toFixed(2)}`
        )),
    ratio?.low == null || ratio.high === null
      ? 'not known'
      : `${ratio.low.toFixed(2)} to ${ratio.atLeast ? '∞' : ratio.high.toFixed(2)}`,
    `≤ ${TARGETS.get(times)}`,
    String(own.reduce((sum, { failed }) => sum + failed, 0)),
    cpu.map(percent => percent.toFixed(0)).join(' → '),
    Math.max(...known(own.map(({ longestTurnMs }) => longestTurnMs))).toFixed(0),
    rss.map(mb => mb.toFixed(0)).join(' → '),
    left === null ? '–' : [left.heap, left.external].map(share => (100 * share).toFixed(0)).join(', '),
    `${own.every(({ recovered }) => recovered) ? '' : '> '}${recovery}`,
    (100 * Math.max(...known(own.map(({ notSent }) => notSent)))).toFixed(1)
  ]
}

/** @param {Row['left'][]} all @returns {Row['left']} */
const mostLeft = all =>
  all.reduce(
    (one, other) =>
      one === null || other === null
        ? (one ?? other)
        : { heap: Math.max(one.heap, other.heap), external: Math.max(one.external, other.external) },
    null
  )

/** Runs until a row has its pairs; those that others of the host disturbed are taken again. @param {(typeof ROWS)[number]} which @param {HostileOptions} options @returns {Promise<Row>} */
async function measured({ kind, times, name }, { pairs, piece, seconds, awake, keep: keeps }) {
  const earlier = keeps ? await keptRows() : []
  /** @type {Row} */
  let row = earlier.find(each => nameOf(each.kind, each.times) === name && each.seconds === seconds) ?? {
    ...{ kind, times, seconds, awake, dates: [], pairs: [], setAside: [], left: null }
  }
  for (let runs = 0; row.pairs.length < pairs && runs < MAX_REPEATS * pairs; runs++) {
    await untilQuiet(MAX_UNTIL_QUIET_MS)
    const missing = pairs - row.pairs.length
    const ms = estimateHostileMs(piece > 0 ? Math.min(piece, missing) : missing, seconds * 1000)
    const { hostile } = await runOfOurs([
      ...['--hostile', `${kind}=${times}`, '--hostileEvery', `${seconds}s`, '--duration', `${ms}ms`],
      ...HONEST,
      ...['--rate', `${rateFor(seconds)}/s`, '--nClients', `${Math.ceil(rateFor(seconds) / MAX_RATE_EACH)}`]
    ])
    const good = hostile.pairs.filter((/** @type {Pair} */ pair) => pair.setAside === null)
    const others = hostile.pairs.filter((/** @type {Pair} */ pair) => pair.setAside !== null)
    row = {
      ...row,
      dates: [...row.dates, new Date().toISOString()],
      pairs: [...row.pairs, ...good].slice(0, pairs),
      setAside: [...row.setAside, ...others],
      left: mostLeft([row.left, hostile.left])
    }
    process.stderr.write(`  ${name}: ${good.length} pairs, ${others.length} set aside\n`)
    if (keeps) await keep(row)
  }
  return row
}

/**
 * hostile is what hostile peers cost an honest client: quiet and hostile stretches take turns.
 *
 * @param {HostileOptions} options
 */
export async function hostile(options) {
  const asked = options.rows === '' ? ROWS.map(({ name }) => name) : options.rows.split(',')
  const strange = asked.filter(name => !ROWS.some(row => row.name === name))
  if (strange.length > 0)
    throw new Error(`--rows ${strange.join(',')} is none of ${ROWS.map(({ name }) => name).join(', ')}`)
  /** @type {string[][]} */
  const rows = []
  for (const which of ROWS.filter(({ name }) => asked.includes(name)))
    rows.push(cellsOf(await measured(which, options)))
  return {
    title: `Hostile peers beside honest clients that ask ${rateFor(options.seconds)} times a second: stretches of ${options.seconds} s in turn`,
    head: HEAD,
    rows
  }
}
