import { grouped } from '../../../../kit/numbers.js'
import { FROM_ZERO } from '../../../../kit/plots/axes.js'
import { QUIET, SERIES } from '../../../../kit/plots/theme.js'
import { measuredSeconds, measurementBegan, secondsAxis } from '../../../../report/plots/measured-time.js'

/**
 * @typedef {import('../../../../result/types.js').Result} Result
 * @typedef {import('../../../../kit/plots/theme.js').Plot} Plot
 * @typedef {{ at: number, cpu: number | null, memory: number }} Sample - s, % of a core, MB
 */

/** More samples than a plot has dots are joined: the highest of each stretch is kept. */
const MOST_SAMPLES = 400

/** @param {Sample[]} samples */
function thinned(samples) {
  const group = Math.ceil(samples.length / MOST_SAMPLES)
  if (group <= 1) return samples
  return Array.from({ length: Math.ceil(samples.length / group) }, (_, i) =>
    samples.slice(i * group, (i + 1) * group).reduce((a, b) => ({
      at: a.at,
      cpu: Math.max(a.cpu ?? 0, b.cpu ?? 0),
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
 * @param {{ field: 'cpu' | 'memory', title: string, average: number | null, colour: string }} what
 */
function spec(result, samples, { field, title, average, colour }) {
  const y = { type: 'quantitative', scale: FROM_ZERO, axis: { title, format: ',~f', tickCount: 5 } }
  const known = samples.filter(sample => sample[field] !== null)
  return {
    layer: [
      {
        data: { values: known.map(sample => ({ at: sample.at, value: sample[field] })) },
        mark: { type: 'line', color: colour },
        encoding: {
          x: { field: 'at', type: 'quantitative' },
          y: { field: 'value', type: 'quantitative' }
        }
      },
      ...(average === null
        ? []
        : [
            {
              data: { values: [{ average }] },
              mark: { type: 'rule', strokeDash: [2, 3], color: QUIET },
              encoding: { y: { field: 'average', type: 'quantitative' } }
            }
          ])
    ],
    encoding: { x: secondsAxis(result), y }
  }
}

/** @param {string} colour @returns {import('../../../../kit/plots/theme.js').LegendEntry[]} */
const legend = colour => [
  { label: 'samples', colour, mark: 'line' },
  { label: 'average', colour: QUIET, mark: 'dotted' }
]

/**
 * serverPlots draw the CPU and the memory of the server over time.
 *
 * @param {Result} result
 * @returns {Plot[]}
 */
export function serverPlots(result) {
  const samples = serverSamples(result)
  const { server } = result.outcome
  if (server === null || samples.length < 2) return []
  const { averagePercent } = server.cpu
  const { averageBytes } = server.memory
  const cpu = { field: /** @type {const} */ ('cpu'), title: 'CPU, % of one core', colour: SERIES[0] }
  const memory = { field: /** @type {const} */ ('memory'), title: 'Memory, MB', colour: SERIES[2] }
  const highest = (/** @type {'cpu' | 'memory'} */ field) =>
    grouped(samples.reduce((most, sample) => Math.max(most, sample[field] ?? 0), 0))
  return [
    {
      id: 'server-cpu',
      title: 'CPU of the server',
      caption: '100 % is one core. Samples are of 250 ms or more, within the rounds.',
      description: `CPU of the server over time, ${highest('cpu')} % of a core at most.`,
      legend: legend(cpu.colour),
      spec: spec(result, samples, { ...cpu, average: averagePercent })
    },
    {
      id: 'server-memory',
      title: 'Memory of the server',
      caption: `Counted as ${server.memoryCountedAs ?? 'resident set'}; Node gives memory back late.`,
      description: `Memory of the server over time, ${highest('memory')} MB at most.`,
      legend: legend(memory.colour),
      spec: spec(result, samples, { ...memory, average: averageBytes === null ? null : averageBytes / 1e6 })
    }
  ]
}
