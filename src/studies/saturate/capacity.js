// How many servers a network of so many peers needs.
import { grouped } from '../../kit/numbers.js'
import { camelCase } from '../../plan/options.js'
import { defaultOf, schemaOf } from '../../plan/schema.js'

/**
 * @typedef {import('../../plan/plan.js').Problem} Problem
 *
 * @typedef {object} Network - of peers that use rendezvous servers
 * @property {number} peers
 * @property {number} requestsPerDay - of each peer
 * @property {number} peakFactor - the rate of the busiest hour over that of the whole day
 * @property {number} ttlSeconds - of registrations
 */

const SECONDS_PER_DAY = 86_400

/** The share of a server's sustained rate that it is to be used at. */
const HEADROOM = 0.6

/** No server is given more registrations. */
const MAX_HELD = 10_000_000

/** @param {Network} network - requests per second, of all peers */
const meanPerSecond = ({ peers, requestsPerDay }) => (peers * requestsPerDay) / SECONDS_PER_DAY

/**
 * networkLoad turns a network into load. Registrations held are those that the busiest hour leaves behind (Little's law: rate × time to
 * live), and never more than there are peers.
 *
 * @param {Network} network
 * @returns {{ meanPerSecond: number, peakPerSecond: number, held: number }}
 */
export function networkLoad(network) {
  const mean = meanPerSecond(network)
  const peak = mean * network.peakFactor
  return {
    meanPerSecond: mean,
    peakPerSecond: peak,
    held: Math.min(network.peers, Math.round(peak * network.ttlSeconds))
  }
}

/** @param {Record<string, unknown>} options - as typed @param {string} key */
const isTyped = (options, key) => Object.keys(options).some(name => camelCase(name) === key)

/**
 * networkAsked reads the network that servers are to be counted for, and what its runs have by default: the registrations that it holds, and
 * a connection for each request.
 *
 * @param {Record<string, any>} own - options of the command
 * @param {Record<string, unknown>} options - of the plans, as typed
 * @param {import('../../plan/plan.js').OptionTable} table - of the plans
 * @returns {{ network?: Network, options: Record<string, unknown>, problems: Problem[] }} without `network`: none was asked for
 */
export function networkAsked({ peers, requestsPerDay, peakFactor }, options, { ttl }) {
  if (peers === undefined) {
    const stray = Object.entries({ requestsPerDay, peakFactor }).filter(([, value]) => value !== undefined)
    const allowed = 'needs --peers: it is of the network that servers are counted for'
    const problems = stray.map(([flag, value]) => ({ flag: `--${flag}`, value: String(value), allowed }))
    return { options, problems }
  }
  const ttlSeconds = schemaOf(ttl).safeParse(options.ttl).data ?? defaultOf(ttl)
  const network = {
    peers,
    requestsPerDay: requestsPerDay ?? 8,
    peakFactor: peakFactor ?? 2,
    ttlSeconds: Number(ttlSeconds)
  }
  const { held } = networkLoad(network)
  const isGiven = isTyped(options, 'initialRegistrations')
  const tooMany = {
    flag: '--peers',
    value: grouped(peers),
    allowed: `hold ${grouped(held)} registrations, above the ${grouped(MAX_HELD)} that one server is given at most: give fewer by --initialRegistrations`
  }
  return {
    network,
    options: {
      ...(!isTyped(options, 'connectionPerOperation') && { connectionPerOperation: true }),
      ...(!isGiven && { initialRegistrations: Math.min(held, MAX_HELD) }),
      ...options
    },
    problems: held > MAX_HELD && !isGiven ? [tooMany] : []
  }
}

/** The rate that a server sustains, and whether it may sustain more. @param {import('./trials.js').Found} found */
function sustainedBy({ below, above, generatorBound, estimate }) {
  const perSecond = estimate?.rates[0]?.perSecond ?? below?.perSecond ?? null
  return { perSecond, isBound: generatorBound || above === null }
}

/**
 * serversFor are the servers that a network needs, each used at HEADROOM of the rate that one was found to sustain.
 *
 * @param {number} peakPerSecond
 * @param {number} sustained - a second
 */
// what a division leaves behind is no server more
const serversFor = (peakPerSecond, sustained) =>
  Math.max(1, Math.ceil(peakPerSecond / (HEADROOM * sustained) - 1e-9))

/**
 * networkNeeds are the load of a network and the servers that it needs.
 *
 * @param {Pick<import('./saturation-document.js').SaturationDocument, 'network' | 'search'>} document
 */
export function networkNeeds({ network, search }) {
  if (network === undefined || search === null) return null
  const load = networkLoad(network)
  const { perSecond, isBound } = search.found === null ? NOT_FOUND : sustainedBy(search.found)
  const memory = search.trials.flatMap(trial => memoryOf(trial) ?? [])
  const plan = /** @type {any} */ (search.trials[0]?.plan)
  return {
    ...network,
    ...load,
    connectionPerRequest: plan?.connectionPerOperation !== false,
    heldByServer: plan?.initialRegistrations ?? null,
    memoryBytes: memory.length === 0 ? null : Math.max(...memory),
    sustainedPerSecond: perSecond,
    headroom: HEADROOM,
    servers: perSecond === null ? null : serversFor(load.peakPerSecond, perSecond),
    isBound
  }
}

const NOT_FOUND = { perSecond: null, isBound: false }

/** @param {import('./trials.js').AnyTrial} trial */
const memoryOf = ({ point }) => /** @type {any} */ (point)?.serverMemoryBytes ?? null
