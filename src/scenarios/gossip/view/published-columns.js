import { MISSING } from '../../../kit/numbers.js'
import { ifMeasured } from './matrix-case.js'

/**
 * @typedef {import('../../../studies/matrix/matrix-folder.js').RowRecord} RowRecord
 * @typedef {import('../../../report/scenario-matrix.js').Column<import('../gossip-types.js').NetworkResult>} Column
 */

/**
 * @template F - figures that a study published
 * @typedef {object} Published - one of these, and what was measured of it
 * @property {string} heading
 * @property {(result: import('../gossip-types.js').GossipResult) => string} measured
 * @property {(reference: F) => string | undefined} published
 * @property {(published: string) => string} said - a published figure by itself, in words
 */

/**
 * withPublished are columns of a matrix with what was published beside them: behind a slash, or where a row ran otherwise than its case, in
 * a column apart.
 *
 * @template F
 * @param {readonly Published<F>[]} figures
 * @param {object} apart
 * @param {string} apart.heading
 * @param {(atAnotherRate: NonNullable<RowRecord['atAnotherRate']>) => string} apart.when - how the case was run
 * @param {readonly Column[]} others - between these
 * @returns {(rows: RowRecord[]) => Column[]}
 */
export function withPublished(figures, { heading, when }, others) {
  /** @type {Column[]} */
  const beside = figures.map(({ heading, measured, published }) => ({
    heading,
    cell: line => {
      const { reference } = line.row
      const theirs = reference === null ? undefined : published(/** @type {F} */ (reference))
      return `${ifMeasured(line, measured)}${theirs === undefined ? '' : ` / ${theirs}`}`
    }
  }))
  /** @type {Column} */
  const apart = {
    heading,
    align: 'l',
    cell: ({ row: { atAnotherRate } }) => {
      const said = figures.flatMap(({ said, published }) => {
        const theirs =
          atAnotherRate === null ? undefined : published(/** @type {F} */ (atAnotherRate.reference))
        return theirs === undefined ? [] : [said(theirs)]
      })
      return atAnotherRate === null || said.length === 0
        ? MISSING
        : `${said.join(', ')}${when(atAnotherRate)}`
    }
  }
  return rows => [
    ...beside,
    ...others,
    ...(rows.some(({ atAnotherRate }) => atAnotherRate !== null) ? [apart] : [])
  ]
}
