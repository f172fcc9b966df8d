import { jainIndex } from '../../../measure/fairness.js'

/**
 * fairnessOf says how evenly success was given out: among clients by how many operations succeeded, among types by which share of them did.
 *
 * @param {Pick<import('./measurement.js').Measurement, 'succeeded' | 'load'>} measurement
 * @returns {{ clients: number | null, types: number | null }} Jain's index, see `jainIndex`; null: there is one, or none
 */
export function fairnessOf({ succeeded, load }) {
  const types = load.types.filter(type => type !== 'CONNECT')
  const shares = types.map(type => {
    const outcomes = [...load.byOutcome('rt', type)]
    const all = outcomes.reduce((sum, [, { count }]) => sum + count, 0)
    return (load.byOutcome('rt', type).get('OK')?.count ?? 0) / all
  })
  return { clients: amongSeveral(succeeded), types: amongSeveral(shares) }
}

/** @param {readonly number[]} values */
const amongSeveral = values => (values.length > 1 ? jainIndex(values) : null)
