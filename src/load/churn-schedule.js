import { subStream } from '../kit/random.js'
import { absences } from './absences.js'
import { publishMsOf } from './publish-length.js'

/**
 * @typedef {import('./absences.js').Absence} Absence
 */

/**
 * churnSchedule gives when each node leaves and returns. It follows from the plan, so that whoever carries the nodes and whoever counts
 * their deliveries know the same. Nobody leaves once publishing is over, as planned.
 *
 * @param {{ seed: number, nodes: number, churn: import('./absences.js').ChurnSpec | null } & Parameters<typeof publishMsOf>[0]} plan
 * @returns {readonly (readonly Absence[])[]} by node, in order
 */
export function churnSchedule({ churn, seed, nodes, ...load }) {
  const endNs = publishMsOf(load) * 1e6
  return Array.from({ length: nodes }, (_, node) =>
    churn === null ? [] : [...until(endNs, absences(churn, subStream(seed, 'churn', node)))]
  )
}

/** @param {number} endNs @param {Iterable<Absence>} all */
function* until(endNs, all) {
  for (const absence of all) {
    if (absence.leavesNs >= endNs) return
    yield absence
  }
}
