import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import crypto from 'node:crypto'
import { describe, it, test } from 'node:test'
import timers from 'node:timers'
import timerPromises from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import {
  installVirtualEnvironment,
  makeSignatureCache,
  makeVirtualRandom,
  NodeRandom
} from '../../src/simulator/virtual-environment.js'
import { EPOCH_MS } from '../../src/simulator/virtual-time.js'
import { ESCAPE_NAMES, HARMLESS_NAMES } from './scenes.js'

const PROGRAM = fileURLToPath(new URL('./scene-process.js', import.meta.url))

/**
 * What scenes see that are played in one process, one after the other: to start one takes longer than to play them all.
 *
 * @param {unknown[][]} scenes - name and arguments of each
 */
function playing(scenes) {
  const play = async () => {
    const { stdout } = await promisify(execFile)(process.execPath, [PROGRAM, JSON.stringify(scenes)], {
      timeout: 300_000
    })
    /** @type {any[]} */
    const seen = JSON.parse(stdout)
    return new Map(seen.map((each, place) => [JSON.stringify(scenes[place]), each]))
  }
  /** @type {ReturnType<typeof play> | null} */
  let played = null
  return async (/** @type {unknown[]} */ ...scene) => {
    played ??= play()
    return (await played).get(JSON.stringify(scene))
  }
}

const seenIn = playing([
  ['clocks'],
  ['waits'],
  ['draws', false],
  ['draws', true],
  ['held'],
  ['standstill'],
  ['thrown'],
  ...HARMLESS_NAMES.map(name => ['harmless', name])
])

/** In another process, where what is real is started, too. */
const seenApart = playing([
  ['draws', false],
  ...ESCAPE_NAMES.map(name => ['escaping', name, 3]),
  ['escaping', 'a file', 1]
])

test('all clocks tell virtual time, from the same moment on in every run', async () => {
  assert.deepEqual(await seenIn('clocks'), {
    dateNow: EPOCH_MS + 1500,
    date: '2020-01-01T00:00:01.500Z',
    called: 'string',
    parsed: Date.UTC(2024, 1, 3, 4, 5, 6),
    utc: Date.UTC(2020, 0, 1),
    isDate: true,
    performance: 1500.5,
    hrtime: [1, 500_500_000],
    hrtimeSince: [0, 100_500_000],
    bigint: '1500500000'
  })
})

test('every way of waiting waits in virtual time, also where it was imported by name before', async () => {
  assert.deepEqual(await seenIn('waits'), {
    global: 250,
    'node:timers': 250,
    'node:timers/promises': 250,
    promisify: 250,
    interval: 250,
    'AbortSignal.timeout': 250,
    immediate: 0,
    nextTick: 0,
    microtask: 0
  })
})

test('a node draws the same whoever draws beside it, in every run, and something else each time', async () => {
  const [alone, again, inCompany] = await Promise.all([
    seenIn('draws', false),
    seenApart('draws', false),
    seenIn('draws', true)
  ])
  assert.deepEqual(again, alone)
  assert.deepEqual(inCompany, alone)
  assert.equal(new Set(alone.map((/** @type {unknown} */ own) => JSON.stringify(own))).size, 3)
  assert.match(alone[0][2], /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/)
})

describe('the trap ends the run, and tells where, when there is started', () => {
  for (const name of ESCAPE_NAMES)
    test(name, async () => {
      const told = await seenApart('escaping', name, 3)
      assert.match(
        told,
        /^VIRTUAL_TIME_ESCAPED: something of the real world was started at node 5, 1 s of virtual time/
      )
      assert.match(told, /it was a \w+ started\n.*at (.|\n)*scenes\.js/)
    })

  test('something that happens only once, though then it is not known what it was', async () => {
    assert.match(await seenApart('escaping', 'a file', 1), /^VIRTUAL_TIME_ESCAPED: .*it did not happen again/)
  })
})

describe('the trap lets pass', () => {
  for (const name of HARMLESS_NAMES)
    test(name, async () => assert.equal(await seenIn('harmless', name), 'through'))
})

test('time stands still while something real is waited for', async () => {
  assert.deepEqual(await seenIn('held'), [1000])
})

