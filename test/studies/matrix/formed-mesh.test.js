import '../../../src/node-shim.js'
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { rowsOf } from '../../../src/studies/matrix/matrix-folder.js'
import { aDocument, runMadeUp } from './run-made-up.js'

const FILE = {
  scenario: 'gossip',
  title: 'Few neighbours',
  defaults: { nodes: 5, topology: 'line', rate: '4/s', messages: 20 },
  vary: { network: ['loopback', 'simulated'] },
  rows: [{ name: 'a' }, { name: 'b' }]
}
const UNFORMED = Object.freeze({ code: 'MESH_NOT_FORMED', message: 'the mesh has not formed' })

/**
 * Runs a matrix in which so many runs of row a on real nodes have no formed mesh.
 *
 * @param {number} unformed
 * @param {object} [how]
 * @param {boolean} [how.formedMesh] - it is asked for
 * @param {import('../../../src/result/types.js').Reason} [how.reason] - why such a run ends
 */
async function run(unformed, { formedMesh = true, reason = UNFORMED } = {}) {
  const document = aDocument(FILE, { request: { formedMesh } })
  /** @type {[string, boolean][]} */
  const order = []
  const { folder } = await runMadeUp(document, ({ network }, options) => {
    order.push([network, options.formedMesh])
    const ends = network === 'loopback' && order.length <= unformed && options.formedMesh
    return ends ? { status: 'partial', reason } : {}
  })
  const [row, ...others] = rowsOf(document)
  return { order, row, others, table: await readFile(join(folder, document.tables[0].markdown), 'utf8') }
}

describe('a row whose mesh has not formed', () => {
  test('is begun anew until it has, a simulated one never, and the table says how often', async () => {
    const { order, row, others, table } = await run(2)
    assert.deepEqual(order, [
      ['loopback', true],
      ['loopback', true],
      ['loopback', true],
      ['simulated', false],
      ['loopback', true],
      ['simulated', false]
    ])
    assert.deepEqual([row.status, row.reason, row.unformed], ['complete', null, 2])
    assert.ok(others.every(({ status, unformed }) => status === 'complete' && unformed === undefined))
    assert.match(table, /^\*\*Begun anew\*\*, before anything was published, .*: \S+ 2 times\.$/m)
  })

  test('is run as it is after five times', async () => {
    const { order, row } = await run(100)
    assert.deepEqual(order.slice(0, 7), [
      ...Array(5).fill(['loopback', true]),
      ['loopback', false],
      ['simulated', false]
    ])
    assert.deepEqual([row.status, row.unformed], ['complete', 5])
  })

  test('is run as it is where nobody asks for more', async () => {
    const { order, table } = await run(1, { formedMesh: false })
    assert.ok(order.every(([, formed]) => !formed))
    assert.doesNotMatch(table, /Begun anew/)
  })

  test('is not begun anew for anything else', async () => {
    const { order, row } = await run(1, { reason: { code: 'RUN_FAILED', message: 'a worker died' } })
    assert.deepEqual([order.length, row.status], [1, 'failed'])
  })
})
