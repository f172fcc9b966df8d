import { grouping, largestOf } from '../../../../kit/lists.js'
import { grouped } from '../../../../kit/numbers.js'
import { amount } from '../../../../kit/plots/axes.js'
import { seriesPlot } from '../../../../kit/plots/series-plot.js'
import { QUIET, SERIES } from '../../../../kit/plots/theme.js'
import { measuredSeconds, measurementBegan, secondsAxis } from '../../../../report/description/measured-time.js'

/**
 * @typedef {import('../../../../result/types.js').Result} Result
 * @typedef {import('../../../../kit/plots/theme.js').Plot} Plot
 * @typedef {{ at: number, cpu: number | null, memory: number }} Sample - s, % of a core, MB
 */

/** More samples than a plot has dots are joined: the highest of each stretch is kept. */
const MOST_SAMPLES = 400

/** The greater of two, of which one that is unknown says nothing. @param {number | null} a @param {number | null} b */
const greater = (a, b) => (a === null || b === null ? (a ?? b) : Math.max(a, b))

/** @param {Sample[]} samples */
function thinned(samples) {
  return grouping(samples, MOST_SAMPLES).map(group =>
    group.reduce((a, b) => ({
      at: a.at,
      cpu: greater(a.cpu, b.cpu),
      memory: Math.max(a.memory, b.memory)
    }))
  )
}

/**
 * serverSamples are the readings of the server over the time of the measurement.
 *
 * @param {Result} result
 * @returns {Sample[]}
 */
export function serverSamples(result) {
  const began = measurementBegan(result)
  const end = measuredSeconds(result)
  return thinned(
    (result.outcome.server?.series ?? []).map(({ atMs, cpuPercent, rssBytes }) => ({
      at: Number(Math.min(end, Math.max(0, (atMs - began) / 1000)).toFixed(2)),
      cpu: cpuPercent === null ? null : Number(cpuPercent.toFixed(1)),
      memory: Number((rssBytes / 1e6).toFixed(1))
    }))
  )
}

/**
 * @param {Result} result
 * @param {Sample[]} samples
 * @param {Pick<Plot, 'id' | 'title' | 'caption'>} texts
 * @param {{ field: 'cpu' | 'memory', unit: string, axis: string, colour: string, average: number | null }} what
 */
function plotOf(result, samples, texts, { field, unit, axis, colour, average }) {
  const values = samples.flatMap(({ at, [field]: value }) => (value === null ? [] : [{ at, value }]))
  const highest = grouped(largestOf(values, ({ value }) => value))
  return seriesPlot({
    ...texts,
    description: `${texts.title} over time, ${highest} ${unit} at most.`,
    x: secondsAxis(result),
    y: amount(axis),
    series: [
      { label: 'samples', colour, mark: 'line', values },
      {
        label: 'average',
        colour: QUIET,
        mark: 'dotted',
        values: average === null ? [] : [{ average }],
        fields: { y: 'average' },
        look: { type: 'rule' }
      }
    ]
  })
}

/**
 * serverPlots draw CPU and memory of the server over time.
 *
 * @param {Result} result
 * @returns {Plot[]} none of a server that was not measured
 */
export function serverPlots(result) {
  const samples = serverSamples(result)
  const { server } = result.outcome
  if (server === null || samples.length < 2) return []
  const { averageBytes } = server.memory
  return [
    plotOf(
      result,
      samples,
      {
        id: 'server-cpu',
        title: 'CPU of the server',
        caption: '100 % is one core. Samples are of 50 ms or more.'
      },
      {
        field: 'cpu',
        unit: '% of a core',
        axis: 'CPU, % of one core',
        colour: SERIES[0],
        average: server.cpu.averagePercent
      }
    ),
    plotOf(
      result,
      samples,
      {
        id: 'server-memory',
        title: 'Memory of the server',
        caption: `Counted as ${server.memoryCountedAs ?? 'resident set'}; Node gives memory back late.`
      },
      {
        field: 'memory',
        unit: 'MB',
        axis: 'Memory, MB',
        colour: SERIES[2],
        average: averageBytes === null ? null : averageBytes / 1e6
      }
    )
  ]
}
