import { MISSING, significant } from '../kit/numbers.js'

/**
 * @typedef {import('../measure/figure.js').Figure} Figure
 *
 * @typedef {object} Value - of a figure
 * @property {number | null} value
 * @property {boolean} atLeast
 * @property {boolean} doubtful
 */

/**
 * written writes the value of a figure: `> 10,000` where it is a lower bound, `12.3*` where it is doubtful, `–` where there is none.
 *
 * @param {Value} value
 * @param {Pick<Figure, 'write'>} figure
 */
export const written = ({ value, atLeast, doubtful }, { write = significant }) =>
  value === null ? MISSING : `${atLeast ? '> ' : ''}${write(value)}${doubtful ? '*' : ''}`
