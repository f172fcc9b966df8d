import { isDeepStrictEqual } from 'node:util'

/** What a server and its clients need not know before they are started. */
const LATER = { ratePerSecond: null, durationMs: null, faults: null }

/**
 * sameParts says whether a run of the one plan can go on with the server and the clients that a run of the other has started: they
 * differ in nothing but rate, duration and what is to happen to the server. A fault leaves another server behind than it found, churn other clients.
 *
 * @param {import('../../../plan/plan.js').Plan} one
 * @param {import('../../../plan/plan.js').Plan} other
 */
export const sameParts = (one, other) =>
  one.faults.length === 0 &&
  one.churn == null &&
  isDeepStrictEqual({ ...one, ...LATER }, { ...other, ...LATER })
