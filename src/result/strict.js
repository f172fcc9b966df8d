/**
 * @typedef {import('./types.js').AnyResult} AnyResult
 * @typedef {import('./types.js').Warning} Warning
 */

/**
 * The warnings that --strict fails for: the load generator made the figures, or something else than what was planned was measured. Others tell
 * of what the figures show, or of what they lack.
 */
const FAIL_STRICT = new Set([
  'GENERATOR_LIMITED',
  'THROTTLED',
  'DROPPED',
  'LOCAL_PORTS_EXHAUSTED',
  'AGENT_LOST',
  'STORE_AWAY',
  // hostile peers did less than they should
  'HOSTILE_NOT_SENT',
  // or something else than them disturbed it
  'HOSTILE_DISTURBED',
  // the server did not do what it was measured at
  'SERVER_LIMITED',
  'REPLY_CHECK_FAILED',
  'REGISTRATIONS_MISSING',
  'NOTHING_LOOKED_UP',
  'NOTHING_SUCCEEDED',
  'STORE_NOT_RESTORED',
  // the nodes did not do what they would have done on machines of their own, or not what was planned
  'CLOCK_ANOMALY',
  'PUBLISH_LATE',
  'NOT_PUBLISHED',
  'NOTHING_PUBLISHED',
  'MEMORY_CEILING',
  'ROTATION_LATE',
  'ACTIONS_FAILED',
  'SCRIPT_LATE',
  'PEERS_LATE',
  // the nodes were joined by another network than was asked for
  'NETWORK_NOT_AS_ASKED',
  'CONGESTION_CONTROL_NOT_SET',
  'ROUTER_LATE',
  'ROUTER_OVERFLOWED'
])

/**
 * strictWarnings gives the warnings of a result that --strict fails for.
 *
 * @param {Pick<AnyResult, 'run'>} result
 * @returns {Warning[]}
 */
export const strictWarnings = ({ run }) => run.warnings.filter(({ code }) => FAIL_STRICT.has(code))

/** The server did not do what it said: no load excuses that. */
const BROKEN_PROMISES = ['REGISTRATIONS_MISSING', 'NOTHING_LOOKED_UP']

/**
 * The warnings that make a run an error, though it came to its end: the server did not do what it said, or nothing at all, or a file that was
 * asked for is not whole.
 */
const ERRORS = new Set([...BROKEN_PROMISES, 'NOTHING_SUCCEEDED', 'DELIVERIES_NOT_WRITTEN'])
const ERRORS_OF_TRIALS = new Set(BROKEN_PROMISES)

/**
 * errorsOf gives the warnings for which a run that came to its end must not pass.
 *
 * @param {Pick<AnyResult, 'status' | 'run'>} result
 * @param {{ trial?: boolean }} [of] - `trial`: of a load that may be more than is carried, so that nothing need come of it
 * @returns {Warning[]}
 */
export const errorsOf = ({ status, run }, { trial = false } = {}) =>
  status === 'complete'
    ? run.warnings.filter(({ code }) => (trial ? ERRORS_OF_TRIALS : ERRORS).has(code))
    : []

/**
 * hasErrors says whether a run that came to its end must not pass.
 *
 * @param {Pick<AnyResult, 'status' | 'run'>} result
 */
export const hasErrors = result => errorsOf(result).length > 0

/**
 * failsStrict says whether the figures of a result are those of something else than what was to be measured.
 *
 * @param {Pick<AnyResult, 'run'>} result
 */
export const failsStrict = result => strictWarnings(result).length > 0
