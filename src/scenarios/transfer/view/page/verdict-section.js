import { notesList } from '../../../../report/page/frame.js'
import { verdictLines } from '../transfer-words.js'

/**
 * verdictSection says what limited each way.
 *
 * @param {import('../../transfer-types.js').TransferResult} result
 */
export function verdictSection(result) {
  const lines = verdictLines(result)
  return lines.length === 0 ? null : notesList(lines)
}
