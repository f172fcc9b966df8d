import { present } from '../../../kit/lists.js'
import { jainIndex } from '../../../measure/fairness.js'

/** @typedef {NonNullable<import('../../../result/types.js').OperationsOutcome['fairness']>} Fairness */

/**
 * fairnessOf says how evenly success was given out: among clients by how many operations succeeded, among types by which share of them did.
 * Clients of different roles send at different rates: they are held against those of their own, and of the roles the one where it was least
 * even says it for all.
 *
 * @param {Pick<import('./measurement.js').Measurement, 'succeeded' | 'load'>} measurement
 * @param {readonly import('../../../load/roles.js').Role[]} [roles]
 * @returns {Fairness} Jain's index, see `jainIndex`; null: there is one, or none
 */
export function fairnessOf({ succeeded, load }, roles = []) {
  const types = load.types.filter(type => type !== 'CONNECT')
  const shares = types.map(type => {
    const outcomes = [...load.byOutcome('rt', type)]
    const all = outcomes.reduce((sum, [, { count }]) => sum + count, 0)
    return (load.byOutcome('rt', type).get('OK')?.count ?? 0) / all
  })
  const ofRoles = roles.map(({ role, first, clients }) => {
    const own = [...succeeded].filter(([client]) => client >= first && client < first + clients)
    return /** @type {const} */ ([role, amongSeveral(own.map(([, count]) => count))])
  })
  return {
    clients:
      roles.length === 0 ? amongSeveral([...succeeded.values()]) : least(ofRoles.map(([, index]) => index)),
    types: amongSeveral(shares),
    ...Object.fromEntries(ofRoles)
  }
}

/** @param {readonly number[]} values */
const amongSeveral = values => (values.length > 1 ? jainIndex(values) : null)

/** @param {readonly (number | null)[]} indices */
function least(indices) {
  const known = present(indices)
  return known.length === 0 ? null : Math.min(...known)
}
