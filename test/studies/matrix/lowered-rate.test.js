import '../../../src/node-shim.js'
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { namespacesLack } from '../../../src/network/namespaces/requirements.js'
import { rowsOf } from '../../../src/studies/matrix/matrix-folder.js'
import * as madeUp from './run-made-up.js'

const FILE = {
  scenario: 'gossip',
  title: 'Lossy',
  defaults: { nodes: 5, topology: 'full', rate: '4/s', messages: 20 },
  vary: { network: ['namespaces', 'simulated'] },
  rows: [{ name: 'a', linkLoss: '1%', reference: { lost: [1, 100] } }]
}

/** @param {Map<string, any>} [kept] @param {object} [file] */
const aDocument = (kept, file = FILE) => madeUp.aDocument(file, { request: { lowerRate: true }, kept })

/**
 * Runs a matrix whose real nodes carry so many messages a second.
 *
 * @param {ReturnType<typeof aDocument>} document
 * @param {{ carried: number, code?: string }} how
 */
async function runMadeUp(document, { carried, code = 'PUBLISH_LATE' }) {
  /** @type {[string, number][]} */
  const order = []
  const { results } = await madeUp.runMadeUp(document, plan => {
    order.push([plan.network, plan.ratePerSecond])
    const late = plan.network === 'namespaces' && plan.ratePerSecond > carried
    return { run: madeUp.runWith(late ? [{ code, values: {}, message: '' }] : []) }
  })
  return { order, results }
}

describe('a row that is more than its nodes carry', { skip: namespacesLack() ?? false }, () => {
  for (const code of ['NODES_BUSY', 'PUBLISH_LATE', 'NOT_PUBLISHED'])
    test(`is run at lower rates until there is no ${code}, and simulated at the one that was found`, async () => {
      const document = aDocument()
      const { order } = await runMadeUp(document, { carried: 2.1, code })
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
    const late = await runMadeUp(aDocument(), { carried: 0, code: 'ROUTER_LATE' })
    assert.deepEqual(
      late.order.map(([, rate]) => rate),
      [4, 4]
    )
    const document = aDocument()
    const { order } = await runMadeUp(document, { carried: 0 })
    assert.ok(order.length < 20)
    assert.deepEqual(new Set(rowsOf(document).map(({ status }) => status)), new Set(['complete']))
  })

  test('is lowered as a whole where it goes up in steps', async () => {
    const defaults = { ...FILE.defaults, rate: undefined, messages: undefined, duration: '20s' }
    const { messages: _, rate: __, ...others } = defaults
    const file = { ...FILE, defaults: { ...others, arrivals: 'steps:2/s,6/s' } }
    const document = aDocument(undefined, file)
    await runMadeUp(document, { carried: 3 })
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
      carried: 3
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
    const { results } = await runMadeUp(first, { carried: 3 })
    const [real] = rowsOf(first)
    const kept = new Map([[real.id, { record: real, result: results.get(real.id), results }]])
    const { order } = await runMadeUp(aDocument(kept), { carried: 0 })
    assert.deepEqual(order, [['simulated', 2.8]])
  })
})
