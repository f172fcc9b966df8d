// Which mistakes would no test notice? `npm run mutations` changes the code in places that a seed draws (a comparison is turned, a bound is
// one off, an `await` or a call is left out), one at a time and in copies, and runs the tests that load the changed file until one fails:
// unit tests, nearest first, then acceptance tests that need nothing but Node. `-- --only 3..9` tries some of the draw. With
// `-- --out <file>` a run that was broken off goes on. Changed code may do anything: run it where nothing can be lost.
import { spawnSync } from 'node:child_process'
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { markdownTable } from 'markdown-table'
import { copyOfCheckout } from './parts/copy-of-checkout.js'
import { DefectTrials } from './parts/defect-trials.js'
import { drawMutations } from './parts/mutation-sites.js'
import { modulesIn, ReachingTests } from './parts/reaching-tests.js'
import { suiteOf } from './parts/test-suites.js'

/**
 * @typedef {import('./parts/mutation-sites.js').Mutation} Mutation
 *
 * @typedef {Pick<Mutation, 'file' | 'line' | 'what'> & import('./parts/defect-trials.js').Found & {
 *   seed: number,
 *   digest: string
 * }} Outcome - digest: of the code
 */

const CHECKOUT = fileURLToPath(new URL('..', import.meta.url))

/** Copies in which mutations are tried at a time. */
const TOGETHER = 2

/** Of the nearest unit tests: those further away load most of the code, and hold little of it. */
const MAX_UNIT_TESTS = 24

/** What people do most: a run against a server, a gossip network, a transfer, a report of what was measured. */
const MAIN_WAY = ['first-run', 'report', 'transfer', 'gossip'].map(name =>
  join('test', 'acceptance', `${name}.test.js`)
)

/** @param {string} flag @param {string} text @param {number} least */
function wholeNumber(flag, text, least) {
  const number = Number(text)
  if (!Number.isSafeInteger(number) || number < least || text.trim() === '')
    throw new Error(`${flag} ${text}: must be a whole number from ${least}`)
  return number
}

/** @param {string} text - `7` or `3..9` @param {number} count */
function rangeOf(text, count) {
  const [from, to = from] = text.split('..').map(part => wholeNumber('--only', part, 1))
  if (to < from || to > count) throw new Error(`--only ${text}: must be in 1..${count}`)
  return { from, to }
}

/** @param {string | undefined} out - path @param {{ seed: number, digest: string }} of @returns {Outcome[]} */
function outcomesIn(out, { seed, digest }) {
  if (out === undefined || !existsSync(out)) return []
  const lines = readFileSync(out, 'utf8').split('\n')
  /** @type {Outcome[]} */
  const outcomes = lines.filter(line => line !== '').map(line => JSON.parse(line))
  if (outcomes.some(each => each.seed !== seed || each.digest !== digest))
    throw new Error(`--out ${out}: has results of another seed or other code; name another file`)
  return outcomes
}

/** A mutation that is no code would be found by every test. @param {Mutation} mutation @param {string} source */
function assertIsCode({ file, line, start, end, put }, source) {
  const input = source.slice(0, start) + put + source.slice(end)
  const { status, stderr } = spawnSync(process.execPath, ['--check', '--input-type=module', '-'], { input })
  if (status !== 0) throw new Error(`${file}:${line}: the mutation is no code: ${stderr}`)
}

/** @param {Pick<Outcome, 'by' | 'tests'>} outcome */
const verdictOf = ({ by, tests }) => by ?? `SURVIVED ${tests} tests`

/** @param {readonly Outcome[]} outcomes */
function tell(outcomes) {
  const rows = outcomes
    .toSorted((a, b) => a.number - b.number)
    .map(each => [
      String(each.number),
      `${each.file}:${each.line}`,
      `\`${each.what.replaceAll('|', '\\|')}\``,
      verdictOf(each)
    ])
  const align = ['r', 'l', 'l', 'l']
  console.log(markdownTable([['', 'place', 'mutation', 'found by'], ...rows], { align }))
  const found = outcomes.filter(({ by }) => by !== null).length
  const percent = outcomes.length === 0 ? '' : ` (${((100 * found) / outcomes.length).toFixed(0)} %)`
  console.log(`\n${found} of ${outcomes.length} mutations found${percent}`)
}

/**
 * @param {{ count: string, seed: string, only?: string, out?: string }} options
 * @param {AbortSignal} signal
 */
async function main({ count: countText, seed: seedText, only, out }, signal) {
  const count = wholeNumber('--count', countText, 1)
  const seed = wholeNumber('--seed', seedText, 0)
  const { from, to } = rangeOf(only ?? `1..${count}`, count)
  const modules = modulesIn(CHECKOUT, 'src')
    .sort()
    .map(file => ({ file, source: readFileSync(join(CHECKOUT, file), 'utf8') }))
  const drawn = drawMutations(modules, { seed, count }).slice(from - 1, to)
  const copies = Array.from({ length: TOGETHER }, () => copyOfCheckout(CHECKOUT))
  try {
    const [{ root, digest }] = copies
    const outcomes = outcomesIn(out, { seed, digest }).filter(({ number }) => number >= from && number <= to)
    const left = drawn.filter(({ number }) => !outcomes.some(each => each.number === number))
    const reaching = new ReachingTests(root)
    /** @param {Mutation} mutation */
    const testsOf = ({ file, name }) => {
      const unit = reaching.of(file, name).filter(test => suiteOf(test) === 'unit')
      return [...unit.slice(0, MAX_UNIT_TESTS), ...MAIN_WAY]
    }
    /** @type {Record<string, boolean>} */
    const passes = {}
    const lanes = copies.map(async copy => {
      const trials = new DefectTrials(copy, { state: { passes }, signal })
      for (let mutation = left.shift(); mutation !== undefined; mutation = left.shift()) {
        const { file, line, what } = mutation
        assertIsCode(mutation, readFileSync(join(copy.root, file), 'utf8'))
        const found = await trials.try(mutation, testsOf(mutation))
        const outcome = { seed, digest, ...found, line, what }
        outcomes.push(outcome)
        if (out !== undefined) appendFileSync(out, `${JSON.stringify(outcome)}\n`)
        const progress = `${outcomes.length}/${drawn.length}, ${found.seconds.toFixed(0)} s`
        console.error(`${progress}: ${mutation.number}  ${file}:${line}  ${what}  ${verdictOf(found)}`)
      }
    })
    // no copy is taken away below a lane that still works
    const failed = (await Promise.allSettled(lanes)).find(({ status }) => status === 'rejected')
    if (failed?.status === 'rejected') throw failed.reason
    tell(outcomes)
    const failing = Object.keys(passes).filter(test => !passes[test])
    if (failing.length > 0) console.log(`\nfailed without a mutation, so left out: ${failing.join(', ')}`)
  } finally {
    for (const copy of copies) copy.remove()
  }
}

// changed code may remove containers that are not its own
process.env.DOCKER_HOST = 'unix:///dev/null'

const stopping = new AbortController()
for (const name of ['SIGINT', 'SIGTERM']) process.once(name, () => stopping.abort(new Error(name)))
try {
  const text = /** @type {const} */ ('string')
  const options = {
    count: { type: text, default: '60' },
    seed: { type: text, default: '64' },
    only: { type: text },
    out: { type: text }
  }
  await main(parseArgs({ options }).values, stopping.signal)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = stopping.signal.aborted ? 130 : 2
}
