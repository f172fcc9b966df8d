import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { makeSubStream } from '../../../src/kit/random.js'
import { makeJitterSampler } from '../../../src/network/link-properties.js'
import { LosslessSending, openTcpSending, TcpSending } from '../../../src/network/links/tcp-connection.js'
import { BARE, MS, pathOf } from './connection.js'

const WRITES = 400
const LATENCY_NS = 20 * MS

/** @param {number} seed @param {number | null} bytesPerSecond - of the sender's line @returns {import('../../../src/network/links/tcp-connection.js').TcpParts} */
function partsOf(seed, bytesPerSecond) {
  const latency = makeJitterSampler(
    { kind: 'share', share: 0.5 },
    { latencyNs: LATENCY_NS, random: makeSubStream(seed, 'jitter') }
  )
  return {
    path: pathOf({ latencyNs: LATENCY_NS, bytesPerSecond, latency }),
    layers: BARE,
    rttNs: 2 * LATENCY_NS,
    returnNs: LATENCY_NS,
    lossShare: 0,
    random: () => 1,
    answerRandom: () => 1,
    cut: null
  }
}

/**
 * play sends the same writes at the same times over whichever TCP it is given: single ones, bursts that wait for the window, pauses after which it
 * begins anew.
 *
 * @param {(far: import('../../../src/network/links/direction.js').FarEnd) => import('../../../src/network/links/direction.js').Sending} open
 * @param {number} seed
 * @returns {(string | number)[][]} what is told: writes that can be read, and when; and after each write, what waits and what has left
 */
function play(open, seed) {
  const random = makeSubStream(seed, 'traffic')
  const told = /** @type {(string | number)[][]} */ ([])
  const sending = open({
    arrives: (writes, atNs) => void told.push(['arrives', writes, atNs]),
    written: () => assert.fail('no line is limited'),
    flies: () => assert.fail('no line is limited')
  })
  let nowNs = 0
  const runUntil = (/** @type {number} */ endNs) => {
    while (sending.nextNs <= endNs && sending.nextNs < Infinity) {
      nowNs = sending.nextNs
      sending.run(nowNs)
    }
  }
  for (let left = WRITES; left > 0; left -= 1) {
    const pauseNs = Math.floor(random() * (random() < 0.05 ? 1000 : 10) * MS)
    runUntil(nowNs + pauseNs)
    nowNs += pauseNs
    sending.send(1 + Math.floor(random() * (random() < 0.1 ? 60_000 : 2000)), nowNs)
    told.push(['waits', sending.departures.bytes(nowNs), sending.departures.count(nowNs)])
  }
  runUntil(Infinity)
  return told
}

describe('a TCP connection that loses nothing', () => {
  for (const bytesPerSecond of [null, 2e6])
    for (let seed = 1; seed <= 10; seed += 1)
      it(`tells what one that could lose something tells: seed ${seed}, ${bytesPerSecond ?? 'any number of'} bytes a second`, () => {
        const asked = play(far => new TcpSending(partsOf(seed, bytesPerSecond), far), seed)
        const found = play(far => new LosslessSending(partsOf(seed, bytesPerSecond), far), seed)
        assert.deepEqual(found, asked)
        assert.ok(
          asked.some(([what, writes]) => what === 'arrives' && Number(writes) > 1),
          'bursts have waited for the window'
        )
      })

  it('is what is opened where nothing can be lost', () => {
    const far = { arrives: () => {}, written: () => {}, flies: () => {} }
    const parts = partsOf(1, null)
    assert.ok(openTcpSending(parts, far) instanceof LosslessSending)
    assert.ok(openTcpSending({ ...parts, lossShare: 0.01 }, far) instanceof TcpSending)
    assert.ok(openTcpSending({ ...parts, cut: () => false }, far) instanceof TcpSending)
  })
})
