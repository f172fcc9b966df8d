import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { changesState, measuredLength, warmUpLength } from '../../src/load/clients.js'
import { planned } from '../plan/planned.js'

/** @typedef {Record<string, unknown>} Options */

describe('a plan changes how many registrations the server holds', () => {
  for (const [options, changes] of /** @type {[Options, boolean][]} */ ([
    [{ benchmarkType: 'REGISTER' }, false],
    [{ benchmarkType: 'REGISTER', registerMode: 'new' }, true],
    [{ benchmarkType: 'DISCOVER' }, false],
    [{ benchmarkType: 'UNREGISTER' }, true],
    [{ benchmarkType: 'MIXED' }, false],
    [{ benchmarkType: 'MIXED', registerMode: 'new' }, true],
    [{ providers: 1, discoverers: 2 }, false]
  ])) {
    it(`${changes ? '' : 'not '}with ${Object.entries(options).join(', ')}`, () =>
      assert.equal(changesState(planned(options)), changes))
  }
})

describe('the measurement', () => {
  const open = { rate: 500, benchmarkType: 'DISCOVER' }
  const roles = { providers: 1, discoverers: 2 }
  /** @type {[string, Options, [operations: number | null, durationMs: number | null, minDurationMs: number]][]} */
  const cases = [
    ['goes on for 10 s where nothing is said', {}, [null, 10_000, 0]],
    ['has as many operations as were asked for', { benchmarkRuns: 137 }, [137, null, 0]],
    ['goes on for the duration', { duration: '30s' }, [null, 30_000, 0]],
    ['ends with what comes first', { duration: '30s', benchmarkRuns: 137 }, [137, 30_000, 0]],
    ['goes on until enough was measured', { benchmarkRuns: 137, minDuration: '3s' }, [137, null, 3000]],
    [
      'ends before new registrations reach the cap of the server',
      { registerMode: 'new', maxPeerRegistrations: 30, nClients: 4 },
      [120, 10_000, 0]
    ],
    [
      'ends before there is nothing left to unregister',
      { benchmarkType: 'UNREGISTER', maxPeerRegistrations: 30, nClients: 4, duration: '3s' },
      [120, 3000, 0]
    ],
    ['of the open model has what is due in the time', open, [5000, null, 0]],
    [
      'of the open model has what is due first',
      { ...open, benchmarkRuns: 300, duration: '2s' },
      [300, null, 0]
    ],
    [
      'of the open model has what is due until enough was measured',
      { ...open, benchmarkRuns: 300, minDuration: '2s' },
      [1000, null, 0]
    ],
    ['of the open model has one operation at least', { ...open, rate: 0.01, duration: '1s' }, [1, null, 0]],
    ['of roles goes on for their time', roles, [null, 10_000, 0]],
    [
      'of roles at rates too',
      { ...roles, providerRate: 1, discovererRate: 2, duration: '3s' },
      [null, 3000, 0]
    ]
  ]
  for (const [name, options, [operations, durationMs, minDurationMs]] of cases)
    it(name, () =>
      assert.deepEqual(measuredLength(planned(options)), { operations, durationMs, minDurationMs })
    )
})

describe('the rest of a stretch of the warm-up', () => {
  const discover = { benchmarkType: 'DISCOVER', nClients: 8 }
  const register = { benchmarkType: 'REGISTER', registerMode: 'new', nClients: 8 }
  /** @type {[string, Options, number, number | null | undefined][]} */
  const cases = [
    ['has as many operations as come', discover, 700, null],
    ['is none where next to no time is left', discover, 49, undefined],
    ['is none when it is over', discover, -20, undefined],
    ['adds no more than the measurement', { ...register, benchmarkRuns: 5000 }, 700, 5000],
    ['has 1,000 operations all the same', { ...register, benchmarkRuns: 100 }, 700, 1000]
  ]
  for (const [name, options, leftMs, operations] of cases)
    it(name, () => assert.equal(warmUpLength(planned(options), leftMs)?.operations, operations))
})
