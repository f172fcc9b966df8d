import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { sumOf } from '../../kit/lists.js'
import { counted } from '../../kit/numbers.js'
import { runStudy } from '../study.js'
import { writeStudyViews } from '../study-door.js'
import { CASES_DOCUMENT } from './result/cases-document.js'
import { SIDES, VALIDATION_DOCUMENT } from './result/validation-document.js'
import { runValidation } from './run-validation.js'
import { VALIDATION_STUDY } from './validation-study.js'

/**
 * @typedef {import('./result/cases-document.js').CasesDocument} CasesDocument
 * @typedef {import('./result/cases-document.js').CaseRecord} CaseRecord
 * @typedef {import('./result/validation-document.js').ValidationDocument} ValidationDocument
 */

/** What of a case has come so far. @param {ValidationDocument} validation @returns {Partial<CaseRecord>} */
const cameTo = ({ status, reason, runs, verdict }) => ({
  status: status === 'complete' ? 'complete' : reason?.code === 'INTERRUPTED' ? 'pending' : 'failed',
  reason: status === 'complete' ? null : reason,
  runs: Math.min(...SIDES.map(side => runs[side].filter(({ status }) => status === 'complete').length)),
  tookMs: sumOf(
    SIDES.flatMap(side => runs[side]),
    ({ tookMs }) => tookMs ?? 0
  ),
  verdict
})

/** @param {string} folder @param {ValidationDocument} validation */
async function begin(folder, validation) {
  if ((await VALIDATION_DOCUMENT.read(folder)) !== null) return
  await mkdir(folder)
  await VALIDATION_DOCUMENT.write(folder, validation)
}

/** @param {CasesDocument} document @returns {import('../../result/types.js').Reason | null} */
function failedCases({ cases }) {
  const failed = cases.filter(({ status }) => status === 'failed')
  return failed.length === 0
    ? null
    : { code: 'CASES_FAILED', message: `${counted(failed.length, 'case')} not complete` }
}

/**
 * runCases runs the validations of a list of cases one after the other, each in a folder of its own. A case that fails does not end the
 * others.
 *
 * @param {CasesDocument} document - grows
 * @param {string} folder
 * @param {Parameters<typeof runValidation>[2] & { cases: import('./plan/plan-cases.js').ToRun }} components
 */
export async function runCases(document, folder, { cases: { validations, chosen }, ...components }) {
  const { signal, findScenario: find } = components
  /** @param {string} name */
  const runCase = async name => {
    const validation = /** @type {ValidationDocument} */ (validations.get(name))
    const own = join(folder, name)
    await runValidation(validation, own, { ...components, compact: true, of: `${name}, ` })
    const place = document.cases.findIndex(each => each.name === name)
    Object.assign(document.cases[place], cameTo(validation))
    await CASES_DOCUMENT.write(folder, document)
    const loaded = await VALIDATION_STUDY.load(own, validation, find)
    await writeStudyViews(VALIDATION_STUDY, own, validation, { loaded, find })
    signal.throwIfAborted()
  }
  await runStudy(
    {
      document,
      file: CASES_DOCUMENT,
      folder,
      open: () => failedCases(document),
      async conduct() {
        for (const [name, validation] of validations) await begin(join(folder, name), validation)
        for (const name of chosen) await runCase(name)
      }
    },
    components
  )
}
