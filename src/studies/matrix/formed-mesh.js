/**
 * @typedef {import('../../result/types.js').Reason} Reason
 * @typedef {import('./matrix-folder.js').RowRecord} RowRecord
 */

/** Whether the mesh forms is chance where nodes have few neighbours. After so many times a row is run as it is. */
const MOST_UNFORMED = 5

/**
 * canFormMesh says of a plan whether its mesh may form another time where it has not: a simulated one has the same fate each time.
 *
 * @param {import('../../plan/plan.js').AnyPlan} plan
 */
export const canFormMesh = plan =>
  plan.scenario === 'gossip' && /** @type {any} */ (plan).network !== 'simulated'

/** needsFormedMesh says whether the next run of a row ends where its mesh has not formed. @param {Pick<RowRecord, 'plan' | 'unformed'>} row */
export const needsFormedMesh = ({ plan, unformed = 0 }) => canFormMesh(plan) && unformed < MOST_UNFORMED

/**
 * hasNotFormed says whether a run of a row has ended because its mesh had not formed, and counts it.
 *
 * @param {RowRecord} row
 * @param {Reason | null} reason - why the run ended early
 */
export function hasNotFormed(row, reason) {
  if (reason?.code !== 'MESH_NOT_FORMED') return false
  row.unformed = (row.unformed ?? 0) + 1
  return true
}
