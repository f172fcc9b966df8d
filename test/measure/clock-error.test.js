import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { clockErrorOf, withheldBelow } from '../../src/measure/distribution.js'

const at = (/** @type {number} */ ms) => ({ ms, censored: false })

describe('times between machines', () => {
  it('are off by as much as the two clocks that are known least', () => {
    const machines = [0.2, 0.5, 0.3].map(errorMs => ({ clock: { errorMs } }))
    assert.equal(clockErrorOf(machines), 0.8)
    assert.equal(clockErrorOf(machines.slice(0, 1)), 0)
    assert.equal(clockErrorOf([]), 0)
    assert.equal(clockErrorOf([...machines, { clock: null }]), Number.POSITIVE_INFINITY)
  })

  it('are left out where they are less than that', () => {
    const times = {
      count: 90,
      avg: at(2),
      p50: at(0.7),
      p90: at(0.8),
      p95: at(3),
      p99: null,
      p999: null,
      max: at(9)
    }
    assert.deepEqual(withheldBelow(times, 0.8), { ...times, p50: null })
  })
})
