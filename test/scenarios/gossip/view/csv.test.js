import assert from 'node:assert/strict'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { hopFigures } from '../../../../src/scenarios/gossip/measure/hop-figures.js'
import {
  deliveriesCsv,
  missingCsv,
  nodesCsv,
  timelineCsv,
  topicsCsv
} from '../../../../src/scenarios/gossip/view/csv.js'
import { writeViews } from '../../../report/shown.js'
import { aGossipResult, nothingPublished } from './a-gossip-result.js'

const RESULT = aGossipResult({ gone: [3, 11], skipped: 2, options: { topics: 'blocks=1,votes=0.5' } })

/** @param {string} text @returns {Record<string, string>[]} */
function rowsOf(text) {
  const [names, ...rows] = text
    .trimEnd()
    .split('\n')
    .map(line => line.split(','))
  return rows.map(row => Object.fromEntries(names.map((name, place) => [name, row[place]])))
}

/** @param {any} value @param {string} path */
const at = (value, path) => path.split('.').reduce((part, key) => part?.[key], value)

describe('every figure in CSV is that of the result', () => {
  const { outcome, plan } = RESULT

  test('of the deliveries, each under its path in the document', () => {
    const [row, ...more] = rowsOf(deliveriesCsv(RESULT))
    assert.deepEqual(more, [])
    const last = hopFigures(outcome.hops.last)
    const apart = {
      network: plan.network,
      nodes: plan.nodes,
      topology: plan.topology.kind,
      'hops.last.avg': last?.avg,
      'hops.last.max': last?.max
    }
    let compared = 0
    for (const [path, text] of Object.entries(row)) {
      if (/\.(censored|doubtful)$/.test(path)) continue
      assert.equal(
        text,
        String(
          (path in apart
            ? (at({ ...apart }, path) ?? /** @type {any} */ (apart)[path])
            : at(outcome, path)) ?? ''
        ),
        path
      )
      compared++
    }
    assert.ok(compared > 60, `${compared}`)
    assert.equal(row['missing.byReason.node-gone'], String(outcome.missing.pairs))
  })

  test('censored figures are named', () => {
    const [row] = rowsOf(deliveriesCsv(RESULT))
    const { all } = outcome.latency
    for (const key of /** @type {const} */ (['avg', 'p50', 'p90', 'p95', 'p99', 'p999', 'max']))
      assert.equal(row['latency.all.censored'].split(' ').includes(key), all[key]?.censored ?? false, key)
    assert.equal(row['latency.all.doubtful'], '')
  })

  test('of the nodes', () => {
    const rows = rowsOf(nodesCsv(RESULT)).map(row =>
      Object.fromEntries(Object.entries(row).map(([key, text]) => [key, text === '' ? null : Number(text)]))
    )
    assert.deepEqual(rows, outcome.nodes)
  })

  test('of the seconds', () => {
    const rows = rowsOf(timelineCsv(RESULT))
    assert.deepEqual(
      rows.map(({ second, planned, published, delivered }) =>
        [second, planned, published, delivered].map(Number)
      ),
      outcome.timeline.map(({ second, planned, published, delivered }) => [
        second,
        planned,
        published,
        delivered
      ])
    )
    const counts = rows.reduce((sum, row) => sum + Number(row['latency.count']), 0)
    assert.equal(counts, outcome.delivery.delivered)
  })

  test('of the topics', () => {
    assert.deepEqual(
      rowsOf(topicsCsv(RESULT)),
      outcome.topics.map(({ topic, ...counts }) => ({
        topic: String(topic),
        name: plan.topics[topic].name,
        ...Object.fromEntries(Object.entries(counts).map(([key, count]) => [key, String(count)]))
      }))
    )
  })

  test('of what is missing', () => {
    assert.deepEqual(
      rowsOf(missingCsv(RESULT)).map(({ message, node, topic, reason }) => ({
        message: Number(message),
        node: Number(node),
        topic: Number(topic),
        reason
      })),
      outcome.missing.listed
    )
  })

  test('a run that published nothing has headings', () => {
    for (const csv of [nodesCsv, timelineCsv, topicsCsv, missingCsv])
      assert.equal(csv(nothingPublished()).trimEnd().split('\n').length, 1)
    assert.equal(rowsOf(deliveriesCsv(nothingPublished()))[0]['messages.published'], '0')
  })
})

test('the folder of a run gets its views, CSV on request', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'loadtest-gossip-views-'))
  try {
    await writeViews(RESULT, folder, { csv: true })
    assert.deepEqual((await readdir(folder)).sort(), [
      'deliveries.csv',
      'missing.csv',
      'nodes.csv',
      'report.html',
      'report.md',
      'timeline.csv',
      'topics.csv'
    ])
  } finally {
    await rm(folder, { recursive: true })
  }
})
