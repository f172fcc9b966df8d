import { grouped } from '../kit/numbers.js'

/**
 * @typedef {import('../result/types.js').Figures} Figures
 * @typedef {import('../result/types.js').OperationType} OperationType
 *
 * @typedef {object} Reading - what a metric is just now
 * @property {number | null} value - in the unit of its quantity; null: there is no such figure
 * @property {number} samples - that it rests on
 * @property {string} [missing] - why there is none
 * @property {string} [atLeast] - why the true figure may be larger
 * @property {string} [doubt] - why it says less about the server than it seems to
 *
 * @typedef {object} Metric - what a threshold can be set on
 * @property {import('../kit/units.js').Quantity} quantity
 * @property {OperationType} [type] - that the plan must measure
 * @property {boolean} [ofServer] - its CPU and memory must be known
 * @property {number} [liveFrom] - samples from which it is worth looking at while a run goes on; default: any
 * @property {boolean} [grows] - it can only become larger while a run goes on
 * @property {(figures: Figures) => Reading} read
 */

/**
 * none is the reading of a metric that has no figure.
 *
 * @param {string} missing - why
 * @returns {Reading}
 */
export const none = missing => ({ value: null, samples: 0, missing })

/**
 * tooFew is the reading of a metric that needs more samples.
 *
 * @param {number} samples
 * @param {number} needed
 * @returns {Reading}
 */
export const tooFew = (samples, needed) =>
  none(`too few samples: ${grouped(samples)}, and ${grouped(needed)} are needed`)
