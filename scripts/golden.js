// Holds what command lines say and write, so that moving code about changes none of it:
//   node scripts/golden.js check [pattern …]    compares, shows what differs, exit code 1 where something does
//   node scripts/golden.js record [pattern …]   makes the set anew, where a change is meant
// A pattern is a part of a name in fixtures/golden. --keep <folder> writes everything in full, to hold two versions of
// the code against each other with diff.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import pLimit from 'p-limit'
import { LINES } from './golden/lines.js'
import { heldText, ROOT, runLine } from './golden/run-line.js'

const SET = join(ROOT, 'fixtures/golden')
const AT_ONCE = 2
/** More of a difference than this helps nobody. */
const MAX_LINES = 60

/** @typedef {import('./golden/run-line.js').Outcome} Outcome */

const fileOf = (/** @type {string} */ name) => join(SET, `${name}.txt`)

/** @param {string} path @param {string} text */
function write(path, text) {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}

/** @param {string} name @param {string} held @param {string} scratch @returns {string} empty where nothing differs */
function difference(name, held, scratch) {
  const before = existsSync(fileOf(name)) ? readFileSync(fileOf(name), 'utf8') : ''
  if (before === held) return ''
  const [old, now] = ['held', 'now'].map(which => join(scratch, which, `${name}.txt`))
  write(old, before)
  write(now, held)
  const { stdout } = spawnSync('diff', ['-u', `held/${name}.txt`, `now/${name}.txt`], {
    cwd: scratch,
    encoding: 'utf8'
  })
  const lines = stdout.trimEnd().split('\n')
  const left = lines.length - MAX_LINES
  return [...lines.slice(0, MAX_LINES), ...(left > 0 ? [`… ${left} more lines`] : [])].join('\n')
}

/** @param {string} folder @param {Outcome[]} outcomes */
function keepInFull(folder, outcomes) {
  for (const [i, { stdout, stderr, files }] of outcomes.entries())
    for (const { path, text } of [
      { path: 'stdout', text: stdout },
      { path: 'stderr', text: stderr },
      ...files
    ])
      write(join(folder, String(i), path), text)
}

/** @param {string[]} patterns */
const chosen = patterns =>
  LINES.filter(({ name }) => patterns.length === 0 || patterns.some(pattern => name.includes(pattern)))

/** Files of command lines that are no longer there. */
const forgotten = () => {
  const names = new Set(LINES.map(({ name }) => `${name}.txt`))
  return (existsSync(SET) ? readdirSync(SET) : []).filter(file => !names.has(file))
}

/** @param {'check' | 'record'} what @param {string[]} patterns @param {string | undefined} keep */
async function golden(what, patterns, keep) {
  const startedAt = performance.now()
  const scratch = mkdtempSync(join(tmpdir(), 'loadtest-golden-'))
  const lines = chosen(patterns)
  let different = 0
  /** @param {import('./golden/lines.js').Line} line */
  async function one(line) {
    const cwd = join(scratch, 'lines', line.name)
    mkdirSync(cwd, { recursive: true })
    const outcomes = await runLine(line, { cwd, cache: join(scratch, 'caches', line.name) })
    if (keep !== undefined) keepInFull(join(keep, line.name), outcomes)
    const held = heldText(outcomes)
    const differs = difference(line.name, held, scratch)
    if (differs !== '') {
      different++
      console.log(what === 'record' ? `recorded ${line.name}` : `\n${differs}`)
      if (what === 'record') write(fileOf(line.name), held)
    }
    rmSync(cwd, { recursive: true })
  }
  try {
    const limit = pLimit(AT_ONCE)
    await Promise.all(lines.map(line => limit(() => one(line))))
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
  const strays = forgotten()
  for (const file of strays)
    if (what === 'record') rmSync(join(SET, file))
    else console.log(`\nfixtures/golden/${file} belongs to no command line`)
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(0)
  console.log(
    `\n${lines.length} command lines in ${seconds} s: ${different} ${what === 'record' ? 'recorded anew' : 'different'}`
  )
  return what === 'check' && different + strays.length > 0 ? 1 : 0
}

const { positionals, values } = parseArgs({ allowPositionals: true, options: { keep: { type: 'string' } } })
const [what, ...patterns] = positionals
if ((what === 'check' || what === 'record') && chosen(patterns).length > 0)
  process.exitCode = await golden(what, patterns, values.keep)
else {
  console.error('usage: node scripts/golden.js check|record [part of a name …] [--keep <folder>]')
  process.exitCode = 2
}
