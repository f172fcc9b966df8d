import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { FileLog } from '../../../../src/scenarios/transfer/run/transfer-run.js'

const PLACE = /** @type {const} */ ({ way: 'http', latencyMs: 50, bytesPerSecond: null, repeat: 0 })
const USED = { cpuMs: 10, wallMs: 100, peakBytes: 5e6 }

/** @param {object} [provision] @param {object} [fetching] @param {object[]} [fetched] */
const moved = (provision, fetching, fetched = [{}]) =>
  /** @type {any} */ ({
    provision: {
      ...USED,
      ...{ served: [{ transfer: 't', waitMs: 4 }], waiting: [], memory: [], blockEvents: [], beganNs: 0n },
      ...provision
    },
    fetchings: [
      {
        ...USED,
        ...{ connectMs: 1, roundTripMs: 2, spanMs: 500, wireBytes: 3000, memory: [], blockEvents: [] },
        fetched: fetched.map(each => ({
          ...{ transfer: 't', curve: [], totalMs: 500, storedBytes: 1000, outcome: 'OK', error: null },
          ...{ firstByteMs: 9, blocks: 1, ...each }
        })),
        ...fetching
      }
    ]
  })

/** @param {...[object, any]} all */
function logOf(...all) {
  const log = new FileLog()
  log.files = /** @type {any} */ ([{ sizeBytes: 1000 }, { sizeBytes: 1000 }])
  for (const [place, what] of all) log.add({ ...PLACE, ...place }, what)
  return log
}

describe('what was moved', () => {
  it('is a row for each transfer, with its rate and its share of what went over the wire', () => {
    const other = { transfer: 'unknown', totalMs: null, outcome: 'TIMEOUT' }
    const { transfers, batches } = logOf([{}, moved({}, {}, [{}, other])])
    const [first, second] = transfers
    assert.deepEqual([first.waitMs, first.goodput, first.wirePerByte, first.file], [4, 2000, 1.5, 0])
    assert.deepEqual([second.waitMs, second.goodput, second.wirePerByte], [null, null, null])
    assert.deepEqual([second.file, second.outcome], [1, 'TIMEOUT'])
    assert.deepEqual([batches[0].payloadBytes, batches[0].requestors[0].spanMs], [2000, 500])
  })

  it('has no span where a repeat did not end, and no share of the wire where that was not counted', () => {
    const { transfers, batches } = logOf([{}, moved({}, { spanMs: Number.NaN, wireBytes: null })])
    assert.deepEqual([batches[0].requestors[0].spanMs, transfers[0].wirePerByte], [null, null])
  })

  it('has curves, requests that waited and times of blocks of the first repeat alone', () => {
    const waiting = [[0, 2, 6]]
    const blockEvents = [{ transfer: 't', cid: 'c', event: 'queued', atNs: 3_000_000n }]
    const what = moved({ waiting, blockEvents })
    const log = logOf([{}, what], [{ repeat: 1 }, what])
    const actual = log.transfers.map(({ curve }) => curve)
    assert.deepEqual(actual, [[], undefined])
    assert.deepEqual(log.waiting, [{ way: 'http', latencyMs: 50, bytesPerSecond: null, points: waiting }])
    assert.deepEqual(
      log.blockTimes.map(({ cid, queuedMs, storedMs }) => [cid, queuedMs, storedMs]),
      [['c', 3, null]]
    )
    assert.deepEqual(logOf([{}, moved({ waiting: [[0, 0, 6]] })]).waiting, [])
  })

  it('has no more blocks than anybody looks at', () => {
    const blockEvents = Array.from({ length: 2100 }, (_, i) => ({
      ...{ transfer: 't', cid: `c${i}`, event: 'queued', atNs: BigInt(i) }
    }))
    const stored = [{ transfer: 't', cid: 'c0', event: 'stored', atNs: 5_000_000n }]
    const { blockTimes } = logOf([{}, moved({ blockEvents }, { blockEvents: stored })])
    assert.deepEqual([blockTimes.length, blockTimes[0].storedMs], [2000, 5])
  })

  it('has readings of memory of both sides', () => {
    const reading = { blocks: 3 }
    const { memory } = logOf([{ repeat: 1 }, moved({ memory: [reading] }, { memory: [reading, reading] })])
    const actual = memory.map(({ side, repeat, blocks }) => [side, repeat, blocks])
    assert.deepEqual(actual, [
      ['provider', 1, 3],
      ['requestor 0', 1, 3],
      ['requestor 0', 1, 3]
    ])
  })
})
