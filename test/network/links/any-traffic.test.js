import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, it } from 'node:test'
import { makeSubStream } from '../../../src/kit/random.js'
import { LinkModel } from '../../../src/network/link-model.js'
import { BARE, MS } from './connection.js'
import { directionOf } from './direction.js'

/** @typedef {import('../../../src/network/link-model.js').LinkSettings} LinkSettings */

const NODES = 4
const WRITES = 300

/** @param {() => number} random @returns {LinkSettings} some network or other, with all that can happen */
function someSettings(random) {
  const pick = (/** @type {any[]} */ ...values) => values[Math.floor(random() * values.length)]
  return {
    latency: { kind: 'lognormal', meanMs: pick(1, 20, 150), sdMs: pick(0.1, 5, 100) },
    jitter: pick(null, { kind: 'share', share: 0.01 }, { kind: 'share', share: 0.8 }),
    lossShare: pick(0, 0.01, 0.2, 0.5),
    upBytesPerSecond: pick(null, 1e5, 1e7),
    downBytesPerSecond: pick(null, 1e5, 1e7),
    linkBytesPerSecond: pick(null, 1e6),
    cuts: pick([], [{ kind: 'hold', fromMs: 500, toMs: 2500, between: [[{ first: 0, last: 1 }], []] }]),
    layers: pick(BARE, { muxer: 'yamux', security: 'noise', tcp: true }),
    tcp: true
  }
}

/**
 * play sends writes at random over all directions of a network, and drives it to its end.
 *
 * @param {number} seed
 */
function play(seed) {
  const random = makeSubStream(seed, 'traffic')
  const settings = someSettings(random)
  const model = new LinkModel(settings, { nodes: NODES, streams: (...name) => makeSubStream(seed, ...name) })
  model.partitions.start(0)
  const ways = [...Array(NODES * NODES).keys()].filter(way => way % NODES !== Math.floor(way / NODES))
  const directions = ways.map(way => directionOf(model, Math.floor(way / NODES), way % NODES))
  const sent = directions.map(() => /** @type {number[]} */ ([]))
  const read = directions.map(() => /** @type {number[]} */ ([]))
  let nowNs = 0
  let writeNs = 0
  for (let left = WRITES; ; ) {
    const times = directions.map(({ nextNs }) => nextNs)
    const dueNs = Math.min(...times)
    if (left > 0 && writeNs <= dueNs) {
      nowNs = writeNs
      const which = Math.floor(random() * directions.length)
      directions[which].send(1 + Math.floor(random() * (random() < 0.1 ? 50_000 : 2000)), nowNs)
      sent[which].push(nowNs)
      writeNs += Math.floor(random() * 40 * MS)
      left -= 1
    } else if (dueNs === Infinity) return { sent, read, settings, model, directions, nowNs }
    else {
      assert.ok(dueNs >= nowNs, `seed ${seed}: something is due at ${dueNs} ns, and it is ${nowNs} ns`)
      nowNs = dueNs
      const which = times.indexOf(dueNs)
      for (let many = directions[which].advance(nowNs); many > 0; many -= 1) read[which].push(nowNs)
    }
  }
}

describe('any traffic over any network', () => {
  for (let seed = 1; seed <= 30; seed += 1) {
    it(`all of it arrives once, in order, not before it can: seed ${seed}`, () => {
      const { sent, read, directions, nowNs } = play(seed)
      for (const [index, times] of read.entries()) {
        assert.equal(times.length, sent[index].length)
        assert.ok(times.every((time, place) => Number.isSafeInteger(time) && time > sent[index][place]))
        assert.equal(directions[index].departures.bytes(nowNs), 0)
        assert.equal(directions[index].departures.count(nowNs), sent[index].length)
      }
    })
  }

  it('is the same again', () => assert.deepEqual(play(3).read, play(3).read))

  it('is the same in every engine: changed only on purpose, with the model', () => {
    const all = [1, 2, 3, 4, 5].map(seed => play(seed).read)
    const digest = createHash('sha256').update(JSON.stringify(all)).digest('hex')
    assert.equal(digest, '35f7b98e2f678df11956711f40e614590c48ab4753e31f00d9c8a8fe7f4be5c1')
  })
})
