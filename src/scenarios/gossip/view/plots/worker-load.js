import { grouping, largestOf } from '../../../../kit/lists.js'
import { grouped } from '../../../../kit/numbers.js'
import { amount } from '../../../../kit/plots/axes.js'
import { seriesPlot } from '../../../../kit/plots/series-plot.js'
import { SERIES } from '../../../../kit/plots/theme.js'
import { widerAxis } from './publish-time.js'

/**
 * @typedef {import('../../gossip-types.js').GossipResult} GossipResult
 * @typedef {import('../../../../kit/plots/theme.js').Plot} Plot
 * @typedef {GossipResult['outcome']['resources'][number]['series'][number]} Sample
 *
 * @typedef {object} Figure - of a worker over time
 * @property {string} id
 * @property {string} title
 * @property {string} axis
 * @property {string} caption
 * @property {(sample: Sample) => number} of
 */

/** More samples than a plot has dots are joined: the highest of each stretch is kept. */
const MOST_SAMPLES = 300

/** @type {readonly Figure[]} */
const FIGURES = [
  {
    id: 'workers-cpu',
    title: 'CPU of the workers',
    axis: '% of a core',
    caption: '100 % is one core. A worker near it starves its nodes.',
    of: ({ cpuPercent }) => Number(cpuPercent.toFixed(1))
  },
  {
    id: 'workers-memory',
    title: 'Memory of the workers',
    axis: 'MB',
    caption: 'Resident set of each process, or what each container has in use; Node gives memory back late.',
    of: ({ rssBytes }) => Number((rssBytes / 1e6).toFixed(1))
  },
  {
    id: 'workers-traffic',
    title: 'Bytes in and out',
    axis: 'kB/s',
    caption:
      'Through the device of each namespace or container, packets with their headers, both directions.',
    of: ({ receivedPerSecond = 0, sentPerSecond = 0 }) =>
      Number(((receivedPerSecond + sentPerSecond) / 1e3).toFixed(2))
  },
  {
    id: 'workers-backlog',
    title: 'Backlog',
    axis: 'kB',
    caption:
      'What waited in the write buffers of the nodes’ streams. Growing all the while: the rate is not carried.',
    of: ({ backlogBytes }) => Number((backlogBytes / 1e3).toFixed(2))
  }
]

/** @param {Sample[]} series @param {Figure['of']} of */
function points(series, of) {
  return grouping(series, MOST_SAMPLES).map(samples => ({
    at: Number((samples[0].atMs / 1000).toFixed(2)),
    value: largestOf(samples, of)
  }))
}

/** @param {GossipResult} result @param {Figure} figure */
function plotOf(result, { id, title, axis, caption, of }) {
  const workers = result.outcome.resources.filter(({ series }) => series.length > 0)
  const series = workers.map(({ worker, nodes, series: samples }, i) => ({
    label: nodes?.length === 1 ? `node ${nodes[0]}` : `worker ${worker}`,
    colour: SERIES[i % SERIES.length],
    mark: /** @type {const} */ ('line'),
    values: points(samples, of)
  }))
  const most = largestOf(
    series.flatMap(({ values }) => values),
    ({ value }) => value
  )
  const longest = workers.map(own => own.series).reduce((a, b) => (b.length > a.length ? b : a))
  return seriesPlot({
    ...{ id, title, caption, series },
    description: `${title} over time, ${grouped(most)} ${axis} at most.`,
    x: widerAxis(result, longest),
    y: amount(axis)
  })
}

/**
 * workerPlots draw CPU, memory and backlog of the workers over time.
 *
 * @param {GossipResult} result
 * @returns {Plot[]} none of what was not there
 */
export function workerPlots(result) {
  const samples = result.outcome.resources.flatMap(({ series }) => series)
  return FIGURES.filter(({ of }) => samples.some(sample => of(sample) > 0)).map(figure =>
    plotOf(result, figure)
  )
}
