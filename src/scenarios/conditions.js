// Conditions of options, such as a load model or a kind of target.
import { hostileDurationMs, USUAL_PAIRS } from '../load/trials.js'
import { saysItsRates } from '../plan/arrivals.js'

/** USUAL_DURATION_MS is the duration of the load, if neither a duration nor a number of operations is set. */
export const USUAL_DURATION_MS = 10_000

/** usualDurationMs is the default duration. With hostile peers, it has as many pairs of periods as a confidence interval needs. @param {Record<string, any>} values of options */
export const usualDurationMs = ({ hostile, hostileEvery }) =>
  hostile === undefined ? USUAL_DURATION_MS : hostileDurationMs(USUAL_PAIRS, hostileEvery)

/** @typedef {import('../plan/options.js').Condition} Condition */

/** isOpen says whether operations are due on a schedule. @param {Record<string, any>} values of options */
export const isOpen = ({ rate, arrivals }) => rate !== undefined || saysItsRates(arrivals)

/** CLOSED_MODEL is the name of that condition in help. */
export const CLOSED_MODEL = 'the closed model'

/** closedModel is the condition of options of the closed model. @param {string} otherwise @param {Condition['asks']} [asks] @returns {Condition} */
export const closedModel = (otherwise, asks) => ({
  of: CLOSED_MODEL,
  needs: ['rate', 'arrivals'],
  met: values => !isOpen(values),
  otherwise,
  asks
})

/** openModel is the condition of options of a schedule. @returns {Condition} */
export const openModel = () => ({
  of: 'the open model',
  needs: ['rate', 'arrivals'],
  met: isOpen,
  otherwise: 'needs --rate: without it the next operation follows the last reply'
})

/** isOurs says whether the server under test is our own. @param {Record<string, any>} values of options */
export const isOurs = ({ target, targets }) => (target ?? targets) === undefined

/** withTargets is the condition of options of one or several servers that are not ours. @returns {Condition} */
export const withTargets = () => ({
  of: '--target',
  needs: ['target', 'targets'],
  met: values => !isOurs(values),
  otherwise: 'needs --target or --targets',
  asks: value => value !== false
})

/** withTarget is the condition of options of one server that is not ours. @returns {Condition} */
export const withTarget = () => ({
  ...withTargets(),
  needs: ['target'],
  met: ({ target }) => target !== undefined,
  otherwise: 'needs --target'
})

/** ownServer is the condition of options of our own server. @param {string} does - such as `limits our own server` @returns {Condition} */
export const ownServer = does => ({
  of: 'our own server',
  needs: ['target', 'targets'],
  met: isOurs,
  otherwise: `${does} and cannot be given with --target or --targets`
})

/** severalServers is the condition of options of several servers. @returns {Condition} */
export const severalServers = () => ({
  of: 'several servers',
  needs: ['servers', 'targets'],
  met: ({ servers, targets }) => servers > 1 || targets !== undefined,
  otherwise: 'needs --servers above 1, or --targets',
  asks: value => value !== false
})
