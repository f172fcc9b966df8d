import { asMarkdown } from '../../../kit/table.js'
import { doubtLegend } from '../../../report/table.js'
import { faceOf, gridLegend } from './faces.js'
import { cellTable, gridTable } from './grid-tables.js'
import { saturationSentences } from './saturation-sentences.js'
import { trialTable } from './trial-table.js'

/** @typedef {import('../result/saturation-document.js').SaturationDocument} SaturationDocument */

/**
 * saturationText is what a person reads of a saturation: what it came to, and the tables.
 *
 * @param {SaturationDocument} document
 * @returns {string} markdown
 */
export function saturationText(document) {
  const { grid, search } = document
  const face = faceOf(document)
  const tables = [
    ...(grid === null
      ? []
      : [asMarkdown(gridTable(grid, face)), gridLegend(face), asMarkdown(cellTable(grid, face))]),
    ...(search === null ? [] : [asMarkdown(trialTable(search, face))])
  ]
  const sentences = saturationSentences(document).map(sentence => `- ${sentence}`)
  return [sentences.join('\n'), ...tables, ...doubtLegend(tables.join('\n'), face.added)].join('\n\n')
}
