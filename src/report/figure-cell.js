import { MISSING, significant } from '../kit/numbers.js'
import { UNITS } from '../kit/units.js'
import { chosen, marks } from '../measure/figure.js'
import { doubtMark } from './table.js'

/**
 * @typedef {import('../measure/figure.js').Figure} Figure
 *
 * @typedef {object} Value - of a figure
 * @property {number | null} value
 * @property {boolean} atLeast
 * @property {boolean} doubtful
 * @property {import('../measure/doubt.js').Cause} [cause] - of the doubt, where its mark is to tell it
 */

/**
 * written writes the value of a figure: `> 10,000` where it is a lower bound, `12.3*` where it is doubtful, `–` where there is none.
 *
 * @param {Value} value
 * @param {Pick<Figure, 'write'>} figure
 */
export const written = ({ value, atLeast, ...doubt }, { write = significant }) =>
  value === null ? MISSING : `${atLeast ? '> ' : ''}${write(value)}${doubtMark(doubt)}`

/**
 * figureColumns are columns of figures, a result in a row.
 *
 * @param {readonly Figure[]} figures
 * @param {readonly string[]} names - of those that are shown, in order
 * @returns {{ heading: string, cell: (result: Pick<import('../result/types.js').AnyResult, 'outcome' | 'run'>) => string }[]}
 */
export const figureColumns = (figures, names) =>
  chosen(figures, names).map(figure => ({
    heading: figure.column ?? `${figure.title} ${UNITS[figure.quantity].own}`,
    cell({ outcome, run }) {
      const reading = figure.read(outcome, run)
      return written({ value: reading.value, ...marks(reading) }, figure)
    }
  }))
