// How large the code that ships is: `npm run tokens`, and `npm run tokens -- --against <git revision>` for what has changed
// since then. Tokens of the syntax tree, so that neither the formatter nor a comment changes the figure.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { markdownTable } from 'markdown-table'
import { codeSize } from './parts/code-size.js'

/**
 * @typedef {object} Size
 * @property {number} tokens
 * @property {number} files
 * @property {number} functions
 * @property {number} longerFunctions - those of more than one line
 * @property {number} median - lines of the longer functions
 * @property {number} longest - lines
 * @property {string} longestAt - file
 */

/**
 * @param {string} root - a checkout
 * @returns {string[]} paths of the modules that npm packs
 */
function shippedModules(root) {
  const { files } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  return files.flatMap((/** @type {string} */ entry) => modulesIn(root, entry))
}

/**
 * @param {string} root
 * @param {string} entry - a file or folder; `dist` is there only once it was built
 */
function modulesIn(root, entry) {
  const stat = statSync(join(root, entry), { throwIfNoEntry: false })
  const inside = stat?.isDirectory()
    ? readdirSync(join(root, entry), { recursive: true, encoding: 'utf8' }).map(file => join(entry, file))
    : [entry]
  return stat === undefined ? [] : inside.filter(file => file.endsWith('.js'))
}

/**
 * @param {string} root
 * @returns {Size}
 */
function sizeOf(root) {
  const modules = shippedModules(root).map(file => ({
    file,
    ...codeSize(readFileSync(join(root, file), 'utf8'))
  }))
  const lines = modules
    .flatMap(({ file, functionLines }) => functionLines.map(count => ({ file, count })))
    .sort((a, b) => a.count - b.count)
  const longer = lines.filter(({ count }) => count > 1)
  const longest = lines[lines.length - 1]
  return {
    tokens: modules.reduce((sum, { tokens }) => sum + tokens, 0),
    files: modules.length,
    functions: lines.length,
    longerFunctions: longer.length,
    median: longer[(longer.length - 1) >> 1].count,
    longest: longest.count,
    longestAt: longest.file
  }
}

/** @param {string} revision - of git */
function sizeAt(revision) {
  const folder = mkdtempSync(join(tmpdir(), 'loadtest-tokens-'))
  try {
    const packed = execFileSync('git', ['archive', revision, '--', ':(exclude)results'], {
      maxBuffer: 1e9,
      stdio: 'pipe'
    })
    execFileSync('tar', ['-x', '-C', folder], { input: packed })
    return sizeOf(folder)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const FIGURES = /** @type {const} */ ({
  tokens: 'tokens',
  files: 'files',
  functions: 'functions',
  longerFunctions: 'functions of more than one line',
  median: 'their median, lines',
  longest: 'longest function, lines'
})

/** @param {Size} size */
const cells = size => Object.keys(FIGURES).map(figure => size[/** @type {keyof typeof FIGURES} */ (figure)])

/**
 * @param {Size} now
 * @param {{ revision: string, size: Size }} [before]
 */
function table(now, before) {
  const titles = Object.values(FIGURES)
  const figures = cells(now)
  if (before === undefined) return [['', 'now'], ...titles.map((title, i) => [title, String(figures[i])])]
  const old = cells(before.size)
  const rows = titles.map((title, i) => [
    title,
    ...[old[i], figures[i]].map(String),
    (figures[i] / old[i]).toFixed(3)
  ])
  return [['', before.revision, 'now', 'ratio'], ...rows]
}

/** @param {string | undefined} revision - what to hold the code against */
function report(revision) {
  const now = sizeOf('.')
  const rows = table(now, revision === undefined ? undefined : { revision, size: sizeAt(revision) })
  console.log(markdownTable(rows, { align: ['l', ...rows[0].slice(1).map(() => 'r')] }))
  console.log(`\nThe longest function is in ${now.longestAt}.`)
}

process.chdir(fileURLToPath(new URL('..', import.meta.url)))
try {
  report(parseArgs({ options: { against: { type: 'string' } } }).values.against)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 2
}
