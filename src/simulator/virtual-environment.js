// Replaces clocks, timers and random numbers of the process during a simulation, so that unmodified libraries behave
// reproducibly.
import { AsyncResource } from 'node:async_hooks'
import crypto, { KeyObject } from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import timers from 'node:timers'
import timerPromises from 'node:timers/promises'
import { promisify } from 'node:util'
import { makeSubStream } from '../kit/random.js'
import { ByteCache } from './network/shared-bytes.js'
import { makeVirtualDate, makeVirtualTimerPromises, makeVirtualTimers, VirtualTime } from './virtual-time.js'

/** PropertyReplacements are properties that stand in for others for a while. */
class PropertyReplacements {
  /** @type {{ object: object, name: PropertyKey, before: PropertyDescriptor | undefined }[]} */
  #made = []

  /**
   * replace replaces properties.
   *
   * @param {object} object
   * @param {Record<string, unknown>} values - by property
   */
  replace(object, values) {
    for (const [name, value] of Object.entries(values)) {
      const before = Object.getOwnPropertyDescriptor(object, name)
      this.#made.push({ object, name, before })
      const enumerable = before?.enumerable ?? true
      Object.defineProperty(object, name, { value, enumerable, writable: true, configurable: true })
    }
  }

  /** undo puts back what was there. */
  undo() {
    for (const { object, name, before } of this.#made.reverse()) {
      if (before === undefined) Reflect.deleteProperty(object, name)
      else Object.defineProperty(object, name, before)
    }
    this.#made = []
  }
}

/** Node numbers what lasts: this gives the next number, which is used up. */
const nextAsyncId = () => new AsyncResource('VirtualTime').asyncId()

/**
 * makeSynchronous makes a function of Node's that is through when it returns one that the Trap lets pass: some of them take the form of
 * work in a thread, and run at once. Called with a callback, such a function does work in a thread, and is left alone.
 *
 * @template {(...args: any[]) => unknown} T
 * @param {T} run
 * @param {Pick<Ticks, 'scheduled' | 'inside'>} ticks
 * @returns {T}
 */
const makeSynchronous = (run, ticks) =>
  /** @type {T} */ (
    /** @this {unknown} @param {any[]} args */
    function (...args) {
      if (typeof args.at(-1) === 'function') return run.apply(this, args)
      ticks.inside = true
      const before = nextAsyncId()
      try {
        return run.apply(this, args)
      } finally {
        ticks.scheduled += nextAsyncId() - before + 1
        ticks.inside = false
      }
    }
  )

/**
 * @typedef {(error: Error | null, value: unknown) => void} Done
 */

const MAX_RANDOM_BYTES = 65_536
const UINT48 = 2 ** 48

/** @param {ArrayBufferView} view */
const bytesOf = view => new Uint8Array(view.buffer, view.byteOffset, view.byteLength)

/** @param {Uint8Array} bytes - 16 */
function uuidOf(bytes) {
  bytes[6] = (bytes[6] & 0x0f) | 0x40
  bytes[8] = (bytes[8] & 0x3f) | 0x80
  const hex = Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}

/**
 * makeVirtualRandom makes the functions of Web Crypto and `node:crypto` that give random numbers, from those of the node whose turn it is.
 *
 * @param {NodeRandom} random
 * @param {(run: () => void) => unknown} later - setImmediate of virtual time, for the functions with a callback
 */
