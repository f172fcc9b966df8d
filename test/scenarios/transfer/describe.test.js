import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { describePlan, describeResult } from '../../../src/scenarios/transfer/describe.js'
import { digestOf, valid, widthOf } from '../../description-digest.js'
import { isAsRecorded } from '../../recorded.js'
import { readResult } from '../../scenarios.js'
import { aZerosResult, LIBP2P, shaken } from './a-zeros-result.js'

const OLD = 'fixtures/results-0.1.0/transfer/result.json'
const REFERENCE = 'results/reference/transfer/result.json'

/** @param {import('../../../src/report/schema.js').DescribedTable} table @param {string} heading */
const column = ({ columns, rows }, heading) => {
  const at = columns.findIndex(([name]) => name === heading)
  return rows.map(row => row[at])
}

describe('the description of a transfer result', () => {
  for (const file of [OLD, REFERENCE])
    test(`of ${file} is valid, and its first table fits a terminal`, async () => {
      const [first] = valid(describeResult(await readResult(file))).tables
      assert.ok(widthOf(first) <= 80, String(widthOf(first)))
    })

  test('is as recorded', async () => {
    const result = await readResult(REFERENCE)
    isAsRecorded('description-transfer.json', {
      plan: describePlan(result.plan),
      result: digestOf(describeResult(result))
    })
  })

  test('blocks, requests and memory have tables and plots where they were watched', async () => {
    /** @type {any} */
    const result = await readResult(OLD)
    const on = { way: 'blocks', latencyMs: 0, bytesPerSecond: null }
    const used = { residentBytes: 3e6, heapBytes: 2e6, externalBytes: 1e6 }
    result.outcome.blockTimes = Array.from({ length: 500 }, (_, i) => ({
      ...{ ...on, transfer: '0', cid: `cid${i}` },
      ...{ queuedMs: i, sentMs: i + 1, receivedMs: i + 2, storedMs: i === 5 ? null : i + 3 }
    }))
    result.outcome.waiting = [{ ...on, points: [[0, 1, 6]] }]
    result.outcome.memory = [{ ...on, repeat: 0, side: 'provider', blocks: 1, before: used, after: used }]
    const { tables, plots } = valid(describeResult(result))
    const ids = tables.map(({ id }) => id)
    assert.ok(ids.includes('memory') && ids.includes('block-times'), ids.join(' '))
    const blocks = plots.find(({ id }) => id === 'blocks-blocks-0ms-unlimited')
    assert.match(String(blocks?.note), /One of 5 blocks is drawn/)
    const actual = blocks?.series?.flatMap(({ label, values }) => [label, values[1]])
    assert.deepEqual(actual, ['queued', [6, 5], 'sent', [6, 6], 'received', [6, 7], 'stored', [6, null]])
    for (const id of ['waiting-0ms-unlimited', 'in-progress-0ms-unlimited'])
      assert.ok(plots.some(plot => plot.id === id))
  })

  test('without times where garbage collections came between', async () => {
    /** @type {any} */
    const result = await readResult(OLD)
    result.plan.memorySnapshots = 'detailed'
    const { headline, tables } = valid(describeResult(result))
    assert.match(headline, /no times/)
    assert.deepEqual(column(tables[0], 'Time ms'), [null, null])
    assert.ok(column(tables[0], 'Wire/byte').every(value => Number(value) > 1))
  })

  test('columns of its first table are known before the run, whatever is measured', async () => {
    for (const file of [OLD, REFERENCE]) {
      const result = await readResult(file)
      const actual = describeResult(result).tables[0].columns.map(([heading]) => heading)
      assert.deepEqual(actual, describePlan(result.plan).columns)
    }
  })

  test('the model of throughput is the window by the round trip, where nothing else limits', async () => {
    const { plots } = describeResult(await readResult(REFERENCE))
    const { series = [] } = plots.find(({ id }) => id === 'throughput-by-round-trip') ?? {}
    const values = series.find(({ label }) => label === 'model: window of 16 MiB')?.values ?? []
    assert.ok(values.length > 0)
    for (const [roundTripMs, megabytes] of values)
      assert.ok(Math.abs((Number(megabytes) * Number(roundTripMs)) / 1000 - 16.777) < 0.02)
  })

  test('transfers that failed are a warning, with the first of them', async () => {
    /** @type {any} */
    const result = await readResult(OLD)
    Object.assign(result.outcome.transfers[2], { outcome: 'TIMEOUT', error: 'took too long', way: 'http' })
    assert.deepEqual(describeResult(result).warnings, [
      {
        code: 'TRANSFERS_FAILED',
        text: '1 of 8 transfers failed. The first: http, requestor 0: took too long'
      }
    ])
  })
})

