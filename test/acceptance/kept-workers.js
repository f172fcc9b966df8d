import childProcess from 'node:child_process'
import { EventEmitter, once } from 'node:events'
import { syncBuiltinESMExports } from 'node:module'
import { after } from 'node:test'

/** @typedef {import('node:child_process').ChildProcess} ChildProcess */

/** Workers whose handler `setup` makes all that a run has of them, and whose handler `close` ends all of it. */
const KEPT = /\/run\/(entry|gossip-entry|rotate-rendezvous-entry)\.js$/

/** What a worker says when it has started; nobody waits for the reply. */
const READY = Object.freeze({ id: -1, method: 'ready', args: [] })

const { fork } = childProcess

/** All there are. @type {Set<ChildProcess>} */
const all = new Set()
/** Those that no run has, by what they were started with. @type {Map<string, ChildProcess[]>} */
const idle = new Map()

/** Loan is a worker as the run that has it sees it: a process of its own, which ends when it is let go. */
class Loan extends EventEmitter {
  #child
  #giveBack
  connected = true

  /** @param {ChildProcess} child @param {() => void} giveBack */
  constructor(child, giveBack) {
    super()
    this.#child = child
    this.#giveBack = giveBack
    child.on('message', this.#tell).once('exit', this.#exited)
  }

  get pid() {
    return this.#child.pid
  }

  #tell = (/** @type {unknown} */ message) => this.emit('message', message)

  #exited = (/** @type {number | null} */ code, /** @type {NodeJS.Signals | null} */ signal) => {
    this.connected = false
    this.emit('disconnect')
    this.emit('exit', code, signal)
  }

  /** @param {any} message @param {(error: Error | null) => void} sent */
  send(message, sent) {
    return this.#child.send(message, sent)
  }

  /** @param {NodeJS.Signals} signal */
  kill(signal) {
    return this.#child.kill(signal)
  }

  /** disconnect lets go of it: another run may have it. */
  disconnect() {
    this.#child.off('message', this.#tell).off('exit', this.#exited)
    this.#giveBack()
    process.nextTick(this.#exited, 0, null)
  }
}

/**
 * keptFork is fork, but for workers that another run of this file has let go of: to start one costs more CPU time than a short run.
 *
 * @type {(entry: string, options: import('node:child_process').ForkOptions) => ChildProcess}
 */
function keptFork(entry, options) {
  if (!KEPT.test(entry)) return fork(entry, options)
  const key = JSON.stringify([entry, options.execArgv])
  const alike = (idle.get(key) ?? []).filter(({ connected }) => connected)
  const used = alike.pop()
  const child = used ?? started(entry, options)
  idle.set(key, alike)
  const loan = new Loan(child, () => void idle.get(key)?.push(child))
  if (used !== undefined) process.nextTick(() => loan.emit('message', READY))
  return /** @type {any} */ (loan)
}

/** @param {string} entry @param {import('node:child_process').ForkOptions} options */
function started(entry, options) {
  const child = fork(entry, options)
  all.add(child)
  child.once('exit', () => all.delete(child))
  return child
}

/** keepWorkers has the runs of this process share workers, one after the other, from now on to the end of the file. */
export function keepWorkers() {
  childProcess.fork = /** @type {any} */ (keptFork)
  syncBuiltinESMExports()
}

/** @param {ChildProcess} child */
async function end(child) {
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}

after(() => Promise.all([...all].map(end)))
