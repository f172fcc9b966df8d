import crypto, { randomBytes, randomInt, randomUUID } from 'node:crypto'
import dns from 'node:dns'
import { readFile } from 'node:fs'
import net from 'node:net'
import { setTimeout as timerByName } from 'node:timers'
import { setTimeout as sleepByName } from 'node:timers/promises'
import { promisify } from 'node:util'
import { deflate } from 'node:zlib'
import { bytesOf } from '../../src/network/links/direction.js'

/**
 * What happens in a process with a virtual environment, for tests of it. It imports everything by name before the environment is
 * installed, as Node's own parts are.
 *
 * @typedef {import('../../src/simulator/virtual-environment.js').VirtualEnvironment} VirtualEnvironment
 * @typedef {import('../../src/simulator/time/driver.js').TimeDriver} TimeDriver
 * @typedef {{ environment: VirtualEnvironment, driver: TimeDriver, realSetTimeout: typeof setTimeout }} Stage
 */

const SECOND_NS = 1e9

/** @param {Stage} stage @param {number} node @param {number} atNs @param {() => void} act */
const at = ({ environment: { time } }, node, atNs, act) => void time.at(atNs, node, act)

/** All clocks at 1.5005 s. @param {Stage} stage */
async function clocks(stage) {
  const { driver } = stage
  /** @type {Record<string, unknown>} */
  const seen = {}
  at(stage, 0, 1_500_500_000, () =>
    Object.assign(seen, {
      dateNow: Date.now(),
      date: new Date().toISOString(),
      called: typeof Date(),
      parsed: new Date('2024-02-03T04:05:06Z').getTime(),
      utc: Date.UTC(2020, 0, 1),
      isDate: new Date() instanceof Date && Object.getPrototypeOf(new Date()) === Date.prototype,
      performance: performance.now(),
      hrtime: process.hrtime(),
      hrtimeSince: process.hrtime([1, 400_000_000]),
      bigint: String(process.hrtime.bigint())
    })
  )
  await driver.pass(2 * SECOND_NS)
  return seen
}

/** When each way of waiting 250 ms is over. @param {Stage} stage */
async function waits(stage) {
  const { driver, environment } = stage
  /** @type {Record<string, number>} */
  const overMs = {}
  const over = (/** @type {string} */ name) => () => {
    overMs[name] ??= environment.time.nowNs / 1e6
  }
  at(stage, 0, 0, () => {
    setTimeout(over('global'), 250)
    timerByName(over('node:timers'), 250)
    sleepByName(250).then(over('node:timers/promises'))
    promisify(setTimeout)(250).then(over('promisify'))
    const interval = setInterval(() => {
      over('interval')()
      clearInterval(interval)
    }, 250)
    AbortSignal.timeout(250).addEventListener('abort', over('AbortSignal.timeout'))
    setImmediate(over('immediate'))
    process.nextTick(over('nextTick'))
    queueMicrotask(over('microtask'))
  })
  await driver.pass(SECOND_NS)
  return overMs
}

/** What node 1 draws, in every way, with or without another node that draws in between. @param {Stage} stage @param {boolean} company */
async function draws(stage, company) {
  /** @type {unknown[]} */
  const drawn = []
  const draw = async () => {
    const bytes = crypto.getRandomValues(new Uint8Array(4))
    const own = [Math.random(), [...bytes], randomUUID(), randomBytes(3).toString('hex'), randomInt(1000)]
    await null
    own.push(
      Math.random(),
      globalThis.crypto.randomUUID(),
      globalThis.crypto.getRandomValues(new Uint32Array(1))[0]
    )
    return own
  }
  stage.environment.restart(7)
  for (const second of [0, 1, 2]) {
    if (company) at(stage, 0, second * SECOND_NS, () => void draw())
    at(stage, 1, second * SECOND_NS, () => void draw().then(own => drawn.push(own)))
  }
  await stage.driver.pass(3 * SECOND_NS)
  return drawn
}

const nothing = () => {}

/** @type {Record<string, (stage: Stage) => unknown>} things of the real world */
const ESCAPES = {
  'a timer that was kept': ({ realSetTimeout }) => realSetTimeout(nothing, 1),
  'Web Crypto': () => crypto.subtle.digest('SHA-256', new Uint8Array(1)),
  'a signature in a thread': () => {
    const { privateKey } = crypto.generateKeyPairSync('ed25519')
    crypto.sign(null, Buffer.alloc(1), privateKey, nothing)
  },
  'a file': () => readFile(import.meta.filename, nothing),
  compression: () => deflate(Buffer.alloc(1), nothing),
  'a name': () => dns.lookup('localhost', nothing),
  'a socket': () => net.connect(1).on('error', nothing)
}