test('waiting for what cannot come is an error', async () => {
  assert.match(await seenIn('standstill'), /the simulation waits in vain: nothing is due any more/)
})

test('what throws ends the run', async () => {
  assert.equal(await seenIn('thrown'), 'broken')
})

test('everything is as it was when the environment is taken away', () => {
  const look = () => ({
    ...Object.fromEntries(
      ['setTimeout', 'setInterval', 'setImmediate', 'clearTimeout', 'Date', 'queueMicrotask'].map(name => [
        name,
        Reflect.get(globalThis, name)
      ])
    ),
    constructor: Date.prototype.constructor,
    now: performance.now,
    hrtime: process.hrtime,
    nextTick: process.nextTick,
    random: Math.random,
    timeout: AbortSignal.timeout,
    getRandomValues: globalThis.crypto.getRandomValues,
    timers: { ...timers },
    timerPromises: { ...timerPromises },
    crypto: { ...crypto }
  })
  const before = look()
  const environment = installVirtualEnvironment()
  const within = look()
  environment.uninstall()
  const after = look()
  for (const name of /** @type {(keyof typeof before)[]} */ (Object.keys(before))) {
    assert.notEqual(within[name], before[name], `${name} was replaced`)
    assert.deepEqual(after[name], before[name], `${name} is back`)
  }
})

function random() {
  const numbers = new NodeRandom({ node: 0 })
  numbers.restart(1)
  /** @type {(() => void)[]} */
  const later = []
  return { ...makeVirtualRandom(numbers, run => later.push(run)), later }
}

describe('random numbers of virtual time', () => {
  test('are the same ones by every function, with the same seed', () => {
    const bytes = random().node.randomBytes(16, /** @type {any} */ (undefined))
    assert.deepEqual(random().node.randomFillSync(Buffer.alloc(16)), bytes)
    assert.deepEqual(Buffer.from(random().web.getRandomValues(new Uint8Array(16))), bytes)
    assert.deepEqual(Buffer.from(random().node.randomFillSync(new ArrayBuffer(16))), bytes)
    assert.ok(new Set(/** @type {Buffer} */ (bytes)).size > 8)
  })

  test('fill the part that was asked for, also of a view on a larger buffer', () => {
    const filled = random().node.randomFillSync(Buffer.alloc(8), 2, /** @type {any} */ (3))
    assert.deepEqual([...filled.subarray(0, 2), ...filled.subarray(5)], [0, 0, 0, 0, 0])
    assert.ok(filled.subarray(2, 5).some((/** @type {number} */ byte) => byte > 0))
    const whole = new Uint8Array(8)
    random().web.getRandomValues(whole.subarray(4))
    assert.deepEqual([...whole.subarray(0, 4)], [0, 0, 0, 0])
    assert.ok(whole.subarray(4).some(byte => byte > 0))
  })

  test('are handed to a callback later, in virtual time, and not given at once', () => {
    const { node, later } = random()
    /** @type {unknown[]} */
    const given = []
    const done = (/** @type {Error | null} */ error, /** @type {unknown} */ value) => given.push(error, value)
    const target = Buffer.alloc(4)
    assert.equal(node.randomFill(target, 1, 2, done), undefined)
    assert.equal(node.randomBytes(4, done), undefined)
    assert.equal(node.randomInt(1, /** @type {any} */ (done), /** @type {any} */ (undefined)), undefined)
    assert.equal(node.randomInt(5, 6, done), undefined)
    assert.deepEqual(given, [])
    for (const run of later) run()
    assert.equal(given[1], target)
    assert.equal(target[0] + target[3], 0)
    assert.equal(/** @type {Buffer} */ (given[3]).length, 4)
    assert.deepEqual([given[5], given[7]], [0, 5])
    assert.deepEqual([given[0], given[2], given[4], given[6]], [null, null, null, null])
  })

  test('are whole ones from the first to below the last, and refused where there is none', () => {
    const { node } = random()
    const drawn = new Set(
      Array.from({ length: 200 }, () => node.randomInt(3, 6, /** @type {any} */ (undefined)))
    )
    assert.deepEqual([...drawn].sort(), [3, 4, 5])
    for (const [low, high] of [
      [3, 3],
      [4, 3],
      [0, 2 ** 48],
      [0, Number.NaN]
    ])
      assert.throws(() => node.randomInt(low, high, /** @type {any} */ (undefined)), RangeError)
  })

  test('are refused beyond what Web Crypto gives at once', () => {
    const { web } = random()
    assert.throws(() => web.getRandomValues(new Uint8Array(65_537)), { name: 'QuotaExceededError' })
    assert.equal(web.getRandomValues(new Uint8Array(65_536)).length, 65_536)
  })

  test('make UUIDs of version 4 (RFC 9562)', () => {
    const { web } = random()
    const [one, other] = [web.randomUUID(), web.randomUUID()]
    for (const uuid of [one, other])
      assert.match(uuid, /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/)
    assert.notEqual(one, other)
  })
})

