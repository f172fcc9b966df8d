// A worker process from the inside: it serves the process that forked it until that is gone.

import { performance } from 'node:perf_hooks'
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
