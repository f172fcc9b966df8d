/**
 * @typedef {object} Limits
 * @property {number} maxInProgressRequests
 * @property {number} maxMemoryPerPeerBytes
 * @property {number} maxMemoryTotalBytes
 *
 * @typedef {{ peer: string, bytes: number, granted: () => void }} Waiting
 */

/**
 * PeerTurns hands out a bounded amount of something: those who wait are served peer by peer, each peer's in the order they came.
 */
class PeerTurns {
  #fits
  /** @type {Map<string, Waiting[]>} in the order of the peers' turns */
  #waiting = new Map()

  /** @param {(waiting: Waiting) => boolean} fits - and takes */
  constructor(fits) {
    this.#fits = fits
  }

  get waiting() {
    return [...this.#waiting.values()].reduce((sum, { length }) => sum + length, 0)
  }

  /** @param {string} peer @param {number} bytes @returns {Promise<void>} */
  wait(peer, bytes) {
    const { promise, resolve } = Promise.withResolvers()
    const queue = this.#waiting.get(peer) ?? []
    queue.push({ peer, bytes, granted: () => resolve(undefined) })
    this.#waiting.set(peer, queue)
    this.serve()
    return promise
  }

  /** serve grants what fits, and has a peer that was served go to the end. */
  serve() {
    for (let left = this.#waiting.size; left > 0; left--) {
      const [peer, queue] = /** @type {[string, Waiting[]]} */ (this.#waiting.entries().next().value)
      this.#waiting.delete(peer)
      const isServed = this.#fits(queue[0])
      if (isServed) queue.shift()?.granted()
      if (queue.length > 0) this.#waiting.set(peer, queue)
      if (isServed) left = this.#waiting.size + 1
    }
  }
}

/**
 * ProviderLimits bound what a provider does at once: requests that are answered, and bytes of blocks that were read from its store
 * and have not left for the socket, of one peer and of all. Who waits is taken from the peers in turn.
 */
export class ProviderLimits {
  #limits
  #inProgress = 0
  #totalBytes = 0
  /** @type {Map<string, number>} */
  #peerBytes = new Map()
  #requests
  #memory
  #most = { inProgressRequests: 0, memoryPerPeerBytes: 0, memoryTotalBytes: 0, waitingRequests: 0 }

  /** @param {Limits} limits */
  constructor(limits) {
    this.#limits = limits
    this.#requests = new PeerTurns(() => this.#begin())
    this.#memory = new PeerTurns(waiting => this.#take(waiting))
  }

  /** most is what was reached of each. */
  get most() {
    return { ...this.#most }
  }

  /** waiting requests just now. */
  get waiting() {
    return this.#requests.waiting
  }

  /** inProgress requests just now. */
  get inProgress() {
    return this.#inProgress
  }

  /** request waits until one more request may be answered. @param {string} peer @returns {Promise<() => void>} to be called when it was */
  async request(peer) {
    const waits = this.#requests.wait(peer, 0)
    this.#most.waitingRequests = Math.max(this.#most.waitingRequests, this.waiting)
    await waits
    return once(() => {
      this.#inProgress--
      this.#requests.serve()
    })
  }

  /**
   * memory waits until a block may be read.
   *
   * @param {string} peer
   * @param {number} bytes - at most what a peer may have
   * @returns {Promise<() => void>} to be called when the block has left
   */
  async memory(peer, bytes) {
    await this.#memory.wait(peer, bytes)
    return once(() => {
      this.#totalBytes -= bytes
      this.#peerBytes.set(peer, this.#of(peer) - bytes)
      this.#memory.serve()
    })
  }

  #begin() {
    if (this.#inProgress >= this.#limits.maxInProgressRequests) return false
    this.#inProgress++
    this.#most.inProgressRequests = Math.max(this.#most.inProgressRequests, this.#inProgress)
    return true
  }

  /** @param {string} peer */
  #of(peer) {
    return this.#peerBytes.get(peer) ?? 0
  }

  /** @param {Waiting} waiting */
  #take({ peer, bytes }) {
    const [ofPeer, total] = [this.#of(peer) + bytes, this.#totalBytes + bytes]
    if (ofPeer > this.#limits.maxMemoryPerPeerBytes || total > this.#limits.maxMemoryTotalBytes) return false
    this.#peerBytes.set(peer, ofPeer)
    this.#totalBytes = total
    this.#most.memoryPerPeerBytes = Math.max(this.#most.memoryPerPeerBytes, ofPeer)
    this.#most.memoryTotalBytes = Math.max(this.#most.memoryTotalBytes, total)
    return true
  }
}

/** @param {() => void} work */
function once(work) {
  let isDone = false
  return () => {
    if (isDone) return
    isDone = true
    work()
  }
}
