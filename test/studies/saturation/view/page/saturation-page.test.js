import '../../../../../src/node-shim.js'
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { saturationPage } from '../../../../../src/studies/saturation/view/page/saturation-page.js'
import { newHead } from '../../../../../src/studies/study-document.js'
import { modelledRun } from '../../../../cli/modelled-server.js'
import { viewOf } from '../../../../report/shown.js'
import { times } from '../../../../scenarios/rendezvous/saturation/load-point.js'
import { aTrial } from '../../../qa/a-qa-document.js'

const CARRIED = aTrial(50, { rt: times(2) })
const BEYOND = aTrial(100, { achieved: 300, rt: times(20), doubtful: true })
const LOST = aTrial(150, null, { run: null })
const GRID = {
  ...{ rates: [50, 100, 150], connections: [1], chosen: { ratePerSecond: 50, connections: 1 } },
  cells: [CARRIED, BEYOND, LOST]
}
const SEARCH = {
  ...{ fromPerSecond: 50, mostPerSecond: 1e6, tolerance: 0.05, repeats: 0, blocks: 0, found: null },
  trials: [
    { ...CARRIED, purpose: 'search', sustained: true, reasons: [] },
    { ...BEYOND, purpose: 'search', sustained: false, reasons: [{ code: 'ACHIEVED', share: 0.5 }] },
    { ...LOST, purpose: 'search', sustained: null, reasons: [] }
  ]
}
const results = new Map(
  [CARRIED, BEYOND].map(({ run, plan, name }) => [String(run), modelledRun(plan, name, { capacity: 60 })])
)

/** @param {object} parts @param {ReadonlyMap<string, any>} [kept] */
async function shown(parts, kept = results) {
  const document = {
    ...{ ...newHead('x', new Date(0)), status: 'complete', scenario: 'rendezvous', options: {}, seconds: 6 },
    ...{ connections: null, grid: null, search: null },
    ...parts
  }
  const runs = {
    results: kept,
    links: new Map([['runs/r50', 'runs/r50/report.html']]),
    view: viewOf(CARRIED.plan)
  }
  const page = await saturationPage(/** @type {any} */ (document), /** @type {any} */ (runs))
  const text = page.replace(/<(style|svg|script)[\s\S]*?<\/\1>/g, '').replace(/<[^>]+>/g, ' ')
  return {
    page,
    text: text.replace(/[\s\u00a0]+/g, ' '),
    ids: [...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)
  }
}

describe('the page of a saturation', () => {
  test('of a grid has its cells, with times of those whose runs can be read', async () => {
    const { page, text, ids } = await shown({ grid: GRID })
    for (const id of ['grid', 'cells', 'latency-throughput-section', 'latency-r50', 'latency-r100'])
      assert.ok(ids.includes(id), `${id} is not among ${ids}`)
    assert.ok(!ids.includes('latency-r150') && !ids.includes('search-plots'))
    assert.match(text, /Complete: 2 runs\./)
    assert.match(text, /1 run holds doubtful figures/)
    assert.match(text, /not kept up with/)
    assert.match(page, /href="runs\/r50\/report\.html"/)
  })

  test('of a grid whose runs are gone has its figures, and no times over time', async () => {
    const { ids, text } = await shown({ grid: GRID }, new Map())
    assert.ok(ids.includes('cells') && !ids.some(id => id.startsWith('latency-r')))
    assert.match(text, /✗ 300 of 600/)
  })

  test('of a search has its trials, and says how it searched', async () => {
    const { ids, text } = await shown({ search: SEARCH, connections: 1 })
    for (const id of ['search-plots', 'trials', 'latency-r50', 'latency-r100'])
      assert.ok(ids.includes(id), `${id} is not among ${ids}`)
    assert.ok(!ids.includes('grid') && !ids.includes('latency-r150'))
    assert.match(text, /Trial 2: 100\/s/)
    assert.match(text, /found no largest rate/)
    assert.match(text, /within 5 % of one another\. Both are repeated;/)
    const blocks = await shown({ search: { ...SEARCH, blocks: 8 }, connections: 1 })
    assert.match(blocks.text, /Then five rates, 0\.8 to 1\.2 × what lies between/)
  })

  test('of a search whose runs are gone has its trials all the same', async () => {
    const { ids } = await shown({ search: SEARCH, connections: 1 }, new Map())
    assert.ok(ids.includes('trials') && !ids.some(id => id.startsWith('latency-r')))
  })
})
