import { asMarkdown } from '../../../kit/table.js'
import { doubtLegend } from '../../../report/table.js'
import { assumptions, capacitySentences, estimateTable } from './capacity-sentences.js'
import { CAPACITY_FACE } from './faces.js'
import { loadTable } from './load-table.js'
import { trialTable } from './trial-table.js'

/** @typedef {import('../result/saturation-document.js').CapacityDocument} CapacityDocument */

/** @param {readonly string[]} lines */
const list = lines => lines.map(line => `- ${line}`).join('\n')

/**
 * capacityText is what a person reads of a capacity.
 *
 * @param {CapacityDocument} document
 * @returns {string} markdown
 */
export function capacityText(document) {
  const tables = [loadTable(document), estimateTable(document), trialTable(document.search)].map(table =>
    asMarkdown(table)
  )
  return [
    list(capacitySentences(document)),
    ...tables,
    ...doubtLegend(tables.join('\n'), CAPACITY_FACE.added),
    'What it rests on:',
    list(assumptions(document))
  ].join('\n\n')
}
