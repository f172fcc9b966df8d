import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { encodeDownloadSize, PERF_PROTOCOL, PerfRequestReader } from '../../src/protocol/perf.js'

describe('the perf protocol', () => {
  test('is /perf/1.0.0, and a request begins with 64 bits, big-endian', () => {
    assert.equal(PERF_PROTOCOL, '/perf/1.0.0')
    assert.deepEqual([...encodeDownloadSize(0x0102)], [0, 0, 0, 0, 0, 0, 1, 2])
    assert.deepEqual([...encodeDownloadSize(2n ** 64n - 1n)], Array(8).fill(255))
    for (const wrong of [-1n, 2n ** 64n]) assert.throws(() => encodeDownloadSize(wrong), RangeError)
  })

  test('is read however its bytes are cut', () => {
    const bytes = Buffer.concat([encodeDownloadSize(258), Buffer.alloc(5)])
    for (let cut = 0; cut <= bytes.length; cut++) {
      const reader = new PerfRequestReader()
      for (const piece of [bytes.subarray(0, cut), bytes.subarray(cut)]) reader.push(piece)
      assert.deepEqual([reader.wanted, reader.uploadedBytes], [258n, 5], `cut at ${cut}`)
    }
  })

  test('wants nothing that was not said', () => {
    const reader = new PerfRequestReader()
    reader.push(new Uint8Array(7))
    assert.deepEqual([reader.wanted, reader.uploadedBytes], [null, 0])
  })
})
