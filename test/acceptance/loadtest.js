import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { until } from '../until.js'
import { callIn } from './in-process.js'
import { processesWith } from './processes.js'
import { Program, ROOT } from './program.js'

/**
 * @typedef {import('../../src/report/schema.js').Result} Result
 * @typedef {import('./program.js').Ended} Ended
 * @typedef {import('./program.js').ProgramOptions} ProgramOptions
 *
 * @typedef {Ended & { result: Result, folder: string, folders: string[] }} Outcome - `result` and `folder` can be used where the
 *   run had a folder; `folders` are all that it made
 */

/** QUICK keeps a run short: enough to look at what it gives, too little to learn anything from it. */
export const QUICK = Object.freeze(['--warmup', '50ms'])

/** FEW is a QUICK run of few operations. */
export const FEW = Object.freeze([...QUICK, '--benchmarkRuns', '500'])

/** A test that takes longer hangs, on a busy machine too. */
export const TIMEOUT = Object.freeze({ timeout: 900_000 })

/** base is the folder of everything that the tests of one file write. */
export const base = await mkdtemp(join(tmpdir(), 'loadtest-acceptance-'))

/** A machine that is slow or busy has time for one after the other: scripts/test.js says so. */
const TOGETHER = Number(process.env.TESTS_TOGETHER ?? 3)

/** PAIRS runs tests two at a time: those that look at what happens, not at how long it takes. */
export const PAIRS = Object.freeze({ concurrency: Math.min(2, TOGETHER) })

/** THREES runs tests three at a time: those that wait more than they work. */
export const THREES = Object.freeze({ concurrency: Math.min(3, TOGETHER) })

let folders = 0

/** newFolder makes an empty folder that goes away after the tests. */
export async function newFolder() {
  const folder = join(base, String(++folders))
  await mkdir(folder)
  return folder
}

after(() => rm(base, { recursive: true, force: true }))

/** Programs that end with the file. @type {Program[]} */
const ofFile = []

after(() => Promise.all(ofFile.map(program => program.endNow())))

/**
 * startProgram starts a script of ours, and sees to it that it ends with the test or hook that calls this, or with the file.
 *
 * @param {string} script
 * @param {string[]} args
 * @param {ProgramOptions} [options]
 */
export function startProgram(script, args, { env, wholeFile = false, ...options } = {}) {
  const program = new Program(script, args, {
    ...options,
    env: { XDG_CACHE_HOME: join(base, 'cache'), ...env }
  })
  if (wholeFile) ofFile.push(program)
  else after(() => program.endNow())
  return program
}

/** What runs have left in a folder. @param {string} outputDir */
async function leftIn(outputDir) {
  const folders = (await readdir(outputDir).catch(() => [])).sort()
  const folder = join(outputDir, folders.at(-1) ?? 'none')
  const text = await readFile(join(folder, 'result.json'), 'utf8').catch(() => 'null')
  return { folder, folders, result: JSON.parse(text) }
}

/** INDEX is what a user calls. */
export const INDEX = join(ROOT, 'index.js')

/** documentIn is that of the only study in a folder. @param {string} outputDir @param {string} file */
export async function documentIn(outputDir, file) {
  const [folder] = (await readdir(outputDir)).map(name => join(outputDir, name))
  const text = await readFile(join(folder, file), 'utf8').catch(() => 'null')
  return { folder, text, document: JSON.parse(text) }
}

/** SERVER is in the command of the server that a run starts. */
export const SERVER = /src\/server\/main\.js/
const WORKER = /src\/scenarios\/[a-z-]+\/(?:run|worker)\/([a-z-]+-)?entry\.js/

/** Loadtest is a run of the program, going on. */
export class Loadtest {
  #program
  #outputDir
  /** ended tells how it ended, and what it left. @type {Promise<Outcome>} */
  ended

  /** @param {Program} program @param {string} outputDir */
  constructor(program, outputDir) {
    this.#program = program
    this.#outputDir = outputDir
    this.ended = this.#end()
    this.ended.catch(() => {})
  }

