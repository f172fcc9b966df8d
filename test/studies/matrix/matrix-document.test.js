import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  areRunsDone,
  chooseAttempts,
  estimateOwnPressure,
  isRunDone,
  isUnderPressure
} from '../../../src/studies/matrix/matrix-document.js'

/** @param {number} run @param {number | null} pressurePercent @param {object} [parts] */
const attempt = (run, pressurePercent, parts = {}) => ({
  run,
  status: /** @type {const} */ ('complete'),
  result: `${run}-${pressurePercent}`,
  tookMs: 1,
  pressurePercent,
  stealPercent: 0,
  ...parts
})

describe('a run is repeated', () => {
  for (const [what, pressurePercent, stealPercent, pressed] of /** @type {const} */ ([
    ['when something waited for a core for more than 10 % of the time', 10.1, 0, true],
    ['not at 10 %', 10, 0, false],
    ['when other guests took more than 1 %', 0, 1.1, true],
    ['not at 1 %', 0, 1, false],
    ['not where the system does not tell', null, null, false]
  ]))
    test(what, () => {
      const attempts = [attempt(1, pressurePercent, { stealPercent })]
      assert.equal(isUnderPressure({ runs: 3, attempts }, attempts[0]), pressed)
    })

  test('three times at most', () => {
    const attempts = [60, 40, 20].map(pressure => attempt(1, pressure))
    assert.equal(isRunDone({ runs: 3, attempts }, 1), false)
    assert.equal(isRunDone({ runs: 3, attempts: [...attempts, attempt(1, 80)] }, 1), true)
    assert.equal(isRunDone({ runs: 3, attempts: [...attempts, attempt(1, 4)] }, 1), true)
  })

  test('and one that did not come to its end is none', () => {
    const attempts = Array.from({ length: 5 }, () => attempt(1, 3, { status: 'interrupted' }))
    assert.equal(isRunDone({ runs: 3, attempts }, 1), false)
    assert.deepEqual(chooseAttempts({ runs: 3, attempts }), [])
  })
})

describe('pressure that the load of a row makes itself', () => {
  const of = (/** @type {Parameters<typeof attempt>[]} */ ...attempts) => ({
    runs: 3,
    attempts: attempts.map(each => attempt(...each))
  })

  test('is what two attempts agree on, within a quarter: no third one is made, and the first counts', () => {
    const row = of([1, 20], [1, 25])
    assert.equal(estimateOwnPressure(row, 1), 25)
    assert.equal(isRunDone(row, 1), true)
    assert.equal(chooseAttempts(row)[0], row.attempts[0])
  })

  test('is not known where they do not', () => {
    assert.equal(estimateOwnPressure(of([1, 20], [1, 25.1]), 1), null)
    assert.equal(isRunDone(of([1, 20], [1, 25.1]), 1), false)
    assert.equal(estimateOwnPressure(of([1, 20]), 1), null)
    assert.equal(estimateOwnPressure(of([1, null], [1, null]), 1), null)
  })

  test('tells an attempt that had more, from elsewhere, from those that count', () => {
    const row = of([1, 60], [1, 21], [1, 20])
    assert.equal(isRunDone(row, 1), true)
    assert.equal(chooseAttempts(row)[0], row.attempts[1])
  })

  test('is not made out once more for the next run, which is repeated where it has more', () => {
    assert.equal(isRunDone(of([1, 20], [1, 21], [2, 26]), 2), true)
    assert.equal(isRunDone(of([1, 20], [1, 21], [2, 27]), 2), false)
  })

  test('does not open a run that was over', () =>
    assert.equal(isRunDone(of([1, 40], [1, 41], [2, 12], [2, 12.5]), 1), true))

  test('is not what other guests of the host take', () =>
    assert.equal(isRunDone(of([1, 20, { stealPercent: 2 }], [1, 20, { stealPercent: 2 }]), 1), false))
})

test('of each run the first attempt without pressure counts, else the one with the least', () => {
  const attempts = [
    ...[30, 3, 2].map(pressure => attempt(1, pressure)),
    ...[90, 12, 70, 40].map(pressure => attempt(2, pressure)),
    attempt(3, 0)
  ]
  assert.equal(
    chooseAttempts({ runs: 3, attempts })
      .map(({ result }) => result)
      .join(' '),
    '1-3 2-12 3-0'
  )
  assert.equal(areRunsDone({ runs: 3, attempts }), true)
  assert.equal(areRunsDone({ runs: 5, attempts }), false)
})
