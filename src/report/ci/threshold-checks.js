import { thresholdFound } from '../threshold-lines.js'

/**
 * thresholdChecks say what became of the thresholds of a run.
 *
 * @param {string} group
 * @param {{ outcome: { thresholds?: import('../../result/types.js').ThresholdResult[] } }} result - also of a version without thresholds
 * @returns {import('./checks.js').Check[]}
 */
export const thresholdChecks = (group, { outcome }) =>
  (outcome.thresholds ?? []).map(threshold => ({
    group,
    name: threshold.text,
    verdict: threshold.passed ? 'pass' : 'fail',
    found: thresholdFound(threshold)
  }))
