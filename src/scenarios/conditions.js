// Conditions under which options of a run have a use, such as a load model or a kind of target.
import { hostileDurationMs, USUAL_PAIRS } from '../load/trials.js'
import { saysItsRates } from '../plan/arrivals.js'

/** USUAL_DURATION_MS is how long load goes on where neither that nor a number of operations is said. */
export const USUAL_DURATION_MS = 10_000

/** usualDurationMs is the same with hostile peers, too: they have as many pairs of stretches as an interval needs. @param {Record<string, any>} values of options */
export const usualDurationMs = ({ hostile, hostileEvery }) =>
  hostile === undefined ? USUAL_DURATION_MS : hostileDurationMs(USUAL_PAIRS, hostileEvery)

/** @typedef {import('../plan/options.js').Condition} Condition */

/** isOpen says whether operations are due on a schedule. @param {Record<string, any>} values of options */
export const isOpen = ({ rate, arrivals }) => rate !== undefined || saysItsRates(arrivals)

/** CLOSED_MODEL is what some options are of. */
export const CLOSED_MODEL = 'the closed model'

/** closedModel is of options that wait for replies. @param {string} otherwise @param {Condition['asks']} [asks] @returns {Condition} */
export const closedModel = (otherwise, asks) => ({
  of: CLOSED_MODEL,
  needs: ['rate', 'arrivals'],
  met: values => !isOpen(values),
  otherwise,
  asks
})

/** openModel is of options of a schedule. @returns {Condition} */
export const openModel = () => ({
  of: 'the open model',
  needs: ['rate', 'arrivals'],
  met: isOpen,
  otherwise: 'needs --rate: without it the next operation follows the last reply'
})

/** isOurs says whether the server under test is one that is started. @param {Record<string, any>} values of options */
export const isOurs = ({ target, targets }) => (target ?? targets) === undefined

/** withTargets is of options of servers of others. @returns {Condition} */
export const withTargets = () => ({
  of: '--target',
  needs: ['target', 'targets'],
  met: values => !isOurs(values),
  otherwise: 'needs --target or --targets',
  asks: value => value !== false
})

/** withTarget is of options of a server of others. @returns {Condition} */
export const withTarget = () => ({
  of: '--target',
  needs: ['target'],
  met: ({ target }) => target !== undefined,
  otherwise: 'needs --target',
  asks: value => value !== false
})

/** ownServer is of options of a server that is started. @param {string} does - such as `limits our own server` @returns {Condition} */
export const ownServer = does => ({
  of: 'our own server',
  needs: ['target', 'targets'],
  met: isOurs,
  otherwise: `${does} and cannot be given with --target or --targets`
})

/** severalServers is of options of more than one. @returns {Condition} */
export const severalServers = () => ({
  of: 'several servers',
  needs: ['servers', 'targets'],
  met: ({ servers, targets }) => servers > 1 || targets !== undefined,
  otherwise: 'needs --servers above 1, or --targets',
  asks: value => value !== false
})
