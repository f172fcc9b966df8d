// Computes the load of a network of so many peers (`--peers`), and how many rendezvous servers it needs.
import { formatWhole } from '../../kit/numbers.js'
import { toCamelCase } from '../../plan/options.js'
import { getKindSchema, getOptionDefault } from '../../plan/schema.js'

/**
 * @typedef {import('../../plan/plan.js').Problem} Problem
 *
 * @typedef {object} Network - of peers that use rendezvous servers
 * @property {number} peers
 * @property {number} requestsPerDay - of each peer
 * @property {number} peakFactor - the rate of the busiest hour over that of the whole day
 * @property {number} ttlSeconds - of registrations
 */

/** The share of a server's sustained rate that it is to be used at. */
const HEADROOM = 0.6

/** The limit of registrations that a server under test is filled with. */
const MAX_REGISTRATIONS = 10_000_000

/**
 * computeNetworkLoad computes the load of a network. The number of registrations follows from the rate of the busiest hour (Little's law: rate × time
 * to live), and is never larger than the number of peers.
 *
 * @param {Network} network
 * @returns {{ meanPerSecond: number, peakPerSecond: number, held: number }}
 */
export function computeNetworkLoad(network) {
  const mean = (network.peers * network.requestsPerDay) / 86_400
  const peak = mean * network.peakFactor
  return {
    meanPerSecond: mean,
    peakPerSecond: peak,
    held: Math.min(network.peers, Math.round(peak * network.ttlSeconds))
  }
}

/** @param {Record<string, unknown>} options - as typed @param {string} key */
const isTyped = (options, key) => Object.keys(options).some(name => toCamelCase(name) === key)

/**
 * readNetworkOptions reads the options of the network (`--peers`), and adds the defaults of its runs: the registrations of the network, and a
 * connection for each request.
 *
 * @param {Record<string, any>} own - options of the command
 * @param {Record<string, unknown>} options - of the plans, as typed
 * @param {import('../../plan/plan.js').OptionTable} table - of the plans
 * @returns {{ network?: Network, options: Record<string, unknown>, problems: Problem[] }} without `network`: none was asked for
 */
export function readNetworkOptions({ peers, requestsPerDay, peakFactor }, options, { ttl }) {
  if (peers === undefined) {
    const stray = Object.entries({ requestsPerDay, peakFactor }).filter(([, value]) => value !== undefined)
    const allowed = 'needs --peers, the network for which servers are counted'
    const problems = stray.map(([flag, value]) => ({ flag: `--${flag}`, value: String(value), allowed }))
    return { options, problems }
  }
  const ttlSeconds = getKindSchema(ttl).safeParse(options.ttl).data ?? getOptionDefault(ttl)
  const network = {
    peers,
    requestsPerDay: requestsPerDay ?? 8,
    peakFactor: peakFactor ?? 2,
    ttlSeconds: Number(ttlSeconds)
  }
  const { held } = computeNetworkLoad(network)
  const isExplicit = isTyped(options, 'initialRegistrations')
  const tooMany = {
    flag: '--peers',
    value: formatWhole(peers),
    allowed: `have ${formatWhole(held)} registrations, more than the maximum of ${formatWhole(MAX_REGISTRATIONS)} for one server: use fewer --initialRegistrations`
  }
  return {
    network,
    options: {
      ...(!isTyped(options, 'connectionPerOperation') && { connectionPerOperation: true }),
      ...(!isExplicit && { initialRegistrations: Math.min(held, MAX_REGISTRATIONS) }),
      ...options
    },
    problems: held > MAX_REGISTRATIONS && !isExplicit ? [tooMany] : []
  }
}

/**
 * computeNetworkNeeds are the load of a network and the servers that it needs.
 *
 * @param {Pick<import('./saturation-document.js').SaturationDocument, 'network' | 'search'>} document
 */
export function computeNetworkNeeds({ network, search }) {
  if (network === undefined || search === null) return null
  const load = computeNetworkLoad(network)
  const { found } = search
  const perSecond = found?.estimate?.rates[0]?.perSecond ?? found?.below?.perSecond ?? null
  const memory = search.trials.flatMap(({ point }) => /** @type {any} */ (point)?.serverMemoryBytes ?? [])
  const plan = /** @type {any} */ (search.trials[0]?.plan)
  return {
    ...network,
    ...load,
    connectionPerRequest: plan?.connectionPerOperation !== false,
    heldByServer: plan?.initialRegistrations ?? null,
    memoryBytes: memory.length === 0 ? null : Math.max(...memory),
    sustainedPerSecond: perSecond,
    headroom: HEADROOM,
    // without rounding errors of the division
    servers:
      perSecond === null ? null : Math.max(1, Math.ceil(load.peakPerSecond / (HEADROOM * perSecond) - 1e-9)),
    isBound: found !== null && (found.generatorBound || found.above === null)
  }
}
