import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  generatorUse,
  limitedBy,
  limitedByText,
  usedUpIn,
  waitedShareOf
} from '../../src/measure/limited-by.js'

/** @typedef {import('../../src/measure/limited-by.js').Uses} Uses */

/** @param {number | null} percent @param {number} [waitedShare] */
const used = (percent, waitedShare = 0.1) => ({ percent, waitedShare })

describe('what was used up first', () => {
  /** @type {[string, Uses, string[]][]} */
  const rows = [
    ['a closed load: the server', { server: used(82), generator: used(50) }, ['server CPU']],
    ['the load generator', { server: used(50), generator: used(88) }, ['load generator']],
    [
      'both, the fuller one first',
      { server: used(76), generator: used(84) },
      ['load generator', 'server CPU']
    ],
    ['a server that is used up before it is full', { server: used(69), generator: used(40) }, ['server CPU']],
    ['neither: clients wait for replies', { server: used(50), generator: used(48) }, ['offered load']],
    ['a server that nobody could look into', { server: { percent: null }, generator: used(40) }, []],
    [
      'a generator that is used up is named whatever the server does',
      { server: { percent: null }, generator: used(90) },
      ['load generator']
    ],
    ['a process whose core others took', { server: used(30), generator: used(45, 0.5) }, ['machine']],
    [
      'others that take the core of who has little to do',
      { server: used(5, 0.6), generator: used(6) },
      ['offered load']
    ],
    [
      'a container that has used its quota, and waits for it',
      { server: { percent: 98, of: '0.2 cores' }, generator: used(12) },
      ['server CPU']
    ],
    ['a full link', { server: used(20), generator: used(20), link: 90 }, ['link']],
    ['a link of which nothing is known', { server: used(20), generator: used(20), link: null }, []],
    ['a link that is estimated to be full', { link: 40, linkIsFull: true, achieved: 60 }, ['link']],
    ['a slow store', { server: used(20), generator: used(20), store: 95 }, ['store']],
    [
      'a store whose replies wait for a busy server',
      { server: used(85), generator: used(20), store: 95 },
      ['server CPU']
    ],
    [
      'an open load that was carried',
      { server: used(10), generator: used(9), achieved: 100 },
      ['offered load']
    ],
    [
      'though the server had much to do, and others took cores',
      { server: used(80, 0.2), generator: used(45, 0.6), achieved: 99.4 },
      ['offered load']
    ],
    [
      'but where there was no more to have',
      { server: used(96), generator: used(50), achieved: 99.4 },
      ['server CPU']
    ],
    [
      'an open load that was not carried',
      { server: used(92), generator: used(60), achieved: 80 },
      ['server CPU']
    ],
    ['nor was anything used up', { server: used(40), generator: used(30), achieved: 80 }, []],
    ['a network without a server', { generator: used(95), achieved: 70 }, ['load generator']]
  ]
  for (const [what, uses, by] of rows) test(what, () => assert.deepEqual(limitedBy(uses).by, by))

  test('with the shares that show it', () => {
    const { shares } = limitedBy({ server: { percent: 82, of: 'a core', waitedShare: 0.1 }, achieved: 70 })
    assert.deepEqual(
      shares.map(({ name, percent }) => [name, percent]),
      [
        ['server CPU', 82],
        ['machine', 10],
        ['offered load', 70]
      ]
    )
  })

  test('a load that was carried, and was too slow, is limited by what was used most', () => {
    const by = (/** @type {Uses} */ uses) => usedUpIn(limitedBy(uses)).by
    assert.deepEqual(by({ server: used(85), generator: used(40), achieved: 100 }), ['server CPU'])
    assert.deepEqual(by({ server: used(20), generator: used(40), achieved: 100 }), [])
    assert.deepEqual(by({ server: used(90), generator: used(40), achieved: 50 }), ['server CPU'])
  })
})

describe('how busy processes were', () => {
  const lateness = /** @type {any} */ ({
    processes: [
      { name: 'worker 0', ownPercent: 30, waitedPercent: 30 },
      { name: 'worker 1', ownPercent: 0, waitedPercent: 0 },
      { name: 'server', ownPercent: null, waitedPercent: null }
    ]
  })

  test('how long one waited for a core of the time in which it could run', () => {
    assert.equal(waitedShareOf(lateness, 'worker 0'), 0.5)
    assert.equal(waitedShareOf(lateness, 'worker 1'), 0)
    assert.equal(waitedShareOf(lateness, 'server'), undefined)
    assert.equal(waitedShareOf(undefined, 'server'), undefined)
  })

  test('of the load generator the busiest worker counts, without time that it had no core', () => {
    const health = /** @type {any} */ ([
      { worker: 0, utilization: 0.95, cpuPercent: 48 },
      { worker: 1, utilization: 0.6, cpuPercent: 70 }
    ])
    assert.deepEqual(generatorUse({ health, lateness }), { percent: 48, waitedShare: 0.5 })
    assert.deepEqual(generatorUse({ health: [], lateness }), { percent: null })
  })
})

describe('in words', () => {
  const of = { percent: 82, of: 'a core' }
  /** @type {[Uses | undefined, string | null][]} */
  const rows = [
    [{ server: of, generator: { percent: 61 } }, 'server CPU (82 % of a core; load generator 61 %)'],
    [{ server: of, generator: { percent: 80 } }, 'server CPU and load generator (82 % of a core, 80 %)'],
    [{ server: { percent: null }, generator: { percent: 20 } }, 'not determined (load generator 20 %)'],
    [{ server: { percent: 3 }, achieved: 100 }, 'offered load (100 % of what was due; server CPU 3 %)'],
    [undefined, null]
  ]
  for (const [uses, text] of rows)
    test(String(text), () => assert.equal(limitedByText(uses && limitedBy(uses)), text))
})
