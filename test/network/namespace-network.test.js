import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Histogram } from '../../src/measure/histogram.js'
import { RouterTraffic } from '../../src/network/namespace-network.js'

const USAGE = {
  ...{ packets: 10, bytes: 1000, lost: 1, cut: 2, overflowed: 0 },
  ...{ wallMs: 2000, cpuMicros: 50, waitedMs: 500, lateness: new Histogram().toData() }
}

/** @param {number[]} droppedAt - by process */
function carriedBy(droppedAt) {
  const carried = new RouterTraffic(pid => droppedAt[pid])
  carried.hold([...droppedAt.keys()])
  return carried
}

describe('what went over a network', () => {
  it('is told by the router', () => {
    const of = (/** @type {typeof USAGE | { waitedMs: null }} */ told) => {
      const carried = carriedBy([])
      carried.tell({ ...USAGE, ...told })
      return carried.figures.router
    }
    const router = of(USAGE)
    assert.deepEqual(
      [router?.packetsPerSecond, router?.cpuMicrosPerPacket, router?.waitedShare],
      [5, 5, 0.25]
    )
    assert.equal(of({ waitedMs: null })?.waitedShare, null)
  })

  it('is counted from when it is measured, though devices count from when they are there', () => {
    const dropped = [3, 4]
    const carried = carriedBy(dropped)
    carried.tell(USAGE)
    carried.begin()
    assert.deepEqual(carried.figures, { router: null, dropped: 0 })
    dropped[1] = 9
    assert.equal(carried.figures.dropped, 5)
    carried.begin()
    assert.equal(carried.figures.dropped, 0)
  })

  it('stays as it is when it is over, whatever becomes of the processes, until it is measured anew', () => {
    const dropped = [3]
    const carried = carriedBy(dropped)
    carried.tell(USAGE)
    carried.keep()
    dropped[0] = 0
    carried.tell({ ...USAGE, packets: 999 })
    assert.deepEqual([carried.figures.router?.packets, carried.figures.dropped], [10, 3])
    carried.begin()
    carried.tell({ ...USAGE, packets: 999 })
    assert.deepEqual([carried.figures.router?.packets, carried.figures.dropped], [999, 0])
  })
})
