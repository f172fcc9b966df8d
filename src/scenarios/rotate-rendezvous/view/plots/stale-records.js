import { significant } from '../../../../kit/numbers.js'
import { amount } from '../../../../kit/plots/axes.js'
import { seriesPlot } from '../../../../kit/plots/series-plot.js'
import { SERIES } from '../../../../kit/plots/theme.js'
import { secondsAxis, timeColumns } from '../../../../report/description/measured-time.js'
import { gapsSeries } from '../../../rotate/view/gaps.js'

/**
 * @typedef {import('../../rotate-rendezvous-types.js').RotateRendezvousResult} RotateRendezvousResult
 * @typedef {import('../../../../kit/plots/theme.js').Plot} Plot
 */

/**
 * stalePlot draws the share of stale records in replies to DISCOVER over time.
 *
 * @param {RotateRendezvousResult} result
 * @returns {Plot[]}
 */
export function stalePlot(result) {
  const { rotation } = result.outcome
  if (rotation === null || rotation.discovered.withDuplicates.records === 0 || rotation.series.length < 2)
    return []
  const columns = timeColumns(/** @type {any} */ (result))
  const sums = Array.from({ length: columns.count }, () => ({ records: 0, stale: 0 }))
  for (const { atMs, records, stale } of rotation.series) {
    // a point tells of the time before it
    const sum = sums[columns.of(Math.max(0, atMs / 1000 - 0.5))]
    sum.records += records
    sum.stale += stale
  }
  const values = sums.flatMap(({ records, stale }, column) =>
    records === 0
      ? []
      : [{ at: columns.stretch(column).from, value: Number(((100 * stale) / records).toFixed(2)) }]
  )
  const { records, stale } = rotation.discovered.withDuplicates
  return [
    seriesPlot({
      id: 'stale-records',
      title: 'Stale records',
      caption:
        'The share of the records given to discoverers whose peer had been killed when the reply came, duplicates included.',
      description: `Share of stale records in replies to DISCOVER over time, ${significant((100 * stale) / records)} % in all.`,
      x: secondsAxis(/** @type {any} */ (result)),
      y: amount('Stale records, %'),
      series: [
        gapsSeries(/** @type {any} */ (result)),
        { label: 'stale', colour: SERIES[1], mark: 'line', values, look: { interpolate: 'step-after' } }
      ]
    })
  ]
}
