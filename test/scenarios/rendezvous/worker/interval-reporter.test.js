import '../../../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it, mock } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { Meter, reportWhile } from '../../../../src/measure/operations.js'

/** @typedef {import('../../../../src/measure/operations.js').MeterInterval} MeterInterval */

const PHASE_START = 5_000_000_000n

/** withMadeUpTimers is for a describe: outside of any, hooks would be those of all files in this process. */
function withMadeUpTimers() {
  beforeEach(() => mock.timers.enable({ apis: ['setInterval'] }))
  afterEach(() => mock.timers.reset())
}

/**
 * Work that goes on until it is ended, and what is reported of it.
 *
 * @param {{ fromMs?: number, report?: (interval: MeterInterval) => Promise<unknown> }} [options]
 */
function reporting({ fromMs = 0, report = async () => {} } = {}) {
  let nowMs = fromMs
  const meter = new Meter()
  /** @type {MeterInterval[]} */
  const intervals = []
  const work = Promise.withResolvers()
  const done = reportWhile(
    {
      meter,
      startNs: PHASE_START,
      clock: () => PHASE_START + BigInt(Math.round(nowMs * 1e6)),
      report: interval => {
        intervals.push(interval)
        return report(interval)
      }
    },
    () => work.promise
  )
  done.catch(() => {})
  return {
    ...{ meter, intervals, work, done },
    /** later lets time pass; the timer comes `lateMs` late. @param {number} ms @param {number} [lateMs] */
    later: (ms, lateMs = 0) => {
      nowMs += ms + lateMs
      mock.timers.tick(ms)
    }
  }
}

/** @param {MeterInterval[]} intervals */
const countsOf = intervals => intervals.map(({ cells }) => cells[0]?.data.count ?? 0)
/** @param {MeterInterval[]} intervals */
const secondsOf = intervals => intervals.map(({ second }) => second)

describe('while work goes on, intervals', () => {
  withMadeUpTimers()

  it('are handed over once a second, and the rest at its end', async () => {
    const { meter, intervals, work, done, later } = reporting()
    for (const [count, ms] of [
      [3, 1000],
      [4, 1000],
      [5, 400]
    ]) {
      for (let i = 0; i < count; i++) meter.record('rt', 'DISCOVER', 'OK', 1000)
      later(ms)
    }
    work.resolve('result')
    assert.equal(await done, 'result')
    assert.deepEqual(countsOf(intervals), [3, 4, 5])
    const actual = intervals.map(({ seq }) => seq)
    assert.deepEqual(actual, [0, 1, 2])
  })

  /** @type {[string, number, ms: number[], lateMs: number[], seconds: number[]][]} */
  const cases = [
    ['in which they were measured', 0, [1000, 1000, 400], [0, 0, 0], [0, 1, 2]],
    ['also when the timer is a little late', 0.2, [1000, 1000, 1000], [0.9, 1.2, 0.4], [0, 1, 2, 3]],
    ['also when the timer is a little early', 0.2, [1000, 1000, 1000], [-0.7, 0.1, -0.2], [0, 1, 2, 2]],
    ['of the phase, not of the round', 7000, [1000, 300], [1, 0], [7, 8]],
    ['where most of them lies when a round begins within one', 2700, [1000, 200], [0, 0], [3, 3]],
    ['0 before the phase began', -10, [], [], [0]]
  ]
  for (const [name, fromMs, steps, lateMs, seconds] of cases)
    it(`count for the second ${name}`, async () => {
      const { intervals, work, done, later } = reporting({ fromMs })
      for (const [i, ms] of steps.entries()) later(ms, lateMs[i])
      work.resolve(null)
      await done
      assert.deepEqual(secondsOf(intervals), seconds)
    })

  it('end with the work', async () => {
    const { intervals, work, done, later } = reporting()
    work.resolve(null)
    await done
    later(5000)
    assert.equal(intervals.length, 1)
  })

  it('are all acknowledged before the work counts as done', async () => {
    /** @type {(() => void)[]} */
    const acknowledge = []
    const { work, done, later } = reporting({
      report: () => new Promise(resolve => acknowledge.push(() => resolve(null)))
    })
    let ended = false
    done.then(() => {
      ended = true
    })
    later(1000)
    work.resolve(null)
    await turn()
    assert.equal(acknowledge.length, 2)
    acknowledge[1]()
    await turn()
    assert.equal(ended, false)
    acknowledge[0]()
    await done
  })
})

describe('work that fails', () => {
  withMadeUpTimers()

  it('still hands over what was measured', async () => {
    const { meter, intervals, work, done } = reporting()
    meter.record('rt', 'DISCOVER', 'OK', 1000)
    work.reject(new Error('worker trouble'))
    await assert.rejects(done, /worker trouble/)
    assert.deepEqual(countsOf(intervals), [1])
  })
})

describe('an interval that nobody takes', () => {
  withMadeUpTimers()

  for (const lost of [0, 1])
    it(`fails the work, for its figures are missing (${lost === 0 ? 'the first' : 'the last'})`, async () => {
      const { work, done, later } = reporting({
        report: async ({ seq }) => {
          if (seq === lost) throw new Error('the other process exited')
        }
      })
      later(1000)
      await turn()
      work.resolve(null)
      await assert.rejects(done, /exited/)
    })
})
