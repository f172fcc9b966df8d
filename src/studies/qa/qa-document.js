// The document of a quality report.

import { present, sumOf } from '../../kit/collections.js'
import { PROGRAM } from '../../kit/runtime.js'
import { slopeChange } from '../../measure/statistics.js'
import { comparedIn } from '../../plan/threshold.js'
import { ofScenarioNow } from '../../report/read-result.js'
import { objectiveFlags } from '../saturate/objective.js'
import { optionFlags, sizesOf, withFormerVerdicts } from '../saturate/saturation-document.js'
import { measuredCells, SATURATED, saturatedBy } from '../saturate/trials.js'
import { studyFile } from '../study.js'

/**
 * @typedef {import('../saturate/trials.js').AnyTrial} AnyTrial
 * @typedef {import('../saturate/saturation-document.js').GridState} GridState
 * @typedef {import('./study.js').MachineReading} MachineReading
 * @typedef {import('./baseline.js').QaHeld} QaHeld
 *
 * @typedef {{ ratePerSecond: number, size: number }} CellAt
 *
 * @typedef {object} Examined - the cell that is looked at closely
 * @property {CellAt | null} wanted - that of the baseline; null: whichever is chosen
 * @property {CellAt | null} cell - null: not known yet
 * @property {number} runs
 * @property {AnyTrial[]} trials - as many, once the cell is known
 * @property {Record<string, MachineReading[]>} machine - while each of them went on, by its name
 *
 * @typedef {object} Rotation - the run in which some come and go
 * @property {Record<string, unknown>} options - of its plan, as typed, without the rate
 * @property {any} plan - null: it is not run
 * @property {string | null} why - it is not run; null: it is
 * @property {'pending' | 'complete' | 'failed' | 'interrupted'} status
 * @property {import('../../report/schema.js').Reason | null} reason
 * @property {string | null} run - its folder, in that of the document
 * @property {number | null} tookMs
 * @property {Record<string, number>} figures - that comparisons of such runs go by, as far as they were measured
 * @property {string[]} [atLeast] - those that the true ones may be above
 * @property {string | null} came - of it, in words
 * @property {import('../../measure/statistics.js').SlopeChange | null} slope - where what was carried per second changed
 *
 * @typedef {Pick<import('../../scenarios/index.js').AnyResult['run'], 'machine' | 'versions'>} On
 *
 * @typedef {object} QaParts
 * @property {string} scenario
 * @property {boolean} quick
 * @property {Record<string, unknown>} options - of the plans, as they were given
 * @property {string[] | null} objective - what a load must meet to be sustained; null: of a version that had other rules
 * @property {number} seconds - of a cell, and of each run of the examined one
 * @property {number} steadySeconds
 * @property {number} [inTimeMs] - within which a message of a gossip network is to reach everyone
 * @property {import('../../run/lateness.js').WatchedHost | null} watched - the machine before the first run
 * @property {On | null} on - the machine, and what ran on it; null: nothing did
 * @property {GridState} grid
 * @property {{ factor: number, rows: number } | null} growth - of the grid, while nothing lies beyond the diagonal; null: it is as given
 * @property {Examined} examined
 * @property {AnyTrial | null} steady - null: the load is not known yet
 * @property {Rotation} rotation
 * @property {string | null} baseline - folder of an earlier one, as it was given
 * @property {QaHeld | null} held - how this one stands against it; null: nothing was held
 *
 * @typedef {import('../study.js').Head & QaParts} QaDocument - `qa.json`
 */

/** STEADY_SHARE of the examined load is held for long. */
export const STEADY_SHARE = 0.5

/** churnFigures are those that runs with churn are compared by. @param {Pick<QaDocument, 'scenario' | 'rotation'>} document */
export const churnFigures = ({ scenario, rotation: { plan } }) => {
  const { compared } = SATURATED[scenario].scenario
  return compared === null || plan === null ? [] : comparedIn(compared, plan)
}