export function makeVirtualRandom(random, later) {
  /** @template {ArrayBufferView} T @param {T} array @returns {T} */
  const getRandomValues = array => {
    const bytes = bytesOf(array)
    if (bytes.length > MAX_RANDOM_BYTES)
      throw new DOMException(
        `more than ${MAX_RANDOM_BYTES} bytes were asked for at once`,
        'QuotaExceededError'
      )
    random.fill(bytes)
    return array
  }
  const randomUUID = () => {
    const bytes = new Uint8Array(16)
    random.fill(bytes)
    return uuidOf(bytes)
  }
  const randomFillSync = (/** @type {any} */ target, offset = 0, size = undefined) => {
    const bytes = ArrayBuffer.isView(target) ? bytesOf(target) : new Uint8Array(target)
    random.fill(bytes.subarray(offset, size === undefined ? undefined : offset + size))
    return target
  }
  const inRange = (/** @type {number} */ low, /** @type {number} */ high) => {
    if (!(high - low > 0 && high - low < UINT48))
      throw new RangeError(`no whole number is in ${low} to ${high}`)
    return low + Math.floor(random.next() * (high - low))
  }

  return {
    web: { getRandomValues, randomUUID },
    // node:crypto hands getRandomValues on from Web Crypto
    node: {
      randomUUID,
      randomFillSync,
      randomBytes: (/** @type {number} */ size, /** @type {Done} */ done) =>
        deliver(randomFillSync(Buffer.alloc(size)), done),
      randomFill: (/** @type {any} */ target, /** @type {any[]} */ ...rest) =>
        deliver(randomFillSync(target, ...rest.slice(0, -1)), rest.at(-1)),
      randomInt: (/** @type {number} */ a, /** @type {any} */ b, /** @type {Done} */ done) =>
        typeof b === 'number' ? deliver(inRange(a, b), done) : deliver(inRange(0, a), b)
    }
  }

  /** @template T @param {T} value @param {Done | undefined} done */
  function deliver(value, done) {
    if (done === undefined) return value
    later(() => done(null, value))
  }
}

/**
 * NodeRandom gives each node random numbers of its own, so that what one draws, or a further node, shifts nobody else's.
 */
export class NodeRandom {
  #time
  /** @type {Map<number, () => number>} */
  #streams = new Map()
  #seed = 0

  /** @param {Pick<import('./virtual-time.js').VirtualTime, 'node'>} time - tells whose turn it is */
  constructor(time) {
    this.#time = time
  }

  /** restart begins every stream anew. @param {number} seed */
  restart(seed) {
    this.#seed = seed
    this.#streams.clear()
  }

  /** next is the next number of the node whose turn it is. @returns {number} uniform in [0, 1) */
  next() {
    const { node } = this.#time
    let stream = this.#streams.get(node)
    if (stream === undefined) {
      stream = makeSubStream(this.#seed, 'simulated node', node)
      this.#streams.set(node, stream)
    }
    return stream()
  }

  /** fill fills with random bytes. @param {Uint8Array} bytes */
  fill(bytes) {
    for (let i = 0; i < bytes.length; i++) bytes[i] = Math.floor(this.next() * 256)
  }
}

/**
 * @typedef {Pick<typeof import('node:crypto'), 'createPublicKey' | 'verify'>} Checks
 * @typedef {{ format?: unknown, key?: { kty?: unknown, crv?: unknown, x?: unknown } }} KeyInput - of `createPublicKey`
 * @typedef {{ key: KeyObject, signature: Uint8Array, valid: boolean }} Checked
 */

const MAX_KEYS = 20_000
const MAX_KNOWN_BYTES = 16e6

/**
 * makeSignatureCache gives functions of `node:crypto` that remember keys and the signatures that were checked: all nodes of a process
 * check the same ones, each copy anew, and what was right or wrong once stays so.
 *
 * @param {Checks} checks - those of `node:crypto`
 * @returns {Checks}
 */
export function makeSignatureCache({ createPublicKey, verify }) {
  /** @type {Map<string, KeyObject>} by what makes them up */
  const keys = new Map()
  /** @type {ByteCache<Checked>} by what is signed */
  const known = new ByteCache(MAX_KNOWN_BYTES)
  return {
    createPublicKey: input => {
      const x = ed25519KeyOf(/** @type {KeyInput} */ (input))
      if (x === null) return createPublicKey(input)
      const key = keys.get(x) ?? createPublicKey(input)
      if (!keys.has(x) && keys.size < MAX_KEYS) keys.set(x, key)
      return key
    },
    verify: /** @type {typeof verify} */ (
      /** @param {any[]} args */
      (...args) => {
        const [algorithm, data, key, signature] = args
        const check = () => Reflect.apply(verify, undefined, args)
        const isRemembered =
          data instanceof Uint8Array && key instanceof KeyObject && signature instanceof Uint8Array
        if (args.length !== 4 || algorithm !== null || !isRemembered) return check()
        const checked = known.of(data, () => ({ key, signature, valid: check() }))
        const isSame = checked.key === key && Buffer.compare(checked.signature, signature) === 0
        return isSame ? checked.valid : check()
      }
    )
  }
}

/** Ed25519 keys as libp2p hands them in. @param {KeyInput} input @returns {string | null} */
function ed25519KeyOf({ format, key }) {
  const isKnown = format === 'jwk' && key?.kty === 'OKP' && key.crv === 'Ed25519'
  return isKnown && typeof key.x === 'string' ? key.x : null
}

/**
 * @typedef {object} RealWorld - what a simulation needs of the real one, between instants
 * @property {(run: () => void) => void} nextTick - after all microtasks
 * @property {(run: () => void) => void} setImmediate - after input and output
 * @property {() => number} nowMs
 *
 * @typedef {object} Ticks - calls of process.nextTick by others than the simulation
 * @property {number} scheduled - so far, with what else Node numbers and is through at once
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
  const { nextTick } = process
  const { setImmediate } = globalThis
  /** @type {RealWorld} */
  const real = {
    nextTick: run => nextTick.call(process, run),
    setImmediate: run => void setImmediate(run),
    nowMs: performance.now.bind(performance)
  }
  const time = new VirtualTime()
  const random = new NodeRandom(time)
  const ticks = { scheduled: 0, waiting: 0, inside: false }
  const replaced = new PropertyReplacements()
  replaceClocks(replaced, time)
  const later = replaceTimers(replaced, time)

