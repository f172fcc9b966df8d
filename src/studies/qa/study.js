// Makes the runs of a quality report (`qa`): load grid, chosen load, long run, churn. Also records load average and
// sockets of the machine.
import { readFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import { describeRun } from '../../report/describe-run.js'
import { formatTiles } from '../../report/text.js'
import { HOST_WATCH_MS, measureHost } from '../../run/lateness.js'
import { readComparedFigures } from '../compare/comparison.js'
import { describeGrid } from '../saturate/describe-grid.js'
import { planCells, planValidLoad } from '../saturate/plan.js'
import { listSizes } from '../saturate/saturation-document.js'
import {
  chooseGridCell,
  loadRuns,
  makeFailureReason,
  makeTrialTurn,
  requireObjective
} from '../saturate/study.js'
import {
  findTerms,
  formatTrialName,
  listMeasuredCells,
  makeTrial,
  SATURATION_SCENARIOS
} from '../saturate/trials.js'
import { makeSequence, runStudy, StudyEndedError } from '../study.js'
import { collectRunErrors, makeStudyRunTables } from '../study-views.js'
import { judgeParts } from './baseline.js'
import { describeQa, makeQaHeadline } from './describe.js'
import { planChurnRun, QUICK_LENGTHS } from './plan.js'
import {
  accumulateThroughput,
  isFailureBeyondLimit,
  listChurnFigures,
  listTrials,
  makeQaCommandLine,
  QA_DOCUMENT,
  STEADY_SHARE
} from './qa-document.js'

/**
 * @typedef {import('./qa-document.js').QaDocument} QaDocument
 * @typedef {import('../saturate/trials.js').AnyTrial} AnyTrial
 * @typedef {import('../study.js').RunTurn} RunTurn
 * @typedef {import('../study.js').StudyTurn} StudyTurn
 * @typedef {import('../../scenarios/index.js').AnyPlan} AnyPlan
 * @typedef {import('../../report/schema.js').Reason} Reason
 *
 * @typedef {(before: number, after: number) => RunTurn} PartOf - how runs of a part are made; `before`, `after`: number of runs of the
 *   report before and after those of the part
 *
 * @typedef {Parameters<typeof runStudy>[1] & { findScenario: import('../../scenarios/index.js').LoadScenario }} Components
 */

/**
 * runQa makes the remaining runs of a quality report: first the machine is watched; then a grid is run and extended until one of its loads is
 * not sustained; then the chosen cell is run several times, half of its load for a long time, and a load with churn.
 *
 * @param {QaDocument} document - grows
 * @param {string} folder
 * @param {Components} components
 */
export async function runQa(document, folder, { findScenario, ...components }) {
  const watch = new MachineMonitor()
  const { progress, signal } = components
  await runStudy(
    {
      document,
      file: QA_DOCUMENT,
      folder,
      leavesUp: true,
      before: listTrials(document).filter(({ status }) => status === 'complete'),
      open: () => incompleteRuns(document),
      async conduct(run) {
        if (document.watched === null) {
          const ms = document.quick ? QUICK_LENGTHS.watchMs : HOST_WATCH_MS
          progress.notice(`measuring timer lateness for ${ms / 1000} s`)
          document.watched = await measureHost(ms, signal)
        }
        /** @type {PartOf} */
        const partOf = (before, after) => turn =>
          run({
            ...turn,
            index: before + turn.index,
            total: document.grid.cells.length + runsAfterGrid(document),
            left: [...turn.left, ...(after === 0 ? [] : plansAfterGrid(document).slice(-after))]
          })
        await runGrid(document, partOf)
        await examine(document, partOf, watch)
        await runSteady(document, partOf)
        await runChurn(document, partOf, components)
      },
      conclude: () => conclude(document)
    },
    {
      ...components,
      watchers: [...(components.watchers ?? []), { add: record => watch.add(record), close() {} }]
    }
  )
}

/** @param {QaDocument} document @returns {Reason | null} */
function incompleteRuns(document) {
  const { rotation, grid } = document
  const trials = listTrials(document).filter(
    trial => trial.status !== 'complete' && !isFailureBeyondLimit(grid, trial)
  )
  const left = trials.length + Number(rotation.why === null && rotation.status !== 'complete')
  const total = grid.cells.length + runsAfterGrid(document)
  return left === 0 ? null : { code: 'RUNS_FAILED', message: `${left} of ${total} runs are not complete` }
}

/** Plans of the runs after the grid. Those not known yet are replaced by plans that take about as long. @param {QaDocument} document @returns {AnyPlan[]} */
function plansAfterGrid({ scenario, options, steadySeconds, objective, grid, examined, rotation }) {
  const cell = grid.cells[grid.cells.length - 1].plan
  const size = SATURATION_SCENARIOS[scenario].sizeOf(cell)
  const load = { perSecond: cell.ratePerSecond ?? 1, size, seconds: steadySeconds, objective }
  return [
    ...Array(examined.runs).fill(cell),
    planValidLoad(scenario, options, load),
    ...(rotation.plan === null ? [] : [rotation.plan])
  ]
}

/**
 * listPlansAhead are the plans that are still to be run, as far as they are known.
 *
 * @param {QaDocument} document
 * @returns {AnyPlan[]}
 */
export const listPlansAhead = document => [
  ...document.grid.cells.flatMap(({ status, plan }) => (status === 'complete' ? [] : [plan])),
  ...plansAfterGrid(document).slice(
    document.examined.trials.filter(({ status }) => status === 'complete').length
  )
]

/** The number of runs after the grid. @param {QaDocument} document */
const runsAfterGrid = ({ examined, rotation }) => examined.runs + 1 + Number(rotation.why === null)

/**
 * Runs the grid. Unless the user gave its rates, it is extended until one of its loads is not sustained.
 *
 * @param {QaDocument} document
 * @param {PartOf} partOf
 */
async function runGrid(document, partOf) {
  const { cells } = document.grid
  for (let from = 0, more = true; more; more = extendGrid(document)) {
    await cellsFrom(from, document)(partOf(from, runsAfterGrid(document)))
    from = cells.length
  }
}

/** @param {number} from - index of the first cell @param {QaDocument} document */
function cellsFrom(from, document) {
  const { grid, scenario, inTimeMs } = document
  const objective = requireObjective(document, grid.cells)
  const judge = () => {
    grid.chosen = chooseGridCell(grid, SATURATION_SCENARIOS[scenario].sizeName)
  }
  return makeSequence(
    grid.cells.slice(from).map(cell => {
      const label = formatTrialName(findTerms({ scenario }), cell)
      const turn = makeTrialTurn(cell, { label, objective, inTimeMs, judge })
      return {
        ...turn,
        isDone: () => turn.isDone() || isFailureBeyondLimit(grid, cell),
        /** @type {StudyTurn['keep']} */
        async keep(ended, inside) {
          if (ended.result !== null) {
            const { machine, versions } = ended.result.run
            document.on ??= { machine, versions }
          }
          await turn.keep(ended, inside)
        }
      }
    }),
    (ended, cell) =>
      grid.cells.some(({ status }) => status === 'complete') ? null : makeFailureReason(cell, ended)
  )
}

/** Where a raised rate is multiplied by a factor, a lowered rate is divided by this power of it. */
const LOWERING_POWER = 2

/**
 * The rate of the next row of a grid: lower while no load is sustained, higher while all are.
 *
 * @param {QaDocument['grid']} grid
 * @param {number} factor
 * @returns {number | null} null: the grid needs no more rows
 */
function nextRate({ cells, rates }, factor) {
  const measured = listMeasuredCells(cells)
  if (measured.length > 0 && measured.every(({ beyond }) => beyond))
    return Math.min(...rates) / factor ** LOWERING_POWER
  const isAnswered = cells.some(({ status }) => status === 'failed') || measured.some(({ beyond }) => beyond)
  return isAnswered ? null : Math.max(...rates) * factor
}

/**
 * Adds a row of cells to a grid that needs one.
 *
 * @param {Pick<QaDocument, 'grid' | 'growth' | 'scenario' | 'seconds' | 'options' | 'objective'>} document
 * @returns {boolean} whether a row was added
 */
function extendGrid({ grid, growth, scenario, seconds, options, objective }) {
  if (growth === null || growth.rows === 0) return false
  const rate = nextRate(grid, growth.factor)
  if (rate === null) return false
  const row = { rates: [rate], sizes: listSizes(grid), seconds, objective, before: grid.cells.length }
  const { cells, problems } = planCells(scenario, row, options)
  if (problems.length > 0) return false
  grid.rates = [...grid.rates, rate].sort((a, b) => a - b)
  grid.cells.push(...cells)
  growth.rows -= 1
  return true
}

/** @param {QaDocument} document @returns {AnyTrial} */
function examinedCell({ grid, examined: { wanted } }) {
  const cells = listMeasuredCells(grid.cells)
  const at = (
    /** @type {{ ratePerSecond: number, size?: number, connections?: number, nodes?: number } | null} */ place
  ) =>
    cells.find(
      ({ ratePerSecond, size, beyond }) =>
        !beyond &&
        ratePerSecond === place?.ratePerSecond &&
        size === (place.size ?? place.connections ?? place.nodes)
    )
  const cell = at(wanted) ?? at(grid.chosen)
  if (cell === undefined)
    throw new StudyEndedError({
      code: 'NOTHING_CARRIED',
      message: 'no cell met the objective: there is none to examine; give lower rates'
    })
  return cell.trial
}

/** @param {QaDocument} document @param {PartOf} partOf @param {MachineMonitor} watch */
async function examine(document, partOf, watch) {
  const { scenario, options, seconds, objective, inTimeMs, examined } = document
  if (examined.trials.length === 0) {
    const { plan, perSecond } = examinedCell(document)
    const { sizeOf, rateOf, again } = SATURATION_SCENARIOS[scenario]
    const load = { perSecond, size: sizeOf(plan), seconds, objective }
    examined.cell = { ratePerSecond: rateOf({ plan, perSecond }), size: load.size }
    examined.trials = Array.from({ length: examined.runs }, (_, place) => {
      const others = place === 0 ? null : again(plan, options, place)
      return makeTrial({
        name: `examined-${place + 1}`,
        plan: planValidLoad(scenario, others ?? options, load)
      })
    })
  }
  const judged = requireObjective(document, examined.trials)
  const turns = examined.trials.map((trial, place) => {
    const turn = makeTrialTurn(trial, { label: `examined, run ${place + 1}`, objective: judged, inTimeMs })
    return {
      ...turn,
      anew: true,
      begin: () => watch.begin(),
      /** @type {StudyTurn['keep']} */
      keep(ended, inside) {
        examined.machine[trial.name] = [...watch.readings]
        return turn.keep(ended, inside)
      }
    }
  })
  await makeSequence(turns)(partOf(document.grid.cells.length, runsAfterGrid(document) - examined.runs))
}

/** Runs half of the examined load for a long time. @param {QaDocument} document @param {PartOf} partOf */
async function runSteady(document, partOf) {
  const { scenario, options, steadySeconds, objective, inTimeMs, examined, grid } = document
  document.steady ??= makeTrial({
    name: 'steady',
    plan: planValidLoad(scenario, options, {
      perSecond: steadyRate(examined.trials[0]),
      size: SATURATION_SCENARIOS[scenario].sizeOf(examined.trials[0].plan),
      seconds: steadySeconds,
      objective
    })
  })
  const turn = makeTrialTurn(document.steady, {
    label: 'the steady run',
    objective: requireObjective(document, [document.steady]),
    inTimeMs
  })
  await makeSequence([{ ...turn, anew: true }])(
    partOf(grid.cells.length + examined.runs, runsAfterGrid(document) - examined.runs - 1)
  )
}

/** Half of the examined rate, to six digits. @param {Pick<AnyTrial, 'perSecond'>} trial */
const steadyRate = ({ perSecond }) => Number((STEADY_SHARE * perSecond).toPrecision(6))

/** @param {QaDocument} document @param {PartOf} partOf @param {Pick<Components, 'viewOf'>} components */
async function runChurn(document, partOf, { viewOf }) {
  const { rotation, scenario, examined, grid } = document
  if (rotation.why !== null) return
  const { qa, scenario: loaded } = SATURATION_SCENARIOS[scenario]
  const rate = Math.min(qa.churnPerSecond, steadyRate(examined.trials[0]))
  if (rotation.status !== 'complete') rotation.plan = planChurnRun(loaded, rotation.options, rate).plan
  /** @type {StudyTurn} */
  const turn = {
    label: 'with churn',
    plan: rotation.plan,
    part: 'runs',
    name: 'rotation',
    anew: true,
    isDone: () => rotation.status === 'complete',
    keep({ status, reason, tookMs, result }, inside) {
      Object.assign(rotation, { status, reason, tookMs, run: result === null ? null : inside })
      if (status !== 'complete' || result === null) return
      const figures = Object.entries(readComparedFigures(result, listChurnFigures(document)))
      rotation.figures = Object.fromEntries(
        figures.flatMap(([name, figure]) => (figure === null ? [] : [[name, figure.value]]))
      )
      rotation.atLeast = figures.flatMap(([name, figure]) => (figure?.atLeast ? name : []))
      rotation.came = formatTiles(viewOf(result).describeResult(result).tiles)
      rotation.slope = accumulateThroughput(result).slope
    }
  }
  await makeSequence([turn])(partOf(grid.cells.length + examined.runs + 1, 0))
}

/** Compares the report with its baseline. @param {QaDocument} document */
async function conclude(document) {
  const { baseline } = document
  if (baseline === null || document.on === null) return
  const before = await QA_DOCUMENT.read(baseline)
  if (before === null)
    throw new StudyEndedError({
      code: 'NO_BASELINE',
      message: `${baseline} can no longer be read: compare this report with it, or with another one, by --resume --baseline`
    })
  document.held = judgeParts(before, document, listChurnFigures(document))
}

/** @typedef {ReadonlyMap<string, import('../../scenarios/index.js').AnyResult>} Results - by folder */

/** @param {QaDocument} document */
const runsOf = document => [
  ...listTrials(document).flatMap(({ run }) => run ?? []),
  ...(document.rotation.run === null ? [] : [document.rotation.run])
]

/** QA_STUDY is the quality report: the load that is sustained, how it performs in several runs and for a long time, and a load with churn. @type {import('../study-views.js').StudyInterface<QaDocument, Results>} */
export const QA_STUDY = {
  document: QA_DOCUMENT,
  run: runQa,
  shown: document => [document],
  plans: listPlansAhead,
  grows: ({ growth }) => growth !== null,
  runs: runsOf,
  load: (folder, document, find) => loadRuns(folder, runsOf(document), find),
  describe: (document, results, viewOf) =>
    describeQa(document, {
      grid: describeGrid(document.grid, findTerms(document), document),
      runs: new Map([...results].map(([run, result]) => [run, describeRun(result, viewOf(result))])),
      results,
      rotating: listChurnFigures(document)
    }),
  about: (_, results) => makeStudyRunTables([...results.values()][0]),
  command: makeQaCommandLine,
  verdict: (document, results) => ({
    generatorLimited: document.examined.trials.some(({ point }) => point?.generatorLimited === true),
    ...collectRunErrors(results ?? [], { trial: true }),
    notMet: document.held?.verdict === 'FAIL',
    undecided: document.held?.verdict === 'UNDECIDED'
  }),
  inLine: document => [
    `qa ${document.scenario}${document.quick ? ', quick' : ''}`,
    document.held === null
      ? makeQaHeadline(document)
      : `${document.held.verdict} against ${document.held.baseline.id}`
  ]
}

/**
 * @typedef {object} MachineReading - a reading of the whole machine, made about once a second
 * @property {number} at - s since the first reading
 * @property {number} load1 - load average over one minute
 * @property {number | null} sockets - TCP sockets in use (a connection between two processes of the machine has two); null: not known
 */

/** Above this number of readings, every second one is dropped. */
const MAX_READINGS = 1200

/**
 * parseSocketCount reads how many TCP sockets are in use: proc_net(5).
 *
 * @param {string} text - of `/proc/net/sockstat`
 */
export function parseSocketCount(text) {
  const count = /^TCP: inuse (\d+)/m.exec(text)?.[1]
  return count === undefined ? null : Number(count)
}

/**
 * MachineMonitor reads load average and sockets of this machine once for each measured second of a run.
 */
export class MachineMonitor {
  /** @type {MachineReading[]} */
  #readings = []
  #beganMs = 0
  #now
  #read

  /** @param {{ now?: () => number, read?: () => Omit<MachineReading, 'at'> }} [components] - `now`: ms, monotonic */
  constructor({ now = () => performance.now(), read = readMachine } = {}) {
    this.#now = now
    this.#read = read
  }

  /** begin drops earlier readings. */
  begin() {
    this.#readings = []
  }

  /** add takes a record of a run and makes a reading if the record is of a second. @param {import('../../report/schema.js').RunRecord} record */
  add({ type }) {
    if (type !== 'interval') return
    if (this.#readings.length === 0) this.#beganMs = this.#now()
    const at = Math.round((this.#now() - this.#beganMs) / 100) / 10
    this.#readings.push({ at, ...this.#read() })
    if (this.#readings.length > MAX_READINGS)
      this.#readings = this.#readings.filter((_, place) => place % 2 === 0)
  }

  /** readings are those since `begin`. */
  get readings() {
    return this.#readings
  }
}

/** @returns {Omit<MachineReading, 'at'>} */
function readMachine() {
  let text = ''
  try {
    text = readFileSync('/proc/net/sockstat', 'utf8')
  } catch {}
  return { load1: Math.round(loadavg()[0] * 100) / 100, sockets: parseSocketCount(text) }
}
