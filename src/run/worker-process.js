// A worker process from the inside: it serves the process that forked it until that is gone.

import { performance } from 'node:perf_hooks'
import { Worker } from 'node:worker_threads'
import { Channel } from './channel.js'

/**
 * @typedef {object} Tell - the process that forked this one
 * @property {(method: string, ...args: any[]) => Promise<any>} call
 * @property {(method: string, ...args: any[]) => void} say - whether it is received is of no interest
 */

/**
 * serveParent has an object do what the process asks for that forked this one.
 *
 * @param {(setup: any, tell: Tell) => object} make - from what it is told first
 * @param {readonly string[]} methods - of the object that can be asked for
 * @param {import('./channel.js').Handlers} [more] - what else can be
 * @param {import('./channel.js').Port} [port] - to it
 * @returns {Tell}
 */
export function serveParent(make, methods, more = {}, port = process) {
  /** @type {any} */
  let made
  /** @type {Tell} */
  const tell = {
    call: (method, ...args) => channel.call(method, ...args),
    say: (method, ...args) => void channel.call(method, ...args).catch(() => {})
  }
  const channel = new Channel(port, {
    setup: setup => {
      made = make(setup, tell)
    },
    ...Object.fromEntries(methods.map(name => [name, (/** @type {any[]} */ ...args) => made[name](...args)])),
    ...more
  })
  channel.call('ready')
  return tell
}

const THREAD = new URL('./parent-watch-thread.js', import.meta.url)

/** A thread that looks at two numbers needs no more. */
const SMALL = { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 2, stackSizeMb: 1 }

/**
 * endWithParent ends this process, which was forked, when the one that forked it is gone: a worker without a parent has nobody to work
 * for. It is called before anything that takes time. An event loop that does not turn hears of no disconnection, so a thread looks as
 * well, and ends the process within a second. It begins before clocks and timers are replaced by virtual ones, and notices nothing of
 * those: a thread has its own.
 *
 * @param {number} [ended] - the process, or the negative number of its group, where what it has started ends with it
 */
export function endWithParent(ended = process.pid) {
  process.on('disconnect', () => process.exit())
  const thread = new Worker(THREAD, {
    workerData: { parent: process.ppid, ended },
    // nothing of what this process was started with: no other program, no larger heap
    execArgv: [],
    resourceLimits: SMALL
  })
  thread.unref()
}

/**
 * generatorUsage reads how busy a process that generates load is. What its pacer spins is no work.
 *
 * @param {Pick<import('../load/pacing.js').Pacer, 'spunNs'>} pacer
 * @param {import('../measure/resources.js').OwnMemoryWatch} memory - of this process
 * @returns {() => import('../measure/operations.js').Usage} takes the usage since the last time
 */
export function generatorUsage(pacer, memory) {
  let before = reading(pacer)
  return () => {
    const after = reading(pacer)
    const usage = {
      wallMs: after.wallMs - before.wallMs,
      activeMs: after.activeMs - before.activeMs,
      cpuMicros: after.cpuMicros - before.cpuMicros,
      memory: memory.read()
    }
    before = after
    return usage
  }
}

/** Since the process began. @param {Pick<import('../load/pacing.js').Pacer, 'spunNs'>} pacer */
function reading({ spunNs }) {
  const { user, system } = process.cpuUsage()
  return {
    wallMs: performance.now(),
    activeMs: performance.eventLoopUtilization().active - spunNs / 1e6,
    cpuMicros: user + system
  }
}
