import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { seenWords } from '../src/report/rule-line.js'
import { turns } from '../src/studies/comparison/run-ab.js'
import { checkoutOf, ROOT } from './parts/checkout.js'
import { median } from './parts/median.js'
import { ratioOf, shownChanged } from './parts/ratio-rows.js'

/**
 * @typedef {Record<'cpu' | 'memory' | 'p99', number>} Figures - of a run: CPU time of the server per operation in µs, its memory in MB on
 *   average, p99 of the response time in ms
 * @typedef {Figures & { pressure: number | null }} Measured - `pressure`: share of the run in which something waited for a core, in %;
 *   null: the system does not tell
 */

/** The load of every run: a rate that leaves most of a core, so that p99 is none of a queue. */
const LOAD = ['--benchmarkType', 'DISCOVER', '--rate', '200/s', '--nClients', '4', '--workers', '1']
const HOW = ['--server', 'process', '--probeRate', '0', '--warmup', '2s', '--seed', '1']

const TITLES = /** @type {const} */ ({
  cpu: 'Server CPU per operation, µs',
  memory: 'Server memory, MB',
  p99: 'p99 of DISCOVER, ms'
})

/** @returns {number | null} µs that something waited for a core, since the machine started */
function waitedMicros() {
  try {
    const [, total] = /some .*total=(\d+)/.exec(readFileSync('/proc/pressure/cpu', 'utf8')) ?? []
    return total === undefined ? null : Number(total)
  } catch {
    return null
  }
}

/** Reads what a run of any version of the program wrote. @param {any} result @returns {Figures} */
function figuresOf({ status, reason, outcome }) {
  if (status !== 'complete') throw new Error(`a run failed: ${reason?.message}`)
  const { DISCOVER } = outcome.operations
  const figures = {
    cpu: DISCOVER.serverCpuMicrosPerOperation,
    memory: outcome.server?.memory?.averageBytes / 1e6,
    p99: DISCOVER.rt.all.p99?.ms
  }
  for (const [name, value] of Object.entries(figures))
    if (!(value > 0)) throw new Error(`a run has no ${TITLES[/** @type {keyof Figures} */ (name)]}`)
  return figures
}

/** @param {string} folder - of the checkout @param {number} seconds @returns {Promise<Measured>} */
async function measured(folder, seconds) {
  const outputDir = mkdtempSync(join(tmpdir(), 'against-'))
  const args = [join(folder, 'index.js'), ...LOAD, ...HOW, '--duration', `${seconds}s`, '--json', '--quiet']
  try {
    const [before, began] = [waitedMicros(), performance.now()]
    const child = spawn(process.execPath, [...args, '--outputDir', outputDir], {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'inherit']
    })
    let text = ''
    child.stdout.setEncoding('utf8').on('data', chunk => {
      text += chunk
    })
    await once(child, 'close')
    const after = waitedMicros()
    const pressure =
      before === null || after === null ? null : (after - before) / 10 / (performance.now() - began)
    return { ...figuresOf(JSON.parse(text)), pressure }
  } finally {
    rmSync(outputDir, { recursive: true, force: true })
  }
}

/** @param {Record<'a' | 'b', Measured[]>} runs */
function rowsOf({ a, b }) {
  const names = /** @type {(keyof Figures)[]} */ (Object.keys(TITLES))
  const ratios = names.map(name => ratioOf(a.map((before, pair) => [before[name], b[pair][name]])))
  const changed = shownChanged(ratios)
  return names.map((name, place) => {
    const { ratio, interval, seen } = ratios[place]
    const [before, today] = [a, b].map(side => median(side.map(run => run[name])))
    return [
      TITLES[name],
      ...[before, today].map(value => value.toPrecision(3)),
      ratio.toFixed(3),
      `${interval.low.toFixed(3)} … ${interval.high.toFixed(3)}`,
      changed[place] ? 'changed' : `open: ${seen === null ? 'too few pairs' : seenWords(seen)}`
    ]
  })
}

/** @param {Measured} run */
const pressureWords = ({ pressure }) => (pressure === null ? 'not known' : `${pressure.toFixed(1)} %`)

/**
 * against holds this checkout against another commit: the same load through index.js of each, with its own locked dependencies, in turns
 * (ABBA), fresh processes each time. A is the commit, B what is here.
 *
 * @param {{ commit: string, pairs: number, seconds: number }} options
 */
export async function against({ commit: name, pairs, seconds }) {
  const { folder, commit } = checkoutOf(name)
  const folders = { a: folder, b: ROOT }
  /** @type {Record<'a' | 'b', Measured[]>} */
  const runs = { a: [], b: [] }
  for (const { pair, arm } of turns(pairs)) {
    const run = await measured(folders[arm], seconds)
    runs[arm].push(run)
    process.stderr.write(
      `  pair ${pair + 1} of ${pairs}, ${arm === 'a' ? commit.slice(0, 7) : 'today  '}: ${run.cpu.toFixed(0)} µs, ${run.memory.toFixed(0)} MB, p99 ${run.p99.toFixed(2)} ms, CPU pressure ${pressureWords(run)}\n`
    )
  }
  return {
    title: `Today against ${commit.slice(0, 7)}: ${pairs} pairs of runs of ${seconds} s in turns, DISCOVER at 200/s; today ÷ then, with 95 % intervals`,
    head: ['Figure', commit.slice(0, 7), 'Today', 'Ratio', '95 % interval', 'Shown'],
    rows: rowsOf(runs)
  }
}
