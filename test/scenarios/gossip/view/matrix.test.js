import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { matrixSummary } from '../../../../src/studies/matrix/view/matrix-summary.js'
import { asRead } from '../../../report/page/parts-of-page.js'
import {
  matrixHtmlPage as htmlPage,
  MATRIX_SCENARIOS,
  matrixList,
  matrixPage,
  matrixPlots,
  matrixTable
} from '../../../report/shown.js'
import { aGossipResult } from './a-gossip-result.js'
import { madeUpSeries } from './made-up-series.js'

/** @typedef {import('../../../../src/studies/matrix/matrix-folder.js').TableRecord} TableRecord */

/** @param {TableRecord} table @param {ReadonlyMap<string, any>} results @param {string} name - of a row */
function cellsOf(table, results, name) {
  const { headings, rows } = matrixTable(table, results).cells
  const row = rows.find(cells => cells[0].split(' ')[0] === name) ?? []
  return Object.fromEntries(headings.map((heading, column) => [heading, row[column]]))
}

const atCase = await madeUpSeries(['gossip-series-1', 'gossip-series-3', 'gossip-series-4'])
const slower = await madeUpSeries(['gossip-series-1', 'gossip-series-5'], { scaleRate: 0.04, scaleTime: 0.1 })
const profiles = await madeUpSeries(['gossip-profile'])

test('a table begins with how many nodes there were, at which rates, and whether they were simulated', () => {
  const { lead } = MATRIX_SCENARIOS.gossip
  const result = aGossipResult({ options: { nodes: '30', messages: '60' } })
  const with_ = (/** @type {object} */ plan) =>
    /** @type {any} */ ({ ...result, plan: { ...result.plan, ...plan } })
  const simulated = with_({ network: 'simulated', ratePerSecond: 40 })
  const unpaced = with_({ ratePerSecond: null })
  assert.equal(lead([result, result]), 'Gossip among 30 nodes at 10 messages/s: 2 cases measured.')
  assert.match(
    lead([result, simulated]),
    / nodes at 10\D+40 messages\/s, some simulated: 2 cases measured\.$/
  )
  assert.equal(
    lead([simulated, simulated]),
    'Gossip among 30 nodes at 40 messages/s, simulated: 2 cases measured.'
  )
  assert.equal(lead([unpaced, unpaced]), 'Gossip among 30 nodes: 2 cases measured.')
  assert.equal(lead([unpaced]), 'Gossip among 30 nodes: 1 case measured.')
})

describe('the table of a series', () => {
  const [series] = atCase.document.tables

  test('has published figures behind the measured ones where the row is the published case', () => {
    const cells = cellsOf(series, atCase.results, '1a')
    assert.match(cells['MDR %'], /^\d+\.\d+ \/ 25,365 of 30,000$/)
    assert.match(cells.Lost, /^\d+ of 60 \/ 22 of 36,000$/)
    assert.match(cells['Dissemination avg ms'], /^> [\d,.]+ \/ 154$/)
    assert.equal(cells['Published, at its own rate'], undefined)
  })

  test('has the measured figures of the result', () => {
    const cells = cellsOf(series, atCase.results, '1b')
    const { outcome } = atCase.results.get('gossip-series-1/1b')
    assert.deepEqual(
      [cells.Nodes, cells.Topology, cells.Network, cells['Msg/s'], cells.For],
      ['95', 'barabasi-albert m=6', 'real TCP', '200', '3 min 0 s']
    )
    assert.equal(cells['Last hop max'], String(outcome.hops.last.length - 1))
    assert.equal(cells['CPU ms'], '1.23')
    assert.equal(cells.Duplicates, '3.70')
  })

  test('at another rate has them in a column of its own, with their rate, and beside nothing', () => {
    const [table] = slower.document.tables
    const cells = cellsOf(table, slower.results, '1a')
    assert.equal(
      cells['Published, at its own rate'],
      'received 25,365 of 30,000, lost 22 of 36,000, dissemination 154 ms on average at 200 msg/s'
    )
    assert.equal(cells['Msg/s'], '8.00 of 200')
    assert.equal(cells.For, '18.0 s of 3 min 0 s')
    for (const [heading, cell] of Object.entries(cells))
      if (heading !== 'Published, at its own rate') assert.ok(!cell.includes(' / '), `${heading}: ${cell}`)
    const page = matrixPage(table, slower.results, slower.document.request)
    assert.match(page, /\*\*Scale of rates 0\.04\*\*: fewer messages a second/)
    assert.match(page, /\*\*Scale of time 0\.1\*\*/)
    assert.match(
      page,
      /\*\*Published figures\*\* are of cases that ran at another rate: they stand in a column of their own/
    )
    assert.doesNotMatch(page, /behind a slash/)
  })

  test('says the network conditions of a row', () => {
    const [, lossy, narrow] = atCase.document.tables
    assert.equal(cellsOf(lossy, atCase.results, '3a').Network, 'loss 0.1 %')
    assert.equal(cellsOf(narrow, atCase.results, '4a').Network, '10 MB/s')
    const [, late] = slower.document.tables
    assert.equal(cellsOf(late, slower.results, '5a').Network, 'real TCP, 400 ms')
  })

  test('says which rows cannot be run here, and why', () => {
    const [, lossy] = atCase.document.tables
    const page = matrixPage(lossy, atCase.results)
    assert.match(page, /^\| 3a cannot be run here +\|/m)
    assert.match(page, /^- 3a cannot be run here: linkLoss 0\.1% needs --network simulated/m)
    assert.match(page, /\| – \/ 246 of 36,000 \|/)
  })
})

