import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { figureNamed } from '../../../src/plan/threshold.js'
import { OPERATION_FIGURES } from '../../../src/scenarios/rendezvous/figures.js'
import { operation, SERVER, sampleResult, summary } from '../../report/sample-result.js'
import { judge, readThreshold } from '../../scenarios.js'

const cpu = /** @type {import('../../../src/measure/figure.js').Figure} */ (
  figureNamed(OPERATION_FIGURES, 'cpu')
)

/** 100 % of a core for 2 s. */
const server = { ...SERVER, cpu: { ...SERVER.cpu, averagePercent: 100 } }

/** @param {Partial<import('../../../src/report/schema.js').Result['outcome']>} outcome */
const microsOf = outcome => cpu.read(sampleResult({ outcome: { server, ...outcome } }).outcome).value

describe('server CPU per operation of a mix', () => {
  const operations = {
    REGISTER: operation({
      count: 500,
      outcomes: { OK: 300, E_NOT_AUTHORIZED: 100, TIMEOUT: 60, DROPPED: 40 }
    }),
    DISCOVER: operation({ count: 300, outcomes: { OK: 90, BAD_REPLY: 10, REFUSED: 150, INTERRUPTED: 50 } }),
    CONNECT: operation({ count: 800, outcomes: { OK: 800 } })
  }

  it('is of what the server served, errors too, and not of what had no reply', () => {
    assert.equal(microsOf({ operations }), 2e6 / (400 + 100))
  })

  it('is none where nothing was served', () => {
    const outcomes = { REFUSED: 500 }
    assert.equal(microsOf({ operations: { REGISTER: operation({ outcomes, errors: 500 }) } }), null)
  })
})

it('a threshold can be set on staleness, which is known at the end', () => {
  const read = readThreshold('staleness.p50 < 50ms', 'rendezvous')
  assert.ok('value' in read, JSON.stringify(read))
  const passed = (/** @type {object} */ outcome) =>
    judge(read.value, sampleResult({ outcome }).outcome).passed
  const staleness = { ...summary(100), notSeen: 0, histogram: '' }
  assert.deepEqual([passed({ staleness }), passed({})], [true, false])
  const p50 = { ms: 15, censored: true }
  assert.equal(passed({ staleness: { ...staleness, p50 } }), false)
})
