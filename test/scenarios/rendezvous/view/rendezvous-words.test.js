import '../../../../src/node-shim.js'
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { loadInLine, operationsInLine } from '../../../../src/scenarios/rendezvous/view/operations-in-line.js'
import { RENDEZVOUS_MATRIX } from '../../../../src/scenarios/rendezvous/view/rendezvous-matrix.js'
import { RENDEZVOUS_WORDS } from '../../../../src/scenarios/rendezvous/view/rendezvous-words.js'
import { planned } from '../../../plan/planned.js'
import { operation, sampleResult, summary, time } from '../../../report/sample-result.js'

const TARGET = '/ip4/127.0.0.1/tcp/4001/p2p/12D3KooWGDL7oNHzMG3KQAUhxFs1MzX8PoZLuh99JGs6NqwScPWt'

describe('a run in a line', () => {
  it('says what was run', () => {
    const result = sampleResult({ options: { initialRegistrations: 5000 } })
    assert.match(loadInLine(result), /, 5,000 registrations$/)
    assert.ok(loadInLine(result).startsWith(`${RENDEZVOUS_WORDS.work(result.plan)}, `))
  })

  it('says what came of each operation, or that nothing did', () => {
    const rt = summary(500, { p50: time(2), p99: time(9) })
    const operations = /** @type {any} */ ({
      REGISTER: operation({ all: rt }),
      DISCOVER: operation({ all: rt })
    })
    const line = operationsInLine(sampleResult({ outcome: { operations } }))
    assert.match(line, /^REGISTER \S+ op\/s, p50 2\.00 ms, p99 9\.00 ms; DISCOVER \S+ op\/s, /)
    assert.equal(operationsInLine(sampleResult({ outcome: { operations: {} } })), '–')
  })

  it('counts operations that are too few for a rate', () => {
    const operations = /** @type {any} */ ({
      CONNECT: operation({ count: 1, throughputPerSecond: 43.7 }),
      REGISTER: operation({ count: 19, errors: 2 }),
      DISCOVER: operation({ count: 20 })
    })
    const result = sampleResult({ outcome: { operations } })
    assert.match(
      operationsInLine(result),
      /^CONNECT 1 operation; REGISTER 19 operations \(2 without success\); DISCOVER 250 op\/s, /
    )
    assert.equal(
      RENDEZVOUS_MATRIX.inLine(result),
      'CONNECT 1 operation, REGISTER 19 operations (2 without success), DISCOVER 250 op/s p50 15.0 ms'
    )
  })
})

describe('phases of a run in words', () => {
  const { phases } = /** @type {any} */ (RENDEZVOUS_WORDS)

  it('say whether the server is ours', () => {
    const [ours, another] = [planned({}), planned({ target: TARGET })]
    assert.deepEqual(phases.setup(ours), ['starting the server', 'server ready'])
    assert.deepEqual(phases.setup(another), ['looking for the target', 'target'])
    assert.deepEqual(
      [phases.teardown(ours)[1], phases.teardown(another)[1]],
      ['server stopped', 'cleared up']
    )
  })

  it('say how much there is of what they make', () => {
    assert.deepEqual(phases.preload({ initialRegistrations: 1 })[1], '1 registration')
    assert.deepEqual(phases.connect({ nClients: 1200 })[1], '1,200 clients connected')
  })

  it('say how long operations are sent for, or how many', () => {
    assert.match(RENDEZVOUS_WORDS.work(planned({ benchmarkRuns: 3000 })), /^3,000 /)
    assert.match(RENDEZVOUS_WORDS.work(planned({ duration: '90s' })), /^1 min 30 s of /)
  })
})
