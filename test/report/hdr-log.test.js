import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { HistogramLogReader } from 'hdr-histogram-js'
import { Meter } from '../../src/measure/operations.js'
import { makeHdrLogWriter } from '../../src/report/run-report.js'
import { temporaryFolder } from '../temporary-folder.js'

const folder = temporaryFolder()

const BEGAN = Date.UTC(2026, 10, 21, 7, 12)
const END = /** @type {import('../../src/report/schema.js').RunRecord} */ ({ type: 'result', result: {} })

/** What a worker hands over: of each type as many operations of some ms. @param {number} second @param {Record<string, [number, number]>} took */
function measured(second, took) {
  const meter = new Meter()
  for (const [type, [count, ms]] of Object.entries(took))
    for (let i = 0; i < count; i++) {
      meter.record('rt', /** @type {'DISCOVER'} */ (type), i === 0 ? 'TIMEOUT' : 'OK', ms * 1e6)
      meter.overhead(/** @type {'DISCOVER'} */ (type), 'OK', 9e9, 9e9)
    }
  return { type: /** @type {const} */ ('measured'), ...meter.take(second), beganEpochMs: BEGAN }
}

/** @param {string} path */
async function readBack(path) {
  const reader = new HistogramLogReader(await readFile(path, 'utf8'), 32, false)
  const found = []
  for (let next = reader.nextIntervalHistogram(); next !== null; next = reader.nextIntervalHistogram())
    found.push({
      tag: next.tag,
      from: next.startTimeStampMsec - BEGAN,
      to: next.endTimeStampMsec - BEGAN,
      count: next.totalCount,
      p50: next.getValueAtPercentile(50)
    })
  return found
}

describe('a log of histograms', () => {
  it('is read back by a reader of others: a second each, an operation each, in µs, all workers together', async () => {
    const path = join(folder, 'run.hlog')
    const log = makeHdrLogWriter(path)
    await log.add(measured(0, { DISCOVER: [100, 3], REGISTER: [10, 8] }))
    await log.add(measured(1, { DISCOVER: [70, 4] }))
    // another worker hands the first second over later
    await log.add(measured(0, { DISCOVER: [50, 3] }))
    for (const second of [2, 3, 4, 5]) await log.add(measured(second, { DISCOVER: [5, 6] }))
    assert.equal((await readBack(path)).length, 3, 'what is whole is written before the end')
    await log.add(END)
    const found = await readBack(path)
    assert.deepEqual(
      found.map(({ tag, from, to, count }) => [tag, from, to, count]),
      [
        ['DISCOVER', 0, 1000, 150],
        ['REGISTER', 0, 1000, 10],
        ['DISCOVER', 1000, 2000, 70],
        ...[2000, 3000, 4000, 5000].map(from => ['DISCOVER', from, from + 1000, 5])
      ]
    )
    for (const [i, us] of [3000, 8000, 4000].entries())
      assert.ok(Math.abs(found[i].p50 - us) <= us / 1000, `${found[i].p50} of ${us} µs`)
  })

  it('begins anew with each run, and is not there where nothing was measured', async () => {
    const path = join(folder, 'again.hlog')
    for (const count of [3, 4]) {
      const log = makeHdrLogWriter(path)
      await log.add(measured(0, { DISCOVER: [count, 3] }))
      await log.add(END)
    }
    assert.deepEqual(
      (await readBack(path)).map(({ count }) => count),
      [4]
    )
    const none = join(folder, 'none.hlog')
    await makeHdrLogWriter(none).add(END)
    await assert.rejects(readFile(none), { code: 'ENOENT' })
  })

  it('leaves out records that are not of operations', async () => {
    const path = join(folder, 'parts.hlog')
    const log = makeHdrLogWriter(path)
    await log.add(/** @type {any} */ ({ type: 'interval' }))
    await assert.rejects(readFile(path), { code: 'ENOENT' })
    await log.add(measured(0, { DISCOVER: [4, 3] }))
    await log.add(END)
    log.close()
    assert.deepEqual(
      (await readBack(path)).map(({ tag, count }) => [tag, count]),
      [['DISCOVER', 4]]
    )
  })
})
