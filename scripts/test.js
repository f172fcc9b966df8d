// Runs the tests of suites, or test files, and tells what they cost: `node scripts/test.js unit acceptance`, where no suite is named these,
// `node scripts/test.js test/cli/*.test.js`. The files of a suite are found here because Node 20 and Node 24 read the patterns of
// `node --test` differently. What follows `--` goes to node itself. The suite interop needs what `node test/interop/build.js` builds.
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { perFolder, severalEach } from './parts/shared-process.js'
import { SUITES, suiteOf, USUAL } from './parts/test-suites.js'
import { testsTogether } from './parts/tests-together.js'
import { cpuSeconds } from './test-cpu.js'

/** Of what a process has to run, on a machine three times as slow. */
const PROCESS_TIMEOUT_MS = 3_600_000

/** Test files of whole runs that share a process, and the workers of their runs. */
const FILES_EACH = 4
const OF_WHOLE_RUNS = Object.freeze(['acceptance', 'system', 'timed'])

/** They are loaded into each test file: one writes down what it cost, one ends it when it does not end itself. */
const LOADED = ['test-cpu.js', 'parts/test-watchdog.js'].map(name =>
  fileURLToPath(new URL(name, import.meta.url))
)

/** They are run a second time, alone, unless so many fail that it cannot be the machine. */
const MAX_AGAIN = 20

const FAILED_FILES = fileURLToPath(new URL('parts/failed-files.js', import.meta.url))

const DEAREST_SHOWN = 10

/** @typedef {Omit<Parameters<typeof run>[1], 'concurrency' | 'failedLog'>} How */

function testFiles() {
  return readdirSync('test', { recursive: true, encoding: 'utf8' })
    .filter(file => file.endsWith('.test.js'))
    .map(file => join('test', file))
    .sort()
}

/**
 * @param {string[]} files
 * @param {{ flags: string[], concurrency: number, skippedLog: string, cpuLog: string, failedLog: string }} how - flags: of Node.
 *   failedLog: will have a line for each test that fails: its file
 * @returns {Promise<number>} exit code
 */
function run(files, { flags, concurrency, skippedLog, cpuLog, failedLog }) {
  const args = [
    ...LOADED.map(path => `--import=${path}`),
    '--test',
    ...['--test-reporter=spec', '--test-reporter-destination=stdout'],
    ...[`--test-reporter=${FAILED_FILES}`, `--test-reporter-destination=${failedLog}`],
    `--test-concurrency=${concurrency}`,
    // one that hangs fails instead of holding up the rest for ever
    `--test-timeout=${PROCESS_TIMEOUT_MS}`,
    ...flags,
    ...files
  ]
  const child = spawn(process.execPath, args, {
    stdio: 'inherit',
    // what is said in a step of GitHub Actions alone is of tests that ask for it
    env: { ...process.env, GITHUB_ACTIONS: '', SKIPPED_LOG: skippedLog, CPU_LOG: cpuLog }
  })
  return new Promise(resolve => child.once('exit', code => resolve(code ?? 1)))
}

/** What is run of test files, each in a process. @param {string} suite @param {string[]} files @param {string} folder - an empty one */
function sharing(suite, files, folder) {
  if (suite === 'unit') return perFolder(files, folder)
  return OF_WHOLE_RUNS.includes(suite) ? severalEach(files, folder, FILES_EACH) : files
}

/**
 * once runs test files of all suites together: while whole runs wait, unit tests work. The
 * timed ones follow, a core for each of them at least: they hold what happens at given times, agents, which are lost when nothing is
 * heard of them, and containers with half a core, and two cores that others keep busy do none of it in time.
 *
 * @param {readonly string[]} files - from the root of the checkout
 * @param {How & { folder: string, together: number, timedTogether: number }} how - folder: an empty one. together: files beside
 *   each other; timed ones, timedTogether
 * @returns {Promise<{ exitCode: number, failed: string[] }>} failed: files
 */
async function once(files, { flags, folder, together, timedTogether, ...logs }) {
  const suites = SUITES.filter(suite => files.some(file => suiteOf(file) === suite))
  console.log(`\n${suites.join(', ')}: ${files.length} test files`)
  let exitCode = 0
  /** @type {string[]} */
  const failed = []
  for (const [name, isTimed, concurrency] of /** @type {const} */ ([
    ['usual', false, together],
    ['timed', true, timedTogether]
  ])) {
    const some = files.filter(file => (suiteOf(file) === 'timed') === isTimed)
    if (some.length === 0) continue
    // whole runs begin: what takes longest at the end is waited for alone
    const modules = suites.toReversed().flatMap(suite =>
      sharing(
        suite,
        some.filter(file => suiteOf(file) === suite),
        join(folder, name)
      )
    )
    const failedLog = join(folder, `${name}-failed`)
    exitCode = (await run(modules, { ...logs, failedLog, concurrency, flags: [...flags] })) || exitCode
    failed.push(...linesOf(failedLog).map(file => relative('.', file)))
  }
  return { exitCode, failed: [...new Set(failed)] }
}

/** @param {string} log - it need not be there */
const linesOf = log =>
  existsSync(log)
    ? readFileSync(log, 'utf8')
        .split('\n')
        .filter(line => line !== '')
    : []

/**
 * runFiles runs tests. A file that fails beside others is run a second time, alone, and what it does then counts: on cores that are busy
 * with other tests, or with what others of the host do, a program may be late for reasons that are not its own. Both are told.
 *
 * @param {readonly string[]} files - from the root of the checkout
 * @param {How & { folder: string, together: number, timedTogether: number }} how - folder: an empty one. together: files beside
 *   each other; timed ones, timedTogether
 * @returns {Promise<number>} exit code
 */
async function runFiles(files, how) {
  const { exitCode, failed } = await once(files, how)
  const again = failed.filter(file => existsSync(file))
  if (exitCode === 0 || again.length < failed.length || again.length === 0 || again.length > MAX_AGAIN)
    return exitCode
  console.log(`\nAGAIN, alone: ${again.join(', ')} failed beside others`)
  const second = await run(again, { ...how, failedLog: join(how.folder, 'again'), concurrency: 1 })
  console.log(`\nAGAIN: ${second === 0 ? 'all of them passed' : 'some failed again'}: ${again.join(', ')}`)
  return second
}

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
  const asked = end === 0 ? USUAL : argv.slice(0, end)
  const all = testFiles()
  const strange = asked.find(name => !SUITES.includes(name) && !all.includes(name))
  if (strange !== undefined) {
    console.error(
      `no tests are called ${strange}: choose among ${SUITES.join(', ')}, or name files: test/cli/commands/ab.test.js`
    )
    return 2
  }
  const chosen = all.filter(file => asked.includes(suiteOf(file)) || asked.includes(file))
  const { files, tests, timed, startMs, slow } = testsTogether()
  if (slow)
    console.log(
      `Node takes ${startMs.toFixed(0)} ms to start: this machine is slow or busy, so ${files} test files run at once, ${timed} of timed ones`
    )
  process.env.TESTS_TOGETHER = String(tests)
  const folder = mkdtempSync(join(tmpdir(), 'loadtest-tests-'))
  const logs = { skippedLog: join(folder, 'skipped'), cpuLog: join(folder, 'cpu') }
  const exitCode = await runFiles(chosen, {
    ...logs,
    folder,
    together: files,
    timedTogether: timed,
    flags: argv.slice(end + 1)
  })
  tellSkipped(logs.skippedLog)
  tellCost(logs.cpuLog, performance.now() / 1000)
  rmSync(folder, { recursive: true })
  return exitCode
}

process.exitCode = await main(process.argv.slice(2))
