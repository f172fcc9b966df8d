import '../../../../../src/node-shim.js'
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { serverPlots, serverSamples } from '../../../../../src/scenarios/rendezvous/view/plots/server-load.js'
import { SERVER, sampleResult } from '../../../../report/sample-result.js'

/** @param {any[]} series @param {object} [server] */
const resultWith = (series, server) =>
  sampleResult({ outcome: { server: /** @type {any} */ ({ ...SERVER, series, ...server }) } })

const TWO = [
  { atMs: 0, cpuPercent: null, rssBytes: 90e6 },
  { atMs: 1000, cpuPercent: 61.26, rssBytes: 1_106e6 }
]

describe('the server over time', () => {
  it('is drawn within the time that was measured, with its average', () => {
    const [cpu, memory] = serverPlots(resultWith([...TWO, { atMs: 9000, cpuPercent: 40, rssBytes: 95e6 }]))
    const [samples, average] = cpu.spec.layer.map((/** @type {any} */ layer) => layer.data.values)
    assert.deepEqual(samples, [
      { at: 1, value: 61.3 },
      { at: 2, value: 40 }
    ])
    assert.deepEqual(average, [{ average: 31.2 }])
    assert.equal(cpu.description, 'CPU of the server over time, 61 % of a core at most.')
    assert.equal(memory.description, 'Memory of the server over time, 1,106 MB at most.')
    assert.match(memory.caption, /^Counted as resident set;/)
  })

  it('has no line of an average that is not known, and names how old results counted memory', () => {
    const unknown = { averageBytes: null, averagePercent: null }
    const [cpu, memory] = serverPlots(
      resultWith(TWO, { cpu: unknown, memory: unknown, memoryCountedAs: undefined })
    )
    for (const { spec } of [cpu, memory]) assert.deepEqual(spec.layer[1]?.data.values ?? [], [])
    assert.match(memory.caption, /^Counted as resident set;/)
  })

  it('is not drawn of a server that was not measured, or looked at once', () => {
    assert.deepEqual(serverPlots(sampleResult({ outcome: { server: null } })), [])
    assert.deepEqual(serverPlots(resultWith(TWO.slice(0, 1))), [])
    assert.deepEqual(serverSamples(sampleResult({ outcome: { server: null } })), [])
  })

  it('keeps the highest of each stretch where there are more samples than dots', () => {
    const series = Array.from({ length: 1200 }, (_, i) => ({
      ...{ atMs: i, cpuPercent: i % 100, rssBytes: i === 601 ? 500e6 : 100e6 }
    }))
    const samples = serverSamples(resultWith(series))
    assert.ok(samples.length <= 400, String(samples.length))
    assert.equal(Math.max(...samples.map(({ memory }) => memory)), 500)
    assert.ok(samples.some(({ cpu }) => cpu === 99))
  })

  it('leaves out stretches of which the CPU is not known: nothing says that it was idle', () => {
    const series = Array.from({ length: 1200 }, (_, i) => ({
      ...{ atMs: i, cpuPercent: i < 600 ? null : 50, rssBytes: 100e6 }
    }))
    assert.deepEqual([...new Set(serverSamples(resultWith(series)).map(({ cpu }) => cpu))], [null, 50])
  })
})
