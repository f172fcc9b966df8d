import assert from 'node:assert/strict'
import { describe, it, test } from 'node:test'
import {
  computeModelGoodput,
  describeTransferLimit,
  findGeneratorUse,
  findLimit,
  findTransferLimit,
  findUsedUp,
  findWaitedShare,
  formatLimitedBy
} from '../../src/measure/limited-by.js'

/** @typedef {import('../../src/measure/limited-by.js').ResourceUses} ResourceUses */

/** @param {number | null} percent @param {number} [waitedShare] */
const used = (percent, waitedShare = 0.1) => ({ percent, waitedShare })

describe('what was used up first', () => {
  /** @type {[string, ResourceUses, string[]][]} */
  const rows = [
    ['a closed load: the server', { server: used(82), generator: used(50) }, ['server CPU']],
    ['the load generator', { server: used(50), generator: used(88) }, ['load generator']],
    ['both, the fuller first', { server: used(76), generator: used(84) }, ['load generator', 'server CPU']],
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
      'others that take the core of an idle one',
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
    ['an open load, carried', { server: used(10), generator: used(9), achieved: 100 }, ['offered load']],
    [
      'though the server had much to do, and others took cores',
      { server: used(80, 0.2), generator: used(45, 0.6), achieved: 99.4 },
      ['offered load']
    ],
    ['but where none was left', { server: used(96), generator: used(50), achieved: 99.4 }, ['server CPU']],
    ['an open load, not carried', { server: used(92), generator: used(60), achieved: 80 }, ['server CPU']],
    ['nor was anything used up', { server: used(40), generator: used(30), achieved: 80 }, []],
    ['a network without a server', { generator: used(95), achieved: 70 }, ['load generator']]
  ]
  for (const [what, uses, by] of rows) test(what, () => assert.deepEqual(findLimit(uses).by, by))

  test('with the shares that show it', () => {
    const { shares } = findLimit({ server: { percent: 82, of: 'a core', waitedShare: 0.1 }, achieved: 70 })
    const rows = shares.flatMap(({ name, percent }) => [name, percent])
    assert.deepEqual(rows, ['server CPU', 82, 'machine', 10, 'offered load', 70])
  })

  test('a load that was carried, and was too slow, is limited by what was used most', () => {
    const by = (/** @type {ResourceUses} */ uses) => findUsedUp(findLimit(uses)).by
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
    assert.equal(findWaitedShare(lateness, 'worker 0'), 0.5)
    assert.equal(findWaitedShare(lateness, 'worker 1'), 0)
    assert.equal(findWaitedShare(lateness, 'server'), undefined)
    assert.equal(findWaitedShare(undefined, 'server'), undefined)
  })

  test('of the load generator the busiest worker counts, without time that it had no core', () => {
    const health = /** @type {any} */ ([
      { worker: 0, utilization: 0.95, cpuPercent: 48 },
      { worker: 1, utilization: 0.6, cpuPercent: 70 }
    ])
    assert.deepEqual(findGeneratorUse({ health, lateness }), { percent: 48, waitedShare: 0.5 })
    assert.deepEqual(findGeneratorUse({ health: [], lateness }), { percent: null })
  })
})

describe('in words', () => {
  const of = { percent: 82, of: 'a core' }
  /** @type {[ResourceUses | undefined, string | null][]} */
  const rows = [
    [{ server: of, generator: { percent: 61 } }, 'server CPU (82 % of a core; load generator 61 %)'],
    [{ server: of, generator: { percent: 80 } }, 'server CPU and load generator (82 % of a core, 80 %)'],
    [{ server: { percent: null }, generator: { percent: 20 } }, 'not determined (load generator 20 %)'],
    [{ server: { percent: 3 }, achieved: 100 }, 'offered load (100 % of what was due; server CPU 3 %)'],
    [undefined, null]
  ]
  for (const [uses, text] of rows)
    test(String(text), () => assert.equal(formatLimitedBy(uses && findLimit(uses)), text))
})

/** @typedef {import('../../src/measure/limited-by.js').TransferConditions} TransferConditions */
/** @typedef {import('../../src/measure/limited-by.js').TransferLimit} TransferLimit */

const KIB = 1024
const MIB = 1 << 20

/** Neither line nor window, both sides half idle. @type {TransferConditions} */
const EASY = {
  bytesPerSecond: 100e6,
  roundTripMs: 0.3,
  windowBytes: 16 * MIB,
  lineBytesPerSecond: null,
  cores: { provider: 0.9, requestor: 0.5 }
}

