import { html } from '../../../kit/html.js'
import { tableOf } from '../../../kit/html-table.js'
import { capital, significant } from '../../../kit/numbers.js'
import { amount, around, logAxis } from '../../../kit/plots/axes.js'
import { seriesPlot } from '../../../kit/plots/series-plot.js'
import { SERIES, SHAPES } from '../../../kit/plots/theme.js'
import { firstScreen } from '../../../report/page/first-screen.js'
import { framedPage, notesList, section } from '../../../report/page/frame.js'
import { mind } from '../../../report/page/verdict.js'
import { carriedPlots } from '../../qa/view/plots/qa-plots.js'
import { faceOf } from '../../saturation/view/faces.js'
import { letterOf, overlayLegend, overlaySentences, overlayTable } from './overlay-text.js'

/**
 * @typedef {import('../release.js').Release} Release
 * @typedef {import('../../../kit/plots/theme.js').Plot} Plot
 */

/**
 * Times against throughput, a line for each release and size: colours tell releases, shapes tell sizes.
 *
 * @param {readonly Release[]} releases
 * @param {'p50' | 'p99'} name
 * @returns {Plot[]}
 */
function timesPlot(releases, name) {
  const face = faceOf(releases[0])
  const sizes = [...new Set(releases.flatMap(({ loads }) => loads.map(({ size }) => size)))].sort(
    (a, b) => a - b
  )
  const lines = releases.flatMap((release, place) =>
    sizes.flatMap((size, i) => {
      const values = release.loads
        .filter(load => load.size === size && Number(load[name]?.ms) > 0 && load.throughput > 0)
        .sort((a, b) => a.perSecond - b.perSecond)
        .map(load => ({
          at: Number(load.throughput.toPrecision(4)),
          value: Number(Number(load[name]?.ms).toPrecision(4)),
          rate: load.perSecond
        }))
      return values.length === 0
        ? []
        : [
            {
              values,
              label: `${letterOf(place)}, ${face.sizeSign}=${size}`,
              colour: SERIES[place % SERIES.length],
              shape: SHAPES[i % SHAPES.length]
            }
          ]
    })
  )
  const all = lines.flatMap(({ values }) => values)
  if (all.length === 0) return []
  return [
    seriesPlot({
      id: `overlay-${name}`,
      title: `${name} of the ${face.timeName} against throughput`,
      caption: `A line for each release with each number of ${face.many}; colours tell releases, shapes tell ${face.many}.`,
      description: `${name} of ${releases.length} releases against throughput.`,
      x: amount(`Throughput, ${face.throughputName}`, { tickCount: 6 }),
      y: logAxis(around(all.map(({ value }) => value)), `${name}, ms`),
      series: lines.flatMap(({ values, label, colour, shape }) => [
        {
          colour,
          mark: /** @type {const} */ ('line'),
          values,
          encoding: { order: { field: 'rate', type: 'quantitative' } }
        },
        { label, colour, mark: shape, values, look: { size: 50 } }
      ])
    })
  ]
}

/** @param {readonly Release[]} releases @param {'examined' | 'rotation'} which */
const runsOf = (releases, which) =>
  releases.flatMap(({ runs: { [which]: result } }, place) =>
    result === null ? [] : [{ label: letterOf(place), result }]
  )

/**
 * overlayPage lays releases over one another: one HTML file that needs neither script nor network.
 *
 * @param {readonly Release[]} releases
 * @returns {Promise<string>}
 */
export async function overlayPage(releases) {
  const face = faceOf(releases[0])
  const [base] = releases
  const { shown, draw } = await firstScreen({
    figures: releases
      .slice(0, 4)
      .map(({ loads }, place) => [
        `Most carried by ${letterOf(place)}`,
        `${significant(Math.max(0, ...loads.map(({ throughput }) => throughput)))}/s`
      ]),
    plots: timesPlot(releases, 'p99')
  })
  const what = face.what === 'messages' ? 'Deliveries' : 'Operations'
  return framedPage(
    {
      what: 'compare',
      document: { id: releases.map(({ id }) => id).join(' · '), startedAt: base.startedAt, finishedAt: null },
      unended: 'made from what is kept'
    },
    {
      ...shown,
      sentences: overlaySentences(releases),
      statements: [mind('Each load is a run or two of each: ratios, and no verdict.')],
      sections: [
        section(
          'times',
          `${capital(face.timeName)} against throughput`,
          await draw([...timesPlot(releases, 'p50'), ...timesPlot(releases, 'p99')])
        ),
        section(
          'loads',
          'Every load',
          html`${tableOf(overlayTable(releases), { label: 'Every load' })}${notesList(overlayLegend(releases))}`
        ),
        section(
          'examined',
          'The examined cells',
          await draw(carriedPlots(runsOf(releases, 'examined'), { id: 'examined-carried', what }))
        ),
        section(
          'rotation',
          'Some come and go',
          await draw(carriedPlots(runsOf(releases, 'rotation'), { id: 'rotation-carried', what }))
        )
      ],
      footer: html`<footer class="quiet">Made from the documents of these folders and the results of their runs. How it is decided, and how it can mislead: docs/qa.md.</footer>\n`
    }
  )
}
