import { notWritten } from '../report/views.js'
import { newHead } from '../studies/study.js'
import { makeValidationFolder } from '../studies/validation/result/validation-document.js'
import { runValidation } from '../studies/validation/run-validation.js'
import { validationText } from '../studies/validation/view/validation-text.js'
import {
  VALIDATION_FILES,
  validationJson,
  writeValidationViews
} from '../studies/validation/view/validation-views.js'
import { EXIT } from './exit-codes.js'
import { planValidation } from './plan-validation.js'
import { refuse } from './refuse.js'
import { conductStudy } from './run-study-command.js'
import { takeFolder } from './take-folder.js'

/**
 * @typedef {import('../result/folder.js').RunFolder} RunFolder
 * @typedef {import('../studies/validation/result/validation-document.js').ValidationDocument} ValidationDocument
 * @typedef {import('./arguments.js').Arguments} Arguments
 * @typedef {import('./plan-validation.js').PlannedValidation} PlannedValidation
 * @typedef {import('./surroundings.js').Surroundings} Surroundings
 */

/**
 * validateGossip runs a plan on a real and on a simulated network, and says whether they agree.
 *
 * @param {Arguments} args
 * @param {Surroundings} surroundings
 * @returns {Promise<number>} exit code
 */
export async function validateGossip(args, surroundings) {
  const { problems, ...made } = await planValidation(args)
  if (!('planned' in made)) return refuse('gossip', problems ?? [], surroundings)
  const { planned } = made
  const folder = await folderFor(planned, surroundings)
  return 'problem' in folder
    ? refuse('gossip', [folder.problem], surroundings)
    : run(planned, folder, surroundings)
}

/** @param {PlannedValidation} planned @param {Surroundings} surroundings */
const folderFor = ({ plans, output: { outputDir } }, { now }) =>
  takeFolder(outputDir, () => makeValidationFolder(outputDir, now(), plans.real[0]))

/** @param {PlannedValidation} planned @param {RunFolder} folder @param {Date} now @returns {ValidationDocument} */
function documentOf({ plans, simulatedWith }, { id }, now) {
  const pending = { status: /** @type {const} */ ('pending'), run: null, tookMs: null }
  return {
    ...newHead(id, now),
    simulatedWith,
    runs: {
      real: plans.real.map(plan => ({ plan, ...pending })),
      simulated: plans.simulated.map(plan => ({ plan, ...pending }))
    },
    verdict: null
  }
}

/** @param {PlannedValidation} planned @param {RunFolder} folder @param {Surroundings} surroundings */
async function run(planned, folder, surroundings) {
  const { stdout, now, findScenario } = surroundings
  const { output, plans } = planned
  const document = documentOf(planned, folder, now())
  const { interrupted, complain } = await conductStudy(
    {
      document,
      shown: plans.real,
      output,
      run: components => runValidation(document, folder, components),
      incomplete: 'not all runs are complete'
    },
    surroundings
  )
  await writeValidationViews(folder.path, document, findScenario).catch(error =>
    complain(notWritten(error, folder.path))
  )
  stdout.write(output.json ? validationJson(document) : text(document, folder))
  return exitCode(document, interrupted)
}

/** @param {ValidationDocument} document @param {RunFolder} folder */
const text = (document, { path }) =>
  `\n${validationText(document)}\n\n${path}/   ${VALIDATION_FILES.join(' · ')}\n`

/** @param {ValidationDocument} document @param {boolean} interrupted */
function exitCode({ status, verdict }, interrupted) {
  if (status !== 'complete') return interrupted ? EXIT.INTERRUPTED : EXIT.FAILED
  return verdict?.passed === true ? EXIT.DONE : EXIT.NOT_MET
}