describe('the model of goodput', () => {
  for (const [conditions, expected] of /** @type {[any, any][]} */ ([
    [[50, 256 * KIB, null], { bytesPerSecond: 5_242_880, limit: 'window' }],
    [[50, 16 * MIB, 10e6], { bytesPerSecond: 10e6, limit: 'line' }],
    [[100, 64 * KIB, 1e6], { bytesPerSecond: 655_360, limit: 'window' }],
    [[null, 16 * MIB, null], { bytesPerSecond: null, limit: null }],
    [[50, null, null], { bytesPerSecond: null, limit: null }],
    [[50, null, 1e6], { bytesPerSecond: 1e6, limit: 'line' }],
    [[0, 16 * MIB, null], { bytesPerSecond: null, limit: null }]
  ])) {
    it(`of round trip, window and line ${JSON.stringify(conditions)} is ${JSON.stringify(expected)}`, () => {
      const [roundTripMs, windowBytes, lineBytesPerSecond] = conditions
      assert.deepEqual(computeModelGoodput({ roundTripMs, windowBytes, lineBytesPerSecond }), expected)
    })
  }
})

describe('what limited a transfer', () => {
  for (const [
    name,
    changes,
    limit,
    side
  ] of /** @type {[string, Partial<TransferConditions>, TransferLimit['limit'], string | null][]} */ ([
    ['on loopback: the busier side', {}, 'CPU', 'provider'],
    ['on loopback, the other side busier', { cores: { provider: 0.4, requestor: 1 } }, 'CPU', 'requestor'],
    ['on loopback, the sides in turn', { cores: { provider: 0.4, requestor: 0.5 } }, 'CPU', 'requestor'],
    ['on a machine that others use', { cores: { provider: 0.2, requestor: 0.3 } }, 'waiting', null],
    ['of a peer whose CPU is not known', { cores: { client: 0.9, server: null } }, 'CPU', 'client'],
    [
      'at 0.9 MB/s on a line of 1 MB/s',
      { bytesPerSecond: 0.9e6, lineBytesPerSecond: 1e6, roundTripMs: 200 },
      'line',
      null
    ],
    ['at 0.85 MB/s on a line of 1 MB/s', { bytesPerSecond: 0.85e6, lineBytesPerSecond: 1e6 }, 'line', null],
    ['at half of the line', { bytesPerSecond: 0.5e6, lineBytesPerSecond: 1e6 }, 'CPU', 'provider'],
    [
      'at half of the line, with idle sides: bytes waited for it',
      { bytesPerSecond: 0.5e6, lineBytesPerSecond: 1e6, cores: { provider: 0.04, requestor: 0.05 } },
      'line',
      null
    ],
    [
      'at three quarters of the line, a side busy for two thirds of the time',
      { bytesPerSecond: 0.75e6, lineBytesPerSecond: 1e6, cores: { provider: 0.66, requestor: 0.5 } },
      'line',
      null
    ],
    [
      'whose first byte comes after two thirds of the time, though its window grows, too',
      {
        bytesPerSecond: 3.4e6,
        roundTripMs: 100,
        tookMs: 311,
        firstByteMs: 207,
        firstWindowBytes: 256 * KIB,
        cores: { provider: 0.04, requestor: 0.05 }
      },
      'round trips',
      null
    ],
    [
      'of four round trips, with idle sides: nothing says what it waited for',
      {
        bytesPerSecond: 2.4e6,
        roundTripMs: 100,
        tookMs: 420,
        firstByteMs: 105,
        windowBytes: null,
        lineBytesPerSecond: 10e6,
        cores: { provider: 0.2, requestor: 0.1 }
      },
      'waiting',
      null
    ],
    [
      'of a request without latency: its round trip is the time of two processes',
      {
        bytesPerSecond: 60e6,
        roundTripMs: null,
        tookMs: 17,
        firstByteMs: 13,
        cores: { provider: 0.4, requestor: 0.5 }
      },
      'CPU',
      'requestor'
    ],
    [
      'at 271 % of a window, which cannot be: the round trip was another one',
      { bytesPerSecond: 355e6, windowBytes: 64 * KIB, roundTripMs: 0.5 },
      'CPU',
      'provider'
    ],
    [
      'at 80 % of a window, with idle sides, though the line is far',
      {
        bytesPerSecond: 4.2e6,
        windowBytes: 256 * KIB,
        roundTripMs: 50,
        lineBytesPerSecond: 10e6,
        cores: { provider: 0.04, requestor: 0.05 }
      },
      'window',
      null
    ],
    [
      'with 256 KiB fixed, over 50 ms',
      { bytesPerSecond: 5.1e6, windowBytes: 256 * KIB, roundTripMs: 50 },
      'window',
      null
    ],
    // 2.04 Gbit/s over 63.3 ms: the published figure of js-libp2p 2.8
    ['with 16 MiB, over 63.3 ms', { bytesPerSecond: 2.04e9 / 8, roundTripMs: 63.3 }, 'window', null],
    [
      'of one block at three quarters of the line, whose first byte comes late, for all of it comes at once',
      {
        bytesPerSecond: 0.77e6,
        lineBytesPerSecond: 1e6,
        roundTripMs: 200,
        tookMs: 2660,
        firstByteMs: 2456,
        cores: { provider: 0.05, requestor: 0.05 }
      },
      'line',
      null
    ],
    [
      'of less than three round trips, most of which the line took',
      {
        bytesPerSecond: 0.63e6,
        lineBytesPerSecond: 1e6,
        roundTripMs: 600,
        tookMs: 1650,
        firstByteMs: 604,
        cores: { provider: 0.05, requestor: 0.05 }
      },
      'line',
      null
    ],
    ['of a small file', { bytesPerSecond: 4e6, roundTripMs: 100, tookMs: 250 }, 'round trips', null],
    [
      'whose window grows, both sides idle',
      {
        bytesPerSecond: 20e6,
        roundTripMs: 100,
        tookMs: 3000,
        firstWindowBytes: 256 * KIB,
        cores: { provider: 0.3, requestor: 0.2 }
      },
      'growing window',
      null
    ],
    [
      'whose window grows, one side busy',
      { bytesPerSecond: 20e6, roundTripMs: 100, tookMs: 3000, firstWindowBytes: 256 * KIB },
      'CPU',
      'provider'
    ],
    ['of nobody known', { cores: {} }, 'waiting', null],
    ['over the kernel’s TCP, nobody busy', { cores: { provider: 0.1 }, kernelTcp: true }, 'TCP', null],
    ['over the kernel’s TCP, one side busy', { kernelTcp: true }, 'CPU', 'provider']
  ])) {
    it(`${name}: ${limit}`, () => {
      const verdict = findTransferLimit({ ...EASY, ...changes })
      assert.deepEqual([verdict.limit, verdict.side], [limit, side])
    })
  }

  it('says how far it was reached', () => {
    const line = findTransferLimit({ ...EASY, bytesPerSecond: 0.95e6, lineBytesPerSecond: 1e6 })
    assert.equal(line.reached, 0.95)
    assert.equal(findTransferLimit(EASY).reached, 0.9)
    assert.equal(
      findTransferLimit({ ...EASY, roundTripMs: 100, tookMs: 150, bytesPerSecond: 1e6 }).reached,
      1.5
    )
  })
})

