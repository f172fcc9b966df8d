import { resultNotes } from './notes.js'
import { resultTable } from './table.js'

/** @typedef {import('../result/types.js').Result} Result */

/**
 * resultView is what a person reads of a result: the table, the notes under it and where it is kept.
 *
 * @param {Result} result
 * @param {string | null} folder - path of the run's folder
 * @returns {string}
 */
export function resultView(result, folder) {
  const table = resultTable(result)
  const parts = [table, resultNotes(result).join('\n'), folder === null ? '' : `${folder}/   result.json`]
  return `\n${parts.filter(part => part !== '').join('\n\n')}\n`
}
