import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { arrivalsInWords, rateInWords } from '../../src/report/describe-run.js'

/** @typedef {import('../../src/plan/arrivals.js').Arrivals} Arrivals */

const spacing = 'constant'
/** @param {number} count */
const steps = count => ({
  shape: 'steps',
  spacing,
  ratesPerSecond: Array.from({ length: count }, (_, i) => 10 * (i + 1))
})
/** @param {object} parts */
const replay = parts => ({
  shape: 'replay',
  path: 'a.csv',
  unit: 'ms',
  column: null,
  speed: 1,
  count: 5,
  ...parts
})

describe('a rate that changes is told as it was asked for', () => {
  /** @type {[string, object, string][]} at 100/s */
  const cases = [
    ['a ramp up', { shape: 'ramp', toPerSecond: 500, spacing }, '100/s rising to 500/s'],
    ['a ramp down', { shape: 'ramp', toPerSecond: 20, spacing }, '100/s falling to 20.0/s'],
    ['a few steps, each', steps(3), 'steps of 10.0/s, 20.0/s, 30.0/s'],
    ['many steps, the first and the last', steps(9), '9 steps from 10.0/s to 90.0/s'],
    [
      'waves as long as the run',
      { shape: 'sine', amplitude: 0.8, periodMs: null, spacing },
      '100/s ± 80.0 % in waves of the whole duration'
    ],
    [
      'waves',
      { shape: 'sine', amplitude: 0.5, periodMs: 60_000, spacing },
      '100/s ± 50.0 % in waves of 1 min 0 s'
    ],
    ['times that are kept', replay({}), 'the times in a.csv (5 arrivals)'],
    [
      'a single one, faster',
      replay({ count: 1, speed: 2 }),
      'the times in a.csv (1 arrival, 2 times as fast)'
    ]
  ]
  for (const [what, arrivals, words] of cases)
    test(what, () => {
      assert.equal(rateInWords(/** @type {Arrivals} */ (arrivals), 100), words)
      assert.equal(arrivalsInWords(/** @type {Arrivals} */ (arrivals), 100), words)
    })
})

test('arrivals by chance are named, at one rate and at one that changes', () => {
  assert.equal(rateInWords('poisson', 100), '100/s')
  assert.equal(arrivalsInWords('poisson', 100), '100/s (poisson arrivals)')
  assert.equal(arrivalsInWords('constant', 100), '100/s (constant arrivals)')
  assert.equal(
    arrivalsInWords({ shape: 'ramp', toPerSecond: 500, spacing: 'poisson' }, 100),
    '100/s rising to 500/s (poisson arrivals)'
  )
})
