import { median } from '../kit/median.js'
import { MISSING } from '../kit/numbers.js'
import { UNITS } from '../kit/units.js'
import { marks } from '../measure/figure.js'
import { written } from './figure-cell.js'

/**
 * @typedef {import('../measure/figure.js').Figure} Figure
 * @typedef {import('../result/types.js').AnyResult} AnyResult
 * @typedef {import('../kit/table.js').Table} Table
 * @typedef {import('./figure-cell.js').Value} Value
 *
 * @typedef {{ results: readonly AnyResult[] }} Side - runs of one plan
 */

/** @param {Figure} figure @param {Side} side @returns {Value} */
function ofSide({ read }, { results }) {
  const readings = results.map(({ outcome, run }) => read(outcome, run))
  const whole = readings.length > 0 && readings.every(({ value }) => value !== null)
  const marked = readings.map(marks)
  return {
    value: whole ? median(readings.map(({ value }) => Number(value))) : null,
    atLeast: marked.some(({ atLeast }) => atLeast),
    doubtful: marked.some(({ doubtful }) => doubtful)
  }
}

/** @param {Value} base @param {Value} candidate */
const ratio = (base, candidate) =>
  base.value === null || candidate.value === null || base.value === 0
    ? MISSING
    : (candidate.value / base.value).toFixed(3)

/** What is counted has no unit. @param {Figure} figure */
function nameOf({ beside, quantity, unit = UNITS[quantity].own }) {
  return quantity === 'number' || quantity === 'rate' ? beside : `${beside}, ${unit}`
}

/**
 * figuresSideBySide are the cells of figures on every side, and their ratios to those of the first. Of several runs, a figure is
 * the median. A row without any figure is left out.
 *
 * @param {string} heading - of the figures' names
 * @param {readonly Figure[]} figures
 * @param {readonly Side[]} sides
 * @param {(figure: Figure) => boolean} [alike] - its figures on all sides are counted alike, and have a ratio
 * @returns {Table}
 */
export function figuresSideBySide(heading, figures, sides, alike = () => true) {
  const [base, ...others] = sides.map((_, place) => String.fromCharCode(65 + place))
  const headings = [heading, base, ...others.flatMap(letter => [letter, `${letter} ÷ ${base}`])]
  const rows = figures.flatMap(figure => {
    const [base, ...values] = sides.map(side => ofSide(figure, side))
    if ([base, ...values].every(({ value }) => value === null)) return []
    const ratioTo = alike(figure) ? ratio : () => MISSING
    const cells = values.flatMap(value => [written(value, figure), ratioTo(base, value)])
    return [[String(nameOf(figure)), written(base, figure), ...cells]]
  })
  return { headings, rows }
}
