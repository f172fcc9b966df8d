import { readCommandOptions, splitOptions, withoutMisplaced } from '../../../plan/command-options.js'
import { readConfig } from '../../../plan/config-file.js'
import { once } from '../../../plan/once.js'
import { optionsIn, refusedOf } from '../../../plan/option.js'
import { makePlan } from '../../../plan/plan.js'
import { GOSSIP } from '../../../scenarios/gossip/scenario.js'
import { pathProblems } from '../../path-problems.js'
import { findResumed } from '../../resumed.js'
import { newHead } from '../../study-document.js'
import { CASES_DOCUMENT } from '../result/cases-document.js'
import { VALIDATION_DOCUMENT } from '../result/validation-document.js'
import { goneOnCases, planCases } from './plan-cases.js'
import { planSides } from './plan-sides.js'
import { VALIDATION_OPTIONS } from './validation-options.js'

/**
 * @typedef {import('../../../plan/plan.js').Problem} Problem
 * @typedef {Record<string, unknown>} Options
 */

const refused = refusedOf(optionsIn('validation', GOSSIP.options), 'has no use with --validate')

/**
 * @param {Record<string, any>} own - options of --validate
 * @param {string | undefined} first - name of the first of them that was typed
 * @returns {Problem[]}
 */
const unasked = ({ validate, cases, only, resume }, first) => [
  ...(validate ? [] : [{ flag: `--${first}`, value: '', allowed: 'needs --validate' }]),
  ...(only !== undefined && cases === undefined && resume === undefined
    ? [{ flag: '--only', value: String(only), allowed: 'needs --cases: it chooses among them' }]
    : [])
]

/**
 * planValidation makes the plans of a validation, or of a list of them, from the command line, or names all that is wrong.
 *
 * @param {import('../../study-door.js').Asked} args
 * @param {import('../../study-door.js').Around} around
 * @returns {Promise<import('../../study-door.js').MadeStudy<any> & { cases?: import('./plan-cases.js').ToRun }>} `cases`: what of a list is
 *   to be run
 */
export async function planValidation(args, around) {
  const made = await validationOf(args, around)
  if (made.problems !== undefined) return made
  const problems = await pathProblems(made.planned.output, around.findScenario)
  return problems.length > 0 ? { problems } : made
}

/**
 * @param {import('../../study-door.js').Asked} args
 * @param {Pick<import('../../study-door.js').Around, 'now'>} around
 * @returns {ReturnType<typeof planValidation>}
 */
async function validationOf({ options: typed, words }, { now }) {
  const { kept, problems: misplaced } = withoutMisplaced(refused, typed)
  const { mine, others } = splitOptions(VALIDATION_OPTIONS, kept)
  const { own: read, problems: misread } = readCommandOptions(VALIDATION_OPTIONS, mine)
  const own = /** @type {any} */ (read)
  const early = [
    ...words.map(word => ({
      flag: word,
      value: '',
      allowed: 'is neither a command nor the value of an option'
    })),
    ...unasked(own, Object.keys(mine)[0]),
    ...misplaced,
    ...misread
  ]
  if (own.resume !== undefined) return resumed(own, kept, early)
  const { config: path, ...flags } = others
  const { config, problem } = typeof path === 'string' ? await readConfig(path) : {}
  const { file = 'the default of --validate', options = {} } = config ?? {}
  if (problem !== undefined) early.push(problem)
  if (own.cases !== undefined) return planCases({ flags, config: { file, options } }, { own, early, now })
  const { parts, output, problems: unfit } = await planSides({ flags, config: { file, options } }, own)
  const problems = once([...early, ...unfit])
  if (problems.length > 0) return { problems }
  const document = { ...newHead('', now()), ...parts }
  const name = `validate-gossip-${parts.runs.real[0].plan.seed}`
  return { planned: { document, folder: null, name, output } }
}

/**
 * @param {any} own - options of --validate
 * @param {Options} options - as typed
 * @param {Problem[]} early
 * @returns {ReturnType<typeof planValidation>}
 */
async function resumed(own, { validate, only, ...options }, early) {
  const { output, problems: unreadable } = makePlan(GOSSIP, options)
  const about = {
    outputDir: output.outputDir,
    fixed: { options, table: GOSSIP.options, problems: unreadable }
  }
  const list = await findResumed(own.resume, { ...about, name: 'validate', file: CASES_DOCUMENT })
  if ('document' in list) {
    const problems = [...early, ...list.problems]
    return problems.length > 0 ? { problems } : goneOnCases(list, { own, output })
  }
  const found = await findResumed(own.resume, {
    ...about,
    name: 'validate-gossip',
    file: VALIDATION_DOCUMENT
  })
  const problems = [...early, ...found.problems]
  if (problems.length > 0 || !('document' in found)) return { problems }
  const { document, folder } = found
  return { planned: { document, folder, name: 'validate-gossip', output } }
}
