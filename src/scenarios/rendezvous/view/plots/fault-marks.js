import { quantity } from '../../../../kit/plots/series-plot.js'
import { FAILED } from '../../../../kit/plots/theme.js'
import { measuredSeconds } from '../../../../report/description/measured-time.js'
import { deedInWords, timeInWords, whoInWords } from '../fault-words.js'

/**
 * @typedef {import('../../../../result/types.js').Result} Result
 * @typedef {import('../../../../kit/plots/theme.js').Plot} Plot
 * @typedef {import('../../../../kit/plots/theme.js').Spec} Spec
 */

/** When faults lasted, s. @param {Result} result */
function stretches(result) {
  const end = measuredSeconds(result)
  return result.outcome.faults.map(({ fromMs, toMs }) => ({
    from: Number(Math.min(end, fromMs / 1000).toFixed(3)),
    to: Number(Math.min(end, toMs === null ? end : toMs / 1000).toFixed(3))
  }))
}

/** @param {Result} result */
function marks(result) {
  const values = stretches(result)
  const x = quantity('from')
  // from top to bottom, in place of the figure that the layers of a plot share
  const y = { y: { value: 0 }, y2: { value: 'height' } }
  const band = { type: 'rect', color: FAILED, opacity: 0.12 }
  return [
    { data: { values }, mark: band, encoding: { x, x2: { field: 'to' }, ...y } },
    { data: { values }, mark: { type: 'rule', color: FAILED, strokeWidth: 1 }, encoding: { x, ...y } }
  ]
}

/**
 * A plot of one layer becomes one of several.
 *
 * @param {Spec} spec
 * @param {object[]} under
 * @returns {Spec}
 */
function withLayers(spec, under) {
  if ('layer' in spec) return { ...spec, layer: [...under, ...spec.layer] }
  const { name, data, mark, encoding, ...shared } = spec
  return { ...shared, layer: [...under, { ...(name !== undefined && { name }), data, mark, encoding }] }
}

/**
 * withFaults marks in plots over the time of the measurement when something was done to the server.
 *
 * @param {Result} result
 * @param {Plot[]} plots
 * @returns {Plot[]}
 */
export function withFaults(result, plots) {
  const { faults } = result.outcome
  if (faults.length === 0) return plots
  const words = faults
    .map(fault => `${whoInWords(fault)} ${deedInWords(fault)} ${timeInWords(fault)}`)
    .join('; ')
  return plots.map(plot => ({
    ...plot,
    description: `${plot.description} Marked: ${words}.`,
    legend: [...plot.legend, { label: 'fault', colour: FAILED, mark: /** @type {const} */ ('line') }],
    spec: withLayers(plot.spec, marks(result)),
    ...(plot.data !== undefined && {
      data: {
        ...plot.data,
        stretches: [
          ...(plot.data.stretches ?? []),
          ...stretches(result).map(each => ({ ...each, label: 'fault', colour: FAILED }))
        ]
      }
    })
  }))
}
