import { asMarkdown } from '../../../kit/table.js'
import { assumptions, capacitySentences, estimateTable } from './capacity-sentences.js'
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
export const capacityText = document =>
  [
    list(capacitySentences(document)),
    asMarkdown(loadTable(document)),
    asMarkdown(estimateTable(document)),
    asMarkdown(trialTable(document.search)),
    'What it rests on:',
    list(assumptions(document))
  ].join('\n\n')
