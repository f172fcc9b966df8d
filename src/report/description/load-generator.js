import { capital } from '../../kit/numbers.js'
import { drawn, overTime } from './series.js'
import { facts, table } from './tables.js'
import { percent } from './values.js'

/**
 * What a run says of the load generator and of the machine: how busy each process was, and who could be late.
 *
 * @typedef {import('../../result/types.js').AnyResult['run']} Run
 * @typedef {import('../../result/types.js').Summary} Summary
 * @typedef {import('./description.js').DescribedTable} DescribedTable
 * @typedef {import('./description.js').Plot} Plot
 */

/** @param {string} worker */
const nameOf = worker => `worker ${worker}`

/**
 * generatorTables have a row for each process that was watched, and the figures of the machine.
 *
 * @param {Pick<Run, 'health' | 'lateness'>} run
 * @returns {DescribedTable[]}
 */
export function generatorTables({ health, lateness }) {
  const watched = lateness?.processes ?? []
  const names = [
    ...new Set([...watched.map(({ name }) => name), ...health.map(({ worker }) => nameOf(String(worker)))])
  ]
  const rows = names.map(name => ({
    name,
    busy: health.find(({ worker }) => nameOf(String(worker)) === name),
    late: watched.find(process => process.name === name)
  }))
  return [
    {
      ...table('processes', 'Processes', rows, [
        ['Process', ({ name }) => capital(name), 'text'],
        ['Event loop busy %', ({ busy }) => percent(busy?.utilization), 'percent'],
        ['CPU % of a core', ({ busy }) => busy?.cpuPercent, 'percent'],
        ['Main thread working %', ({ late }) => late?.ownPercent, 'percent'],
        ['Waiting for a core %', ({ late }) => late?.waitedPercent, 'percent']
      ]),
      note: 'Shares of the measured time. Workers hold the clients or nodes.'
    },
    facts('machine-load', 'Load of the machine', [
      ['Time in which a process waited for a core', lateness?.pressurePercent, 'percent'],
      ['CPU taken by other guests of the host', lateness?.stealPercent, 'percent'],
      ['Held back by the CPU quota, ms', lateness?.throttledMs]
    ])
  ]
}

/**
 * generatorTimes are rows of the table of times.
 *
 * @param {Pick<Run, 'health' | 'lateness'>} run
 * @returns {[name: string, summary: Summary | undefined][]}
 */
export const generatorTimes = ({ health, lateness }) => [
  ...health.flatMap(
    ({ worker, turns, overhead }) =>
      /** @type {[string, Summary][]} */ ([
        [`Worker ${worker}: client overhead of an operation`, overhead],
        [`Worker ${worker}: turn of the event loop`, turns]
      ])
  ),
  ['Machine: a short sleep took too long by', lateness?.hiccups]
]

/**
 * overheadTimes is a row of the client overhead at each percentile of a distribution.
 *
 * @param {Summary} summary
 * @returns {Partial<Summary> & { count: number } | null} null: it was not measured
 */
export function overheadTimes({ count, ...times }) {
  const known = Object.entries(times).flatMap(([key, time]) => {
    const ms = /** @type {import('../../result/types.js').Percentile | null} */ (time)?.overheadMs
    return ms === undefined ? [] : [[key, { ms, censored: false }]]
  })
  return known.length === 0 ? null : { count, ...Object.fromEntries(known) }
}

/**
 * latenessPlots draw over time who waited for a core, and by how much sleeps were too long.
 *
 * @param {Pick<Run, 'lateness'>} run
 * @param {{ x: string, at: (row: { atMs: number }) => number, spans?: Plot['spans'] }} time - title of the axis; seconds of a point
 * @returns {Plot[]} none where that was not watched
 */
export function latenessPlots({ lateness }, { at, ...axis }) {
  if (lateness === undefined || lateness.series.length < 2) return []
  const { series, processes } = lateness
  const waits = processes.map(
    ({ name }, i) =>
      /** @type {const} */ ([
        capital(name),
        (/** @type {typeof series[number]} */ row) => row.processes[i]?.waitedPercent
      ])
  )
  const waited = overTime(
    series,
    { ...Object.fromEntries(waits), 'Any process': row => row.pressurePercent },
    at
  ).filter(({ values }) => values.some(([, y]) => y !== null))
  return [
    ...drawn({
      id: 'core-waits',
      title: 'Waiting for a core',
      kind: 'lines',
      ...axis,
      y: '% of the time',
      series: waited
    }),
    {
      id: 'hiccups',
      title: 'Hiccups of the machine',
      kind: 'lines',
      note: 'By how much the worst short sleep in each second was too long.',
      ...axis,
      y: 'Longest hiccup, ms',
      series: overTime(series, { 'Longest hiccup': ({ hiccupMs }) => hiccupMs }, at)
    }
  ]
}
