import { carriedOverTime } from './result/carried-over-time.js'

/**
 * Plots that only a quality report has.
 *
 * @typedef {import('../../report/description/description.js').Plot} Plot
 * @typedef {import('../../report/description/description.js').Series} Series
 * @typedef {import('./result/qa-document.js').QaDocument} QaDocument
 * @typedef {ReadonlyMap<string, { outcome: any }>} Results - by folder
 */

const SINCE = 'Time since the measurement began, s'

const MAX_POINTS = 300

/** @param {Series['values']} values */
function thinned(values) {
  const step = Math.ceil(values.length / MAX_POINTS)
  return values.filter((_, i) => i % step === 0 || i === values.length - 1)
}

/**
 * qaPlots draw what operations or deliveries came to over time, the backlog, and what the machine did meanwhile.
 *
 * @param {QaDocument} document
 * @param {Results} results
 * @returns {Plot[]}
 */
export function qaPlots({ scenario, examined, steady, rotation }, results) {
  const what = scenario === 'gossip' ? 'Deliveries' : 'Operations'
  const resultOf = (/** @type {string | null | undefined} */ run) =>
    run == null ? undefined : results.get(run)
  const runs = examined.trials.flatMap(({ name, run }) => {
    const result = resultOf(run)
    return result === undefined ? [] : [{ label: name, result }]
  })
  const single = (/** @type {string} */ label, /** @type {string | null | undefined} */ run) => {
    const result = resultOf(run)
    return result === undefined ? [] : [{ label, result }]
  }
  return [
    ...carriedPlot(runs, { id: 'carried', title: `${what} of the examined load`, what }),
    ...carriedPlot(single('steady', steady?.run), {
      id: 'steady-carried',
      title: `${what} of the steady run`,
      what
    }),
    ...carriedPlot(single('churn', rotation.run), { id: 'churn-carried', title: `${what} with churn`, what }),
    ...(runs.length === 0 ? [] : zoomPlot(runs[0].result)),
    ...linesPlot(
      { id: 'backlog', title: 'Backlog', y: what, note: 'Due and not ended at the end of each second.' },
      examined.trials.map(({ name, point }) => ({
        label: name,
        values: point !== null && 'waiting' in point ? point.waiting.map((count, i) => [i + 1, count]) : []
      }))
    ),
    ...linesPlot(
      { id: 'load1', title: 'load1 of the machine', y: 'load1' },
      examined.trials.map(({ name }) => ({
        label: name,
        values: (examined.machine[name] ?? []).map(({ at, load1 }) => [at, load1])
      }))
    ),
    ...linesPlot(
      {
        ...{ id: 'sockets', title: 'TCP sockets in use', y: 'Sockets' },
        note: 'Of the whole machine; a connection between two of its processes has two.'
      },
      examined.trials.map(({ name }) => ({
        label: name,
        values: (examined.machine[name] ?? []).flatMap(({ at, sockets }) =>
          sockets === null ? [] : [[at, sockets]]
        )
      }))
    )
  ]
}

/** @param {Pick<Plot, 'id' | 'title' | 'y' | 'note' | 'marks'>} plot @param {Series[]} series @returns {Plot[]} */
function linesPlot(plot, series) {
  const drawn = series.filter(({ values }) => values.length > 0)
  return drawn.length === 0
    ? []
    : [
        {
          ...plot,
          kind: 'lines',
          x: SINCE,
          series: drawn.map(({ label, values }) => ({ label, values: thinned(values) }))
        }
      ]
}

/** @param {readonly { label: string, result: { outcome: any } }[]} runs @param {{ id: string, title: string, what: string }} how */
function carriedPlot(runs, { id, title, what }) {
  const drawn = runs.map(({ label, result }) => ({ label, ...carriedOverTime(result) }))
  const marks = drawn.flatMap(({ label, slope }) =>
    slope === null ? [] : [{ x: slope.at, label: `${label}: throughput changes` }]
  )
  return linesPlot(
    {
      ...{ id, title, y: what, note: 'Since the beginning: the slope is the throughput.' },
      ...(marks.length > 0 && { marks })
    },
    drawn.map(({ label, points }) => ({ label, values: points.map(({ x, y }) => [x, y]) }))
  )
}

/** The slowest times of a second would leave no room for the others. */
const ZOOMED_SHARE = 0.95
const MAX_TIMES = 200

/** Every time of the second in the middle of a run. @param {{ outcome: any }} result @returns {Plot[]} */
function zoomPlot({ outcome: { perSecond = [] } }) {
  /** @type {Map<number, [number, number][]>} */
  const seconds = new Map()
  for (const { second, type, outcome, histogram } of perSecond) {
    if (type === 'CONNECT' || (outcome !== undefined && outcome !== 'OK')) continue
    seconds.set(second, [...(seconds.get(second) ?? []), ...histogram])
  }
  const all = [...seconds].sort(([a], [b]) => a - b)
  const [second, entries = []] = all[Math.floor(all.length / 2)] ?? []
  const times = [...entries].sort(([a], [b]) => a - b)
  const count = times.reduce((sum, [, each]) => sum + each, 0)
  let passed = 0
  const shown = times
    .filter(([, each]) => {
      passed += each
      return passed - each < ZOOMED_SHARE * count
    })
    .slice(0, MAX_TIMES)
  if (shown.length < 2) return []
  return [
    {
      ...{ id: 'zoom', title: `Second ${second} of the first run`, kind: 'lines' },
      ...{ x: 'ms', y: 'Count', note: 'Every time of that second, without the slowest 5 %.' },
      series: [
        {
          label: 'Count',
          style: 'points',
          values: shown.map(([us, each]) => [Number((us / 1000).toPrecision(4)), each])
        }
      ]
    }
  ]
}
