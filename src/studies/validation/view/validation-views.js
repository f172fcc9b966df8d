import { join } from 'node:path'
import { runLinks } from '../../../report/run-links.js'
import { writeWhole } from '../../../result/folder.js'
import { readSideResults } from '../result/judge-validation.js'
import { SIDES, VALIDATION_FILE } from '../result/validation-document.js'
import { validationCommandLine } from './validation-command-line.js'
import { validationText } from './validation-text.js'

/** @typedef {import('../result/validation-document.js').ValidationDocument} ValidationDocument */

/** VALIDATION_FILES are what a user is told to look at in the folder of a validation. */
export const VALIDATION_FILES = Object.freeze(['report.html', 'validation.md', VALIDATION_FILE])

/** validationJson is a validation as a document. @param {ValidationDocument} document */
export const validationJson = document => `${JSON.stringify(document, null, 2)}\n`

/** @param {ValidationDocument} document */
const markdown = document => `# ${document.id}

${validationText(document)}

How it is decided: docs/simulation.md. Again:

\`\`\`
${validationCommandLine(document)}
\`\`\`
`

/**
 * writeValidationViews writes what a validation determines, in place of earlier views.
 *
 * @param {string} folder
 * @param {ValidationDocument} document
 * @param {import('../../../scenarios/index.js').FindScenario} find
 * @returns {Promise<string[]>} paths of the files
 */
export async function writeValidationViews(folder, document, find) {
  // with it comes what draws its plots
  const { validationPage } = await import('./page/validation-page.js')
  await writeWhole(join(folder, 'validation.md'), markdown(document))
  const results = await readSideResults(folder, document, find)
  const runs = SIDES.flatMap(side => document.runs[side].flatMap(({ run }) => run ?? []))
  const page = await validationPage(document, { results, links: await runLinks(folder, runs) })
  await writeWhole(join(folder, 'report.html'), page)
  return ['report.html', 'validation.md'].map(file => join(folder, file))
}
