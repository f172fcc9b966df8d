import { matrixDocument } from '../../../../src/studies/matrix/matrix-document.js'
import { expandMatrices, loadMatrices } from '../../../scenarios.js'
import { aGossipResult } from './a-gossip-result.js'

/**
 * @typedef {import('../../../../src/scenarios/gossip/gossip-types.js').GossipResult} GossipResult
 * @typedef {import('../../../../src/scenarios/gossip/plan/gossip-plan.js').GossipPlan} GossipPlan
 */

/**
 * madeUpSeries is a matrix of series of the 95-node study, or of its profiles, with made-up results of rows that can be run.
 *
 * @param {string[]} names - of the matrix files
 * @param {import('../../../../src/plan/scale.js').Scales} [scales]
 * @returns {Promise<{ document: import('../../../../src/studies/matrix/matrix-folder.js').MatrixDocument, results: Map<string, any> }>}
 */
export async function madeUpSeries(names, scales = {}) {
  const { matrices, problems } = await loadMatrices(names.map(name => `benchmarks/${name}.yaml`))
  if (problems.length > 0) throw new Error(JSON.stringify(problems))
  // on real TCP, where some rows cannot be run; profiles know no other network
  const isProfile = names.includes('gossip-profile')
  const flags = isProfile ? {} : { network: 'loopback' }
  const { tables } = expandMatrices(matrices, { cores: 2, scales, flags })
  const request = { files: names, flags, only: [], scale: 1, ...scales }
  const startedAt = '2026-11-20T07:12:00.000Z'
  const id = '20261120-0712-matrix-gossip'
  const document = matrixDocument({ id, startedAt, request, tables, chosen: () => true })
  /** @type {Map<string, GossipResult>} */
  const results = new Map()
  const rows = document.tables.flatMap(({ rows }) => rows).filter(({ status }) => status === 'pending')
  for (const [i, row] of rows.entries()) {
    const plan = /** @type {GossipPlan} */ (row.plan)
    const topology = plan.topology.kind === 'barabasi-albert' ? plan.topology : { kind: 'full' }
    const made = aGossipResult({
      options: { seed: 7 + i, nodes: '30', messages: '60', topology },
      gone: i === 0 ? [29] : []
    })
    results.set(row.id, /** @type {any} */ ({ ...made, scenario: plan.scenario, plan }))
    Object.assign(row, { status: 'complete', result: `${row.id}/result.json`, tookMs: 1000 })
  }
  return { document: { ...document, status: 'complete', finishedAt: '2026-11-20T07:15:00.000Z' }, results }
}