/** @type {Record<string, (stage: Stage) => unknown>} things that are through at once, or virtual */
const HARMLESS = {
  timers: () => clearTimeout(setTimeout(nothing, 1)),
  ticks: () => process.nextTick(() => queueMicrotask(() => process.nextTick(nothing))),
  promises: async () => {
    for (let i = 0; i < 50; i++) await null
    process.nextTick(nothing)
  },
  signatures: async () => {
    const { privateKey, publicKey } = crypto.generateKeyPairSync('ed25519')
    await null
    await null
    const signature = crypto.sign(null, Buffer.alloc(1), privateKey)
    await null
    if (!crypto.verify(null, Buffer.alloc(1), publicKey, signature)) throw new Error('not verified')
  },
  'key agreements': () => {
    const [ours, theirs] = [1, 2].map(() => crypto.generateKeyPairSync('x25519'))
    crypto.diffieHellman({ privateKey: ours.privateKey, publicKey: theirs.publicKey })
  },
  hashes: () => crypto.createHash('sha256').update('x').digest(),
  keys: () => crypto.pbkdf2Sync('a', 'b', 1, 32, 'sha256'),
  events: () => new EventTarget().dispatchEvent(new Event('x')),
  aborts: () => AbortSignal.any([AbortSignal.timeout(1), new AbortController().signal])
}

/** @param {Stage} stage @param {string} name @param {number} times */
async function escaping(stage, name, times) {
  for (let i = 0; i < times; i++) at(stage, 5, (i + 1) * SECOND_NS, () => void ESCAPES[name](stage))
  for (let i = 0; i < 5000; i++) at(stage, 0, Math.round((i / 500) * SECOND_NS), nothing)
  return stage.driver.pass(20 * SECOND_NS).then(
    () => 'not noticed',
    ({ code, message }) => `${code}: ${message}`
  )
}

/** @param {Stage} stage @param {string} name */
async function harmless(stage, name) {
  for (let i = 0; i < 20; i++) at(stage, i % 3, i * SECOND_NS, () => void HARMLESS[name](stage))
  return stage.driver.pass(20 * SECOND_NS).then(
    () => 'through',
    ({ message }) => message
  )
}

/** Input and output between instants, while time stands still. @param {Stage} stage */
async function held(stage) {
  const { driver, environment } = stage
  /** @type {number[]} */
  const readAtMs = []
  at(stage, 0, SECOND_NS, () => {
    driver.hold(
      new Promise(resolve =>
        readFile(import.meta.filename, () => {
          readAtMs.push(environment.time.nowNs / 1e6)
          resolve(null)
        })
      )
    )
  })
  at(stage, 0, SECOND_NS + 1, nothing)
  await driver.pass(2 * SECOND_NS)
  return readAtMs
}

/** What the self-test says of a network whose links break when they have more than so many bytes to carry at once. @param {Stage} stage @param {number} most */
async function tested({ environment, driver }, most) {
  const { selfTest } = await import('../../src/simulator/network/self-test.js')
  const losing = (/** @type {import('../../src/network/links/direction.js').Sending} */ sending) => {
    let isBroken = false
    /** @type {import('../../src/network/links/direction.js').Sending} */
    const broken = {
      send: (written, nowNs) => {
        isBroken ||= bytesOf(written) > most
        if (!isBroken) sending.send(written, nowNs)
      },
      get nextNs() {
        return sending.nextNs
      },
      get departures() {
        return sending.departures
      },
      run: nowNs => sending.run(nowNs),
      answered: answer => sending.answered(answer)
    }
    return broken
  }
  return selfTest(environment, driver, losing).then(
    () => 'passed',
    ({ code, message }) => `${code}: ${message}`
  )
}

/** Waiting for what nothing will bring about. @param {Stage} stage */
const standstill = ({ driver }) =>
  driver.passUntil(new Promise(nothing)).then(
    () => 'passed',
    ({ message }) => message
  )

/** What throws ends the run. @param {Stage} stage */
const thrown = stage => {
  at(stage, 0, 5, () => {
    throw new Error('broken')
  })
  return stage.driver.pass(10).then(
    () => 'passed',
    ({ message }) => message
  )
}

export const SCENES = { clocks, waits, draws, escaping, harmless, held, tested, standstill, thrown }
export const ESCAPE_NAMES = Object.keys(ESCAPES)
export const HARMLESS_NAMES = Object.keys(HARMLESS)
