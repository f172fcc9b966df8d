import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { judgeCase } from '../../../src/scenarios/transfer/figures.js'

const IDLE = { cpuMs: 0, wallMs: 0 }

/** @param {object} [measured] @param {object} [more] */
const verdictOf = (measured, more) =>
  judgeCase(
    /** @type {any} */ ({
      ...{ way: 'http', latencyMs: 50, bytesPerSecond: null, roundTripMs: 100 },
      ...{ goodput: { median: 1e6 }, seconds: { median: 10 } },
      ...measured
    }),
    /** @type {any} */ ({
      batches: [{ provider: IDLE, requestors: [IDLE] }],
      ...{ transfers: [], transport: 'tcp', network: 'loopback' },
      ...more
    })
  )

describe('what limited a way', () => {
  it('is the line, which requestors share', () => {
    const two = { batches: [{ provider: IDLE, requestors: [IDLE, IDLE] }] }
    const { model, verdict } = verdictOf({ bytesPerSecond: 2e6 }, two)
    assert.deepEqual([model.bytesPerSecond, verdict], [1e6, { limit: 'line', text: 'the line: 100 % of it' }])
  })

  it('is the window, full or still growing, of ways over libp2p', () => {
    const full = (16 << 20) / 0.1
    const { windowBytes, verdict } = verdictOf({ way: 'stream', goodput: { median: full } })
    assert.deepEqual([windowBytes, verdict.limit], [16 << 20, 'window'])
    const actual = verdict.text
    assert.match(actual, /^the window: 16\.8 MB were in flight, .* begin with 0\.262 MB and grow to 16\.8 MB/)
    const growing = verdictOf({ way: 'stream', goodput: { median: 1e7 } }).verdict
    assert.equal(growing.limit, 'growing window')
    assert.match(growing.text, /^the window, while it grew: 1\.00 MB were in flight/)
  })

  it('is no window by quic, or by http', () => {
    assert.equal(verdictOf({ way: 'stream' }, { transport: 'quic' }).windowBytes, null)
    assert.equal(verdictOf({ way: 'http' }).windowBytes, null)
  })

  it('is TCP of the kernel between namespaces, and waiting at sockets of this host', () => {
    const { verdict } = verdictOf({}, { network: 'namespaces' })
    assert.deepEqual(verdict, {
      limit: 'TCP',
      text: 'TCP: slow start, its window, or retransmissions; provider 0 %, requestor 0 % of a core were used'
    })
    assert.equal(verdictOf().verdict.limit, 'waiting')
  })

  it('is how many round trips it took, where the first byte is not known', () => {
    const { verdict } = verdictOf({ seconds: { median: 0.2 } })
    assert.deepEqual(verdict, { limit: 'round trips', text: 'round trips: it took 2.00 of them' })
  })

  it('is the CPU of the side that is busy', () => {
    const busy = { cpuMs: 990, wallMs: 1000 }
    const { verdict } = verdictOf({ latencyMs: 0 }, { batches: [{ provider: busy, requestors: [IDLE] }] })
    assert.deepEqual(verdict, {
      limit: 'CPU of the provider',
      text: 'the CPU of the provider: provider 99 %, requestor 0 % of a core'
    })
  })
})
