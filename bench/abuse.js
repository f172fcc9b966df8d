import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { markdownTable } from 'markdown-table'
import { minimatch } from 'minimatch'
import { KINDS, OF_THE_BENCH } from '../src/scenarios/rendezvous/plan/hostile-kinds.js'
import { measure } from './parts/abuse/measure.js'
import { HEAD, nameOf, rowOf } from './parts/abuse/table.js'
import { isStolen } from './parts/quiet-machine.js'

/**
 * @typedef {import('./parts/abuse/table.js').Measured} Measured
 *
 * @typedef {object} AbuseOptions
 * @property {number} pairs
 * @property {number} piece - pairs in one go at most: later calls add theirs to what is kept, until there are `pairs`; 0: all in one go
 * @property {number} seconds - of a stretch
 * @property {string} only - pattern of names, such as `frames` or `frames ×10`
 * @property {number} settle - seconds until memory is looked at again, behind the last pair; 0: it is not
 * @property {boolean} awake - cores are kept from sleeping
 * @property {boolean} keep - in results/reference/abuse.json
 */

const FILE = fileURLToPath(new URL('../results/reference/abuse.json', import.meta.url))
const TIMES = [1, 10]

const CASES = OF_THE_BENCH.flatMap(abuse =>
  TIMES.map(times => ({ abuse, times, name: nameOf(abuse, times) }))
)

/** @returns {Promise<Measured[]>} of earlier calls */
const kept = async () => JSON.parse(await readFile(FILE, 'utf8').catch(() => '[]'))

/** @param {Measured} measured - takes the place of what is kept under its name */
async function keep(measured) {
  const name = nameOf(measured.abuse, measured.times)
  const others = (await kept()).filter(({ abuse, times }) => nameOf(abuse, times) !== name)
  const all = CASES.flatMap(({ abuse, times }) =>
    [measured, ...others].filter(each => each.abuse === abuse && each.times === times)
  )
  await writeFile(FILE, `${JSON.stringify(all, null, 1)}\n`)
  const what = OF_THE_BENCH.map(name => `- ${name}: ${KINDS[name].what}\n`)
  const table = markdownTable([HEAD, ...all.map(rowOf)], { align: ['l', ...HEAD.slice(1).map(() => 'r')] })
  const awake = all.every(each => each.awake) ? 'Cores were kept from sleeping (`--awake`).\n\n' : ''
  await writeFile(FILE.replace(/json$/, 'md'), `${what.join('')}\n${awake}${table}\n`)
}

/**
 * What is to be added to.
 *
 * @param {(typeof CASES)[number]} which
 * @param {AbuseOptions} options
 * @returns {Promise<Measured>}
 */
async function begun({ abuse, times }, { piece, keep, seconds, awake }) {
  const earlier = piece > 0 && keep ? await kept() : []
  const same = earlier.find(each => each.abuse === abuse && each.times === times && each.seconds === seconds)
  return same ?? { abuse, times, seconds, awake, dates: [], pairs: [], setAside: [], left: null }
}

/** @param {string} name @param {import('./parts/abuse/measure.js').Pair} pair */
function tell(name, { quiet, abused, stealPercent }) {
  const words = [quiet, abused].map(
    ({ p99Ms, cpuPercent, longestTurnMs }) =>
      `p99 ${p99Ms.toFixed(1)} ms, CPU ${cpuPercent.toFixed(0)} %, longest turn ${longestTurnMs.toFixed(0)} ms`
  )
  const aside = isStolen(Number(stealPercent)) ? `, ${stealPercent?.toFixed(1)} % taken by others` : ''
  process.stderr.write(`  ${name}: ${words.join(' → ')}${aside}\n`)
}

/** @param {(typeof CASES)[number]} which @param {AbuseOptions} options @returns {Promise<Measured>} */
async function continued(which, options) {
  const before = await begun(which, options)
  const missing = options.pairs - before.pairs.length
  if (missing <= 0) return before
  const now = options.piece > 0 ? Math.min(missing, options.piece) : missing
  const { pairs, setAside, left } = await measure(which.abuse, {
    times: which.times,
    pairs: now,
    seconds: options.seconds,
    settle: now === missing ? options.settle : 0,
    tell: pair => tell(which.name, pair)
  })
  const dates = [...before.dates, new Date().toISOString()]
  const measured = {
    ...before,
    dates,
    pairs: [...before.pairs, ...pairs],
    setAside: [...before.setAside, ...setAside],
    left
  }
  if (options.keep) await keep(measured)
  return measured
}

/**
 * abuse is what hostile peers cost an honest client: quiet and abused stretches take turns.
 *
 * @param {AbuseOptions} options
 */
export async function abuse(options) {
  const chosen = CASES.filter(({ name }) => minimatch(name, options.only))
  if (chosen.length === 0)
    throw new Error(`--only ${options.only} is none of ${CASES.map(({ name }) => name).join(', ')}`)
  /** @type {string[][]} */
  const rows = []
  for (const which of chosen) rows.push(rowOf(await continued(which, options)))
  return {
    title: `Abuses of a server, and an honest client that asks 100 times a second: stretches of ${options.seconds} s in turn`,
    head: HEAD,
    rows
  }
}
