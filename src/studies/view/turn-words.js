import { spell } from '../../kit/numbers.js'

/**
 * @typedef {import('./study-progress.js').Place} Place
 */

/** title names a run. @param {Place} place */
export const title = ({ row, index, total }) =>
  `${String(index).padStart(String(total).length)}/${total}  ${row.id}`

/** Before anything was run, a machine may take so many times as long as is estimated. */
const UNKNOWN_PACE = 3

/** unknownPace is about how long something takes before anything was run here. @param {number} ms */
export const unknownPace = ms => `${spell(ms)} to ${spell(UNKNOWN_PACE * ms)}`

/**
 * etaWords say when a study will have ended: a range, until its first run has shown how long runs take here.
 *
 * @param {Pick<Place, 'etaMs' | 'paceKnown'>} place
 */
export const etaWords = ({ etaMs, paceKnown }) => `ETA ${paceKnown ? spell(etaMs) : unknownPace(etaMs)}`

/**
 * endWords say how a run ended that is not complete, and why. A reason that begins with how says both.
 *
 * @param {string} how
 * @param {string} why
 */
export const endWords = (how, why) => (why.startsWith(how) ? why : `${how}: ${why}`)

/**
 * endLine says what came of a run.
 *
 * @param {Place} place
 * @param {import('../../result/types.js').AnyResult | null} result
 * @param {import('../../report/view.js').ViewOf} viewOf
 */
export function endLine({ row, ...place }, result, viewOf) {
  const failed = row.status === 'complete' ? [] : [endWords(row.status, row.reason?.message ?? 'no result')]
  const figures = result === null ? '' : viewOf(result).matrix.inLine(result)
  return [title({ row, ...place }), spell(row.tookMs ?? 0), ...failed, figures]
    .filter(text => text !== '')
    .join('   ')
}