const DATA = Buffer.from('what was signed')

/** Checks whose work is counted. */
function counted() {
  const made = { keys: 0, checks: 0 }
  const known = makeSignatureCache({
    createPublicKey: input => {
      made.keys++
      return crypto.createPublicKey(input)
    },
    verify: /** @type {typeof crypto.verify} */ (
      /** @param {any[]} args */
      (...args) => {
        made.checks++
        return Reflect.apply(crypto.verify, undefined, args)
      }
    )
  })
  return { ...known, made }
}

/** As libp2p hands keys in: anew each time. */
function author() {
  const { privateKey, publicKey } = crypto.generateKeyPairSync('ed25519')
  const { kty, crv, x } = publicKey.export({ format: 'jwk' })
  return {
    input: () => /** @type {crypto.JsonWebKeyInput} */ ({ format: 'jwk', key: { kty, crv, x } }),
    sign: (/** @type {Uint8Array} */ data) => crypto.sign(null, data, privateKey)
  }
}

describe('signatures that are known', () => {
  it('are checked once, each with its own key', () => {
    const { createPublicKey, verify, made } = counted()
    const [alice, bob] = [author(), author()]
    const signature = alice.sign(DATA)
    for (let copy = 0; copy < 3; copy++)
      assert.equal(
        verify(null, Buffer.from(DATA), createPublicKey(alice.input()), Buffer.from(signature)),
        true
      )
    assert.deepEqual(made, { keys: 1, checks: 1 })
    assert.equal(verify(null, DATA, createPublicKey(bob.input()), signature), false)
    assert.deepEqual(made, { keys: 2, checks: 2 })
  })

  it('do not vouch for forged ones, before or after', () => {
    const { createPublicKey, verify } = counted()
    const { input, sign } = author()
    const signature = sign(DATA)
    const forged = Buffer.from(signature)
    forged[5] ^= 1
    const check = (/** @type {Uint8Array} */ data, /** @type {Uint8Array} */ each) =>
      verify(null, data, createPublicKey(input()), each)
    assert.equal(check(DATA, forged), false)
    assert.equal(check(DATA, forged), false)
    assert.equal(check(DATA, signature), true)
    assert.equal(check(Buffer.from('what was not signed'), signature), false)
    const other = Buffer.from('what was signed, too')
    assert.equal(check(other, sign(other)), true)
    assert.equal(check(other, signature), false)
  })

  it('leave other keys and ways of checking as they are', async () => {
    const { createPublicKey, verify, made } = counted()
    const { privateKey, publicKey } = crypto.generateKeyPairSync('ec', { namedCurve: 'secp256k1' })
    const signature = crypto.sign('sha256', DATA, privateKey)
    for (let copy = 0; copy < 2; copy++) {
      const key = createPublicKey(publicKey.export({ type: 'spki', format: 'pem' }))
      assert.equal(verify('sha256', DATA, key, signature), true)
    }
    assert.deepEqual(made, { keys: 2, checks: 2 })
    const { input, sign } = author()
    const called = new Promise(resolve => {
      verify(null, DATA, createPublicKey(input()), sign(DATA), (error, valid) => resolve([error, valid]))
    })
    assert.deepEqual(await called, [null, true])
  })
})
