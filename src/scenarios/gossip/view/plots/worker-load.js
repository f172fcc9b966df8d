import { grouped } from '../../../../kit/numbers.js'
import { FROM_ZERO } from '../../../../kit/plots/axes.js'
import { SERIES } from '../../../../kit/plots/theme.js'
import { widerAxis } from '../../../../report/plots/publish-time.js'

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
const FIGURES = Object.freeze([
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
    caption: 'Resident set of each process; Node gives memory back late.',
    of: ({ rssBytes }) => Number((rssBytes / 1e6).toFixed(1))
  },
  {
    id: 'workers-backlog',
    title: 'Backlog',
    axis: 'kB',
    caption:
      'What waited in the write buffers of the nodes’ streams. Growing all the while: the rate is not carried.',
    of: ({ backlogBytes }) => Number((backlogBytes / 1e3).toFixed(2))
  }
])

/** @param {Sample[]} series @param {Figure['of']} of */
function points(series, of) {
  const group = Math.max(1, Math.ceil(series.length / MOST_SAMPLES))
  return Array.from({ length: Math.ceil(series.length / group) }, (_, i) => {
    const samples = series.slice(i * group, (i + 1) * group)
    return {
      at: Number((samples[0].atMs / 1000).toFixed(2)),
      value: samples.reduce((most, sample) => Math.max(most, of(sample)), 0)
    }
  })
}

/** @param {number} worker */
const nameOf = worker => `worker ${worker}`

/** Colours repeat where there are more workers than colours. @param {number} place */
const colourOf = place => SERIES[place % SERIES.length]

/** @param {GossipResult} result @param {Figure} figure @returns {Plot} */
function plotOf(result, { id, title, axis, caption, of }) {
  const { resources } = result.outcome
  const workers = resources.filter(({ series }) => series.length > 0)
  const values = workers.flatMap(({ worker, series }) =>
    points(series, of).map(point => ({ ...point, worker: nameOf(worker) }))
  )
  const names = workers.map(({ worker }) => nameOf(worker))
  const colours = names.map((_, i) => colourOf(i))
  const longest = workers.map(({ series }) => series).reduce((a, b) => (b.length > a.length ? b : a))
  return {
    id,
    title,
    caption,
    description: `${title} over time, ${grouped(values.reduce((most, { value }) => Math.max(most, value), 0))} ${axis} at most.`,
    legend: names.map((label, i) => ({ label, colour: colours[i], mark: /** @type {const} */ ('line') })),
    spec: {
      data: { values },
      mark: { type: 'line' },
      encoding: {
        x: { field: 'at', ...widerAxis(result, longest) },
        y: {
          field: 'value',
          type: 'quantitative',
          scale: FROM_ZERO,
          axis: { title: axis, format: ',~f', tickCount: 5 }
        },
        color: { field: 'worker', type: 'nominal', scale: { domain: names, range: colours }, legend: null }
      }
    }
  }
}

/**
 * workerPlots draw CPU, memory and backlog of each worker process over time; what was 0 all the while is left out.
 *
 * @param {GossipResult} result
 * @returns {Plot[]}
 */
export function workerPlots(result) {
  const samples = result.outcome.resources.flatMap(({ series }) => series)
  return FIGURES.filter(({ of }) => samples.some(sample => of(sample) > 0)).map(figure =>
    plotOf(result, figure)
  )
}
