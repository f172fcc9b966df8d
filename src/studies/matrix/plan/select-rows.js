import { minimatch } from 'minimatch'

/** @typedef {import('./matrix.js').MatrixRow} MatrixRow */

/**
 * matchesRow says whether a pattern means a row: its id, its name, or the name of its table.
 *
 * @param {MatrixRow} row
 * @param {string} pattern - a glob; `*` does not reach over the slash of an id
 * @returns {boolean}
 */
export const matchesRow = ({ id, name }, pattern) =>
  [id, name, id.slice(0, -name.length - 1)].some(text =>
    minimatch(text, pattern, { nocomment: true, nonegate: true })
  )
