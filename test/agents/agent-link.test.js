import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ClockEstimate } from '../../src/agents/agent-link.js'
import { makeSubStream } from '../../src/kit/random.js'

/**
 * Exchanges with a clock whose offset and drift are known, over a link whose two ways take times of their own: most little, some much.
 *
 * @param {() => number} random
 * @param {{ atNs: number, count: number, offsetNs: number, driftPpm?: number, busy?: boolean }} how
 */
function burst(random, { atNs, count, offsetNs, driftPpm = 0, busy = false }) {
  let now = atNs
  const theirs = (/** @type {number} */ ns) => BigInt(Math.round(ns + offsetNs + (ns * driftPpm) / 1e6))
  const way = () =>
    60e3 - 40e3 * Math.log(1 - random()) + (random() < (busy ? 0.4 : 0.05) ? random() * 20e6 : 0)
  return Array.from({ length: count }, () => {
    const sent = now
    const read = sent + way()
    now = read + way()
    return { sentNs: BigInt(Math.round(sent)), theirNs: theirs(read), backNs: BigInt(Math.round(now)) }
  })
}

const MS = 1e6
/** @param {readonly import('../../src/agents/agent-link.js').ClockExchange[]} exchanges */
const leastTripMs = exchanges =>
  Math.min(...exchanges.map(({ sentNs, backNs }) => Number(backNs - sentNs))) / MS

describe('an estimated clock', () => {
  for (const busy of [false, true])
    it(`is off by no more than it says, which is little, ${busy ? 'with busy machines' : 'quiet'}`, () => {
      const random = makeSubStream(3, 'clock', String(busy))
      let within = 0
      for (let i = 0; i < 200; i++) {
        const offsetMs = (random() - 0.5) * 4e5
        const exchanges = burst(random, { atNs: i * 1e9, count: 50, offsetNs: offsetMs * MS, busy })
        const clock = new ClockEstimate()
        clock.add(exchanges)
        const told = clock.told()
        assert.ok(told !== null)
        assert.ok(told.errorMs <= leastTripMs(exchanges) / 2 + 0.5, `${told.errorMs}`)
        assert.equal(told.driftPpm, null)
        if (Math.abs(told.offsetMs - offsetMs) <= told.errorMs) within++
      }
      assert.ok(within >= 198, `${within} of 200`)
    })

  for (const driftPpm of [100, -100, 0])
    it(`finds a drift of ${driftPpm} ppm in 60 s, and the offset at each moment`, () => {
      const random = makeSubStream(4, 'drift', driftPpm)
      const clock = new ClockEstimate()
      const offsetNs = 200 * MS
      for (let s = 0; s <= 60; s++)
        clock.add(burst(random, { atNs: s * 1e9, count: s % 60 === 0 ? 50 : 5, offsetNs, driftPpm }))
      const told = clock.told(BigInt(30e9))
      assert.ok(told?.driftPpm != null && Math.abs(told.driftPpm - driftPpm) <= 20, `${told?.driftPpm}`)
      for (const s of [0, 13.5, 30, 59]) {
        const truthNs = offsetNs + s * 1e9 * (driftPpm / 1e6)
        const { offsetMs = 0, errorMs = 0 } = clock.told(BigInt(s * 1e9)) ?? {}
        assert.ok(
          Math.abs(offsetMs - truthNs / MS) <= errorMs,
          `${offsetMs} ± ${errorMs} for ${truthNs / MS}`
        )
      }
    })

  it('turns times of one clock into those of the other, and back', () => {
    const clock = new ClockEstimate()
    const ns = 5n * 10n ** 18n
    clock.add([{ sentNs: ns, theirNs: 123n + 100n, backNs: ns + 200n }])
    assert.equal(clock.there(ns + 100n), 223n)
    assert.equal(clock.here(223n), ns + 100n)
  })

  it('is not known where nothing was answered', () => {
    const clock = new ClockEstimate()
    clock.add([])
    assert.equal(clock.told(), null)
  })
})
