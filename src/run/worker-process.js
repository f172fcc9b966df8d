// Code inside a worker process: serves calls of its parent process, and measures how busy the worker is.
import { performance } from 'node:perf_hooks'
import { Channel } from './channel.js'

/**
 * @typedef {object} ParentCalls - the process that forked this one
 * @property {(method: string, ...args: any[]) => Promise<any>} call
 * @property {(method: string, ...args: any[]) => void} say - without waiting for a reply
 */

/**
 * serveParent makes methods of an object callable by the parent process.
 *
 * @param {(setup: any, tell: ParentCalls) => object} make - makes the object from the setup that the parent sends
 * @param {readonly string[]} methods - of the object, that can be called
 * @param {import('./channel.js').Handlers} [more] - further functions that can be called
 * @param {import('./channel.js').Port} [port] - to the parent
 * @returns {ParentCalls}
 */
export function serveParent(make, methods, more = {}, port = process) {
  /** @type {any} */
  let made
  /** @type {ParentCalls} */
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

/**
 * startUsageMeter measures how busy a load-generating process is. The time that its pacer spins is no work.
 *
 * @param {Pick<import('../load/pacing.js').Pacer, 'spunNs'>} pacer
 * @param {import('../measure/resources.js').OwnMemoryWatch} memory - of this process
 * @returns {() => import('../measure/operations.js').Usage} takes the usage since the last time
 */
export function startUsageMeter(pacer, memory) {
  const reading = () => {
    const { user, system } = process.cpuUsage()
    return {
      wallMs: performance.now(),
      activeMs: performance.eventLoopUtilization().active - pacer.spunNs / 1e6,
      cpuMicros: user + system
    }
  }
  let before = reading()
  return () => {
    const after = reading()
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
