import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import timers from 'node:timers'
import timerPromises from 'node:timers/promises'
import { promisify } from 'node:util'
import { knownSignatures } from './known-signatures.js'
import { NodeRandom } from './node-random.js'
import { Replacements } from './replacements.js'
import { synchronous } from './synchronous.js'
import { virtualDate } from './virtual-date.js'
import { virtualRandom } from './virtual-random.js'
import { VirtualTime } from './virtual-time.js'
import { virtualTimerPromises, virtualTimers } from './virtual-timers.js'

/**
 * @typedef {object} RealWorld - what a simulation needs of the real one, between instants
 * @property {(run: () => void) => void} nextTick - after all microtasks
 * @property {(run: () => void) => void} setImmediate - after input and output
 * @property {() => number} nowMs
 *
 * @typedef {object} Ticks - calls of process.nextTick by others than the simulation
 * @property {number} asked - so far, with what else Node numbers and is through at once
 * @property {number} waiting - that have not run
 * @property {boolean} inside - a function is running that may start what is through when it returns
 *
 * @typedef {object} VirtualEnvironment
 * @property {VirtualTime} time
 * @property {NodeRandom} random
 * @property {RealWorld} real
 * @property {Ticks} ticks
 * @property {(seed: number) => void} restart - begins at time 0 with other random numbers; nothing of before comes any more
 * @property {() => void} uninstall
 */

const resolved = Promise.resolve()

/** @returns {RealWorld} */
function keepRealWorld() {
  const { nextTick } = process
  const { setImmediate } = globalThis
  const now = performance.now.bind(performance)
  return {
    nextTick: run => nextTick.call(process, run),
    setImmediate: run => void setImmediate(run),
    nowMs: now
  }
}

/** @param {VirtualTime} time */
function virtualClocks(time) {
  const hrtime = ([seconds, ns] = [0, 0]) => {
    const sinceNs = time.nowNs - seconds * 1e9 - ns
    return [Math.floor(sinceNs / 1e9), sinceNs - Math.floor(sinceNs / 1e9) * 1e9]
  }
  return {
    hrtime: Object.assign(hrtime, { bigint: () => BigInt(time.nowNs) }),
    now: () => time.nowNs / 1e6
  }
}

/** @param {{ setTimeout: (run: () => void, ms: number) => { unref: () => unknown } }} timers */
const virtualAbortTimeout =
  ({ setTimeout }) =>
  (/** @type {number} */ ms) => {
    const controller = new AbortController()
    const onTime = () =>
      controller.abort(new DOMException('The operation was aborted due to timeout', 'TimeoutError'))
    setTimeout(onTime, ms).unref()
    return controller.signal
  }

/** @param {RealWorld} real @param {Ticks} ticks */
function countedTicks(real, ticks) {
  return (/** @type {(...args: any[]) => void} */ run, /** @type {any[]} */ ...args) => {
    ticks.asked++
    ticks.waiting++
    real.nextTick(() => {
      ticks.waiting--
      run(...args)
    })
  }
}

/** @param {Ticks} ticks */
const synchronousCrypto = ticks =>
  Object.fromEntries(
    Object.entries(/** @type {Record<string, any>} */ ({ ...crypto }))
      .filter(([name]) => /^(sign|verify|diffieHellman|.+Sync)$/.test(name))
      .map(([name, run]) => [name, synchronous(run, ticks)])
  )

/**
 * installVirtualEnvironment replaces clocks, timers and random numbers of this process by virtual ones: the globals, and what
 * `node:timers`, `node:timers/promises` and `node:crypto` export, also to modules that have imported them by name already.
 * Modules that keep such a function in a variable when they are loaded must be loaded afterwards.
 *
 * Node's own parts (sockets, files, workers, Web Crypto's `subtle`) use timers and threads below these; nothing but the Trap notices
 * them.
 *
 * @returns {VirtualEnvironment}
 */
export function installVirtualEnvironment() {
  const real = keepRealWorld()
  const time = new VirtualTime()
  const random = new NodeRandom(time)
  const ticks = { asked: 0, waiting: 0, inside: false }
  const replaced = new Replacements()
  replaceClocks(replaced, time)
  const { setImmediate } = replaceTimers(replaced, time)
  replaceRandom(replaced, random, setImmediate)
  replaced.put(process, { nextTick: countedTicks(real, ticks) })
  replaced.put(crypto, synchronousCrypto(ticks))
  replaced.put(crypto, knownSignatures(crypto))
  // Node's own counts as an asynchronous resource, which the Trap would take for an escape
  replaced.put(globalThis, {
    queueMicrotask: (/** @type {() => void} */ run) => void resolved.then(() => run())
  })
  syncBuiltinESMExports()
  return {
    time,
    random,
    real,
    ticks,
    restart: seed => {
      time.restart()
      random.restart(seed)
    },
    uninstall: () => {
      replaced.undo()
      syncBuiltinESMExports()
    }
  }
}

/** @param {Replacements} replaced @param {VirtualTime} time */
function replaceClocks(replaced, time) {
  const { hrtime, now } = virtualClocks(time)
  const VirtualDate = virtualDate(Date, () => time.nowNs)
  replaced.put(VirtualDate.prototype, { constructor: VirtualDate })
  replaced.put(globalThis, { Date: VirtualDate })
  replaced.put(performance, { now, timeOrigin: VirtualDate.now() })
  replaced.put(process, { hrtime })
}

/** @param {Replacements} replaced @param {VirtualTime} time */
function replaceTimers(replaced, time) {
  const functions = virtualTimers(time)
  const promises = virtualTimerPromises(functions)
  for (const name of /** @type {const} */ (['setTimeout', 'setImmediate']))
    Object.defineProperty(functions[name], promisify.custom, { value: promises[name] })
  replaced.put(globalThis, functions)
  replaced.put(timers, functions)
  replaced.put(timerPromises, promises)
  replaced.put(AbortSignal, { timeout: virtualAbortTimeout(functions) })
  return functions
}

/** @param {Replacements} replaced @param {NodeRandom} random @param {(run: () => void) => unknown} setImmediate */
function replaceRandom(replaced, random, setImmediate) {
  const { web, node } = virtualRandom(random, setImmediate)
  replaced.put(Math, { random: () => random.next() })
  replaced.put(globalThis.crypto, web)
  replaced.put(crypto, node)
}
