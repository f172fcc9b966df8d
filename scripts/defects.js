// Do the tests find what is wrong? `npm run defects` puts small defects into the code, one at a time, and runs the tests that load
// the changed file, nearest first, until one fails. In a copy: the checkout stays as it is. `-- --only 7` tries one of them;
// a run that was broken off goes on with `-- --from <state>`, the file that it names.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { markdownTable } from 'markdown-table'
import { copyOfCheckout } from './parts/copy-of-checkout.js'
import { DEFECTS } from './parts/defect-list.js'
import { DefectTrials } from './parts/defect-trials.js'
import { placesOf } from './parts/place-of-defect.js'
import { ReachingTests } from './parts/reaching-tests.js'

/**
 * @typedef {import('./parts/defect-trials.js').Found} Found
 * @typedef {import('./parts/defect-trials.js').State} State
 */

const CHECKOUT = fileURLToPath(new URL('..', import.meta.url))
const STATE = join(CHECKOUT, 'node_modules', '.cache', 'libp2p-loadtest', 'defects.json')

/** @param {string | undefined} from - path of a state @param {string} digest @returns {State} */
function stateFrom(from, digest) {
  if (from === undefined) return { digest, found: [], passes: {} }
  const state = JSON.parse(readFileSync(from, 'utf8'))
  if (state.digest !== digest) throw new Error(`--from ${from}: is of other code; begin anew without --from`)
  return state
}

/** @param {string | undefined} text @returns {number[]} */
function numbersOf(text) {
  const all = DEFECTS.map((_, i) => i + 1)
  if (text === undefined) return all
  if (!all.includes(Number(text)))
    throw new Error(`--only ${text}: must be a whole number from 1 to ${all.length}`)
  return [Number(text)]
}

/** @param {Found} found */
const line = ({ number, file, by, tests, seconds }) => [
  String(number),
  DEFECTS[number - 1].what,
  file,
  by ?? `NOT FOUND by ${tests} tests`,
  seconds.toFixed(1)
]

/** @param {readonly Found[]} found */
function tell(found) {
  const rows = found.toSorted((a, b) => a.number - b.number).map(line)
  const align = ['r', 'l', 'l', 'l', 'r']
  console.log(`\n${markdownTable([['', 'defect', 'file', 'found by', 'seconds'], ...rows], { align })}`)
  const seconds = found.reduce((sum, each) => sum + each.seconds, 0)
  const caught = found.filter(({ by }) => by !== null).length
  console.log(`\n${caught} of ${found.length} defects found, in ${(seconds / 60).toFixed(1)} min`)
  return caught === found.length
}

/**
 * @param {{ only?: string, from?: string }} options
 * @param {AbortSignal} signal
 * @returns {Promise<number>} exit code
 */
async function main({ only, from }, signal) {
  const numbers = numbersOf(only)
  const places = placesOf(DEFECTS, CHECKOUT).filter(({ number }) => numbers.includes(number))
  const copy = copyOfCheckout(CHECKOUT)
  try {
    const state = stateFrom(from, copy.digest)
    const file = from ?? STATE
    const save = () => {
      // a look at one defect is no run to go on with
      if (only !== undefined) return
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, `${JSON.stringify(state, null, 2)}\n`)
    }
    const reaching = new ReachingTests(copy.root)
    const trials = new DefectTrials(copy, { state, save, signal })
    if (only === undefined) console.log(`state: ${relative(process.cwd(), file)}`)
    for (const place of places) {
      if (state.found.some(({ number }) => number === place.number)) continue
      const found = await trials.try(place, reaching.of(place.file))
      state.found.push(found)
      save()
      console.log(line(found).join('  '))
    }
    return tell(state.found) ? 0 : 1
  } finally {
    copy.remove()
  }
}

const stopping = new AbortController()
for (const name of ['SIGINT', 'SIGTERM']) process.once(name, () => stopping.abort(new Error(name)))
try {
  const options = {
    only: { type: /** @type {const} */ ('string') },
    from: { type: /** @type {const} */ ('string') }
  }
  process.exitCode = await main(parseArgs({ options }).values, stopping.signal)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = stopping.signal.aborted ? 130 : 2
}
