import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { operationBlocks } from '../../src/report/operation-blocks.js'
import { SERVER, sampleResult } from './sample-result.js'

/** @param {Partial<import('../../src/result/types.js').ServerResult>} [parts] */
function serverWith(parts) {
  const [{ parts: groups }] = operationBlocks(sampleResult({ outcome: { server: { ...SERVER, ...parts } } }))
  return groups[2]
}

const { cpu, memory } = SERVER
const UNKNOWN_CPU = { ...cpu, averagePercent: null, medianPercent: null, maxPercent: null }

describe('a block of an operation', () => {
  test('counts one registration as one', () => {
    const [{ name }] = operationBlocks(sampleResult({ options: { initialRegistrations: 1 } }))
    assert.match(name, /, 1 registration$/)
  })

  test('has CPU and memory of the server, on average and at most', () =>
    assert.deepEqual(serverWith(), ['server CPU 31 %, at most 61 %', 'memory 98 MB, at most 1,106 MB']))

  test('leaves out what is not known of them', () => {
    assert.deepEqual(
      serverWith({ cpu: { ...cpu, maxPercent: null }, memory: { ...memory, averageBytes: null } }),
      ['server CPU 31 %', 'memory at most 1,106 MB']
    )
    assert.deepEqual(serverWith({ cpu: UNKNOWN_CPU }), ['memory 98 MB, at most 1,106 MB'])
  })
})
