import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  utimesSync,
  writeFileSync
} from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { headingsOf, portable, progressOf, shapeOf, simulatedResult, textOf, undated } from './normalise.js'

/**
 * @typedef {import('./lines.js').Line} Line
 * @typedef {{ code: number | null, stdout: string, stderr: string }} Ended
 * @typedef {{ path: string, text: string }} File
 * @typedef {Ended & { args: readonly string[], files: File[] }} Outcome
 *
 * @typedef {object} Place - where a command line runs
 * @property {string} cwd - an empty folder
 * @property {string} cache - folder for what is kept between runs
 * @property {RegExp} [until] - as of a line
 * @property {Call} [call] - runs it; in a process of its own unless given
 *
 * @typedef {(args: readonly string[], place: Place) => Promise<Ended>} Call
 */

/** ROOT is the project's folder. */
export const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** Committed results, and some of earlier releases, which are still read. */
const STORED = Object.freeze(['results/reference', 'fixtures/studies'])

const { name: NAME, version: VERSION } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))

const HANGS_AFTER_MS = 400_000

/** Exit code of what was not begun. */
const REFUSED = 2

/** Longer texts are held as their digest. */
const LONGEST = 17_000

/** Older than what a command line writes. */
const BEFORE = new Date('2026-01-01T00:00:00Z')

/** @param {string} folder @returns {string[]} paths of files */
const filesIn = folder =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map(path => join(folder, path))
    .filter(path => statSync(path).isFile())
    .sort()

/** @param {string} name - of a folder */
const storedAt = name => STORED.map(parent => join(ROOT, parent, name)).find(path => existsSync(path)) ?? name

/** @param {Line} line @param {string} folder */
function furnish({ stored = [], files = {} }, folder) {
  cpSync(join(ROOT, 'benchmarks'), join(folder, 'benchmarks'), { recursive: true })
  for (const name of stored) cpSync(storedAt(name), join(folder, 'results', name), { recursive: true })
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(folder, dirname(path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  for (const path of filesIn(folder)) utimesSync(path, BEFORE, BEFORE)
}

/** @param {string} folder @returns {File[]} those that were written by a command line */
const madeIn = folder =>
  filesIn(folder)
    .filter(path => statSync(path).mtimeMs > BEFORE.getTime())
    .map(path => ({ path: relative(folder, path), text: readFileSync(path, 'utf8') }))

/** @type {Call} */
function callInProcess(args, { cwd, cache, until }) {
  const { PATH } = process.env
  const env = { PATH, HOME: cwd, XDG_CACHE_HOME: cache, TZ: 'UTC', LANG: 'C.UTF-8', NO_COLOR: '1' }
  const child = spawn(process.execPath, [join(ROOT, 'index.js'), ...args], {
    cwd,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: HANGS_AFTER_MS,
    killSignal: 'SIGKILL'
  })
  const said = { stdout: '', stderr: '' }
  for (const name of /** @type {const} */ (['stdout', 'stderr']))
    child[name].setEncoding('utf8').on('data', text => {
      said[name] += text
      if (until?.test(said[name]) && !child.killed) child.kill('SIGINT')
    })
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', code => resolve({ code, ...said }))
  })
}

/**
 * A simulated run is held by its result, without what comes from the machine, and by what `report` makes of that.
 *
 * @param {Outcome} ended
 * @param {Place} how
 * @returns {Promise<Outcome[]>}
 */
async function ofSimulated(ended, how) {
  const run = join(how.cwd, 'run')
  const results = join(how.cwd, 'results')
  const [made] = existsSync(results) ? readdirSync(results) : []
  const isDocument = ended.args.includes('--json') && ended.stdout.startsWith('{')
  const json = (/** @type {string} */ text) =>
    `${JSON.stringify(simulatedResult(JSON.parse(text)), null, 2)}\n`
  const first = {
    ...ended,
    stdout: isDocument ? json(ended.stdout) : textOf(ended.stdout),
    stderr: progressOf(ended.stderr),
    files: namesOf(ended.files)
  }
  if (made === undefined) return [first]
  renameSync(join(results, made), run)
  const document = join(run, 'result.json')
  writeFileSync(document, json(readFileSync(document, 'utf8')))
  const kept = { path: 'run/result.json', text: readFileSync(document, 'utf8') }
  for (const path of filesIn(run)) utimesSync(path, BEFORE, BEFORE)
  const again = await outcome(['report', 'run', '--csv'], how)
  return [first, { ...again, files: [kept, ...again.files] }]
}

/** @param {File[]} files @returns {File[]} */
const namesOf = files => files.map(({ path }) => ({ path: undated(path), text: '' }))

/** @param {Outcome} ended @returns {Outcome} */
const ofReal = ended => ({
  ...ended,
  stdout: headingsOf(ended.stdout),
  stderr: progressOf(ended.stderr),
  files: ended.files.map(({ path, text }) => ({
    path: undated(path),
    text: path.endsWith('.json') ? shapeOf(JSON.parse(text)) : ''
  }))
})

/** @param {readonly string[]} args @param {Place} how @returns {Promise<Outcome>} */
async function outcome(args, how) {
  const ended = await (how.call ?? callInProcess)(args, how)
  return { args, ...ended, files: madeIn(how.cwd) }
}

/**
 * runLine runs a command line in a folder of its own.
 *
 * @param {Line} line
 * @param {Place} how
 * @returns {Promise<Outcome[]>} what is held of it, and of the `report` that may follow
 */
export async function runLine(line, how) {
  furnish(line, how.cwd)
  const ended = await outcome(line.args, { ...how, until: line.until })
  const further = []
  for (const args of line.also ?? []) further.push(await outcome(args, how))
  const places = {
    [how.cwd]: '<folder>',
    [how.cache]: '<cache>/',
    [ROOT]: '<project>/',
    [`${NAME} ${VERSION}`]: `${NAME} <version>`
  }
  const { live } = ended.code === REFUSED ? { live: undefined } : line
  const held =
    live === undefined
      ? [ended, ...further]
      : live === 'real'
        ? [ofReal(ended)]
        : await ofSimulated(ended, how)
  return held.map(({ files, stdout, stderr, ...rest }) => ({
    ...rest,
    stdout: portable(stdout, places),
    stderr: portable(stderr, places),
    files: files.map(({ path, text }) => ({ path, text: portable(text, places) }))
  }))
}

/** @param {string} text */
const digest = text =>
  `${Buffer.byteLength(text)} bytes, sha256 ${createHash('sha256').update(text).digest('hex')}`

/** @param {string} title @param {string} text */
const part = (title, text) =>
  text === ''
    ? `${title}: nothing\n`
    : text.length > LONGEST
      ? `${title}: ${digest(text)}\n`
      : `${title}:\n${text.endsWith('\n') ? text : `${text}\n`}`

/** @param {string} word */
const quoted = word => (/^[\w./:=,@%+-]+$/.test(word) ? word : `'${word}'`)

/** @param {Outcome} outcome */
const shown = ({ args, code, stdout, stderr, files }) =>
  [
    `$ ${['node', 'index.js', ...args].map(quoted).join(' ')}\nexit code ${code}\n`,
    part('stdout', stdout),
    part('stderr', stderr),
    ...files.map(({ path, text }) => (text === '' ? `${path}\n` : part(path, text)))
  ].join('\n')

/**
 * heldText is what is committed of a command line: texts that can be read, of long ones their digest.
 *
 * @param {Outcome[]} outcomes
 */
export const heldText = outcomes => outcomes.map(shown).join('\n')
