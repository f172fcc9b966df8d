import { spell } from '../../kit/numbers.js'

/**
 * @typedef {import('./study-progress.js').Place} Place
 */

/** title names a run. @param {Place} place */
export const title = ({ row, index, total }) =>
  `${String(index).padStart(String(total).length)}/${total}  ${row.id}`

/**
 * endLine says what came of a run.
 *
 * @param {Place} place
 * @param {import('../../result/types.js').AnyResult | null} result
 * @param {import('../../report/view.js').ViewOf} viewOf
 */
export function endLine({ row, ...place }, result, viewOf) {
  const failed = row.status === 'complete' ? [] : [`${row.status}: ${row.reason?.message ?? 'no result'}`]
  const figures = result === null ? '' : viewOf(result).matrix.inLine(result)
  return [title({ row, ...place }), spell(row.tookMs ?? 0), ...failed, figures]
    .filter(text => text !== '')
    .join('   ')
}
