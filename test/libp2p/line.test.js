import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { DelayedLine, DelayQueue, MAX_UNDER_WAY_LINE_BYTES, TokenBucket } from '../../src/libp2p/line.js'
import { VirtualClock } from './virtual-clock.js'

/** @typedef {import('../../src/libp2p/line.js').LineSpec} LineSpec */

const KIB = 1024
const MIB = 1 << 20

/** What arrives over a line. @param {LineSpec} spec @param {VirtualClock} clock */
function lineTo(spec, clock) {
  const far = {
    bytes: 0,
    arrivals: /** @type {{ atMs: number, bytes: number }[]} since the beginning */ ([]),
    heads: /** @type {number[]} */ ([]),
    takes: true,
    rooms: 0,
    onDrain: () => {},
    onBytes: (/** @type {number} */ _) => {}
  }
  const line = new DelayedLine(spec, {
    clock,
    deliver: chunk => {
      far.bytes += chunk.byteLength
      far.heads.push(chunk[0])
      far.arrivals.push({ atMs: clock.nowMs(), bytes: far.bytes })
      far.onBytes(chunk.byteLength)
      return far.takes
    },
    onDrain: () => {
      far.rooms++
      far.onDrain()
    }
  })
  return { line, far }
}

/** Sends whenever there is room. @param {ReturnType<typeof lineTo>} to @param {number} chunkBytes @param {number} [totalBytes] */
function sendAlways({ line, far }, chunkBytes, totalBytes = Number.POSITIVE_INFINITY) {
  let left = totalBytes
  const send = () => {
    while (left > 0) {
      const bytes = Math.min(chunkBytes, left)
      left -= bytes
      if (!line.send(new Uint8Array(bytes))) return
    }
  }
  far.onDrain = send
  send()
}

/** Late by up to 1.9 ms, and each fiftieth by 12 more: a busy event loop. @param {number} timer */
const lateMs = timer => ((timer * 7) % 20) / 10 + (timer % 50 === 49 ? 12 : 0)

describe('a line with a latency', () => {
  it('brings nothing before it, everything then, in order', () => {
    const clock = new VirtualClock()
    const { line, far } = lineTo({ latencyMs: 100, bytesPerSecond: null }, clock)
    line.send(Uint8Array.of(1))
    clock.runUntil(40)
    line.send(Uint8Array.of(2))
    clock.runUntil(99.9)
    assert.equal(far.bytes, 0)
    clock.runUntil(139.9)
    assert.deepEqual(far.heads, [1])
    clock.runUntil(150)
    assert.deepEqual(far.heads, [1, 2])
    for (const [i, dueMs] of [100, 140].entries()) assert.ok(far.arrivals[i].atMs >= dueMs)
  })

  it('has no more under way than it says, which is its ceiling', () => {
    const clock = new VirtualClock()
    const spec = { latencyMs: 100, bytesPerSecond: null }
    const to = lineTo(spec, clock)
    sendAlways(to, MIB)
    clock.runUntil(99)
    assert.ok(to.line.queuedBytes <= MAX_UNDER_WAY_LINE_BYTES + 2 * MIB, `${to.line.queuedBytes} bytes`)
    clock.runUntil(5000)
    const perSecond = to.far.bytes / 4.9
    const ceiling = MAX_UNDER_WAY_LINE_BYTES / 0.1
    assert.ok(perSecond > 0.97 * ceiling && perSecond <= 1.05 * ceiling, `${perSecond} of ${ceiling}`)
  })
})

