import { median } from '../../../kit/median.js'
import { MISSING } from '../../../kit/numbers.js'

/**
 * @typedef {import('../comparison.js').Side} Side
 * @typedef {import('../../../kit/table.js').Table} Table
 *
 * @typedef {object} Mark
 * @property {boolean} [atLeast]
 * @property {boolean} [doubtful]
 *
 * @typedef {{ value: number | null } & Mark} Value
 */

/**
 * @template From
 * @typedef {object} FigureRow
 * @property {string} name
 * @property {(from: From) => Value} read - of one run
 * @property {(value: number) => string} write
 * @property {boolean} [withoutRatio] - its figures on two sides are not counted alike
 */

/** @param {Value[]} values - of the runs of a side @returns {Value} */
function ofSide(values) {
  const whole = values.length > 0 && values.every(({ value }) => value !== null)
  return {
    value: whole ? median(values.map(({ value }) => Number(value))) : null,
    atLeast: values.some(({ atLeast }) => atLeast),
    doubtful: values.some(({ doubtful }) => doubtful)
  }
}

/** @param {Value} value @param {(value: number) => string} write */
const cell = ({ value, atLeast, doubtful }, write) =>
  value === null ? MISSING : `${atLeast ? '> ' : ''}${write(value)}${doubtful ? '*' : ''}`

/** @param {Value} base @param {Value} candidate */
const ratio = (base, candidate) =>
  base.value === null || candidate.value === null || base.value === 0
    ? MISSING
    : (candidate.value / base.value).toFixed(3)

/**
 * figuresSideBySide are the cells of figures on every side, and their ratios to those of the first. Of several runs, a figure is
 * the median. A row without any figure is left out.
 *
 * @template From
 * @param {string} heading - of the figures' names
 * @param {readonly FigureRow<From>[]} rows
 * @param {readonly (readonly From[])[]} sides - the runs of each
 * @returns {Table}
 */
export function figuresSideBySide(heading, rows, sides) {
  const [, ...others] = sides
  const titles =
    others.length === 1 ? ['Candidate', 'Ratio'] : others.flatMap((_, i) => [`Candidate ${i + 1}`, 'Ratio'])
  const headings = [heading, 'Base', ...titles]
  const cells = rows.flatMap(({ name, read, write, withoutRatio }) => {
    const [base, ...values] = sides.map(runs => ofSide(runs.map(read)))
    if ([base, ...values].every(({ value }) => value === null)) return []
    const ratioTo = withoutRatio ? () => MISSING : ratio
    return [[name, cell(base, write), ...values.flatMap(value => [cell(value, write), ratioTo(base, value)])]]
  })
  return { headings, align: headings.map((_, column) => (column === 0 ? 'l' : 'r')), rows: cells }
}