const STORED = ['fixtures/results-0.1.0/perf', 'fixtures/results-0.1.0/perf-go']

describe('the description of a result of zeros', () => {
  for (const folder of STORED)
    test(`of ${folder} is valid, and its first table fits a terminal`, async () => {
      const [first] = valid(describeResult(await readResult(`${folder}/result.json`))).tables
      assert.ok(widthOf(first) <= 80, String(widthOf(first)))
    })

  test('is as recorded', async () => {
    const result = await readResult('fixtures/results-0.1.0/perf/result.json')
    isAsRecorded('description-perf.json', {
      plan: describePlan(result.plan),
      result: digestOf(describeResult(result))
    })
  })

  test('columns of its first table are known before the run, whatever is measured', () => {
    const { tables } = describeResult(aZerosResult({ measures: 'upload' }, { transfers: [{}] }))
    const actual = tables[0].columns.map(([heading]) => heading)
    assert.deepEqual(actual, describePlan(aZerosResult({}).plan).columns)
  })

  test('a target is not started by the run, and not stopped', () => {
    const target = '/ip4/127.0.0.1/tcp/1/p2p/12D3KooWKnUAsyDSEbyGAfDMMLXG17JrQUXBJDFb3nBYwWb4AcZU'
    const phasesOf = (/** @type {object} */ options) => {
      const { setup, teardown } = describePlan(aZerosResult({ measures: 'latency', ...options }).plan).phases
      return [setup[1], teardown[1]]
    }
    assert.deepEqual(phasesOf({ target }), ['requestor ready', 'requestor stopped'])
    assert.deepEqual(phasesOf({}), ['provider and requestor ready', 'provider and requestor stopped'])
  })

  test('a protocol is compared with TCP in the same repeats, with intervals from six repeats on', () => {
    const moved = (/** @type {number} */ repeats) =>
      aZerosResult(
        { measures: 'upload', streams: '1', protocols: 'perf,tcp', bandwidths: 'none' },
        {
          transfers: Array.from({ length: repeats }, (_, repeat) => [
            { repeat },
            { repeat, way: 'TCP', totalMs: 500, serverCpuMs: null, serverRssBytes: null }
          ]).flat()
        }
      )
    const cells = (/** @type {number} */ repeats) => {
      const [{ columns, rows }] = describeResult(moved(repeats)).tables
      return rows.map(row => Object.fromEntries(columns.map(([heading], i) => [heading, row[i]])))
    }
    const [{ '× TCP': times, '× TCP low': low }, tcp] = cells(2)
    assert.deepEqual([times, low], [2, null])
    const actual = [tcp['Client CPU s/GB'], tcp['Server CPU s/GB'], tcp['Server RSS MB']]
    assert.deepEqual([actual, cells(6)[0]['× TCP low']], [[100, null, null], 2])
  })

  test('of nothing measured has no table', () => {
    const { headline, tables } = valid(describeResult(aZerosResult({})))
    assert.deepEqual([headline, tables], ['Nothing was measured.', []])
  })

  test('a median that failed handshakes reach into is a lower bound, and a warning says how many failed', () => {
    const { tables, warnings } = valid(
      describeResult(
        aZerosResult(
          { measures: 'handshakes' },
          {
            handshakes: [
              [
                LIBP2P,
                [
                  shaken({
                    times: [
                      [20, 0, true],
                      [30, 0, false],
                      [30, 0, false]
                    ],
                    ...{ due: 3, failed: 2, failure: 'refused' }
                  })
                ]
              ]
            ]
          }
        )
      )
    )
    const times = tables.find(({ id }) => id === 'response-times')
    assert.deepEqual(times?.rows[0][times.columns.findIndex(([heading]) => heading === 'p50')], {
      atLeast: 30
    })
    assert.deepEqual(warnings, [
      { code: 'HANDSHAKES_FAILED', text: `2 of 3 handshakes of ${LIBP2P} failed: refused` }
    ])
  })

  test('a plot over the number of streams only where there are several', () => {
    const transfers = [1, 4].map(streams => ({ streams }))
    const ids = (/** @type {object[]} */ moved) =>
      describeResult(aZerosResult({ measures: 'upload' }, { transfers: moved })).plots.map(({ id, main }) => [
        id,
        main
      ])
    assert.deepEqual(ids(transfers), [
      ['upload-by-streams', true],
      ['upload-by-repeat', undefined]
    ])
    assert.deepEqual(ids(transfers.slice(1)), [['upload-by-repeat', true]])
  })
})
