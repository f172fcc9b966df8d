import { addedSince } from '../../plan/option.js'
import { OPTIONS } from './plan/options.js'

/** @typedef {Record<string, any>} Document_ - a result as it was read */

/** What was added to the plan since version 1 was first written, with what the program did before. */
const ADDED_TO_PLAN = addedSince(OPTIONS)

/** @param {Document_ | null} server */
const withServer = server => (server === null ? null : { memoryCountedAs: 'resident set', ...server })

/**
 * filled gives a result of operations what was added to version 1. A part that is missing altogether stays so: the schema says which.
 *
 * @param {Document_} document
 * @returns {Document_}
 */
export const filled = ({ plan, outcome, ...document }) => ({
  ...document,
  plan: plan && { ...ADDED_TO_PLAN, ...plan },
  outcome: outcome && {
    thresholds: [],
    faults: [],
    soak: null,
    lookUp: null,
    warmUp: null,
    secondsPerPoint: 1,
    ...outcome,
    target: outcome.target && { chosenBy: null, container: null, ...outcome.target },
    server: outcome.server && withServer(outcome.server)
  }
})
