import { present } from '../kit/lists.js'
import { spell } from '../kit/numbers.js'
import { saysItsRates } from '../plan/arrivals-option.js'

/**
 * What a run was, as far as advice goes by it. Nothing is known of a warning that stands alone.
 *
 * @typedef {object} Advised
 * @property {object} [plan]
 * @property {{ agents?: readonly unknown[], machine?: { cores: number }, host?: { quotaCores?: number | null } }} [run]
 *
 * @typedef {Record<string, any>} AnyOptions - of a plan of any scenario
 */

/** @param {readonly (string | false | null)[]} ways */
const anyOf = ways => {
  const said = present(ways)
  return said.length < 3 ? said.join(' or ') : `${said.slice(0, -1).join(', ')}, or ${said.at(-1)}`
}

/**
 * tryOf gives a sentence with what can be done, none where nothing can.
 *
 * @param {string} verb
 * @param {readonly (string | false | null)[]} ways
 * @param {string} [after]
 * @returns {string} begins with a space
 */
export function tryOf(verb, ways, after = '') {
  const said = anyOf(ways)
  return said === '' ? '' : ` ${verb} ${said}${after}.`
}

/** hasRoles says whether clients of a plan are providers or discoverers. @param {AnyOptions} [plan] */
export const hasRoles = ({ providers, discoverers } = {}) => providers != null || discoverers != null

/**
 * less is the option by which less is offered each second; null: the plan has none, for nobody says when operations are due.
 *
 * @param {Advised} about
 */
export function less({ plan }) {
  if (plan === undefined) return 'a lower --rate'
  const { ratePerSecond, arrivals, thinkTimeMs, publishers, ...more } = /** @type {AnyOptions} */ (plan)
  if (more.handshakeRatePerSecond !== undefined) return 'a lower --handshakeRate'
  if (arrivals !== undefined && saysItsRates(arrivals)) return 'slower --arrivals'
  if (more.providerRatePerSecond != null || more.discovererRatePerSecond != null)
    return 'a lower --providerRate or --discovererRate'
  if (ratePerSecond != null) return 'a lower --rate'
  if (publishers === 'every') return 'a longer --interval'
  return thinkTimeMs != null ? 'a longer --thinkTime' : null
}

/**
 * sooner is by which there are messages in less time.
 *
 * @param {Advised} about
 * @returns {string[]}
 */
export function sooner({ plan }) {
  const { ratePerSecond, arrivals, publishers, durationMs } = /** @type {AnyOptions} */ (plan ?? {})
  const lasts = durationMs == null && plan !== undefined ? [] : ['a longer --duration']
  if (arrivals !== undefined && saysItsRates(arrivals)) return [...lasts, 'faster --arrivals']
  if (publishers === 'every') return [...lasts, 'a shorter --interval']
  return plan === undefined || ratePerSecond != null ? [...lasts, 'a higher --rate'] : lasts
}

/**
 * untilFirst says how long it takes until a message is due, where that is longer than it was published for; empty: nobody knows.
 *
 * @param {Advised} about
 */
export function untilFirst({ plan }) {
  const { ratePerSecond, arrivals, publishers, durationMs, intervalMs } = /** @type {AnyOptions} */ (
    plan ?? {}
  )
  if (durationMs == null) return ''
  const lasts = `--duration is ${spell(durationMs)}`
  if (publishers === 'every' && intervalMs !== undefined && durationMs < intervalMs.max)
    return `${lasts}, and each node waits ${[...new Set([intervalMs.min, intervalMs.max])].map(ms => spell(ms)).join(' to ')} before it publishes (--interval)`
  if (publishers === 'every' || ratePerSecond == null || saysItsRates(arrivals)) return ''
  const betweenMs = 1000 / ratePerSecond
  return durationMs <= betweenMs
    ? `${lasts}, and at --rate there is a message each ${spell(betweenMs)} on average`
    : ''
}

/**
 * open is the other load model, where the plan could have it.
 *
 * @param {Advised} about
 * @param {{ part?: unknown }} [values]
 */
export function open({ plan }, { part } = {}) {
  if (plan === undefined) return '--rate for the open model'
  const { ratePerSecond, arrivals } = /** @type {AnyOptions} */ (plan)
  const closed = ratePerSecond === null && !hasRoles(plan) && !saysItsRates(arrivals)
  return closed && part !== 'latency' && '--rate for the open model'
}

/** moreWorkers is how more processes send, where there are clients and cores for them. @param {Advised} about */
export function moreWorkers({ plan, run }) {
  if (plan === undefined) return 'more --workers'
  const { workers, nClients = Infinity, target, servers = 1 } = /** @type {AnyOptions} */ (plan)
  if (workers === undefined) return null
  if (run?.agents !== undefined) return nClients > workers && 'more --agents'
  // servers of ours are on the same machine
  const taken = workers + (target === null ? servers : 0)
  const cores = Math.min(run?.machine?.cores ?? Infinity, run?.host?.quotaCores ?? Infinity)
  return workers < nClients && taken < cores && 'more --workers'
}

/** @param {AnyOptions} plan */
const isFixed = ({ topology }) => topology?.path !== undefined

/** fewer is by which there are fewer clients, peers or nodes, where there may be. @param {Advised} about @param {'--nClients' | '--nodes'} usual */
export function fewer({ plan }, usual) {
  if (plan === undefined) return `fewer ${usual}`
  const { nClients, clients, nodes } = /** @type {AnyOptions} */ (plan)
  if (hasRoles(plan)) return 'fewer --providers or --discoverers'
  if (nClients !== undefined) return nClients > 1 && 'fewer --nClients'
  if (nodes !== undefined) return nodes > 2 && !isFixed(plan) && 'fewer --nodes'
  return clients > 1 && 'fewer --clients'
}

/** longer is by which more is measured. @param {Advised} about @returns {string} */
export function longer({ plan }) {
  const { durationMs, benchmarkRuns } = /** @type {AnyOptions} */ (plan ?? {})
  if (plan === undefined || durationMs != null) return 'a longer --duration'
  return benchmarkRuns == null ? 'a longer run' : 'more --benchmarkRuns'
}
