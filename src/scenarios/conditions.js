// Conditions on which options depend, such as the load model or the kind of target. Also the default duration.
import { DEFAULT_PAIRS, estimateHostileMs } from '../load/trials.js'
import { hasOwnRates } from '../plan/arrivals.js'

/** DEFAULT_DURATION_MS is the duration of the load, if neither a duration nor a number of operations is set. */
export const DEFAULT_DURATION_MS = 10_000

/** computeDefaultDuration is the default duration. With hostile peers, it has as many pairs of periods as a confidence interval needs. @param {Record<string, any>} values of options */
export const computeDefaultDuration = ({ hostile, hostileEvery }) =>
  hostile === undefined ? DEFAULT_DURATION_MS : estimateHostileMs(DEFAULT_PAIRS, hostileEvery)

/** @typedef {import('../plan/options.js').Condition} Condition */

/** isOpenModel says whether operations are due on a schedule. @param {Record<string, any>} values of options */
export const isOpenModel = ({ rate, arrivals }) => rate !== undefined || hasOwnRates(arrivals)

/** CLOSED_MODEL_NAME is the name of that condition in help. */
export const CLOSED_MODEL_NAME = 'the closed model'

/** requireClosedModel is the condition of options of the closed model. @param {string} otherwise @param {Condition['asks']} [asks] @returns {Condition} */
export const requireClosedModel = (otherwise, asks) => ({
  of: CLOSED_MODEL_NAME,
  needs: ['rate', 'arrivals'],
  met: values => !isOpenModel(values),
  otherwise,
  asks
})

/** requireOpenModel is the condition of options of a schedule. @returns {Condition} */
export const requireOpenModel = () => ({
  of: 'the open model',
  needs: ['rate', 'arrivals'],
  met: isOpenModel,
  otherwise: 'needs --rate: without it the next operation follows the last reply'
})

/** isOwnServer says whether the server under test is our own. @param {Record<string, any>} values of options */
export const isOwnServer = ({ target, targets }) => (target ?? targets) === undefined

/** requireTargets is the condition of options of one or several servers that are not ours. @returns {Condition} */
export const requireTargets = () => ({
  of: '--target',
  needs: ['target', 'targets'],
  met: values => !isOwnServer(values),
  otherwise: 'needs --target or --targets',
  asks: value => value !== false
})

/** requireTarget is the condition of options of one server that is not ours. @returns {Condition} */
export const requireTarget = () => ({
  ...requireTargets(),
  needs: ['target'],
  met: ({ target }) => target !== undefined,
  otherwise: 'needs --target'
})

/** requireOwnServer is the condition of options of our own server. @param {string} does - such as `limits our own server` @returns {Condition} */
export const requireOwnServer = does => ({
  of: 'our own server',
  needs: ['target', 'targets'],
  met: isOwnServer,
  otherwise: `${does} and cannot be given with --target or --targets`
})

/** requireSeveralServers is the condition of options of several servers. @returns {Condition} */
export const requireSeveralServers = () => ({
  of: 'several servers',
  needs: ['servers', 'targets'],
  met: ({ servers, targets }) => servers > 1 || targets !== undefined,
  otherwise: 'needs --servers above 1, or --targets',
  asks: value => value !== false
})
