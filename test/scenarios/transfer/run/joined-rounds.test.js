import '../../../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { RoundLinks } from '../../../../src/scenarios/transfer/run/transfer-processes.js'
import { validPlanOf } from '../../../scenarios.js'

const FIRST = { latencyMs: 0, bytesPerSecond: null }
const SECOND = { latencyMs: 50, bytesPerSecond: 10e6 }

/** Rounds over a network of namespaces that tells what was dropped in each. @param {number[]} dropped */
function fakeRounds(dropped) {
  const options = { latencies: '50ms', bandwidths: '10mb', ways: 'http', requestors: 2 }
  const rounds = new RoundLinks(validPlanOf('transfer', options))
  /** @type {any[]} */
  const log = []
  rounds.joined = /** @type {any} */ ({
    network: { relink: async (/** @type {any} */ links) => log.push(links) },
    figures: { dropped: dropped.shift() },
    begin: async () => log.push('begin'),
    over() {
      log.push('over')
    },
    host: () => '10.0.0.1'
  })
  const joined = /** @type {any} */ (rounds.joined)
  return { rounds, log, tellNext: () => Object.assign(joined, { figures: { dropped: dropped.shift() } }) }
}

describe('rounds that namespaces join', () => {
  it('have links of their own, which change between rounds while nothing is sent', async () => {
    const { rounds, log } = fakeRounds([0, 0])
    await rounds.go(FIRST)
    assert.equal(log.length, 0)
    await rounds.go(SECOND)
    const [over, links, begin] = log
    assert.deepEqual([over, begin, log.length], ['over', 'begin', 3])
    assert.deepEqual([links.linkLatencyMs, links.nodes, links.upBandwidthBytesPerSecond], [50, 3, 10e6])
    await rounds.go(FIRST)
    assert.deepEqual([log[4].linkLatencyMs, log[4].upBandwidthBytesPerSecond], [0, null])
  })

  it('have figures each', async () => {
    const { rounds, tellNext } = fakeRounds([3, 7, 0])
    assert.deepEqual(rounds.figures, [{ ...FIRST, dropped: 3 }])
    await rounds.go(SECOND)
    tellNext()
    assert.deepEqual(rounds.figures, [
      { ...FIRST, dropped: 3 },
      { ...SECOND, dropped: 7 }
    ])
    await rounds.go(FIRST)
    tellNext()
    assert.deepEqual(rounds.figures.at(-1), { ...FIRST, dropped: 0 })
  })

  it('put no line behind sockets', () => {
    const { rounds } = fakeRounds([0])
    assert.deepEqual(rounds.settings(SECOND), { host: '10.0.0.1', line: null })
  })
})

it('rounds on loopback put a line behind sockets, unless nothing is asked of it', async () => {
  const rounds = new RoundLinks(validPlanOf('transfer', { ways: 'http' }))
  await rounds.start(() => {})
  assert.deepEqual(rounds.settings(SECOND), { host: '127.0.0.1', line: SECOND })
  assert.equal(rounds.settings(FIRST).line, null)
  await rounds.go(SECOND)
  assert.deepEqual(rounds.figures, [])
})
