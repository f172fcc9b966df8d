import '../../../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { WorkerUsage } from '../../../../src/scenarios/gossip/measure/resource-usage.js'

const SECOND = 1e9
const MB = 2 ** 20

/**
 * @param {number} second - it ends at
 * @param {Partial<import('../../../../src/network/node-host.js').Usage> & { backlogBytes?: number }} [parts]
 */
const interval = (second, { backlogBytes = 0, ...usage } = {}) => ({
  atNs: second * SECOND,
  backlogBytes,
  usage: {
    wallMs: 1000,
    activeMs: 400,
    cpuMicros: 500_000,
    rssBytes: 100 * MB,
    heapBytes: 50 * MB,
    maxTurnMs: 12,
    ...usage
  }
})

/** @param {ReturnType<typeof interval>[]} intervals */
function usageOf(...intervals) {
  const usage = new WorkerUsage(2 * SECOND)
  for (const each of intervals) usage.add(each)
  return usage
}

describe('the usage of a worker', () => {
  it('of which nothing was heard is not known', () => {
    const usage = usageOf()
    assert.deepEqual(usage.result(3), {
      worker: 3,
      cpu: { averagePercent: null, maxPercent: null },
      memory: { averageBytes: null, maxBytes: null },
      series: []
    })
    assert.equal(usage.utilization, 0)
    const { utilization, cpuPercent, turns } = usage.health(3)
    assert.deepEqual([utilization, cpuPercent, turns.count], [0, 0, 0])
  })

  it('is that of all its intervals: averages by time, maxima of one', () => {
    const usage = usageOf(
      interval(3, { cpuMicros: 1_000_000, activeMs: 900, rssBytes: 200 * MB }),
      interval(4, { cpuMicros: 0, activeMs: 100, backlogBytes: 7 })
    )
    const { cpu, memory, series } = usage.result(0)
    assert.deepEqual(cpu, { averagePercent: 50, maxPercent: 100 })
    assert.deepEqual(memory, { averageBytes: 150 * MB, maxBytes: 200 * MB })
    assert.equal(usage.utilization, 0.5)
    assert.deepEqual([usage.cpuMicros, usage.backlogBytes], [1_000_000, 7])
    assert.deepEqual(
      series.map(({ atMs, cpuPercent, backlogBytes }) => [atMs, cpuPercent, backlogBytes]),
      [
        [1000, 100, 0],
        [2000, 0, 7]
      ]
    )
  })

  it('counts short stretches in the sums, but takes no maximum and no point of them', () => {
    const usage = usageOf(interval(3), interval(3.1, { wallMs: 100, activeMs: 100, cpuMicros: 100_000 }))
    const { cpu, series } = usage.result(0)
    assert.equal(cpu.maxPercent, 50)
    assert.ok(Math.abs(Number(cpu.averagePercent) - 600_000 / 1100 / 10) < 1e-9)
    assert.equal(usage.utilization, 500 / 1100)
    assert.equal(series.length, 1)
  })

  it('has the longest turns of the event loop in its health, one of each interval', () => {
    const turns = usageOf(interval(3, { maxTurnMs: 5 }), interval(4, { maxTurnMs: 80 })).health(1).turns
    assert.equal(turns.count, 2)
    assert.ok(Math.abs(Number(turns.max?.ms) - 80) < 0.1)
  })

  for (const count of [599, 600, 601, 5000])
    it(`keeps at most 600 points of ${count}, evenly spaced, from the first on`, () => {
      const usage = usageOf(...Array.from({ length: count }, (_, second) => interval(2 + second)))
      const { series } = usage.result(0)
      assert.ok(series.length <= 600 && series.length >= Math.min(count, 300), `${series.length} points`)
      const gaps = new Set(series.slice(1).map(({ atMs }, i) => atMs - series[i].atMs))
      assert.equal(series[0].atMs, 0)
      assert.equal(gaps.size, 1, [...gaps].join())
    })

  it('keeps averages of all intervals when points are left out', () => {
    const usage = usageOf(
      ...Array.from({ length: 1200 }, (_, second) =>
        interval(2 + second, { rssBytes: (second % 2) * 100 * MB })
      )
    )
    assert.equal(usage.result(0).memory.averageBytes, 50 * MB)
  })
})
