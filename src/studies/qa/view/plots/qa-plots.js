import { largestOf } from '../../../../kit/lists.js'
import { grouped, significant } from '../../../../kit/numbers.js'
import { amount, span } from '../../../../kit/plots/axes.js'
import { seriesPlot } from '../../../../kit/plots/series-plot.js'
import { QUIET, SERIES } from '../../../../kit/plots/theme.js'
import { secondsAxisTo } from '../../../../report/plots/measured-time.js'
import { carriedOverTime } from '../../result/carried-over-time.js'

/**
 * @typedef {import('../../../../kit/plots/theme.js').Plot} Plot
 * @typedef {import('../../result/qa-document.js').Examined} Examined
 * @typedef {{ at: number, value: number }} Dot
 *
 * @typedef {object} Lines - of several runs over one another
 * @property {string} id
 * @property {string} title
 * @property {string} caption
 * @property {string} axis
 * @property {readonly { label: string, values: Dot[] }[]} runs
 */

/** @param {Lines} lines @returns {Plot[]} none where nothing was read */
function linesPlot({ id, title, caption, axis, runs }) {
  const all = runs.flatMap(({ values }) => values)
  if (all.length === 0) return []
  return [
    seriesPlot({
      ...{ id, title, caption },
      description: `${title} of ${runs.length} runs, ${significant(largestOf(all, ({ value }) => value))} at most.`,
      x: secondsAxisTo(
        Math.max(
          1,
          largestOf(all, ({ at }) => at)
        ),
        'Time since the measurement began, s'
      ),
      y: amount(axis),
      series: runs.map(({ label, values }, i) => ({
        label,
        colour: SERIES[i % SERIES.length],
        mark: /** @type {const} */ ('line'),
        values,
        look: { point: values.length < 3 }
      }))
    })
  ]
}

/**
 * backlogPlots draw what was due and had not ended.
 *
 * @param {Examined} examined
 * @param {string} what
 */
export const backlogPlots = ({ trials }, what) =>
  linesPlot({
    id: 'backlog',
    title: 'Backlog',
    caption: `${what} that were due and had not ended at the end of each second, unsent ones among them. Growing all the while: the load is not carried.`,
    axis: 'Waiting',
    runs: trials.flatMap(({ point }, place) =>
      point !== null && 'waiting' in point
        ? [
            {
              label: `run ${place + 1}`,
              values: point.waiting.map((value, second) => ({ at: second + 1, value }))
            }
          ]
        : []
    )
  })

/**
 * machinePlots draw load average and sockets of the machine while the examined cell was run.
 *
 * @param {Examined} examined
 * @param {number | null} cores
 * @returns {Plot[]}
 */
export function machinePlots({ trials, machine }, cores) {
  const runs = (/** @type {'load1' | 'sockets'} */ which) =>
    trials.flatMap(({ name }, place) => {
      const values = (machine[name] ?? []).flatMap(({ at, [which]: value }) =>
        value === null ? [] : [{ at, value }]
      )
      return values.length === 0 ? [] : [{ label: `run ${place + 1}`, values }]
    })
  return [
    ...linesPlot({
      id: 'load1',
      title: 'load1 of the machine',
      caption: `Processes that ran or waited for a core, averaged over about a minute: what ran before reaches into it.${cores === null ? '' : ` The machine has ${grouped(cores)} cores.`}`,
      axis: 'load1',
      runs: runs('load1')
    }),
    ...linesPlot({
      id: 'sockets',
      title: 'TCP sockets in use',
      caption: 'Of the whole machine; a connection between two processes on it has two.',
      axis: 'Sockets',
      runs: runs('sockets')
    })
  ]
}

/** A zoom shows the times of one second up to this share of them. */
const ZOOMED_SHARE = 0.95
const MOST_TIMES = 200

/**
 * zoomPlots show the times of a single second, which are one dot in a plot over time.
 *
 * @param {{ outcome: any }} result
 * @returns {Plot[]}
 */
export function zoomPlots({ outcome: { perSecond } }) {
  /** @type {Map<number, [number, number][]>} */
  const seconds = new Map()
  for (const { second, type, outcome, histogram } of perSecond) {
    if (type === 'CONNECT' || (outcome !== undefined && outcome !== 'OK')) continue
    seconds.set(second, [...(seconds.get(second) ?? []), ...histogram])
  }
  const all = [...seconds].sort(([a], [b]) => a - b)
  const [second, entries] = all[Math.floor(all.length / 2)] ?? []
  if (second === undefined || entries === undefined) return []
  const times = [...entries].sort(([a], [b]) => a - b)
  const count = times.reduce((sum, [, each]) => sum + each, 0)
  let seen = 0
  const shown = times
    .filter(([, each]) => {
      seen += each
      return seen - each < ZOOMED_SHARE * count
    })
    .slice(0, MOST_TIMES)
  if (shown.length < 2) return []
  const values = shown.map(([us, each]) => ({ at: Number((us / 1000).toPrecision(4)), value: each }))
  return [
    seriesPlot({
      id: 'zoom',
      title: `Zoom: second ${second} of the first run`,
      caption: `Every time of that second, but for the slowest 5 %: ${grouped(count)} that are a dot in a plot over time.`,
      description: `How often each time occurred in one second, ${significant(values[0].at)} to ${significant(values[values.length - 1].at)} ms.`,
      x: span([values[0].at, values[values.length - 1].at], 'ms', { tickCount: 6 }),
      y: amount('How often'),
      series: [{ colour: SERIES[0], mark: 'circle', values, look: { size: 24, opacity: 0.7 } }]
    })
  ]
}

/**
 * carriedPlots draw what runs carried since their beginnings: the slope is what they carried in a second.
 *
 * @param {readonly { label: string, result: { outcome: any } }[]} runs
 * @param {{ id: string, what: string }} how
 * @returns {Plot[]}
 */
export function carriedPlots(runs, { id, what }) {
  const drawn = runs.map(({ label, result }) => ({ label, ...carriedOverTime(result) }))
  const all = drawn.flatMap(({ points }) => points)
  if (all.length === 0) return []
  const bends = drawn.flatMap(({ slope, points }) => {
    if (slope === null) return []
    const at = points.find(({ x }) => x >= slope.at)
    return at === undefined ? [] : [{ at: at.x, value: at.y }]
  })
  return [
    seriesPlot({
      id,
      title: `${what} since the beginning`,
      caption: `The slope is what was carried in a second.${bends.length === 0 ? '' : ' Marked: where it changes by more than a tenth.'}`,
      description: `${what} added up over time, ${grouped(largestOf(all, ({ y }) => y))} in the end.`,
      x: secondsAxisTo(
        largestOf(all, ({ x }) => x),
        'Time since the measurement began, s'
      ),
      y: amount(what),
      series: [
        ...drawn.map(({ label, points }, i) => ({
          label,
          colour: SERIES[i % SERIES.length],
          mark: /** @type {const} */ ('line'),
          values: points.map(({ x, y }) => ({ at: x, value: y }))
        })),
        ...(bends.length === 0
          ? []
          : [
              {
                label: 'changes',
                colour: QUIET,
                mark: /** @type {const} */ ('diamond'),
                values: bends,
                look: { size: 80 }
              }
            ])
      ]
    })
  ]
}
