import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { changesState, measureRound, warmupRound } from '../../src/load/rounds.js'
import { planned } from '../plan/planned.js'

/** @typedef {Record<string, unknown>} Options */

describe('a plan changes what the server holds', () => {
  for (const [options, changes] of /** @type {[Options, boolean][]} */ ([
    [{ benchmarkType: 'REGISTER' }, true],
    [{ benchmarkType: 'REGISTER', registerMode: 'refresh' }, false],
    [{ benchmarkType: 'DISCOVER' }, false],
    [{ benchmarkType: 'UNREGISTER' }, true],
    [{ benchmarkType: 'MIXED' }, true],
    [{ benchmarkType: 'MIXED', registerMode: 'refresh' }, true],
    [{ providers: 1, discoverers: 2 }, false]
  ])) {
    it(`${changes ? '' : 'not '}with ${Object.entries(options).join(', ')}`, () =>
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
      'with roles of the closed model has what is left of their time',
      { providers: 1, discoverers: 2 },
      4000,
      { operations: null, durationMs: 6000 }
    ],
    [
      'with roles of the open model has what is due of each in the time',
      { providers: 1, discoverers: 2, providerRate: 1, discovererRate: 2, duration: '3s' },
      0,
      { operations: null, durationMs: 3000 }
    ],
    [
      'with roles of the open model comes once, though the last is due before the end',
      { providers: 1, discoverers: 2, providerRate: 1, discovererRate: 2, duration: '3s' },
      2500,
      null
    ],
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
  const discover = { benchmarkType: 'DISCOVER', benchmarkRuns: 5000, nClients: 8 }
  const register = { ...discover, benchmarkType: 'REGISTER' }
  /** @type {[string, Options, number, ReturnType<typeof warmupRound>][]} */
  const cases = [
    ['has what is left of its stretch', discover, 700, { operations: null, durationMs: 700 }],
    ['is none where that is next to nothing', discover, 49, null],
    ['is none when it is over', discover, -20, null],
    [
      'is no larger than one of the plan where operations change the state',
      register,
      700,
      { operations: 5000, durationMs: 700 }
    ],
    [
      'has 1,000 operations all the same',
      { ...register, benchmarkRuns: 100 },
      700,
      { operations: 1000, durationMs: 700 }
    ],
    [
      'has 1,000 operations a client at most where they change the state',
      { ...register, benchmarkRuns: 50_000, maxPeerRegistrations: 50_000 },
      700,
      { operations: 8000, durationMs: 700 }
    ]
  ]
  for (const [name, options, leftMs, expected] of cases)
    it(name, () => assert.deepEqual(warmupRound(planned(options), leftMs), expected))
})
