import { logarithm } from '../kit/logarithm.js'

/**
 * @typedef {object} ChurnSpec
 * @property {number} share - of the nodes that are there leave within `perMs`, on average
 * @property {number} perMs
 * @property {number} awayMs - for so long
 *
 * @typedef {object} Absence - of one node
 * @property {number} leavesNs - since the start of the publish phase
 * @property {number} returnsNs
 */

/**
 * absences gives when one node leaves and returns, one absence after the other, without end. Its stays are exponential, as if it left at
 * any moment with the same chance. Nodes have streams of their own: a further node changes nobody's absences.
 *
 * @param {ChurnSpec} spec
 * @param {() => number} random - of the node, in [0, 1)
 * @returns {Generator<Absence, void>}
 */
export function* absences({ share, perMs, awayMs }, random) {
  if (!(share > 0)) return
  const meanStayNs = (perMs / share) * 1e6
  for (let nowNs = 0; ; ) {
    const leavesNs = nowNs + Math.round(meanStayNs * -logarithm(1 - random()))
    nowNs = leavesNs + Math.round(awayMs * 1e6)
    yield { leavesNs, returnsNs: nowNs }
  }
}

/**
 * isAwayAt says whether a node is away at a time.
 *
 * @param {readonly Absence[]} absences - of the node
 * @param {number} sinceNs - since the start that they count from
 */
export const isAwayAt = (absences, sinceNs) =>
  absences.some(({ leavesNs, returnsNs }) => sinceNs >= leavesNs && sinceNs < returnsNs)
