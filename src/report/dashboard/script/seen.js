import { thinned } from './thinned.js'

/**
 * @typedef {Record<string, any> & { type: string, run: string }} Line - as of --jsonLines
 *
 * @typedef {object} Point - what was told at a moment
 * @property {number} at - s since the run began
 * @property {number | null} rate - a second
 * @property {number | null} p50 - ms
 * @property {number | null} p99
 * @property {number | null} cpu - %
 * @property {number | null} memory - MB
 *
 * @typedef {object} SeenRun
 * @property {string} id
 * @property {string | undefined} label - in a study
 * @property {number | undefined} index
 * @property {number | undefined} total
 * @property {string} scenario
 * @property {string} says
 * @property {Record<string, string>} units - of figures
 * @property {number} beganAt - ms since 1970
 * @property {{ name: string, title: string, state: string, fromMs: number, toMs: number | null, detail: string | undefined }[]} phases
 * @property {Line | null} progress - the latest
 * @property {Point[]} points
 * @property {Record<string, number>} figures - so far
 * @property {string[]} atLeast
 * @property {string[]} doubtful
 * @property {{ text: string, passed: boolean }[]} thresholds
 * @property {string[]} warnings
 * @property {'running' | 'complete' | 'partial'} status
 * @property {string | null} reason - why it is partial
 * @property {string | null} folder
 *
 * @typedef {object} Seen - of a run, or of the runs of a study
 * @property {Map<string, SeenRun>} runs
 * @property {Line | null} study
 * @property {boolean} over - nothing more comes
 */

/** As many are drawn of a run. */
const MOST_POINTS = 2000

/** nothingSeen is what a page begins with. @returns {Seen} */
export const nothingSeen = () => ({ runs: new Map(), study: null, over: false })

/** @param {Line} line @returns {SeenRun} */
const begun = ({ run, at, label, index, total, scenario = '', says = '', units = {} }) => ({
  ...{ id: run, label, index, total, scenario, says, units },
  beganAt: Date.parse(at),
  ...{
    phases: [],
    progress: null,
    points: [],
    figures: {},
    atLeast: [],
    doubtful: [],
    thresholds: [],
    warnings: []
  },
  ...{ status: 'running', reason: null, folder: null }
})

/** @param {SeenRun} run @param {Line} line */
function phase(run, { phase: name, title = name, state, atMs, detail }) {
  const open = run.phases.find(each => each.name === name && each.toMs === null)
  if (state === 'begin' || open === undefined)
    run.phases.push({ name, title, state, fromMs: atMs, toMs: state === 'begin' ? null : atMs, detail })
  else Object.assign(open, { state, toMs: atMs, detail })
  run.progress = null
}

/** @param {SeenRun} run @param {Line} line */
function progress(run, line) {
  const {
    at,
    ratePerSecond: rate = null,
    p50Ms: p50 = null,
    p99Ms: p99 = null,
    cpuPercent: cpu = null
  } = line
  const memory = line.rssBytes == null ? null : line.rssBytes / 1e6
  run.progress = line
  if ([rate, p50, p99, cpu, memory].every(value => value === null)) return
  run.points.push({ at: (Date.parse(at) - run.beganAt) / 1000, rate, p50, p99, cpu, memory })
  run.points = thinned(run.points, MOST_POINTS)
}

/** @param {SeenRun} run @param {Line} line */
function figures(run, { figures = {}, atLeast = [], doubtful = [], thresholds = [] }) {
  Object.assign(run, { figures, atLeast, doubtful, thresholds })
}

/** @type {Record<string, (run: SeenRun, line: Line) => void>} */
const OF_A_RUN = {
  phase,
  progress,
  sample: figures,
  warning: (run, { message }) => void run.warnings.push(message),
  end(run, line) {
    figures(run, line)
    Object.assign(run, { status: line.status, reason: line.reason?.message ?? null, folder: line.folder })
    run.progress = null
  }
}

/**
 * see takes in a line.
 *
 * @param {Seen} seen
 * @param {Line} line
 */
export function see(seen, line) {
  if (line.type === 'over') seen.over = true
  else if (line.type === 'study') seen.study = line
  else if (line.type === 'start') seen.runs.set(line.run, begun(line))
  else {
    // one may fail before it tells that it starts
    const run = seen.runs.get(line.run) ?? begun(line)
    seen.runs.set(line.run, run)
    OF_A_RUN[line.type]?.(run, line)
  }
}

/** shownOf is the run that is shown at large: the one that goes on, or the last that did. @param {Seen} seen @returns {SeenRun | null} */
export function shownOf({ runs }) {
  const all = [...runs.values()]
  return all.find(({ status }) => status === 'running') ?? all.at(-1) ?? null
}

/** COLUMNS are what of points is drawn over one another. @type {readonly { id: string, title: string, series: readonly { label: string, key: 'rate' | 'p50' | 'p99' | 'cpu' | 'memory' }[] }[]} */
export const COLUMNS = [
  { id: 'rate', title: 'Rate, per second', series: [{ label: 'rate', key: 'rate' }] },
  {
    id: 'times',
    title: 'Time, ms',
    series: [
      { label: 'p50', key: 'p50' },
      { label: 'p99', key: 'p99' }
    ]
  },
  { id: 'cpu', title: 'CPU of what is under test, %', series: [{ label: 'CPU', key: 'cpu' }] },
  { id: 'memory', title: 'Memory of what is under test, MB', series: [{ label: 'memory', key: 'memory' }] }
]
