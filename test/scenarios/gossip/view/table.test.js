import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { share } from '../../../../src/report/share.js'
import { hopFigures } from '../../../../src/scenarios/gossip/measure/hop-figures.js'
import { topologyText } from '../../../../src/scenarios/gossip/plan/topology-text.js'
import { time } from '../../../report/sample-result.js'
import { resultTable, runReport } from '../../../report/shown.js'
import { aGossipResult, nothingPublished } from './a-gossip-result.js'

const LOSSY = aGossipResult({ gone: [3, 11], stall: true, skipped: 2 })

/** @param {import('../../../../src/scenarios/gossip/gossip-types.js').GossipResult} result @returns {Record<string, string>} */
function firstRow(result) {
  const lines = runReport(result, { folder: 'results/x' }).split('\n')
  const begin = lines.findIndex(
    line => line.startsWith('| Nodes') || line.startsWith('|   Nodes') || line.includes(' Topology ')
  )
  const [names, row] = [lines[begin], lines[begin + 2]].map(line => line.split('|').map(cell => cell.trim()))
  return Object.fromEntries(names.map((name, place) => [name, row[place]]))
}

/** @param {string} text as a number is written for people */
const read = text => Number(text.replace(/[*>, ]/g, ''))

/** @param {string} text @param {number | null | undefined} value */
function assertShows(text, value) {
  if (value == null) assert.equal(text, '–')
  else assert.ok(Math.abs(read(text) - value) <= Math.max(0.0005, value * 0.005), `${text} is not ${value}`)
}

test('every figure in markdown is that of the result, with its marks', () => {
  const { outcome, plan } = LOSSY
  const row = firstRow(LOSSY)
  assert.deepEqual(
    [row.Nodes, row.Topology, row.Messages],
    [String(plan.nodes), 'barabasi-albert m=6', '198 / 200']
  )
  assertShows(row['MDR %'], 100 * Number(outcome.delivery.ratio))
  assertShows(row['To all %'], 100 * Number(outcome.delivery.completeRatio))
  for (const [name, { all }] of Object.entries({
    Latency: outcome.latency,
    Dissemination: outcome.dissemination
  })) {
    const cells = row[`${name} avg/p50/p90/p99/max ms`].split(' / ')
    const figures = [all.avg, all.p50, all.p90, all.p99, all.max]
    assert.equal(cells.length, figures.length)
    figures.forEach((figure, i) => {
      assertShows(cells[i], figure?.ms)
      assert.equal(cells[i].startsWith('>'), figure?.censored ?? false, `${name} ${i}`)
    })
  }
  const [avg, max] = row['Last hop avg/max'].split(' / ')
  assertShows(avg, hopFigures(outcome.hops.last)?.avg)
  assert.equal(max, String(outcome.hops.last.length - 1))
  assertShows(row.Duplicates, outcome.cost.duplicatesPerDelivery)
  assertShows(row['CPU ms'], Number(outcome.cost.cpuMicrosPerDelivery) / 1000)
  assertShows(row.Bytes, outcome.cost.bytesPerDelivery)
})

test('a time the machine had a part in carries its mark', () => {
  const { latency } = LOSSY.outcome
  const doubtful = { ...latency, all: { ...latency.all, p50: time(5, { doubtful: true }) } }
  const result = aGossipResult({ outcome: { latency: doubtful } })
  assert.match(resultTable(result), / 5\.00\* \//)
})

test('of messages that nobody was to receive there are only counts', () => {
  const delivery = { ...LOSSY.outcome.delivery, expected: 0, delivered: 0, ratio: null }
  const lonely = aGossipResult({
    outcome: { delivery: { ...delivery, expectedMessages: 0, completeMessages: 0, completeRatio: null } }
  })
  assert.match(resultTable(lonely), /\| 200 \/ 200 \| +– \| +– \|/)
})

test('a run that published nothing has no table, one whose messages were all skipped has', () => {
  assert.equal(resultTable(nothingPublished()), '')
  assert.match(
    resultTable(aGossipResult({ options: { messages: '3' }, skipped: 3 })),
    /\| +0 \/ 3 \| +– \| +– \|/
  )
})

test('a simulated network says so in the table', () => {
  const { plan } = LOSSY
  const simulated = { ...LOSSY, plan: /** @type {any} */ ({ ...plan, network: 'simulated' }) }
  assert.match(resultTable(simulated), /\| 40 simulated \|/)
})

describe('a share reads 100 only when nothing is missing', () => {
  for (const [part, whole, shown] of /** @type {[number, number, string][]} */ ([
    [100, 100, '100'],
    [999_999, 1_000_000, '99.99'],
    [1, 3, '33.33'],
    [1, 1_000_000, '< 0.01'],
    [0, 5, '0'],
    [0, 0, '–']
  ]))
    test(`${part} of ${whole} is ${shown}`, () => assert.equal(share(part, whole), shown))
})

describe('a topology is named with what shapes it', () => {
  for (const [spec, text] of /** @type {[any, string][]} */ ([
    [{ kind: 'barabasi-albert', m: 2, seed: 42, networkx: '2.4' }, 'barabasi-albert m=2'],
    [{ kind: 'small-world', k: 4, p: 0.1 }, 'small-world k=4 p=0.1'],
    [{ kind: 'full' }, 'full'],
    [{ kind: 'file', path: 'mesh.txt', nodes: 2, edges: [[0, 1]] }, 'file mesh.txt']
  ]))
    test(text, () => assert.equal(topologyText(spec), text))
})

test('hops have an average, a maximum and a standard deviation, or none', () => {
  assert.deepEqual(hopFigures([0, 1, 2, 1, 0]), { avg: 2, max: 3, sd: Math.sqrt(0.5) })
  assert.equal(hopFigures([0, 0]), null)
})

test('times between machines stand with what their clocks may be off by', () => {
  const warnings = [{ code: 'CLOCKS_APART', values: { errorMs: 0.37 } }]
  const row = firstRow({ ...LOSSY, run: { ...LOSSY.run, warnings } })
  const [times] = Object.entries(row)
    .filter(([name]) => name.startsWith('Latency'))
    .map(([, cell]) => cell)
  assert.match(times, / ± 0\.370$/)
  assert.doesNotMatch(JSON.stringify(firstRow(LOSSY)), /±/)
})