describe('the plots of a series', () => {
  const [series] = atCase.document.tables
  const plots = matrixPlots(series, atCase.results)

  test('overlay dissemination times, last hops and latencies of its rows', () => {
    assert.deepEqual(
      plots.map(({ title }) => title),
      ['Dissemination time of each row', 'Last delivery hop of each row', 'Latency of deliveries of each row']
    )
    for (const { legend } of plots)
      assert.deepEqual(
        legend.map(({ label }) => label),
        [
          '1a: barabasi-albert m=2',
          '1b: barabasi-albert m=6',
          '1c: barabasi-albert m=12',
          '1d: barabasi-albert m=16'
        ]
      )
  })

  /** @param {number} plot @param {string} row @returns {any[]} */
  const valuesOf = (plot, row) => {
    const place = plots[plot].legend.findIndex(({ label }) => label.startsWith(`${row}:`))
    return plots[plot].spec.layer[place].data.values
  }
  /** @param {{ value: number }[]} bars */
  const total = bars => bars.reduce((sum, { value }) => sum + value, 0)

  test('have every message of each row in shares, in the same bins', () => {
    for (const row of ['1b', '1d']) {
      const own = valuesOf(0, row)
      assert.deepEqual(
        own.map(({ at }) => at),
        valuesOf(0, '1a').map(({ at }) => at)
      )
      assert.ok(Math.abs(total(own.slice(0, -1)) - 100) < 0.1, `${total(own)} %`)
    }
  })

  test('have last hops that add up to 100 %', () => assert.ok(Math.abs(total(valuesOf(1, '1c')) - 100) < 0.1))

  test('say their values to who points at them', () => {
    for (const { title, data } of plots) assert.ok(data && data.series.length >= 4, title)
  })

  test('end below 100 % where something never came', () => {
    assert.equal(valuesOf(2, '1b').at(-1).percent, 100)
    assert.ok(valuesOf(2, '1a').at(-1).percent < 100)
  })

  test('are none before anything was measured', () => assert.deepEqual(matrixPlots(series, new Map()), []))
})

