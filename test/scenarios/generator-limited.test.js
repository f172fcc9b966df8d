import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { generatorLimited } from '../../src/report/warnings.js'

/** @typedef {import('../../src/report/schema.js').LimitedBy} LimitedBy */

const health = [{ worker: 0, utilization: 0.6 }]
/** @type {[string, any][]} */
const times = [['REGISTER', { p50: { ms: 1, overheadMs: 0.6 }, p99: { ms: 3, overheadMs: 1 } }]]

/** @param {LimitedBy['by']} by @param {boolean} [open] @returns {LimitedBy} */
const limitedBy = (by, open = false) => ({
  by,
  shares: [
    { name: 'server CPU', percent: 92 },
    { name: 'load generator', percent: 70 },
    ...(open ? [{ name: /** @type {const} */ ('offered load'), percent: 90 }] : [])
  ]
})

describe('overhead of more than half of a percentile makes a run generator-limited', () => {
  it('where clients wait for replies and the load generator was used up, too', () => {
    const [warning] = generatorLimited({
      health,
      limitedBy: limitedBy(['server CPU', 'load generator']),
      times
    })
    assert.deepEqual(warning.values.overheads, [{ of: 'REGISTER', share: 0.5, ms: 1, overheadMs: 0.6 }])
  })

  it('not where they used up the server alone, which their times follow from', () => {
    assert.deepEqual(generatorLimited({ health, limitedBy: limitedBy(['server CPU']), times }), [])
  })

  it('of the open model whatever limited it, for operations are due at their time', () => {
    assert.equal(generatorLimited({ health, limitedBy: limitedBy(['server CPU'], true), times }).length, 1)
  })
})
