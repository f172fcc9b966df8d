import '../../../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { describe, it, test } from 'node:test'
import {
  findBacklogGrowth,
  UsageByPhase,
  WorkerUsage
} from '../../../../src/scenarios/gossip/measure/resource-usage.js'

const KB = 1024

/** A worker with a backlog once a second. @param {number[]} backlogs */
const worker = backlogs => ({
  series: backlogs.map((backlogBytes, second) => ({
    atMs: (second + 1) * 1000,
    backlogBytes,
    cpuPercent: 50,
    rssBytes: 1e8,
    heapBytes: 1e7
  }))
})

describe('a backlog', () => {
  /** @type {[string, number[][], number, number | null][]} */
  const rows = [
    ['that grows all the while', [[0, 50 * KB, 100 * KB, 150 * KB, 200 * KB, 300 * KB]], 6000, 250 * KB],
    [
      'that grows over all workers',
      [
        [0, 40 * KB, 80 * KB],
        [10 * KB, 20 * KB, 40 * KB]
      ],
      3000,
      120 * KB
    ],
    ['that stays as large', [[200 * KB, 200 * KB, 200 * KB]], 3000, null],
    ['that falls in the middle', [[100 * KB, 50 * KB, 300 * KB]], 3000, null],
    ['that grows by a little', [[200 * KB, 250 * KB, 300 * KB]], 3000, null],
    ['of a few bytes', [[0, KB, 2 * KB]], 3000, null],
    ['that is there after publishing alone', [[0, 0, 0, 500 * KB, 900 * KB]], 3000, null],
    ['that nobody looked at', [[]], 3000, null],
    ['of no workers', [], 3000, null]
  ]
  for (const [what, backlogs, publishMs, expected] of rows)
    it(`${what} ${expected === null ? 'does not grow' : 'grows'}`, () =>
      assert.equal(findBacklogGrowth(backlogs.map(worker), publishMs), expected))
})

const SECOND = 1e9
const MB = 2 ** 20

/**
 * @param {number} second - it ends at
 * @param {Partial<import('../../../../src/network/node-host.js').ProcessUsage> & { backlogBytes?: number }} [parts]
 */
const interval = (second, { backlogBytes = 0, ...usage } = {}) => ({
  atNs: second * SECOND,
  backlogBytes,
  usage: {
    ...{ wallMs: 1000, activeMs: 400, cpuMicros: 500_000, rssBytes: 100 * MB, heapBytes: 50 * MB },
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
      ...{ worker: 3, cpu: { averagePercent: null, maxPercent: null } },
      ...{ memory: { averageBytes: null, maxBytes: null }, series: [] }
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
    assert.deepEqual([memory, usage.utilization], [{ averageBytes: 150 * MB, maxBytes: 200 * MB }, 0.5])
    assert.deepEqual([usage.cpuMicros, usage.backlogBytes], [1_000_000, 7])
    const actual = series.flatMap(({ atMs, cpuPercent, backlogBytes }) => [atMs, cpuPercent, backlogBytes])
    assert.deepEqual(actual, [1000, 100, 0, 2000, 0, 7])
  })

  it('counts short stretches in the sums, but takes no maximum and no point of them', () => {
    const usage = usageOf(interval(3), interval(3.1, { wallMs: 100, activeMs: 100, cpuMicros: 100_000 }))
    const { cpu, series } = usage.result(0)
    assert.equal(cpu.maxPercent, 50)
    assert.ok(Math.abs(Number(cpu.averagePercent) - 600_000 / 1100 / 10) < 1e-9)
    assert.deepEqual([usage.utilization, series.length], [500 / 1100, 1])
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

/** @param {number} cpuPercent @param {number} receivedBytes */
const intervalUsageByPhase = (cpuPercent, receivedBytes) =>
  /** @type {any} */ ({
    atNs: 0,
    backlogBytes: 0,
    usage: {
      ...{ wallMs: 1000, activeMs: 0, cpuMicros: cpuPercent * 10_000, rssBytes: 50e6, heapBytes: 0 },
      ...{ maxTurnMs: 0, receivedBytes, sentBytes: 2 * receivedBytes }
    }
  })

/** @param {number} averagePercent @param {number} maxPercent @param {number} receivedBytes */
const used = (averagePercent, maxPercent, receivedBytes) => ({
  cpu: { averagePercent, maxPercent },
  memory: { averageBytes: 50e6, maxBytes: 50e6 },
  traffic: { receivedBytes, sentBytes: 2 * receivedBytes }
})

test('each phase has what was used in it, each worker its own, and what came before counts nowhere', () => {
  const phases = new UsageByPhase(2)
  phases.begin('warmup')
  // starts and dials
  phases.add(intervalUsageByPhase(100, 9999), 0)
  phases.add(intervalUsageByPhase(10, 100), 0)
  phases.end()
  phases.add(intervalUsageByPhase(77, 7777), 0)
  phases.begin('publish')
  phases.add(intervalUsageByPhase(20, 1000), 0)
  phases.add(intervalUsageByPhase(40, 3000), 0)
  assert.deepEqual(phases.result(0), {
    warmup: used(10, 10, 100),
    publish: used(30, 40, 4000),
    cooldown: null
  })
  const nobody = phases.result(1).publish
  assert.deepEqual([nobody?.cpu, nobody?.traffic], [{ averagePercent: null, maxPercent: null }, undefined])
})
