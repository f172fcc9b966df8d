import { amount } from '../../../kit/plots/axes.js'
import { seriesPlot } from '../../../kit/plots/series-plot.js'

/** @typedef {import('../abuse-types.js').CaseRow} CaseRow */

const SIDES = /** @type {const} */ ([
  { key: 'quiet', label: 'without abuse', colour: '#1b6ca8' },
  { key: 'abused', label: 'under abuse', colour: '#c8553d' }
])

/** @param {CaseRow} row */
function stretchPlot({ name, pairs, p99 }) {
  const which = p99 === null ? 'p50' : 'p99'
  const series = SIDES.flatMap(({ key, label, colour }) => {
    const values = pairs.flatMap(({ [key]: stretch }, index) => {
      const ms = stretch[`${which}Ms`]
      return ms === null ? [] : [{ at: index + 1, value: Number(ms.toPrecision(4)) }]
    })
    const look = { colour, values }
    return [
      { ...look, label, mark: /** @type {const} */ ('line') },
      { ...look, mark: /** @type {const} */ ('circle') }
    ]
  })
  return seriesPlot({
    id: `stretches-${name.replace('×', '-')}`,
    title: name,
    caption: `Honest ${which} of each stretch, ms.`,
    description: `Honest ${which} of each stretch without ${name} and under it`,
    x: amount('pair of stretches'),
    y: amount('ms'),
    series
  })
}

/** abusePlots are response times by pair of stretches, for each kind. @param {import('../abuse-types.js').AbuseResult} result */
export const abusePlots = ({ outcome }) => outcome.cases.filter(({ p50 }) => p50 !== null).map(stretchPlot)
