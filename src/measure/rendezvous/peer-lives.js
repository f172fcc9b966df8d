import { Distribution } from '../gossip/distribution.js'

/**
 * @typedef {import('../../load/rotation-schedule.js').Life} Life
 * @typedef {import('../../result/rendezvous-rotation-types.js').PeerLife} PeerLife
 *
 * @typedef {object} PeerChange - what became of a peer; all times in ns on the monotonic clock of the host
 * @property {number} node
 * @property {number} [startedNs]
 * @property {number} [connectedNs]
 * @property {number} [registeredNs]
 * @property {number} [killedNs]
 * @property {string} [error]
 */

/** LISTED_PEERS: more would make a result that nobody opens. Figures are of all. */
export const LISTED_PEERS = 1000

/** PeerLives follows what became of the ephemeral peers of a rendezvous server. */
export class PeerLives {
  #startNs
  /** @type {Map<number, PeerLife>} by node */
  #lives

  /** @param {readonly Life[]} lives @param {number} startNs - of the measurement */
  constructor(lives, startNs) {
    this.#startNs = startNs
    this.#lives = new Map(lives.map(life => [life.node, begun(life)]))
  }

  /** change takes what a process did. @param {readonly PeerChange[]} changes */
  change(changes) {
    for (const { node, startedNs, connectedNs, registeredNs, killedNs, error } of changes) {
      const life = this.#lives.get(node)
      if (life === undefined) continue
      if (startedNs !== undefined) life.startedMs = this.#ms(startedNs)
      if (connectedNs !== undefined) life.connectedMs = this.#ms(connectedNs)
      if (registeredNs !== undefined) life.registeredMs ??= this.#ms(registeredNs)
      if (killedNs !== undefined) life.killedMs = this.#ms(killedNs)
      if (error !== undefined) life.error = error
    }
  }

  /** discover notes that a peer was given the record of a living one. @param {number} node @param {number} atNs */
  discover(node, atNs) {
    const life = this.#lives.get(node)
    if (life !== undefined) life.firstDiscoveryMs ??= this.#ms(atNs)
  }

  result() {
    const lives = [...this.#lives.values()]
    const started = lives.filter(({ startDueMs, startedMs }) => startDueMs !== null && startedMs !== null)
    return {
      lives: {
        started: started.length,
        killed: lives.filter(({ killedMs }) => killedMs !== null).length,
        failed: started.filter(({ error }) => error !== null).length,
        latestMs: lives.flatMap(latenessOf).reduce((most, ms) => Math.max(most, ms), 0),
        listed: lives.slice(0, LISTED_PEERS).map(life => ({ ...life })),
        listedAll: lives.length <= LISTED_PEERS
      },
      connect: sinceStart(started, 'connectedMs').summary,
      register: sinceStart(started, 'registeredMs').summary,
      firstDiscovery: sinceStart(started, 'firstDiscoveryMs')
    }
  }

  /** @param {number} ns */
  #ms(ns) {
    return (ns - this.#startNs) / 1e6
  }
}

/** @param {Life} life @returns {PeerLife} */
const begun = ({ node, slot, startMs, killMs }) => ({
  node,
  slot,
  startDueMs: startMs,
  startedMs: null,
  connectedMs: null,
  registeredMs: null,
  firstDiscoveryMs: null,
  killDueMs: killMs,
  killedMs: null,
  error: null
})

/** @param {PeerLife} life @returns {number[]} ms */
const latenessOf = ({ startDueMs, startedMs, killDueMs, killedMs }) => [
  ...(startDueMs !== null && startedMs !== null ? [startedMs - startDueMs] : []),
  ...(killDueMs !== null && killedMs !== null ? [killedMs - killDueMs] : [])
]

/** @param {readonly PeerLife[]} lives @param {'connectedMs' | 'registeredMs' | 'firstDiscoveryMs'} what */
function sinceStart(lives, what) {
  const times = new Distribution()
  for (const { [what]: atMs, startedMs } of lives)
    if (atMs !== null && startedMs !== null) times.known.record((atMs - startedMs) * 1000)
  return times.knownResult()
}