describe('a line with a limit', () => {
  for (const bytesPerSecond of [64_000, 512_000, 1e6, 10e6, 100e6]) {
    for (const chunkBytes of [1000, 16 * KIB, MIB]) {
      it(`of ${bytesPerSecond} bytes per second keeps it, sent in chunks of ${chunkBytes}, with late timers`, () => {
        const clock = new VirtualClock({ lateMs })
        const latencyMs = 50
        const to = lineTo({ latencyMs, bytesPerSecond }, clock)
        sendAlways(to, chunkBytes)
        clock.runUntil(4000 + latencyMs)
        const share = to.far.bytes / (4 * bytesPerSecond)
        assert.ok(share >= 0.99 && share <= 1, `${share} of the rate`)
        const early = to.far.arrivals.filter(
          ({ atMs, bytes }) => bytes > (bytesPerSecond * (atMs - latencyMs)) / 1000 + 1
        )
        assert.deepEqual(early, [])
      })
    }
  }

  it('of 1 MB/s brings 1 MiB at 0.85 to 1 MB/s, with a request before', () => {
    for (const latencyMs of [0, 25, 50]) {
      const clock = new VirtualClock({ lateMs })
      const spec = { latencyMs, bytesPerSecond: 1e6 }
      const [to, from] = [lineTo(spec, clock), lineTo(spec, clock)]
      from.far.onBytes = () => sendAlways(to, 64 * KIB, MIB)
      from.line.send(new Uint8Array(100))
      clock.runUntil(5000)
      assert.equal(to.far.bytes, MIB)
      const { atMs } = to.far.arrivals[to.far.arrivals.length - 1]
      const perSecond = MIB / (atMs / 1000)
      assert.ok(perSecond >= 0.85e6 && perSecond <= 1e6, `${perSecond} bytes per second`)
    }
  })

  it('is one for several lines with the same bucket, evenly, and whole for one that is alone', () => {
    const clock = new VirtualClock({ lateMs })
    const spec = { latencyMs: 20, bytesPerSecond: 1e6, bucket: new TokenBucket({ bytesPerSecond: 1e6 }) }
    const [one, other] = [lineTo(spec, clock), lineTo(spec, clock)]
    sendAlways(one, 16 * KIB)
    sendAlways(other, 16 * KIB)
    clock.runUntil(4000)
    const both = one.far.bytes + other.far.bytes
    assert.ok(both > 3.85e6 && both <= 4e6, `${both} bytes in 4 s`)
    assert.ok(Math.abs(one.far.bytes - other.far.bytes) < 0.1 * both)
    other.far.onDrain = () => {}
    const before = one.far.bytes
    clock.runUntil(6000)
    assert.ok(one.far.bytes - before > 1.85e6, `${one.far.bytes - before} bytes in 2 s`)
  })

  it('gives no credit for having been at rest', () => {
    const clock = new VirtualClock()
    const to = lineTo({ latencyMs: 0, bytesPerSecond: 1e6 }, clock)
    clock.runUntil(10_000)
    to.line.send(new Uint8Array(100_000))
    clock.runUntil(10_050)
    assert.ok(to.far.bytes >= 48_000 && to.far.bytes <= 50_000, `${to.far.bytes} bytes`)
  })

  it('lets no more wait than goes in 40 ms, and says when there is room', () => {
    const clock = new VirtualClock()
    const { line, far } = lineTo({ latencyMs: 10, bytesPerSecond: 1e6 }, clock)
    let sent = 0
    while (line.send(new Uint8Array(1000))) assert.ok(++sent < 1000, 'nothing takes so much')
    assert.ok(line.queuedBytes >= 16 * KIB && line.queuedBytes <= 41_000, `${line.queuedBytes} bytes`)
    clock.runUntil(10)
    assert.equal(far.rooms, 0)
    clock.runUntil(30)
    assert.equal(far.rooms, 1)
  })
})

describe('a line whose far end takes no more', () => {
  for (const spec of [
    { latencyMs: 0, bytesPerSecond: null },
    { latencyMs: 50, bytesPerSecond: null },
    { latencyMs: 0, bytesPerSecond: 1e7 },
    { latencyMs: 50, bytesPerSecond: 1e7 }
  ]) {
    it(`holds what it may, and goes on when it is told: ${JSON.stringify(spec)}`, () => {
      const clock = new VirtualClock()
      const to = lineTo(spec, clock)
      to.far.takes = false
      let sent = 0
      const offer = () => {
        while (to.line.send(new Uint8Array(16 * KIB).fill(sent % 251))) sent++
        sent++
      }
      to.far.onDrain = offer
      offer()
      clock.runUntil(3000)
      const [before, rooms] = [to.far.bytes, to.far.rooms]
      assert.ok(to.line.queuedBytes <= MAX_UNDER_WAY_LINE_BYTES + 2 * MIB, `${to.line.queuedBytes} bytes`)
      clock.runUntil(6000)
      assert.deepEqual([to.far.bytes, to.far.rooms], [before, rooms])
      to.far.takes = true
      to.far.onDrain = () => {}
      to.line.resume()
      clock.runUntil(9000)
      assert.equal(to.far.bytes, sent * 16 * KIB)
      assert.equal(to.line.queuedBytes, 0)
    })
  }
})

describe('what ends a line', () => {
  it('that is marked comes after all that was sent before', () => {
    const clock = new VirtualClock()
    const { line, far } = lineTo({ latencyMs: 20, bytesPerSecond: 1e5 }, clock)
    /** @type {number[]} */
    const marked = []
    line.send(new Uint8Array(10_000))
    line.mark(() => marked.push(far.bytes))
    clock.runUntil(119)
    assert.deepEqual(marked, [])
    clock.runUntil(122)
    assert.deepEqual(marked, [10_000])
  })

  it('by a reset drops what waits, brings what is under way, and comes a latency later', () => {
    const clock = new VirtualClock()
    const { line, far } = lineTo({ latencyMs: 50, bytesPerSecond: 1e5 }, clock)
    /** @type {number[]} */
    const reset = []
    line.send(new Uint8Array(10_000))
    clock.runUntil(30)
    line.abandon(() => reset.push(far.bytes))
    line.send(new Uint8Array(10_000))
    clock.runUntil(79)
    assert.deepEqual(reset, [])
    clock.runUntil(200)
    assert.equal(reset.length, 1)
    assert.ok(reset[0] >= 2700 && reset[0] <= 3000, `${reset[0]} bytes`)
    assert.equal(far.bytes, reset[0])
  })

  it('by a reset does so when the far end takes nothing, too', () => {
    for (const latencyMs of [0, 50]) {
      const clock = new VirtualClock()
      const { line, far } = lineTo({ latencyMs, bytesPerSecond: null }, clock)
      far.takes = false
      for (let i = 0; i < 10; i++) line.send(new Uint8Array(10_000))
      clock.runUntil(100)
      let reset = 0
      line.abandon(() => reset++)
      clock.runUntil(200)
      assert.equal(reset, 1)
    }
  })

  it('at once drops everything', () => {
    const clock = new VirtualClock()
    const { line, far } = lineTo({ latencyMs: 50, bytesPerSecond: 1e6 }, clock)
    line.send(new Uint8Array(100_000))
    clock.runUntil(40)
    line.stop()
    line.send(new Uint8Array(10))
    clock.runUntil(500)
    assert.equal(far.bytes, 0)
  })
})

