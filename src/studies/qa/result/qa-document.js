import { comparedIn } from '../../../plan/metric-names.js'
import { ofScenarioNow } from '../../../result/migrations.js'
import { withFormerVerdicts } from '../../saturation/result/former-verdicts.js'
import { SATURATED } from '../../saturation/saturated.js'
import { studyFile } from '../../study-document.js'

/**
 * @typedef {import('../../saturation/result/trial.js').AnyTrial} AnyTrial
 * @typedef {import('../../saturation/result/saturation-document.js').GridState} GridState
 * @typedef {import('../machine-watch.js').MachineReading} MachineReading
 * @typedef {import('./held-parts.js').QaHeld} QaHeld
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
 * @property {import('../../../result/types.js').Reason | null} reason
 * @property {string | null} run - its folder, in that of the document
 * @property {number | null} tookMs
 * @property {Record<string, number>} figures - that comparisons of such runs go by, as far as they were measured
 * @property {string[]} [atLeast] - those that the true ones may be above
 * @property {string | null} came - of it, in words
 * @property {import('../../../measure/slope-change.js').SlopeChange | null} slope - where what was carried per second changed
 *
 * @typedef {Pick<import('../../../result/types.js').AnyResult['run'], 'machine' | 'versions'>} On
 *
 * @typedef {object} QaParts
 * @property {string} scenario
 * @property {boolean} quick
 * @property {Record<string, unknown>} options - of the plans, as they were given
 * @property {string[] | null} objective - what a load must meet to be sustained; null: of a version that had other rules
 * @property {number} seconds - of a cell, and of each run of the examined one
 * @property {number} steadySeconds
 * @property {number} [inTimeMs] - within which a message of a gossip network is to reach everyone
 * @property {import('../../../workers/watched-host.js').WatchedHost | null} watched - the machine before the first run
 * @property {On | null} on - the machine, and what ran on it; null: nothing did
 * @property {GridState} grid
 * @property {{ factor: number, rows: number } | null} growth - of the grid, while nothing lies beyond the diagonal; null: it is as given
 * @property {Examined} examined
 * @property {AnyTrial | null} steady - null: the load is not known yet
 * @property {Rotation} rotation
 * @property {string | null} baseline - folder of an earlier one, as it was given
 * @property {QaHeld | null} held - how this one stands against it; null: nothing was held
 *
 * @typedef {import('../../study-document.js').Head & QaParts} QaDocument - `qa.json`
 */

/** STEADY_SHARE of the examined load is held for long. */
export const STEADY_SHARE = 0.5

/** churnFigures are those that runs with churn are compared by. @param {Pick<QaDocument, 'scenario' | 'rotation'>} document */
export const churnFigures = ({ scenario, rotation: { plan } }) => {
  const { compared } = SATURATED[scenario].scenario
  return compared === null || plan === null ? [] : comparedIn(compared, plan)
}

/** QA_DOCUMENT is the document of a folder of `qa`. @type {import('../../study-document.js').StudyFile<QaDocument>} */
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
