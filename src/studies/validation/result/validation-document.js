import { studyFile } from '../../study-document.js'
import { judgeFigures, marginOf } from './judge-measures.js'
import { MEASURES } from './measures.js'

/**
 * @typedef {import('../../../scenarios/gossip/plan/gossip-plan.js').GossipPlan} GossipPlan
 * @typedef {import('./judge-measures.js').MeasureVerdict} MeasureVerdict
 * @typedef {import('./conditions.js').Condition} Condition
 *
 * @typedef {'real' | 'simulated' | 'slower'} SideName - `slower`: simulated with slower links, which is to be noticed
 *
 * @typedef {object} ValidationRun
 * @property {Readonly<GossipPlan>} plan
 * @property {'pending' | 'complete' | 'failed'} status
 * @property {string | null} run - folder of the run, in that of the validation; null: there is none
 * @property {number | null} tookMs
 *
 * @typedef {object} ValidationVerdict
 * @property {boolean | null} passed - null: not all runs are complete
 * @property {string[]} [engines] - what simulated the runs that are not real, as in `engine-7`; none: of before they were told
 * @property {Condition[]} conditions
 * @property {MeasureVerdict[]} measures
 * @property {import('./counter-checks.js').CounterCheck[]} counter - none: of before there were any
 *
 * @typedef {object} ValidationParts
 * @property {string | null} simulatedWith - what the simulated plans have other than the real ones, as it was given; null: nothing
 * @property {Record<SideName, ValidationRun[]>} runs - as many of each, in the order of their seeds
 * @property {ValidationVerdict | null} verdict - null: too few runs are complete
 *
 * @typedef {import('../../study-document.js').Head & ValidationParts} ValidationDocument - `validation.json`
 */

/** SIDES of a validation, in the order of all views. @type {readonly SideName[]} */
export const SIDES = ['real', 'simulated', 'slower']

/** Earlier verdicts held distances of whole distributions against the scatter of real runs. The figures of the runs stand in them. */
const EARLIER_NAMES = { median: 'p50' }

/** @param {any} verdict @param {number} unitMs @returns {ValidationVerdict} */
function current(verdict, unitMs) {
  if (verdict.counter !== undefined) return verdict
  const measures = verdict.measures.flatMap((/** @type {any} */ { name: was, real, simulated }) => {
    const name = /** @type {keyof typeof MEASURES} */ (/** @type {any} */ (EARLIER_NAMES)[was] ?? was)
    return name in MEASURES ? [judgeFigures({ name, real, simulated }, marginOf(name, real, unitMs))] : []
  })
  const agrees = measures.every((/** @type {MeasureVerdict} */ { verdict }) => verdict === 'agrees')
  return { ...verdict, passed: verdict.passed && agrees, measures, counter: [] }
}

/** VALIDATION_DOCUMENT is the document of a validation. @type {import('../../study-document.js').StudyFile<ValidationDocument>} */
export const VALIDATION_DOCUMENT = studyFile({
  file: 'validation.json',
  holds: ({ runs }) => Array.isArray(runs?.real),
  current: document => ({
    ...document,
    runs: { slower: [], ...document.runs },
    verdict: document.verdict && current(document.verdict, document.runs.real[0].plan.linkLatencyMs)
  })
})