/** QA_DOCUMENT is the document of a folder of `qa`. @type {import('../study.js').StudyFile<QaDocument>} */
export const QA_DOCUMENT = studyFile({
  file: 'qa.json',
  holds: ({ grid, examined, rotation }) =>
    Array.isArray(grid?.cells) && Array.isArray(examined?.trials) && rotation !== undefined,
  current({ objective = null, grid, examined, steady, ...written }) {
    const { rotation } = written
    // an earlier release had a scenario for it
    const plan =
      rotation.plan && ofScenarioNow({ scenario: rotation.plan.scenario, plan: rotation.plan }).plan
    const document = { ...written, rotation: { ...rotation, plan } }
    if (objective !== null) return { ...document, objective, grid, examined, steady }
    return {
      ...document,
      objective,
      grid: { ...grid, cells: withFormerVerdicts(grid.cells) },
      examined: { ...examined, trials: withFormerVerdicts(examined.trials) },
      steady: steady && withFormerVerdicts([steady])[0]
    }
  }
})

/**
 * trialsOf are all runs under a load.
 *
 * @param {Pick<QaDocument, 'grid' | 'examined' | 'steady'>} document
 * @returns {AnyTrial[]}
 */
export const trialsOf = ({ grid, examined, steady }) => [
  ...grid.cells,
  ...examined.trials,
  ...(steady === null ? [] : [steady])
]

/**
 * qaCommandLine makes a quality report again.
 *
 * @param {QaDocument} document
 */
export function qaCommandLine({ scenario, options, quick, seconds, steadySeconds, inTimeMs, ...document }) {
  const { grid, growth, examined, rotation, baseline } = document
  const { ratesFlag, sizeName } = SATURATED[scenario]
  const { churn } = rotation.options
  return present([
    `${PROGRAM} qa ${scenario}`,
    quick && '--quick',
    growth === null && `--${ratesFlag} ${grid.rates.join(',')}`,
    `--${sizeName} ${sizesOf(grid).join(',')}`,
    `--duration ${seconds}s`,
    `--runs ${examined.runs}`,
    `--steady ${steadySeconds}s`,
    `--rotation ${rotation.options.duration}`,
    inTimeMs !== undefined && `--inTime ${inTimeMs}ms`,
    ...objectiveFlags(scenario, document.objective),
    ...optionFlags(options),
    ...(churn === undefined ? [] : optionFlags({ churn })),
    baseline !== null && `--baseline ${baseline}`
  ]).join(' ')
}

/**
 * @typedef {import('../../measure/statistics.js').SlopeChange} SlopeChange
 * @typedef {{ x: number, y: number }} Point
 *
 * @typedef {object} Carried - operations that succeeded, or deliveries, since the beginning
 * @property {Point[]} points - at the end of each second
 * @property {SlopeChange | null} slope - where more or fewer came in a second, from then on
 */

/** A slope over fewer seconds is chance. */
const MIN_SECONDS = 10

/**
 * carriedOverTime adds up what a run carried, second by second: its slope is what was carried in a second.
 *
 * @param {{ outcome: any }} result - of operations, or of messages
 * @returns {Carried}
 */
export function carriedOverTime({ outcome }) {
  const { timeline, perSecond = [], secondsPerPoint = 1 } = outcome
  /** @type {Map<number, number>} */
  const counts = new Map()
  const add = (/** @type {number} */ second, /** @type {number} */ count) =>
    counts.set(second, (counts.get(second) ?? 0) + count)
  if (timeline !== undefined) for (const { second, delivered } of timeline) add(second, delivered)
  else
    for (const { second, type, outcome, histogram } of perSecond)
      if (type !== 'CONNECT' && outcome === 'OK')
        add(
          second,
          sumOf(/** @type {[number, number][]} */ (histogram), ([, count]) => count)
        )
  let all = 0
  const points = [...counts]
    .sort(([a], [b]) => a - b)
    .map(([second, count]) => {
      all += count
      return { x: second + secondsPerPoint, y: all }
    })
  return { points, slope: slopeChange(points, MIN_SECONDS) }
}

/**
 * failedBeyond says whether a cell of a grid failed at a load beyond those that are carried: a server that no longer answers there is an
 * answer. Where no cell is carried, it is a failure.
 *
 * @param {Pick<QaDocument['grid'], 'cells'>} grid
 * @param {import('../saturate/trials.js').AnyTrial} trial
 */
export function failedBeyond({ cells }, trial) {
  if (trial.status !== 'failed' || !cells.includes(trial)) return false
  const { sizeOf, rateOf } = saturatedBy(trial.plan)
  const carried = measuredCells(cells).filter(({ beyond }) => !beyond)
  const asMuch = carried.some(
    ({ ratePerSecond, size }) => ratePerSecond >= rateOf(trial) && size >= sizeOf(trial.plan)
  )
  return carried.length > 0 && !asMuch
}
