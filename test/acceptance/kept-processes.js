import childProcess from 'node:child_process'
import { EventEmitter, once } from 'node:events'
import { syncBuiltinESMExports } from 'node:module'
import { PassThrough } from 'node:stream'
import { after } from 'node:test'
import { fileURLToPath } from 'node:url'

/** @typedef {import('node:child_process').ChildProcess} ChildProcess */

/** Workers whose handler `setup` makes all that a run has of them, and whose handler `close` ends all of it. */
const WORKERS = /\/(?:run|worker)\/(entry|gossip-entry|simulated-entry)\.js$/

/** What a worker says when it has started; nobody waits for the reply. */
const READY = Object.freeze({ id: -1, method: 'ready', args: [] })

const SERVER = fileURLToPath(new URL('../../src/server/main.js', import.meta.url))
const SERVER_HOST = fileURLToPath(new URL('server-host.js', import.meta.url))

const { fork, spawn } = childProcess

/** Kept are processes of one kind that runs have one after the other: to start one costs more CPU time than a short run. */
class Kept {
  #start
  /** @type {Set<ChildProcess>} */
  #all = new Set()
  /** @type {ChildProcess[]} */
  #idle = []

  /** @param {() => ChildProcess} start */
  constructor(start) {
    this.#start = start
  }

  /** @returns {{ child: ChildProcess, used: boolean }} used: another run had it before */
  take() {
    this.#idle = this.#idle.filter(({ connected }) => connected)
    const used = this.#idle.pop()
    return used === undefined ? { child: this.#started(), used: false } : { child: used, used: true }
  }

  /** @param {ChildProcess} child */
  giveBack(child) {
    this.#idle.push(child)
  }

  #started() {
    const child = this.#start()
    this.#all.add(child)
    child.once('exit', () => this.#all.delete(child))
    return child
  }

  /** end ends them all. */
  async end() {
    const ends = [...this.#all].map(child => once(child, 'exit'))
    for (const child of this.#all) child.kill('SIGKILL')
    await Promise.all(ends)
  }
}

/** Loan is a process as the run that has it sees it: one of its own. */
class Loan extends EventEmitter {
  connected = true
  #child
  #giveBack

  /** @param {ChildProcess} child @param {() => void} giveBack */
  constructor(child, giveBack) {
    super()
    this.#child = child
    this.#giveBack = giveBack
    child.on('message', this.#heard).once('exit', this.#exited)
  }

  get pid() {
    return this.#child.pid
  }

  /** kill does nothing to a process that another run may have by now. @param {NodeJS.Signals} signal */
  kill(signal) {
    return this.connected && this.#child.kill(signal)
  }

  /** @param {any} message @param {(error: Error | null) => void} sent */
  send(message, sent) {
    return this.#child.send(message, sent)
  }

  /** disconnect lets go of it, which is its end. @param {number} [code] */
  disconnect(code = 0) {
    this.connected = false
    this.#child.off('message', this.#heard).off('exit', this.#exited)
    this.#giveBack()
    process.nextTick(this.#exited, code, null)
  }

  /** hear is told what the process says. @param {any} message */
  hear(message) {
    this.emit('message', message)
  }

  #heard = (/** @type {unknown} */ message) => this.hear(message)

  #exited = (/** @type {number | null} */ code, /** @type {NodeJS.Signals | null} */ signal) => {
    this.connected = false
    this.emit('disconnect')
    this.emit('exit', code, signal)
  }
}

/** ServerLoan ends when its server has. */
class ServerLoan extends Loan {
  stdout = new PassThrough()
  stderr = new PassThrough()

  /** @param {ChildProcess} child @param {() => void} giveBack */
  constructor(child, giveBack) {
    super(child, giveBack)
    child.stdout?.pipe(this.stdout, { end: false })
    child.stderr?.pipe(this.stderr, { end: false })
    this.once('exit', () => {
      child.stdout?.unpipe(this.stdout)
      child.stderr?.unpipe(this.stderr)
    })
  }

  /** @param {{ code: number }} message - of server-host.js @override */
  hear({ code }) {
    this.disconnect(code)
  }
}

/** Workers, by what they were started with. @type {Map<string, Kept>} */
const workers = new Map()

/** One that is in a namespace of its run ends with that. @type {(entry: string, options: import('node:child_process').ForkOptions) => ChildProcess} */
function forkKept(entry, options) {
  if (!WORKERS.test(entry) || options.execPath !== process.execPath) return fork(entry, options)
  const key = JSON.stringify([entry, options.execArgv])
  const kept = workers.get(key) ?? new Kept(() => fork(entry, options))
  workers.set(key, kept)
  const { child, used } = kept.take()
  const loan = new Loan(child, () => kept.giveBack(child))
  if (used) process.nextTick(() => loan.hear(READY))
  return /** @type {any} */ (loan)
}

const servers = new Kept(() =>
  fork(SERVER_HOST, { execArgv: [], stdio: ['ignore', 'pipe', 'pipe', 'ipc'], detached: true })
)

/** @type {(command: string, args: readonly string[], options: import('node:child_process').SpawnOptions) => ChildProcess} */
function spawnKept(command, args, options) {
  if (args[0] !== SERVER) return spawn(command, args, options)
  const { child } = servers.take()
  const loan = new ServerLoan(child, () => servers.giveBack(child))
  child.send(args.slice(1))
  return /** @type {any} */ (loan)
}

/** keepProcesses has the runs of this process share workers and servers, one after the other, to its end. */
export function keepProcesses() {
  Object.assign(childProcess, { fork: forkKept, spawn: spawnKept })
  syncBuiltinESMExports()
}

after(() => Promise.all([servers, ...workers.values()].map(kept => kept.end())))
