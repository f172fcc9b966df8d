/**
 * @typedef {object} NetworkDescription - of peers that use rendezvous servers
 * @property {number} peers
 * @property {number} requestsPerDay - of each peer
 * @property {number} peakFactor - the rate of the busiest hour over that of the whole day
 * @property {number} topics - namespaces that a peer registers in
 * @property {number} ttlSeconds - of registrations
 * @property {number} registerShare - of requests that register or refresh
 *
 * @typedef {object} NetworkLoad - what that comes to, for all servers together
 * @property {number} meanPerSecond
 * @property {number} peakPerSecond
 * @property {number} burstPerSecond
 * @property {number} heldRegistrations
 */

const SECONDS_PER_DAY = 86_400
const HOURS_PER_DAY = 24

/** PEAK_FACTOR: a busiest hour with a twelfth of the day's requests. */
export const PEAK_FACTOR = 2
/** BURST_FACTOR: what a server must get through when the busiest hour is busier than was thought. */
export const BURST_FACTOR = 3
/** HEADROOM is the share of a server's sustainable rate that it is to be used at. */
export const HEADROOM = 0.6

/** LEAST_SECONDS that a rate is to be held: below, figures are for trials. */
export const LEAST_SECONDS = 60

/** SOURCE_ESTIMATE is what the source document says of its network. */
export const SOURCE_ESTIMATE = {
  peers: 1_000_000,
  requestsPerDay: 8,
  meanPerSecond: 92,
  servers: 3
}

/**
 * peakFactorOf is the factor of a busiest hour with a share of the day's requests.
 *
 * @param {number} share - 1/24: all hours are alike
 */
export const peakFactorOf = share => share * HOURS_PER_DAY

/**
 * meanRate is what peers send, over the whole day.
 *
 * @param {Pick<NetworkDescription, 'peers' | 'requestsPerDay'>} network
 * @returns {number} per second
 */
export const meanRate = ({ peers, requestsPerDay }) => (peers * requestsPerDay) / SECONDS_PER_DAY

/**
 * networkLoad turns a described network into load. The registrations held are those that the busiest hour leaves behind (Little's
 * law: rate of registering × time to live), and never more than all peers have.
 *
 * @param {NetworkDescription} network
 * @returns {NetworkLoad}
 */
export function networkLoad({ peers, requestsPerDay, peakFactor, topics, ttlSeconds, registerShare }) {
  const meanPerSecond = meanRate({ peers, requestsPerDay })
  const peakPerSecond = meanPerSecond * peakFactor
  return {
    meanPerSecond,
    peakPerSecond,
    burstPerSecond: peakPerSecond * BURST_FACTOR,
    heldRegistrations: Math.min(peers * topics, Math.round(peakPerSecond * registerShare * ttlSeconds))
  }
}

/**
 * serversFor is how many servers carry a rate with headroom.
 *
 * @param {number} peakPerSecond
 * @param {number} sustainablePerSecond - of one server, measured
 */
export const serversFor = (peakPerSecond, sustainablePerSecond) =>
  Math.max(1, Math.ceil(peakPerSecond / (HEADROOM * sustainablePerSecond) - 1e-9))
