import { studyFile } from '../../study-document.js'

/**
 * @typedef {import('../../../scenarios/gossip/plan/gossip-plan.js').GossipPlan} GossipPlan
 * @typedef {import('./judge-measures.js').MeasureVerdict} MeasureVerdict
 * @typedef {import('./conditions.js').Condition} Condition
 *
 * @typedef {'real' | 'simulated'} SideName
 *
 * @typedef {object} ValidationRun
 * @property {Readonly<GossipPlan>} plan
 * @property {'pending' | 'complete' | 'failed'} status
 * @property {string | null} run - folder of the run, in that of the validation; null: there is none
 * @property {number | null} tookMs
 *
 * @typedef {object} ValidationVerdict
 * @property {boolean | null} passed - null: not all runs are complete
 * @property {Condition[]} conditions
 * @property {MeasureVerdict[]} measures
 *
 * @typedef {object} ValidationParts
 * @property {string | null} simulatedWith - what the simulated plans have other than the real ones, as it was given; null: nothing
 * @property {Record<SideName, ValidationRun[]>} runs - as many of each, in the order of their seeds
 * @property {ValidationVerdict | null} verdict - null: too few runs are complete
 *
 * @typedef {import('../../study-document.js').Head & ValidationParts} ValidationDocument - `validation.json`
 */

/** SIDES of a validation, in the order of all views. @type {readonly SideName[]} */
export const SIDES = ['real', 'simulated']

/** VALIDATION_DOCUMENT is the document of a validation. @type {import('../../study-document.js').StudyFile<ValidationDocument>} */
export const VALIDATION_DOCUMENT = studyFile({
  file: 'validation.json',
  holds: ({ runs }) => Array.isArray(runs?.real)
})