  async #end() {
    const ended = await this.#program.ended
    return { ...ended, ...(await this.#left()) }
  }

  #left() {
    return leftIn(this.#outputDir)
  }

  /** line waits for a line of output. @param {RegExp} pattern */
  line(pattern) {
    return this.#program.line(pattern)
  }

  /** measuring waits until the measurement has begun. */
  measuring() {
    return this.line(/✔ warm-up/)
  }

  /** measured waits until figures of the measurement have come, as they are told every other second. */
  measured() {
    return this.line(/^ +(measuring|publishing).* p50 /)
  }

  /**
   * kept waits until operations of a type stand in the result that is kept while the run goes on.
   *
   * @param {string} type
   * @throws when the run ends before
   */
  async kept(type) {
    let over = false
    const noteEnd = () => {
      over = true
    }
    this.ended.then(noteEnd, noteEnd)
    for (;;) {
      const { result } = await this.#left()
      if (type in (result?.outcome.operations ?? {})) return
      if (over) throw new Error(`ended without ${type} in its result: ${(await this.ended).stderr}`)
      await sleep(100)
    }
  }

  /** @returns {Promise<number>} pid of the server that the run started */
  async server() {
    return (await this.pids(SERVER))[0]
  }

  /** @returns {Promise<number[]>} pids of the workers */
  workers() {
    return this.pids(WORKER)
  }

  /** pids of what it has started with such a command, oldest first. @param {RegExp} script */
  async pids(script) {
    const processes = processesWith(this.#program.mark)
    return processes.filter(({ command }) => script.test(command)).map(({ pid }) => pid)
  }

  /**
   * pid waits until there are so many that were started with such a command.
   *
   * @param {RegExp} [script] - default: workers
   * @param {number} [count]
   * @returns {Promise<number>} of the oldest
   */
  async pid(script = WORKER, count = 1) {
    /** @type {number[]} */
    let pids = []
    const enough = async () => {
      pids = await this.pids(script)
      return pids.length >= count
    }
    await until(enough)
    return pids[0]
  }

  /** @param {NodeJS.Signals} signal */
  signal(signal) {
    this.#program.signal(signal)
  }

  /** ctrlC is what a terminal does: every process of the group gets the signal. */
  ctrlC() {
    this.#program.signalGroup('SIGINT')
  }

  /** endNow ends it and everything it started, at once. */
  endNow() {
    return this.#program.endNow()
  }

  /** leftAfter gives the processes that are still there after some time. @param {number} [ms] - as long as it may take */
  leftAfter(ms) {
    return this.#program.leftAfter(ms)
  }
}

/** @param {readonly string[]} args - of a load test: it is of a server in a process unless another one is asked for */
const withServer = args =>
  args.some(arg => /^--(server|targets?)$/.test(arg)) ? args : [...args, '--server', 'process']

const resultsFolder = () => join(base, `results-${++folders}`)

/**
 * start starts a load test in a process of its own, of a server in a process unless another one is asked for. Its results go to a
 * folder of their own.
 *
 * @param {readonly string[]} args
 * @param {ProgramOptions & { outputDir?: string }} [options]
 */
export function start(args, { outputDir = resultsFolder(), ...options } = {}) {
  return new Loadtest(
    startProgram(INDEX, [...withServer(args), '--outputDir', outputDir], options),
    outputDir
  )
}

/**
 * startCommand starts a command that makes a run, with its results in a folder of their own.
 *
 * @param {string} command
 * @param {readonly string[]} args
 * @param {ProgramOptions & { outputDir?: string }} [options]
 */
export function startCommand(command, args, { outputDir = resultsFolder(), ...options } = {}) {
  return new Loadtest(startProgram(INDEX, [command, ...args, '--outputDir', outputDir], options), outputDir)
}

/**
 * call runs a command line to its end in this process, see callIn.
 *
 * @param {readonly string[]} args
 * @param {string} [cache] - folder for what is kept between runs
 * @param {(text: string) => void} [hear] - gets what it writes to stderr while it goes on
 */
export const call = (args, cache = join(base, 'cache'), hear = undefined) => callIn(args, cache, { hear })

/**
 * runCommand runs a command that makes a run, in this process, with its results in a folder of their own.
 *
 * @param {readonly string[]} command - its name and what follows it
 * @param {{ outputDir?: string, cache?: string, hear?: (text: string) => void }} [options] - `hear`: as of `call`
 * @returns {Promise<Outcome>}
 */
export async function runCommand(command, { outputDir = resultsFolder(), cache, hear } = {}) {
  const ended = await call([...command, '--outputDir', outputDir], cache, hear)
  return { ...ended, ...(await leftIn(outputDir)) }
}

/**
 * run runs a load test to its end in this process, of a server in a process unless another one is asked for.
 *
 * @param {readonly string[]} args
 * @param {Parameters<typeof runCommand>[1]} [options]
 */
export const run = (args, options) => runCommand(withServer(args), options)

/**
 * runSaying starts a load test in this process, and waits for what it says on stderr while it goes on.
 *
 * @param {readonly string[]} args
 * @param {RegExp} pattern
 * @param {{ outputDir?: string }} [options]
 * @throws when the run ends without it
 */
export async function runSaying(args, pattern, options) {
  /** @type {(match: RegExpExecArray) => void} */
  let tell = () => {}
  /** @type {Promise<RegExpExecArray>} */
  const said = new Promise(resolve => {
    tell = resolve
  })
  const hear = (/** @type {string} */ text) => {
    const match = pattern.exec(text)
    if (match !== null) tell(match)
  }
  const ended = run(args, { ...options, hear })
  const over = ended.then(({ stderr }) => {
    throw new Error(`ended without a line like ${pattern}: ${stderr}`)
  })
  return { said: await Promise.race([said, over]), ended }
}
