// Runs the tests: `node scripts/test.js unit acceptance`, and tells what they cost. The files are found here because Node 20 and
// Node 24 read the patterns of `node --test` differently. What follows `--` goes to node itself. The third suite, interop, needs
// what `node test/interop/build.js` builds.
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { cpuSeconds } from './test-cpu.js'

/** Tests assert nothing about speed, so two files run beside each other. */
const CONCURRENCY = Object.freeze({ unit: 2, acceptance: 2, interop: 2 })

const FILE_TIMEOUT_MS = 480_000

/** It is loaded into each test file and writes down what the file cost. */
const CPU_MODULE = fileURLToPath(new URL('test-cpu.js', import.meta.url))

const DEAREST_SHOWN = 10

/** @typedef {keyof typeof CONCURRENCY} Suite */

function testFiles() {
  return readdirSync('test', { recursive: true, encoding: 'utf8' })
    .filter(file => file.endsWith('.test.js'))
    .map(file => join('test', file))
    .sort()
}

/** suiteOf is the one whose folder a file is in; the others are unit tests. @param {string} file */
const suiteOf = file => {
  const [, folder] = file.split(sep)
  return folder === 'acceptance' || folder === 'interop' ? folder : 'unit'
}

/** @param {Suite} suite */
const filesOf = suite => testFiles().filter(file => suiteOf(file) === suite)

/**
 * @param {Suite} suite
 * @param {{ extra: string[], skippedLog: string, cpuLog: string }} how
 * @returns {Promise<number>} exit code
 */
function run(suite, { extra, skippedLog, cpuLog }) {
  const files = filesOf(suite)
  console.log(`\n${suite}: ${files.length} test files`)
  if (files.length === 0) return Promise.resolve(0)
  const args = [
    `--import=${CPU_MODULE}`,
    '--test',
    '--test-reporter=spec',
    `--test-concurrency=${CONCURRENCY[suite]}`,
    // a file that hangs fails instead of holding up the rest for ever
    `--test-timeout=${FILE_TIMEOUT_MS}`,
    ...extra,
    ...files
  ]
  const child = spawn(process.execPath, args, {
    stdio: 'inherit',
    env: { ...process.env, SKIPPED_LOG: skippedLog, CPU_LOG: cpuLog }
  })
  return new Promise(resolve => child.once('exit', code => resolve(code ?? 1)))
}

/** @param {string} log - it need not be there */
const linesOf = log => (existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : [])

/** @param {string} skippedLog - a line for each part a test could not run here */
function tellSkipped(skippedLog) {
  const parts = linesOf(skippedLog)
  console.log(`\nSKIPPED parts: ${parts.length}${parts.map(part => `\n  ${part}`).join('')}`)
}

/**
 * tellCost says how long the tests took, the CPU time of all their processes, and which files took most of it.
 *
 * @param {string} cpuLog - a line for each test file: CPU seconds, its name
 * @param {number} seconds - how long the tests took
 */
function tellCost(cpuLog, seconds) {
  const dearest = linesOf(cpuLog)
    .sort((a, b) => Number.parseFloat(b) - Number.parseFloat(a))
    .slice(0, DEAREST_SHOWN)
  const rows = dearest.map(line => line.split(' ')).map(([cpu, file]) => `\n  ${cpu.padStart(7)} s  ${file}`)
  console.log(`\nTIME ${seconds.toFixed(0)} s, CPU ${cpuSeconds().toFixed(0)} s, most in${rows.join('')}`)
}

/** @param {string[]} argv */
async function main(argv) {
  const end = argv.includes('--') ? argv.indexOf('--') : argv.length
  const suites = /** @type {Suite[]} */ (end === 0 ? ['unit', 'acceptance'] : argv.slice(0, end))
  const strange = suites.find(suite => !Object.hasOwn(CONCURRENCY, suite))
  if (strange !== undefined) {
    console.error(`no tests are called ${strange}: choose unit, acceptance or interop, or several`)
    return 2
  }
  const folder = mkdtempSync(join(tmpdir(), 'loadtest-tests-'))
  const how = { extra: argv.slice(end + 1), skippedLog: join(folder, 'skipped'), cpuLog: join(folder, 'cpu') }
  let exitCode = 0
  for (const suite of suites) exitCode = (await run(suite, how)) || exitCode
  tellSkipped(how.skippedLog)
  tellCost(how.cpuLog, performance.now() / 1000)
  rmSync(folder, { recursive: true })
  return exitCode
}

process.exitCode = await main(process.argv.slice(2))