describe('the page of series', async () => {
  const page = await htmlPage(atCase.document, atCase.results)

  test('says what was measured and what cannot be', () => {
    assert.match(page, /Gossip among 95 nodes at 200 messages\/s: 4 cases measured\./)
    assert.match(page, /Complete: all 4 rows that can be run here were measured\./)
    assert.match(page, /7 cannot be run here: 3a, 3b, 3c, 3d, 4a, 4b, 4c\./)
  })

  test('leads from the name of a row to what is kept of it', async () => {
    const links = new Map([['gossip-series-1/1b', 'gossip-series-1/1b/report.html']])
    assert.match(
      await htmlPage(atCase.document, atCase.results, links),
      /<th scope="row"><a href="gossip-series-1\/1b\/report\.html">1b<\/a>/
    )
  })

  test('says of simulated rows that they are', async () => {
    const simulated = new Map(
      [...atCase.results].map(([id, result]) => [
        id,
        { ...result, plan: { ...result.plan, network: 'simulated', workers: 1 } }
      ])
    )
    const page = await htmlPage(atCase.document, simulated)
    assert.match(page, /Gossip among 95 nodes at 200 messages\/s, simulated: 4 cases measured/)
    assert.match(page, /in 1 process, simulated, in virtual time, messages not signed/)
  })

  test('is made before anything was measured', async () => {
    const empty = await htmlPage(atCase.document, new Map())
    assert.doesNotMatch(asRead(empty).replace(/<style>[\s\S]*?<\/style>/, ''), /undefined|NaN|<figure/)
  })
})

describe('the table of profiles', () => {
  const [table] = profiles.document.tables

  test('has counts beside the published ones, without a ratio', () => {
    const cells = cellsOf(table, profiles.results, 'signed-10')
    assert.equal(cells['Published messages'], '60 / 31,000')
    assert.match(cells.Received, /^[\d,]+ \/ 1,500,000$/)
    assert.match(cells.Seconds, /^[\d.]+ \/ 145$/)
    assert.deepEqual([cells.Bytes, cells.Muxer, cells.Signed], ['10', 'yamux', 'yes'])
    assert.equal(cells.Pace, 'each 100–300 ms')
    assert.equal(cellsOf(table, profiles.results, 'unsigned-8k-16k-mplex').Bytes, '8,192–16,384')
  })

  test('at another pace has them in a column of its own', async () => {
    const { document, results } = await madeUpSeries(['gossip-profile'], { scaleRate: 0.5 })
    const cells = cellsOf(document.tables[0], results, 'signed-10')
    assert.equal(cells.Pace, 'each 200–600 ms of 100–300 ms')
    assert.equal(
      cells['From the profiling study, at its own pace'],
      '31,000 published, 1,500,000 received, 145 seconds, each 100–300 ms'
    )
    assert.ok(!cells.Received.includes('/'))
  })

  test('names what took most CPU, where it was sampled', () => {
    const id = 'gossip-profile/signed-10'
    const result = profiles.results.get(id)
    const hotSpots = {
      categories: [
        { category: 'signature', selfShare: 0.5, totalShare: 0.6 },
        { category: 'encryption', selfShare: 0.2, totalShare: 0.2 }
      ]
    }
    const sampled = new Map([[id, { ...result, outcome: { ...result.outcome, profile: { hotSpots } } }]])
    assert.equal(cellsOf(table, sampled, 'signed-10')['Most CPU'], 'signature 50.0 %, encryption 20.0 %')
  })
})

describe('in words', () => {
  test('the list says what a row is after scaling, and which cannot be run', async () => {
    const { document } = await madeUpSeries(['gossip-series-1', 'gossip-series-3'], {
      scaleRate: 0.04,
      scaleTime: 0.1
    })
    const list = matrixList({
      ...document,
      tables: document.tables.map(table => ({
        ...table,
        rows: table.rows.map(row => (row.blocked === null ? { ...row, status: 'pending' } : row))
      }))
    })
    assert.match(list, /gossip-series-1\/1a .* 18\.0 s of messages of 1,000 bytes at 8\.00\/s/)
    assert.match(
      list,
      /gossip-series-3\/3a +\| +– .* cannot be run here: linkLoss 0\.1% needs --network simulated/
    )
    assert.match(list, /8 rows, 4 to run, \d min \d+ s to \d\d min \d+ s with/)
  })

  test('without scaling the list has no column for it', () =>
    assert.doesNotMatch(matrixList(atCase.document), /after scaling/))

  test('the summary counts rows that cannot be run apart', () => {
    const summary = matrixSummary(atCase.document, 'results/x')
    assert.match(summary, /^11 rows: 4 done, 7 that cannot be run here$/m)
    assert.match(summary, /^– gossip-series-4\/4b: upBandwidth 50MB\/s needs --network simulated/m)
  })
})
