import { failedThresholds } from '../result/thresholds/judge.js'
import { rowsOf } from '../studies/matrix/matrix-folder.js'
import { EXIT } from './exit-codes.js'

/**
 * matrixExitCode says how a matrix went: that of its worst row, as if each had been run by itself.
 *
 * @param {import('../studies/matrix/matrix-folder.js').MatrixDocument} document
 * @param {ReadonlyMap<string, import('../scenarios/gossip/gossip-types.js').AnyResult>} results - by row id
 * @param {{ interrupted: boolean, strict: boolean }} how
 * @returns {number}
 */
export function matrixExitCode(document, results, { interrupted, strict }) {
  const rows = rowsOf(document)
  const notMet = [...results.values()].some(result => failedThresholds(result).length > 0)
  // the rest was not run because a threshold broke off the row before
  const brokenOff = rows.some(({ reason }) => reason?.code === 'THRESHOLD_FAILED')
  const failed = rows.some(({ status, reason }) => status === 'failed' && reason?.code !== 'THRESHOLD_FAILED')
  if (document.status !== 'complete') {
    if (interrupted) return EXIT.INTERRUPTED
    if (failed || !brokenOff) return EXIT.FAILED
  }
  if (notMet) return EXIT.NOT_MET
  return strict && rows.some(({ doubtful }) => doubtful) ? EXIT.DOUBTFUL : EXIT.DONE
}
