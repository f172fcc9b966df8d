import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import crypto from 'node:crypto'
import { describe, test } from 'node:test'
import timers from 'node:timers'
import timerPromises from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { installVirtualEnvironment } from '../../../src/simulator/virtual-environment.js'
import { EPOCH_MS } from '../../../src/simulator/virtual-time.js'
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
