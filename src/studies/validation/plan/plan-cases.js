import { basename, join } from 'node:path'
import { minimatch } from 'minimatch'
import { sumOf } from '../../../kit/lists.js'
import { counted } from '../../../kit/numbers.js'
import { once } from '../../../plan/once.js'
import { GOSSIP } from '../../../scenarios/gossip/scenario.js'
import { loadMatrices } from '../../matrix/plan/matrix-files.js'
import { newHead } from '../../study-document.js'
import { unknownPace } from '../../view/turn-words.js'
import { SIDES, VALIDATION_DOCUMENT } from '../result/validation-document.js'
import { planSides } from './plan-sides.js'

/**
 * @typedef {import('../../../plan/plan.js').Problem} Problem
 * @typedef {import('../result/validation-document.js').ValidationDocument} ValidationDocument
 * @typedef {import('../result/cases-document.js').CasesDocument} CasesDocument
 * @typedef {import('./plan-sides.js').Sources} Sources
 *
 * @typedef {import('./plan-sides.js').How & { cases?: any, only?: readonly string[] }} Own - options of --validate; `cases`: the file of a list
 *
 * @typedef {object} ToRun
 * @property {Map<string, ValidationDocument>} validations - by the names of their cases
 * @property {readonly string[]} chosen - cases that are run now
 */

/** @param {string} name @param {readonly string[] | undefined} only */
const isChosen = (name, only) => only === undefined || only.some(pattern => minimatch(name, pattern))

/** @param {readonly string[] | undefined} only @param {readonly string[]} names @returns {Problem[]} */
const strangers = (only = [], names) =>
  only
    .filter(pattern => !names.some(name => minimatch(name, pattern)))
    .map(value => ({ flag: '--only', value, allowed: `matches no case: there are ${names.join(', ')}` }))

/**
 * @param {string} list
 * @param {Sources} sources
 * @param {Own} own
 * @returns {Promise<{ made: { name: string, sides: Awaited<ReturnType<typeof planSides>> }[], problems: Problem[] }>}
 */
async function readCases(list, { flags, config }, own) {
  const { matrices, problems } = await loadMatrices([list], [GOSSIP])
  const named = matrices.flatMap(({ file, matrix: { defaults, rows } }) =>
    rows.map(({ name = '', note, reference, needs, vary, ...options }, place) => ({
      name,
      label: `${file} row ${place + 1}`,
      options: { ...config.options, ...defaults, ...options }
    }))
  )
  const unnamed = named.flatMap(({ name, label }, place) =>
    name !== '' && named.findIndex(other => other.name === name) === place
      ? []
      : [{ flag: `${label}: name`, value: name, allowed: 'must be a name that no other case has' }]
  )
  const made = await Promise.all(
    named.map(async ({ name, label, options }) => ({
      name,
      sides: await planSides({ flags, config: { file: label, options } }, own)
    }))
  )
  return { made, problems: [...problems, ...unnamed] }
}

/** @param {string} name @param {ValidationDocument} validation @returns {import('../result/cases-document.js').CaseRecord} */
const recordOf = (name, { runs: { real } }) => ({
  name,
  status: 'pending',
  reason: null,
  runs: 0,
  seeds: real.length,
  tookMs: null,
  verdict: null
})

/**
 * planCases makes the validations of a list of cases, or names all that is wrong. Cases that are not chosen for now are part of it where
 * they can be run here.
 *
 * @param {Sources} sources
 * @param {{ own: Own, early: Problem[], now: () => Date }} more
 * @returns {Promise<import('../../study-door.js').MadeStudy<CasesDocument> & { cases?: ToRun }>}
 */
export async function planCases(sources, { own, early, now }) {
  const { made, problems: unreadable } = await readCases(own.cases, sources, own)
  const chosen = made.filter(({ name }) => isChosen(name, own.only))
  const names = made.map(({ name }) => name)
  const refused = chosen.flatMap(({ sides }) => sides.problems)
  const problems = once([
    ...early,
    ...unreadable,
    ...refused,
    ...(made.length > 0 ? strangers(own.only, names) : [])
  ])
  if (problems.length > 0 || chosen.length === 0) return { problems }
  const head = newHead('', now())
  const validations = new Map(
    made.flatMap(({ name, sides: { problems, parts } }) =>
      problems.length === 0 ? [[name, { ...head, id: name, ...parts }]] : []
    )
  )
  const cases = [...validations].map(([name, validation]) => recordOf(name, validation))
  return {
    planned: {
      document: { ...head, list: own.cases, cases },
      folder: null,
      name: `validate-${basename(own.cases).replace(/\.ya?ml$/, '')}`,
      output: chosen[0].sides.output
    },
    cases: { validations, chosen: chosen.map(({ name }) => name) }
  }
}

/** @param {ValidationDocument} validation */
const leftOf = ({ runs }) => SIDES.flatMap(side => runs[side]).filter(({ status }) => status !== 'complete')

/**
 * goneOnCases is a list of cases that is gone on with: what of them was not run.
 *
 * @param {{ folder: string, document: CasesDocument }} found
 * @param {{ own: Own, output: Readonly<import('../../../plan/plan.js').Output> }} more
 * @returns {ReturnType<typeof planCases>}
 */
export async function goneOnCases({ folder, document }, { own, output }) {
  const names = document.cases.map(({ name }) => name)
  const problems = strangers(own.only, names)
  if (problems.length > 0) return { problems }
  const read = await Promise.all(
    names.map(async name => ({ name, validation: await VALIDATION_DOCUMENT.read(join(folder, name)) }))
  )
  const lost = read.filter(({ validation }) => validation === null)
  if (lost.length > 0)
    return {
      problems: lost.map(({ name }) => ({
        flag: '--resume',
        value: join(folder, name),
        allowed: `holds no ${VALIDATION_DOCUMENT.file} that can be read`
      }))
    }
  const validations = new Map(
    read.map(({ name, validation }) => [name, /** @type {ValidationDocument} */ (validation)])
  )
  const chosen = names.filter(
    name =>
      isChosen(name, own.only) && leftOf(/** @type {ValidationDocument} */ (validations.get(name))).length > 0
  )
  return { planned: { document, folder, name: 'validate', output }, cases: { validations, chosen } }
}

/**
 * timeWords say how many runs are left of cases, and about how long they take.
 *
 * @param {ToRun} cases
 */
export function timeWords({ validations, chosen }) {
  const left = chosen.flatMap(name => leftOf(/** @type {ValidationDocument} */ (validations.get(name))))
  const ms = sumOf(left, ({ plan }) => GOSSIP.estimateMs(plan))
  return `${counted(chosen.length, 'case')} to run, ${counted(left.length, 'run')}, ${unknownPace(ms)}`
}
