import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { describePlan, describeResult } from '../../../src/scenarios/transfer/describe.js'
import { digestOf, valid, widthOf } from '../../description-digest.js'
import { isAsRecorded } from '../../recorded.js'
import { readResult } from '../../scenarios.js'
import { aZerosResult, LIBP2P, shaken } from './a-zeros-result.js'

const STORED = [
  'fixtures/results-0.1.0/perf',
  ...['perf-go', 'perf-line', 'perf-python', 'perf-rust', 'perf-window'].map(
    name => `results/reference/${name}`
  )
]

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
    assert.deepEqual(
      tables[0].columns.map(([heading]) => heading),
      describePlan(aZerosResult({}).plan).columns
    )
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
    assert.deepEqual(
      [tcp['Client CPU s/GB'], tcp['Server CPU s/GB'], tcp['Server RSS MB']],
      [100, null, null]
    )
    assert.equal(cells(6)[0]['× TCP low'], 2)
  })

  test('of nothing measured has no table', () => {
    const { headline, tables } = valid(describeResult(aZerosResult({})))
    assert.equal(headline, 'Nothing was measured.')
    assert.deepEqual(tables, [])
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
                    due: 3,
                    failed: 2,
                    failure: 'refused'
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
