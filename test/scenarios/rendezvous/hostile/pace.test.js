import '../../../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  bounded,
  HostileWorker,
  holdStreams,
  hostAndPort,
  often,
  sendOften
} from '../../../../src/scenarios/rendezvous/hostile/hostile-worker.js'
import { until } from '../../../until.js'

const running = () => {
  const end = new AbortController()
  return { end, run: { signal: end.signal, tally: { due: 0, skipped: 0 } } }
}

/** A peer whose streams keep what was sent over them. */
function fakePeer() {
  /** @type {any[]} */
  const streams = []
  const stream = async () => {
    const one = {
      ...{ status: 'open', writableNeedsDrain: false, sent: /** @type {unknown[]} */ ([]) },
      addEventListener: () => {},
      send: (/** @type {unknown} */ piece) => one.sent.push(piece),
      abort: () => {
        one.status = 'aborted'
      }
    }
    streams.push(one)
    return one
  }
  return { peer: /** @type {any} */ ({ stream }), streams }
}

describe('what is done so often', () => {
  it('is done until it is over; of what is far too late the tally says how much it was', async () => {
    const { end, run } = running()
    /** @type {number[]} */
    const done = []
    await often(1000, run, index => {
      done.push(index)
      // as long as 250 of them
      if (done.length === 1) for (const since = performance.now(); performance.now() - since < 250; );
      if (done.length === 20) end.abort()
    })
    assert.equal(done.length, 20)
    assert.ok(run.tally.skipped >= 100, String(run.tally.skipped))
    assert.equal(run.tally.due, 20 + run.tally.skipped)
    assert.equal(done.at(-1), run.tally.due - 1)
  })

  it('is started only while less than so much of it is under way, whatever becomes of it', async () => {
    /** @type {PromiseWithResolvers<void>[]} */
    const underWay = []
    const act = bounded(2, () => {
      const one = Promise.withResolvers()
      underWay.push(/** @type {any} */ (one))
      return one.promise
    })
    for (let i = 0; i < 3; i++) act(i)
    assert.equal(underWay.length, 2)
    underWay[0].reject(new Error('it broke'))
    await sleep(1)
    for (let i = 0; i < 3; i++) act(i)
    assert.equal(underWay.length, 3)
  })
})

describe('streams of a hostile peer', () => {
  it('are opened anew after one that is gone, and none is sent to that is full', async () => {
    const { peer, streams } = fakePeer()
    const { end, run } = running()
    const sending = sendOften(peer, 500, run, index => Uint8Array.of(index))
    await until(() => streams[0]?.sent.length > 0)
    streams[0].status = 'closed'
    await until(() => streams[1]?.sent.length > 0)
    streams[1].writableNeedsDrain = true
    const { length } = streams[1].sent
    await sleep(20)
    assert.equal(streams[1].sent.length, length)
    end.abort()
    await sending
    assert.equal(streams[1].status, 'aborted')
  })

  it('are held, and opened anew when all of them are gone', async () => {
    const { peer, streams } = fakePeer()
    const { end, run } = running()
    const begin = (/** @type {any} */ stream) => stream.send('begun')
    const holding = holdStreams(peer, 3, run.signal, { begin, everyMs: 1 })
    await until(() => streams.length === 3)
    await sleep(20)
    assert.equal(streams.length, 3)
    for (const stream of streams) stream.status = 'closed'
    await until(() => streams.length === 6)
    end.abort()
    await holding
    assert.deepEqual(
      streams.map(({ sent }) => sent),
      Array(6).fill(['begun'])
    )
    assert.ok(streams.every(({ status }) => status === 'aborted'))
  })
})

describe('a run of hostile peers', () => {
  const target = { multiaddr: '/ip4/127.0.0.1/tcp/1', http: 'http://127.0.0.1:1', spreads: false, seed: 1 }

  it('is prepared before it begins, and has done nothing before', async () => {
    const run = new HostileWorker({ target, hostile: { http: 1 } })
    assert.throws(() => run.begin(), /are prepared before they begin/)
    assert.deepEqual(await run.end(), { notSent: 0, failure: null })
  })

  it('ends when its process does, and says nothing of it when it is told to end after', async () => {
    const run = new HostileWorker({ target, hostile: { http: 1 } })
    run.close()
    await run.prepare()
    run.begin()
    run.close()
    const { notSent, failure } = await run.end()
    assert.deepEqual([notSent, failure], [0, null])
  })
})

describe('where a target listens', () => {
  it('is read of its address, by name or number', () => {
    assert.deepEqual(hostAndPort('/dns4/example.org/tcp/4001/p2p/Qm'), { host: 'example.org', port: 4001 })
    assert.deepEqual(hostAndPort('/ip6/::1/tcp/80'), { host: '::1', port: 80 })
  })
})
