import { isDoubtful } from '../result/doubtful.js'
import { failedThresholds } from '../result/thresholds/judge.js'
import { EXIT } from './exit-codes.js'

/** @typedef {import('../scenarios/gossip/gossip-types.js').AnyResult} AnyResult */

/** A run that a threshold broke off did what was asked for. @param {AnyResult | null} result */
const ended = result => result?.status === 'complete' || result?.reason?.code === 'THRESHOLD_FAILED'

/**
 * runExitCode says how a run went: whether it came to its end, then whether it was good enough, then whether it can be
 * believed.
 *
 * @param {import('../result/deliver.js').Delivered} delivered
 * @param {{ interrupted: boolean, strict: boolean }} how
 * @returns {number}
 */
export function runExitCode({ result, finished, errors }, { interrupted, strict }) {
  if (result === null || !finished || !ended(result)) return interrupted ? EXIT.INTERRUPTED : EXIT.FAILED
  if (errors.length > 0) return EXIT.FAILED
  if (failedThresholds(result).length > 0) return EXIT.NOT_MET
  return strict && isDoubtful(result) ? EXIT.DOUBTFUL : EXIT.DONE
}
