import { verdictLines } from './transfer-words.js'

/**
 * verdictParts are the parts of a run's markdown page about what limited each way.
 *
 * @param {import('../transfer-types.js').TransferResult} result
 */
export function verdictParts(result) {
  const lines = verdictLines(result)
  return lines.length === 0 ? [] : ['## What limited each way', lines.map(line => `- ${line}`).join('\n')]
}