/** A sender with a window of so many bytes, each chunk confirmed when it arrived. @param {LineSpec} spec @param {number} windowBytes */
function windowed(spec, windowBytes) {
  const clock = new VirtualClock({ lateMs })
  const [to, back] = [lineTo(spec, clock), lineTo({ ...spec, bytesPerSecond: null }, clock)]
  /** @type {number[]} */
  const roundTripsMs = []
  /** @type {number[]} when each chunk was sent */
  const sentMs = []
  const chunkBytes = 16 * KIB
  let [openBytes, isFull, arrived] = [0, false, 0]
  const send = () => {
    while (!isFull && openBytes + chunkBytes <= windowBytes) {
      openBytes += chunkBytes
      sentMs.push(clock.nowMs())
      isFull = !to.line.send(new Uint8Array(chunkBytes))
    }
  }
  to.far.onDrain = () => {
    isFull = false
    send()
  }
  to.far.onBytes = bytes => {
    arrived += bytes
    for (; arrived >= chunkBytes; arrived -= chunkBytes) back.line.send(new Uint8Array(1))
  }
  back.far.onBytes = () => {
    roundTripsMs.push(clock.nowMs() - /** @type {number} */ (sentMs.shift()))
    openBytes -= chunkBytes
    send()
  }
  send()
  clock.runUntil(2000)
  const [before, sample] = [to.far.bytes, roundTripsMs.length]
  clock.runUntil(7000)
  const since = roundTripsMs.slice(sample)
  return {
    perSecond: (to.far.bytes - before) / 5,
    roundTripMs: since.reduce((a, b) => a + b, 0) / since.length
  }
}

describe('a window w over a line of round trip r reaches w / r, or the rate of the line', () => {
  it('w = 256 KiB, r = 50 ms, no limit', () => {
    const w = 256 * KIB
    const { perSecond, roundTripMs } = windowed({ latencyMs: 25, bytesPerSecond: null }, w)
    assert.ok(roundTripMs >= 50 && roundTripMs < 60, `${roundTripMs} ms`)
    const ratio = perSecond / (w / (roundTripMs / 1000))
    assert.ok(ratio > 0.95 && ratio < 1.05, `${ratio} of w / r`)
  })

  it('w = 16 MiB, r = 50 ms, 10 MB/s', () => {
    const { perSecond } = windowed({ latencyMs: 25, bytesPerSecond: 10e6 }, 16 * MIB)
    assert.ok(perSecond > 9.5e6 && perSecond <= 10.05e6, `${perSecond} bytes per second`)
  })
})

describe('a token bucket', () => {
  it('lets a burst go at once, the rest at its rate', () => {
    const bucket = new TokenBucket({ bytesPerSecond: 1000, burstBytes: 100 })
    assert.deepEqual([bucket.take(100, 0), bucket.take(50, 0), bucket.take(50, 60)], [0, 50, 100])
    assert.deepEqual([bucket.take(200, 5000), bucket.take(10, 5000)], [5100, 5110])
  })
})

describe('a delay line', () => {
  it('runs nothing after it was stopped, even by what it runs', async () => {
    const line = new DelayQueue(5)
    /** @type {string[]} */
    const ran = []
    line.push(() => ran.push('first'))
    line.push(() => line.stop())
    line.push(() => ran.push('second'))
    await sleep(20)
    line.push(() => ran.push('third'))
    await sleep(20)
    assert.deepEqual(ran, ['first'])
  })

  it('keeps each its own time', async () => {
    const line = new DelayQueue(20)
    /** @type {number[]} */
    const took = []
    for (let i = 0; i < 20; i++) {
      const pushedMs = performance.now()
      line.push(() => took.push(performance.now() - pushedMs))
      await sleep(3)
    }
    await sleep(100)
    for (const ms of took) assert.ok(ms >= 20, `${ms} ms`)
  })
})
