import { latencyPart } from '../latency-part.js'

/**
 * @typedef {import('../../../../result/types.js').Result} Result
 * @typedef {import('../../../../kit/plots/theme.js').Plot} Plot
 */

/** latencyPlots are plots of what a run tells of latency. @param {Result} result @param {(part: Result) => Plot[]} plots @returns {Plot[]} */
export function latencyPlots(result, plots) {
  const part = latencyPart(result)
  if (part === null) return []
  return plots(part).map(plot => ({ ...plot, id: `latency-${plot.id}`, title: `Latency: ${plot.title}` }))
}