  const { web, node } = makeVirtualRandom(random, later)
  replaced.replace(Math, { random: () => random.next() })
  replaced.replace(globalThis.crypto, web)
  replaced.replace(crypto, node)

  replaced.replace(process, {
    nextTick: (/** @type {(...args: any[]) => void} */ run, /** @type {any[]} */ ...args) => {
      ticks.scheduled++
      ticks.waiting++
      real.nextTick(() => {
        ticks.waiting--
        run(...args)
      })
    }
  })
  const synchronousFunctions = Object.entries(/** @type {Record<string, any>} */ ({ ...crypto }))
    .filter(([name]) => /^(sign|verify|diffieHellman|.+Sync)$/.test(name))
    .map(([name, run]) => [name, makeSynchronous(run, ticks)])
  replaced.replace(crypto, Object.fromEntries(synchronousFunctions))
  replaced.replace(crypto, makeSignatureCache(crypto))
  // Node's own counts as an asynchronous resource, which the Trap would take for an escape
  replaced.replace(globalThis, {
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

/** @param {PropertyReplacements} replaced @param {VirtualTime} time */
function replaceClocks(replaced, time) {
  const hrtime = ([seconds, ns] = [0, 0]) => {
    const sinceNs = time.nowNs - seconds * 1e9 - ns
    return [Math.floor(sinceNs / 1e9), sinceNs - Math.floor(sinceNs / 1e9) * 1e9]
  }
  const VirtualDate = makeVirtualDate(Date, () => time.nowNs)
  replaced.replace(VirtualDate.prototype, { constructor: VirtualDate })
  replaced.replace(globalThis, { Date: VirtualDate })
  replaced.replace(performance, { now: () => time.nowNs / 1e6, timeOrigin: VirtualDate.now() })
  replaced.replace(process, { hrtime: Object.assign(hrtime, { bigint: () => BigInt(time.nowNs) }) })
}

/** @param {PropertyReplacements} replaced @param {VirtualTime} time @returns {(run: () => void) => unknown} setImmediate of virtual time */
function replaceTimers(replaced, time) {
  const functions = makeVirtualTimers(time)
  const promises = makeVirtualTimerPromises(functions)
  for (const name of /** @type {const} */ (['setTimeout', 'setImmediate']))
    Object.defineProperty(functions[name], promisify.custom, { value: promises[name] })
  replaced.replace(globalThis, functions)
  replaced.replace(timers, functions)
  replaced.replace(timerPromises, promises)
  const timeout = (/** @type {number} */ ms) => {
    const controller = new AbortController()
    const onTime = () =>
      controller.abort(new DOMException('The operation was aborted due to timeout', 'TimeoutError'))
    functions.setTimeout(onTime, ms).unref()
    return controller.signal
  }
  replaced.replace(AbortSignal, { timeout })
  return functions.setImmediate
}
