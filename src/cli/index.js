// The main function of the program: it reads the command line with few imports, so that it starts fast.
import { readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'

/**
 * @typedef {import('../report/schema.js').RunRecord} RunRecord
 *
 * @typedef {(plan: any, options: import('../scenarios/index.js').StudyRunOptions) => AsyncIterable<RunRecord>} RunScenario - `plan`: of any
 *   scenario
 *
 * @typedef {typeof import('../server/server-process.js').runServerProcess} Serve
 *
 * @typedef {Pick<typeof import('../target/docker-engine.js'), 'reachEngine'> &
 *   Pick<typeof import('../target/images.js'), 'buildServerImage' | 'tagImage' | 'TOOL_PROGRAM'>} Docker
 *
 * @typedef {object} ProcessIo - the process as a command sees it: streams, signals, environment, clock, and modules loaded on demand
 * @property {import('./terminal.js').Stream} stdout
 * @property {import('./terminal.js').Stream} stderr
 * @property {Pick<NodeJS.Process, 'on' | 'off' | 'exit'>} process
 * @property {NodeJS.ProcessEnv} env
 * @property {string} version
 * @property {string | null} cacheDir
 * @property {() => Date} now
 * @property {import('../scenarios/index.js').LoadScenario} findScenario
 * @property {() => Promise<RunScenario>} loadRun - imports what runs plans, once the options were found right
 * @property {() => Promise<Serve>} loadServe - the same for the server
 * @property {() => Promise<Docker>} loadDocker - the same for what builds images
 */

/** @returns {string} */
function packageVersion() {
  return JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')).version
}

/**
 * Identities take time to make and are kept between runs, where the user's other caches are.
 *
 * @param {NodeJS.ProcessEnv} env
 * @returns {string | null} null: nowhere
 */
function cacheFolder(env) {
  try {
    return join(env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'libp2p-loadtest')
  } catch {
    // a user whom the system does not know, without HOME
    return null
  }
}

/** @type {import('../scenarios/index.js').LoadScenario} */
const findScenario = async name => (await import('../scenarios/index.js')).loadScenario(name)

const loadRun = async () => (await import('../run/run.js')).runScenario(findScenario)

const loadServe = async () => (await import('../server/server-process.js')).runServerProcess

/** @returns {Promise<Docker>} */
const loadDocker = async () => ({
  ...(await import('../target/docker-engine.js')),
  ...(await import('../target/images.js'))
})

/**
 * makeProcessIo makes that of this process.
 *
 * @returns {ProcessIo}
 */
export function makeProcessIo() {
  const { stdout, stderr, env } = process
  const now = () => new Date()
  return {
    stdout,
    stderr,
    process,
    env,
    version: packageVersion(),
    cacheDir: cacheFolder(env),
    now,
    findScenario,
    loadRun,
    loadServe,
    loadDocker
  }
}

/**
 * main runs a command line. What it imports is what every command needs: --version needs no more.
 *
 * @param {string[]} argv - without node and script
 * @param {ProcessIo} [io]
 * @returns {Promise<number>} exit code
 */
export async function main(argv, io = makeProcessIo()) {
  const { stdout, stderr, version } = io
  const written = outliveReader(
    stdout,
    error => void stderr.write(`stdout cannot be written: ${error.code}\n`)
  )
  outliveReader(stderr, () => {})
  if (argv.length === 1 && ['--version', '-v'].includes(argv[0])) {
    stdout.write(`libp2p-loadtest ${version}\n`)
    return written(0)
  }
  const { loadModules } = await import('../kit/runtime.js')
  const { makeVisibleStream } = await import('../kit/safe-text.js')
  const { runCommandLine } = await loadModules(() => import('./command-line.js'))
  return written(
    await runCommandLine(argv, {
      ...io,
      stdout: makeVisibleStream(stdout),
      stderr: makeVisibleStream(stderr)
    })
  )
}

/** Errors of a stream whose reader has gone. */
const READER_GONE = new Set(['EPIPE', 'EIO'])

/**
 * Errors of an output do not end a run, which is stored in its folder all the same. A reader that goes away, as `head` does, is no error at all.
 *
 * @param {NodeJS.WritableStream} stream
 * @param {(error: NodeJS.ErrnoException) => void} onLost - is told once that it cannot be written
 * @returns {(exitCode: number) => Promise<number>} the exit code, 1 where all went well but that
 */
function outliveReader(stream, onLost) {
  let lost = false
  stream.on('error', error => {
    if (lost || READER_GONE.has(/** @type {NodeJS.ErrnoException} */ (error).code ?? '')) return
    lost = true
    onLost(error)
  })
  return async exitCode => {
    // the error of the last write is emitted later
    await new Promise(resolve => setImmediate(resolve))
    return lost && exitCode === 0 ? 1 : exitCode
  }
}
