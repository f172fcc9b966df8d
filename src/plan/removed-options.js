/**
 * @typedef {object} RemovedOption - an option of an earlier release
 * @property {string} instead - what to do now
 * @property {string} [planKey] - in the plan of a result of that release; default: its name
 * @property {unknown} [was] - what it was in a plan where nobody gave it; default: null, 0, false or an empty list
 * @property {readonly string[]} [of] - scenarios that had it, where others still do; default: all
 */

const SEARCH = 'saturate gossip --search finds the rate that is carried'

const LINKED = ['rendezvous', 'transfer']

/** @param {string} [planKey] @returns {RemovedOption} */
const ofGossip = planKey => ({ instead: 'gossip alone has it', of: LINKED, planKey })

/**
 * REMOVED_OPTIONS say what to do instead of options that earlier releases had, by their names.
 *
 * @type {Readonly<Record<string, RemovedOption>>}
 */
export const REMOVED_OPTIONS = Object.freeze({
  abuse: { instead: '--hostile has hostile peers beside the clients of a run: --hostile frames=10' },
  autoDuration: { was: 30_000, planKey: 'autoDurationMs', instead: SEARCH },
  autoFrom: { was: 1, planKey: 'autoFromPerSecond', instead: SEARCH },
  balance: { was: 'round-robin', instead: 'clients are dealt to servers like cards' },
  baselines: {
    instead: '--protocols names what takes turns, such as perf,tcp,tls,http,http2',
    of: ['transfer']
  },
  batchPublish: { instead: 'each message is encoded as the library does it' },
  congestionControl: ofGossip(),
  downBandwidth: ofGossip('downBandwidthBytesPerSecond'),
  formedMesh: { instead: 'rows are run as they come out; --runs 3 shows what chance does to a mesh' },
  latencyRate: { instead: 'a run measures one load: give --rate to see latency at a rate' },
  linkBandwidth: ofGossip('linkBandwidthBytesPerSecond'),
  linkJitter: ofGossip(),
  linkLatency: { instead: '--latencies of transfer says it', of: ['transfer'] },
  lowerRate: { instead: 'give --rate that the machine carries: warnings name rows that were too fast' },
  maxDiscoverLimit: {
    was: 1000,
    instead: 'our server has a cap of 1,000; give one with another cap as --target'
  },
  partition: ofGossip('partitions'),
  probeRate: {
    planKey: 'probeRatePerSecond',
    instead:
      'there is no second client beside the load; a result says what the load generator added to its own times'
  },
  profileWorkers: { was: 'all', instead: 'all worker processes are sampled' },
  samplingInterval: {
    planKey: 'samplingIntervalMicros',
    was: 1000,
    instead: 'a process is sampled each millisecond'
  },
  upBandwidth: {
    planKey: 'upBandwidthBytesPerSecond',
    instead: '--bandwidths of transfer says it',
    of: ['transfer']
  },
  vary: { instead: 'a matrix file has vary, a list of values for an option: docs/matrix.md' }
})

/** Of the second phase that rendezvous runs had. */
const REMOVED_FIGURE = /^latency\.((?:[a-z]+\.)?(?:errorRate|avg|min|max|p[\d.]+))$/i

/**
 * removedFigure says what to do instead of a figure that earlier releases had.
 *
 * @param {string} name - that is not known
 * @param {(name: string) => { name: string } | undefined} figureNow - the figure of a name
 * @returns {string | null} null: there was none
 */
export function removedFigure(name, figureNow) {
  const [, of = ''] = REMOVED_FIGURE.exec(name) ?? []
  const now = figureNow(of)
  return now === undefined ? null : `${name} is gone: a run measures one load; use --rate and ${now.name}`
}
