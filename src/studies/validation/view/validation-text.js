import { asMarkdown } from '../../../kit/table.js'
import { validationSentences } from './validation-sentences.js'
import { conditionTable, MEASURE_NOTES, measureTable } from './validation-tables.js'

/**
 * validationText is what a person reads of a validation: what it came to, and the tables.
 *
 * @param {import('../result/validation-document.js').ValidationDocument} document
 * @returns {string} markdown
 */
export function validationText(document) {
  const { verdict } = document
  const sentences = validationSentences(document).map(sentence => `- ${sentence}`)
  const tables =
    verdict === null
      ? []
      : [
          asMarkdown(measureTable(verdict.measures)),
          MEASURE_NOTES.map(note => `- ${note}`).join('\n'),
          asMarkdown(conditionTable(verdict.conditions))
        ]
  return [sentences.join('\n'), ...tables].join('\n\n')
}