describe('in the words of other results, a transfer is limited by', () => {
  /** @type {[string, TransferLimit, string[]][]} */
  const rows = [
    ['the bandwidth of its link', { limit: 'line', side: null, reached: 0.95 }, ['link']],
    ['its round trips', { limit: 'round trips', side: null, reached: 2 }, ['link']],
    ['the server', { limit: 'CPU', side: 'server', reached: 0.9 }, ['server CPU']],
    ['the side that asks', { limit: 'CPU', side: 'requestor', reached: 0.9 }, ['load generator']],
    ['nothing that is known', { limit: 'waiting', side: null, reached: 0.1 }, []]
  ]
  for (const [what, verdict, by] of rows)
    it(what, () => assert.deepEqual(describeTransferLimit(verdict, { server: 0.5, client: 0.5 }).by, by))

  it('both sides, where they are as busy', () => {
    const verdict = /** @type {const} */ ({ limit: 'CPU', side: 'client', reached: 0.9 })
    assert.deepEqual(describeTransferLimit(verdict, { server: 0.85, client: 0.9 }), {
      by: ['load generator', 'server CPU'],
      shares: [
        { name: 'load generator', percent: 90, of: 'a core' },
        { name: 'server CPU', percent: 85, of: 'a core' }
      ]
    })
  })
})
