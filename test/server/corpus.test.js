import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import {
  encodeDiscover,
  encodeFrame,
  encodeRegister,
  encodeUnregister
} from '../../src/protocol/rendezvous.js'
import { makePeer, startService } from './harness.js'
import { random } from './store/random.js'

// 100,000 take about a minute
const COUNT = Number(process.env.HOSTILE_FRAMES ?? 10_000)
// streams open at once, each with a piece or two
const AT_ONCE = 200

const alice = await makePeer()
const good = { ns: 'ns', signedPeerRecord: alice.record, ttl: 7200 }
const GOOD = [
  encodeRegister(good),
  encodeRegister({ ...good, ns: 'x'.repeat(255) }),
  encodeDiscover({ ns: 'ns', limit: 3 }),
  encodeDiscover({ cookie: new Uint8Array(24) }),
  encodeUnregister({ ns: 'ns' }),
  new Uint8Array(0)
].map(encodeFrame)

/** @typedef {(below: number) => number} Draw - a whole number from 0 */

/** @type {Record<string, (frame: Uint8Array, draw: Draw) => Uint8Array[]>} what is done to a frame: pieces */
const changes = {
  truncated: (frame, draw) => [frame.subarray(0, draw(frame.length))],
  flipped: (frame, draw) => {
    const bytes = frame.slice()
    for (let flips = 1 + draw(3); flips > 0; flips--) bytes[draw(bytes.length)] ^= 1 << draw(8)
    return [bytes]
  },
  oversized: (frame, draw) => [Uint8Array.of(0x80 | draw(128), 0x80 | draw(128), 0x01 + draw(127)), frame],
  'with a number of 64 bits': (frame, draw) => [
    encodeFrame(
      Buffer.concat([
        frame.subarray(1),
        Uint8Array.of(0x18),
        new Uint8Array(9).fill(0xff),
        Uint8Array.of(draw(3))
      ])
    )
  ],
  'with another length': (frame, draw) => [Buffer.concat([Uint8Array.of(draw(128)), frame.subarray(1)])],
  'behind others': (frame, draw) => [
    Buffer.concat([...Array(draw(20)).fill(Uint8Array.of(0)), frame, frame])
  ],
  noise: (_, draw) => [Uint8Array.from({ length: 1 + draw(300) }, () => draw(256))]
}

/** @returns {Generator<{ name: string, pieces: Uint8Array[] }, void>} the same ones each time */
function* corpus() {
  const draw = random(7)
  let made = 0
  for (const frame of GOOD) {
    for (let at = 0; at <= frame.length && made < COUNT; at++, made++) {
      yield { name: `split at ${at}`, pieces: [frame.subarray(0, at), frame.subarray(at)] }
    }
  }
  for (const names = Object.keys(changes); made < COUNT; made++) {
    const name = names[made % names.length]
    yield { name, pieces: changes[name](GOOD[draw(GOOD.length)], draw) }
  }
}

describe('frames that no client should send', () => {
  it(`crash nothing and leave nothing: ${COUNT} of them`, async () => {
    const server = await startService({ streamIdleTimeoutMs: 60_000 })
    /** @type {Open[]} */
    let open = []
    let split = 0
    for (const { name, pieces } of corpus()) {
      const stream = server.openFake(alice)
      for (const piece of pieces) stream.arrive(piece)
      stream.end()
      open.push({ name, stream })
      if (name.startsWith('split')) split++
      if (open.length === AT_ONCE) open = await allEnded(open)
    }
    await allEnded(open)
    assert.equal(server.service.streams, 0)
    assert.equal(server.service.waitingBytes, 0)
    assert.deepEqual(server.seen.failures, [], 'nothing is our fault')
    const codes = new Set(server.seen.refused.map(error => /** @type {any} */ (error).code))
    assert.deepEqual([...codes].sort(), [
      'ERR_FRAME_TOO_LARGE',
      'ERR_MALFORMED_MESSAGE',
      'ERR_TRUNCATED',
      'ERR_UNEXPECTED_MESSAGE'
    ])
    assert.ok(server.seen.operations.length >= split)
    const after = await (await server.open(alice)).ask(encodeDiscover({}))
    assert.ok(after?.discoverResponse, 'the next one is served')
    await server.service.stop()
  })
})

/** @typedef {{ name: string, stream: import('./fake-stream.js').FakeStream }} Open */

/** @param {Open[]} streams @returns {Promise<Open[]>} none */
async function allEnded(streams) {
  for (let turns = 0; streams.some(({ stream }) => stream.status === 'open'); turns++) {
    const left = streams.filter(({ stream }) => stream.status === 'open').map(({ name }) => name)
    assert.ok(turns < 1000, `still open: ${left}`)
    await turn()
  }
  return []
}
