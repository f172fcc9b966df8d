import { asMarkdown } from '../../../kit/table.js'
import { doubtLegend } from '../../../report/table.js'
import { faceOf, gridLegend } from '../../saturation/view/faces.js'
import { cellTable, gridTable } from '../../saturation/view/grid-tables.js'
import { qaSentences } from './qa-sentences.js'
import { machineTable, partTable, runTable } from './qa-tables.js'

/** @param {string} title @param {readonly string[]} parts */
const under = (title, ...parts) => [`## ${title}`, ...parts]

/**
 * qaText is what a person reads of a quality report.
 *
 * @param {import('../result/qa-document.js').QaDocument} document
 * @returns {string} markdown
 */
export function qaText(document) {
  const { grid, held, quick } = document
  const face = faceOf(document)
  const verdict =
    held === null
      ? 'Result: N/A, this is a baseline.'
      : `Result: ${held.verdict} against ${held.baseline.id}.`
  const sentences = qaSentences(document).map(sentence => `- ${sentence}`)
  const short = quick
    ? ['- Quick: runs of seconds show that it works, and are too short to hold releases against each other.']
    : []
  return [
    `**${verdict}**`,
    asMarkdown(partTable(document)),
    [...sentences, ...short].join('\n'),
    ...under('What was achieved', asMarkdown(gridTable(grid, face)), gridLegend(face)),
    ...under('Every cell', asMarkdown(cellTable(grid, face))),
    ...under('The examined cell, and half of its load for long', asMarkdown(runTable(document))),
    ...doubtLegend(`${asMarkdown(cellTable(grid, face))}${asMarkdown(runTable(document))}`, face.added),
    ...under('Machine and versions', asMarkdown(machineTable(document)))
  ].join('\n\n')
}
