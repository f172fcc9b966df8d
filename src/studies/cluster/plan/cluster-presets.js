import { meanRate } from '../../saturation/plan/network-load.js'

/**
 * @typedef {object} Preset - whose peers they are
 * @property {number} requestsPerDay - of each peer
 * @property {string} mix - shares of register, refresh and discover, as they would be typed
 * @property {number} peakFactor - the rate of the peak over the mean
 * @property {boolean} connectionPerOperation - every request connects, is answered and disconnects
 * @property {number} clients - that stand for all peers
 * @property {'held' | 'searched'} rates - held: servers are run at the network's own rates; searched: those are far beyond a few servers,
 *   so that the rate these sustain is searched for
 * @property {string} says - what it is, in a sentence
 */

/** The source's network: a mean of about 30 requests a second for each of three servers, and 50 at times. */
const SOURCE = { peers: 1_000_000, requestsPerDay: 8, servers: 3, atTimesPerServer: 50 }

/**
 * The estimate that the source document on rendezvous ends with: a million peers with 8 requests a day and three servers over one database.
 * It says nothing of what peers ask for: discovering is what most do there, and registrations are refreshed.
 *
 * @type {Preset}
 */
const ESTIMATE = {
  requestsPerDay: SOURCE.requestsPerDay,
  mix: 'register=0.1,refresh=0.9,discover=8',
  peakFactor: Number(((SOURCE.servers * SOURCE.atTimesPerServer) / meanRate(SOURCE)).toPrecision(6)),
  connectionPerOperation: true,
  clients: 50,
  rates: 'held',
  says: 'The estimate of the source: 1,000,000 peers with 8 requests a day, three servers with some 30 requests/s each and 50 at times.'
}

/**
 * Waku: each relay node registers with rendezvous points every 10 seconds (logos-messaging/specs, pull request 32, October 2024). That
 * connections stay is taken for granted: nobody would open one every 10 seconds.
 *
 * @type {Preset}
 */
const WAKU = {
  requestsPerDay: 86_400 / 10,
  mix: 'refresh=1',
  peakFactor: 1,
  connectionPerOperation: false,
  clients: 200,
  rates: 'searched',
  says: 'The rate of Waku: each peer registers every 10 s (logos-messaging/specs, pull request 32).'
}

/** PRESETS are the networks that are known by name. @type {Readonly<Record<string, Preset>>} */
export const PRESETS = { estimate: ESTIMATE, waku: WAKU }

/**
 * byPreset says the default of an option that follows from the preset.
 *
 * @param {(preset: Preset) => unknown} of
 * @returns {string} as in --help
 */
export const byPreset = of =>
  Object.entries(PRESETS)
    .map(([name, preset]) => `${name}: ${of(preset)}`)
    .join('; ')
