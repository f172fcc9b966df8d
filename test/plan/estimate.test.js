import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { etaWords } from '../../src/cli/progress.js'
import { estimateOf, remainingMs } from '../../src/plan/plan.js'
import { sameParts } from '../../src/scenarios/rendezvous/plan/rendezvous-plan.js'
import { RENDEZVOUS } from '../../src/scenarios/rendezvous/scenario.js'
import { planned } from './planned.js'

/** @param {number} estimateMs @param {number} [fixedMs] @param {boolean} [goesOn] */
const about = (estimateMs, fixedMs = 0, goesOn = false) => ({ estimateMs, fixedMs, goesOn })

describe('the time that is left of a study', () => {
  test('goes by the estimates, and by the pace as soon as there is one', () => {
    assert.equal(remainingMs([], [about(1000), about(2000)]), 3000)
    const done = [
      { ...about(1000), tookMs: 1500 },
      { ...about(1000), tookMs: 2500 }
    ]
    assert.equal(remainingMs(done, [about(1000)]), 2000)
    assert.equal(remainingMs(done, []), 0)
  })

  test('has no pace in what takes as long anywhere', () => {
    // 1 s of the first run could vary, and took 3 s
    const done = [{ ...about(11_000, 10_000), tookMs: 13_000 }]
    assert.equal(remainingMs(done, [about(91_000, 90_000)]), 93_000)
  })

  test('has a pace of its own where runs go on with what was left up', () => {
    const done = [{ ...about(2000), tookMs: 8000 }]
    assert.equal(remainingMs(done, [about(500, 0, true)]), 500)
    const both = [...done, { ...about(500, 0, true), tookMs: 1000 }]
    assert.equal(remainingMs(both, [about(500, 0, true), about(2000)]), 9000)
  })
})

describe('a grid is estimated by a range before its first cell, and within 30 % after it', () => {
  /**
   * Cells of a grid on a machine that starts things so many times slower than the one the estimates are from.
   *
   * @param {number} seconds
   * @param {number} slower
   */
  function gridOf(seconds, slower) {
    const plans = [1, 2, 4].flatMap(nClients =>
      [25, 50, 100, 200].map(rate =>
        planned({ rate: rate * nClients, nClients, registerMode: 'refresh', duration: `${seconds}s` })
      )
    )
    return plans.map((plan, i) => {
      const goesOn = i > 0 && sameParts(plans[i - 1], plan)
      const starts = goesOn ? 400 : i === 0 ? 3000 : 2000
      const warmsUp = goesOn ? 1000 : 2500
      return {
        ...estimateOf(RENDEZVOUS, plan, goesOn),
        tookMs: 1000 * seconds + warmsUp + slower * starts
      }
    })
  }

  for (const seconds of [3, 10, 90])
    for (const slower of [0.7, 1, 3])
      test(`cells of ${seconds} s, ${slower} × as slow`, () => {
        const cells = gridOf(seconds, slower)
        const took = (/** @type {number} */ from) =>
          cells.slice(from).reduce((sum, { tookMs }) => sum + tookMs, 0)
        const before = remainingMs([], cells)
        assert.ok(before * 0.7 <= took(0) && took(0) <= 3 * before, `${before} of ${took(0)}`)
        const ratio = remainingMs(cells.slice(0, 1), cells.slice(1)) / took(1)
        assert.ok(ratio > 0.7 && ratio < 1.3, `${ratio}`)
      })

  test('and says so', () => {
    assert.equal(etaWords({ etaMs: 60_000, paceKnown: false }), 'ETA 1 min 0 s to 3 min 0 s')
    assert.equal(etaWords({ etaMs: 60_000, paceKnown: true }), 'ETA 1 min 0 s')
  })
})
