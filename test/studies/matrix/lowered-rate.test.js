import '../../../src/node-shim.js'
import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { namespacesLack } from '../../../src/network/namespaces/requirements.js'
import { matrixDocument } from '../../../src/studies/matrix/matrix-document.js'
import { rowsOf } from '../../../src/studies/matrix/matrix-folder.js'
import { runMatrix } from '../../../src/studies/matrix/run-matrix.js'
import { viewOf } from '../../report/shown.js'
import { aGossipResult } from '../../scenarios/gossip/view/a-gossip-result.js'
import { expandMatrices, readMatrixFile } from '../../scenarios.js'

const base = await mkdtemp(join(tmpdir(), 'loadtest-lowered-'))
after(() => rm(base, { recursive: true }))

const FILE = {
  scenario: 'gossip',
  title: 'Lossy',
  defaults: { nodes: 5, topology: 'full', rate: '4/s', messages: 20 },
  vary: { network: ['namespaces', 'simulated'] },
  rows: [{ name: 'a', linkLoss: '1%', reference: { lost: [1, 100] } }]
}

/** @param {object} [file] */
function tables(file = FILE) {
  const { matrix, problems } = readMatrixFile('t.yaml', file)
  assert.equal(problems, undefined)
  return expandMatrices([{ id: 't', file: 't.yaml', matrix: /** @type {any} */ (matrix) }], { cores: 2 })
    .tables
}

const made = aGossipResult({})

/** @param {Map<string, any>} [kept] @param {object} [file] */
const aDocument = (kept, file) =>
  matrixDocument({
    id: 'lowered',
    startedAt: '2026-11-20T07:12:00.000Z',
    request: { files: [], flags: {}, vary: {}, only: [], scale: 1, lowerRate: true },
    tables: tables(file),
    chosen: () => true,
    kept
  })

/**
 * Runs a matrix whose real nodes carry so many messages a second.
 *
 * @param {ReturnType<typeof aDocument>} document
 * @param {{ carried: number, code?: string, folder: string }} how
 */
async function runMadeUp(document, { carried, code = 'PUBLISH_LATE', folder }) {
  /** @type {[string, number][]} */
  const order = []
  /** @type {Map<string, any>} */
  const results = new Map()
  const components = {
    async *runScenario(/** @type {any} */ plan, /** @type {{ id: string }} */ { id }) {
      order.push([plan.network, plan.ratePerSecond])
      const late = plan.network === 'namespaces' && plan.ratePerSecond > carried
      const run = { ...made.run, warnings: late ? [{ code, values: {}, message: '' }] : [] }
      yield { type: 'result', result: { ...made, id, status: 'complete', plan, run } }
    },
    viewOf,
    signal: new AbortController().signal,
    hurried: () => true,
    cacheDir: base,
    progress: { begin() {}, add() {}, end() {}, notice() {}, close() {} },
    complain() {},
    tellError() {},
    output: { csv: false, outputFile: null },
    now: () => new Date(1000),
    results
  }
  await mkdir(join(base, folder))
  await runMatrix(document, join(base, folder), /** @type {any} */ (components))
  return { order, results }
}

describe('a row that is more than its nodes carry', { skip: namespacesLack() ?? false }, () => {
  for (const code of ['NODES_BUSY', 'PUBLISH_LATE', 'NOT_PUBLISHED'])
    test(`is run at lower rates until there is no ${code}, and simulated at the one that was found`, async () => {
      const document = aDocument()
      const { order } = await runMadeUp(document, { carried: 2.1, code, folder: code })
      assert.deepEqual(order, [
        ['namespaces', 4],
        ['namespaces', 2.8],
        ['namespaces', 2],
        ['simulated', 2]
      ])
      for (const row of rowsOf(document)) {
        assert.deepEqual([row.status, row.loweredFrom, row.unscaled], ['complete', 4, { ratePerSecond: 4 }])
        assert.equal(row.reference, null, 'what was published is of another rate')
        assert.equal(row.atAnotherRate?.ratePerSecond, 4)
      }
    })

  test('is left as it is where something else makes it doubtful, or where nothing that slow is carried', async () => {
    const late = await runMadeUp(aDocument(), { carried: 0, code: 'ROUTER_LATE', folder: 'router' })
    assert.deepEqual(
      late.order.map(([, rate]) => rate),
      [4, 4]
    )
    const document = aDocument()
    const { order } = await runMadeUp(document, { carried: 0, folder: 'never' })
    assert.ok(order.length < 20)
    assert.deepEqual(new Set(rowsOf(document).map(({ status }) => status)), new Set(['complete']))
  })

  test('is lowered as a whole where it goes up in steps', async () => {
    const defaults = { ...FILE.defaults, rate: undefined, messages: undefined, duration: '20s' }
    const { messages: _, rate: __, ...others } = defaults
    const file = { ...FILE, defaults: { ...others, arrivals: 'steps:2/s,6/s' } }
    const document = aDocument(undefined, file)
    await runMadeUp(document, { carried: 3, folder: 'steps' })
    const plans = rowsOf(document).map(({ plan }) => /** @type {any} */ (plan))
    assert.deepEqual(
      plans.map(({ ratePerSecond, arrivals }) => [ratePerSecond, arrivals.ratesPerSecond]),
      [
        [2.8, [1.4, 4.2]],
        [2.8, [1.4, 4.2]]
      ]
    )
  })

  test('tells the rows after it, of as many nodes, where to begin', async () => {
    const rows = [
      ...FILE.rows,
      { name: 'b', linkLoss: '2%' },
      { name: 'few', nodes: 4 },
      { name: 'faster', linkLoss: '2%', rate: '5/s' }
    ]
    const { order } = await runMadeUp(aDocument(undefined, { ...FILE, rows }), {
      carried: 3,
      folder: 'others'
    })
    assert.deepEqual(order, [
      ['namespaces', 4],
      ['namespaces', 2.8],
      ['simulated', 2.8],
      ['namespaces', 2.8],
      ['simulated', 2.8],
      ['namespaces', 4],
      ['namespaces', 2.8],
      ['simulated', 2.8],
      ['namespaces', 5],
      ['namespaces', 3.5],
      ['namespaces', 2.5],
      ['simulated', 2.5]
    ])
  })

  test('is not run again when the matrix is gone on with', async () => {
    const first = aDocument()
    const { results } = await runMadeUp(first, { carried: 3, folder: 'first' })
    const [real] = rowsOf(first)
    const kept = new Map([[real.id, { record: real, result: results.get(real.id), results }]])
    const { order } = await runMadeUp(aDocument(kept), { carried: 0, folder: 'second' })
    assert.deepEqual(order, [['simulated', 2.8]])
  })
})
