// Format of the document that stores a quality report (`qa`), with its trials and the command that repeats it.

import { computeSum, omitMissing } from '../../kit/collections.js'
import { PROGRAM } from '../../kit/runtime.js'
import { findSlopeChange } from '../../measure/statistics.js'
import { listComparedFigures } from '../../plan/threshold.js'
import { convertFormerScenario } from '../../report/read-result.js'
import { makeObjectiveFlags } from '../saturate/objective.js'
import { addFormerVerdicts, formatOptionFlags, listSizes } from '../saturate/saturation-document.js'
import { findSaturation, listMeasuredCells, SATURATION_SCENARIOS } from '../saturate/trials.js'
import { makeStudyFile } from '../study.js'

/**
 * @typedef {import('../saturate/trials.js').AnyTrial} AnyTrial
 * @typedef {import('../saturate/saturation-document.js').GridState} GridState
 * @typedef {import('./study.js').MachineReading} MachineReading
 * @typedef {import('./baseline.js').BaselineComparison} BaselineComparison
 *
 * @typedef {import('../saturate/search.js').GridCell} CellPosition
 *
 * @typedef {object} ExaminedCell - the runs of the examined cell
 * @property {CellPosition | null} wanted - the examined cell of the baseline; null: the chosen cell of the grid is examined
 * @property {CellPosition | null} cell - null: not known yet
 * @property {number} runs
 * @property {AnyTrial[]} trials - one for each run, once the cell is known
 * @property {Record<string, MachineReading[]>} machine - readings during each trial, by its name
 *
 * @typedef {object} ChurnRun - the run with churn
 * @property {Record<string, unknown>} options - of its plan, as typed, without the rate
 * @property {any} plan - null: there is no such run
 * @property {string | null} why - there is no such run; null: there is
 * @property {'pending' | 'complete' | 'failed' | 'interrupted'} status
 * @property {import('../../report/schema.js').Reason | null} reason
 * @property {string | null} run - its folder, in that of the document
 * @property {number | null} tookMs
 * @property {Record<string, number>} figures - by which such runs are compared, as far as measured
 * @property {string[]} [atLeast] - names of figures that are lower bounds
 * @property {string | null} came - the result in words
 * @property {import('../../measure/statistics.js').SlopeChange | null} slope - when throughput changed
 *
 * @typedef {import('../compare/comparison.js').Environment} RunEnvironment
 *
 * @typedef {object} QaParts
 * @property {string} scenario
 * @property {boolean} quick
 * @property {Record<string, unknown>} options - of the plans, as typed
 * @property {string[] | null} objective - that sustained loads meet; null: the version of the document had other rules
 * @property {number} seconds - of a cell, and of each run of the examined cell
 * @property {number} steadySeconds
 * @property {number} [inTimeMs] - time in which a message of a gossip network must reach all nodes
 * @property {import('../../run/lateness.js').HostMeasurement | null} watched - the machine before the first run
 * @property {RunEnvironment | null} on - the machine and the versions of the runs; null: no run was made
 * @property {GridState} grid
 * @property {{ factor: number, rows: number } | null} growth - how the grid is extended while all its loads are sustained; null: it is not
 * @property {ExaminedCell} examined
 * @property {AnyTrial | null} steady - null: the load is not known yet
 * @property {ChurnRun} rotation
 * @property {string | null} baseline - folder of an earlier report, as typed
 * @property {BaselineComparison | null} held - the comparison with the baseline; null: none was made
 *
 * @typedef {import('../study.js').StudyHead & QaParts} QaDocument - `qa.json`
 */

/** STEADY_SHARE of the examined load is the load of the steady run. */
export const STEADY_SHARE = 0.5

/** listChurnFigures are the figures by which runs with churn are compared. @param {Pick<QaDocument, 'scenario' | 'rotation'>} document */
export const listChurnFigures = ({ scenario, rotation: { plan } }) => {
  const { compared } = SATURATION_SCENARIOS[scenario].scenario
  return compared === null || plan === null ? [] : listComparedFigures(compared, plan)
}

