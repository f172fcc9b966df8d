import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { changesState, measureRound, rewarmRound, warmupRound } from '../../src/load/rounds.js'
import { planned } from '../plan/planned.js'

/** @typedef {Record<string, unknown>} Options */

describe('a plan changes what the server holds', () => {
  for (const [options, changes] of /** @type {[Options, boolean][]} */ ([
    [{ benchmarkType: 'REGISTER' }, true],
    [{ benchmarkType: 'REGISTER', registerMode: 'refresh' }, false],
    [{ benchmarkType: 'DISCOVER' }, false],
    [{ benchmarkType: 'UNREGISTER' }, true],
    [{ benchmarkType: 'MIXED' }, true]
  ])) {
    it(`${changes ? '' : 'not '}with ${Object.values(options).join(', ')}`, () =>
      assert.equal(changesState(planned(options)), changes))
  }
})

describe('the next round of the measure phase', () => {
  const short = { benchmarkRuns: 500, minDuration: '10s' }
  const timed = { duration: '10s', nClients: 4 }
  const open = { rate: 500, duration: '10s', benchmarkType: 'DISCOVER' }
  /** @type {[string, Options, number, ReturnType<typeof measureRound>][]} */
  const cases = [
    ['has all operations of the plan', short, 0, { operations: 500, durationMs: null }],
    ['repeats a plan that is over too soon', short, 9999, { operations: 500, durationMs: null }],
    ['is none when enough was measured', short, 10_000, null],
    [
      'comes once with --minDuration 0',
      { ...short, minDuration: 0 },
      0,
      { operations: 500, durationMs: null }
    ],
    ['comes only once with --minDuration 0', { ...short, minDuration: 0 }, 0.001, null],
    [
      'with a duration has no other limit when the state stays',
      { ...timed, benchmarkType: 'DISCOVER' },
      0,
      { operations: null, durationMs: 10_000 }
    ],
    [
      'with a duration has what is left of it',
      { ...timed, benchmarkType: 'DISCOVER' },
      9000,
      { operations: null, durationMs: 1000 }
    ],
    ['is none when the duration is over', { ...timed, benchmarkType: 'DISCOVER' }, 10_000, null],
    ['is none when the duration was exceeded', { ...timed, benchmarkType: 'DISCOVER' }, 12_000, null],
    [
      'with a duration ends after 1,000 operations a client where they change the state',
      { ...timed, benchmarkType: 'REGISTER' },
      4000,
      { operations: 4000, durationMs: 6000 }
    ],
    [
      'with a duration and MIXED too',
      { ...timed, benchmarkType: 'MIXED' },
      0,
      { operations: 4000, durationMs: 10_000 }
    ],
    ['in the open model has what is due in the time', open, 0, { operations: 5000, durationMs: null }],
    ['in the open model comes once', open, 9, null],
    [
      'in the open model has one operation at least',
      { ...open, rate: 0.01, duration: '1s' },
      0,
      { operations: 1, durationMs: null }
    ],
    [
      'in the open model with a number of operations repeats like the closed one',
      { ...short, rate: 100 },
      5000,
      { operations: 500, durationMs: null }
    ]
  ]
  for (const [name, options, measuredMs, expected] of cases) {
    it(name, () => assert.deepEqual(measureRound(planned(options), measuredMs), expected))
  }

  it('never has more registrations of one client than the server allows', () => {
    const plan = { ...planned({ ...timed, benchmarkType: 'REGISTER' }), maxPeerRegistrations: 30 }
    assert.deepEqual(measureRound(plan, 0), { operations: 120, durationMs: 10_000 })
  })
})

describe('the next round of the warm-up', () => {
  const discover = { benchmarkType: 'DISCOVER', benchmarkRuns: 5000, nClients: 8, workers: 2, warmup: '2s' }
  /** @type {[string, Options, { ms: number, operations: number }, ReturnType<typeof warmupRound>][]} */
  const cases = [
    [
      'has 1,000 operations a worker',
      discover,
      { ms: 0, operations: 0 },
      { operations: 2000, durationMs: 10_000 }
    ],
    ['is none when time and operations are reached', discover, { ms: 2000, operations: 2000 }, null],
    [
      'comes when only the operations are reached',
      discover,
      { ms: 1999, operations: 50_000 },
      { operations: 2000, durationMs: 8001 }
    ],
    [
      'comes when only the time is reached',
      discover,
      { ms: 2000, operations: 1999 },
      { operations: 2000, durationMs: 8000 }
    ],
    [
      'is none after five times the time, however few operations there were',
      discover,
      { ms: 10_000, operations: 3 },
      null
    ],
    ['is none without a warm-up', { ...discover, warmup: 0 }, { ms: 0, operations: 0 }, null],
    [
      'is no larger than a round of the plan, but 1,000 operations at least',
      { ...discover, benchmarkRuns: 100 },
      { ms: 0, operations: 0 },
      { operations: 1000, durationMs: 10_000 }
    ],
    [
      'has 1,000 operations a client where they change the state',
      { ...discover, benchmarkType: 'REGISTER', benchmarkRuns: 50_000, maxPeerRegistrations: 50_000 },
      { ms: 0, operations: 0 },
      { operations: 8000, durationMs: 10_000 }
    ],
    [
      'has its own size when the plan has a duration',
      { benchmarkType: 'DISCOVER', duration: '5s', nClients: 8, workers: 2, warmup: '2s' },
      { ms: 0, operations: 0 },
      { operations: 2000, durationMs: 10_000 }
    ]
  ]
  for (const [name, options, done, expected] of cases) {
    it(name, () => assert.deepEqual(warmupRound(planned(options), done), expected))
  }

  it('always ends, at any pace of the server', () => {
    for (const perSecond of [0, 3, 400, 1e6]) {
      const plan = planned({ ...discover, workers: 1 })
      const done = { ms: 0, operations: 0 }
      let rounds = 0
      for (let round = warmupRound(plan, done); round != null; round = warmupRound(plan, done)) {
        const ms = Math.min(round.durationMs ?? 0, ((round.operations ?? 0) * 1000) / perSecond) + 30
        done.ms += ms
        done.operations += Math.floor((ms * perSecond) / 1000)
        assert.ok(++rounds < 1000)
      }
      assert.ok(done.ms >= 2000 && done.ms <= 10_100)
    }
  })
})

describe('a warm-up between two rates takes a second at most', () => {
  for (const [warmup, ms, durationMs] of /** @type {const} */ ([
    ['2s', 0, 1000],
    ['500ms', 0, 500],
    ['2s', 990, null],
    ['0s', 0, null]
  ]))
    it(`of ${warmup}, after ${ms} ms`, () =>
      assert.equal(rewarmRound(planned({ rate: 5, warmup }), { ms })?.durationMs ?? null, durationMs))

  it('in no more operations than can be taken back', () =>
    assert.deepEqual(rewarmRound(planned({ rate: 5000, nClients: 2 }), { ms: 0 }), {
      operations: 2000,
      durationMs: 1000
    }))
})