/** QA_DOCUMENT is the document of a folder of `qa`. @type {import('../study.js').StudyFile<QaDocument>} */
export const QA_DOCUMENT = makeStudyFile({
  file: 'qa.json',
  holds: ({ grid, examined, rotation }) =>
    Array.isArray(grid?.cells) && Array.isArray(examined?.trials) && rotation !== undefined,
  current({ objective = null, grid, examined, steady, ...written }) {
    const { rotation } = written
    // the run with churn was a scenario of its own in an earlier release
    const plan =
      rotation.plan && convertFormerScenario({ scenario: rotation.plan.scenario, plan: rotation.plan }).plan
    const document = { ...written, rotation: { ...rotation, plan } }
    if (objective !== null) return { ...document, objective, grid, examined, steady }
    return {
      ...document,
      objective,
      grid: { ...grid, cells: addFormerVerdicts(grid.cells) },
      examined: { ...examined, trials: addFormerVerdicts(examined.trials) },
      steady: steady && addFormerVerdicts([steady])[0]
    }
  }
})

/**
 * listTrials lists all trials of a report: the grid, the examined cell, the steady run.
 *
 * @param {Pick<QaDocument, 'grid' | 'examined' | 'steady'>} document
 * @returns {AnyTrial[]}
 */
export const listTrials = ({ grid, examined, steady }) => [
  ...grid.cells,
  ...examined.trials,
  ...(steady === null ? [] : [steady])
]

/**
 * makeQaCommandLine is the command that makes the report again.
 *
 * @param {QaDocument} document
 */
export function makeQaCommandLine({
  scenario,
  options,
  quick,
  seconds,
  steadySeconds,
  inTimeMs,
  ...document
}) {
  const { grid, growth, examined, rotation, baseline } = document
  const { ratesFlag, sizeName } = SATURATION_SCENARIOS[scenario]
  const { churn } = rotation.options
  return omitMissing([
    `${PROGRAM} qa ${scenario}`,
    quick && '--quick',
    growth === null && `--${ratesFlag} ${grid.rates.join(',')}`,
    `--${sizeName} ${listSizes(grid).join(',')}`,
    `--duration ${seconds}s`,
    `--runs ${examined.runs}`,
    `--steady ${steadySeconds}s`,
    `--rotation ${rotation.options.duration}`,
    inTimeMs !== undefined && `--inTime ${inTimeMs}ms`,
    ...makeObjectiveFlags(scenario, document.objective),
    ...formatOptionFlags(options),
    ...formatOptionFlags(churn === undefined ? {} : { churn }),
    baseline !== null && `--baseline ${baseline}`
  ]).join(' ')
}

/**
 * @typedef {import('../../measure/statistics.js').SlopeChange} SlopeChange
 *
 * @typedef {object} CumulativeThroughput - operations that succeeded, or deliveries
 * @property {{ x: number, y: number }[]} points - number since the start, at the end of each second
 * @property {SlopeChange | null} slope - when throughput changed
 */

/**
 * accumulateThroughput adds up the successful operations or the deliveries of a run, second by second. The slope is the throughput.
 *
 * @param {{ outcome: any }} result
 * @returns {CumulativeThroughput}
 */
export function accumulateThroughput({ outcome: { timeline, perSecond = [], secondsPerPoint = 1 } }) {
  /** @type {[second: number, count: number][]} */
  const parts =
    timeline?.map((/** @type {any} */ { second, delivered }) => [second, delivered]) ??
    perSecond.flatMap((/** @type {any} */ { second, type, outcome, histogram }) =>
      type === 'CONNECT' || outcome !== 'OK'
        ? []
        : [[second, computeSum(/** @type {[number, number][]} */ (histogram), ([, count]) => count)]]
    )
  /** @type {Map<number, number>} */
  const counts = new Map()
  for (const [second, count] of parts) counts.set(second, (counts.get(second) ?? 0) + count)
  let total = 0
  const points = [...counts]
    .sort(([a], [b]) => a - b)
    .map(([second, count]) => {
      total += count
      return { x: second + secondsPerPoint, y: total }
    })
  // over fewer than 10 s a change of the slope may be chance
  return { points, slope: findSlopeChange(points, 10) }
}

/**
 * isFailureBeyondLimit says whether a cell of a grid failed at a load beyond the sustained ones. Such a failure is an answer: the server can no longer
 * serve that load. If no load is sustained, it is a plain failure.
 *
 * @param {Pick<QaDocument['grid'], 'cells'>} grid
 * @param {import('../saturate/trials.js').AnyTrial} trial
 */
export function isFailureBeyondLimit({ cells }, trial) {
  if (trial.status !== 'failed' || !cells.includes(trial)) return false
  const { sizeOf, rateOf } = findSaturation(trial.plan)
  const carried = listMeasuredCells(cells).filter(({ beyond }) => !beyond)
  const asMuch = carried.some(
    ({ ratePerSecond, size }) => ratePerSecond >= rateOf(trial) && size >= sizeOf(trial.plan)
  )
  return carried.length > 0 && !asMuch
}
