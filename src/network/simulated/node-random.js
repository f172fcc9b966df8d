import { subStream } from '../../kit/random.js'

/**
 * NodeRandom gives each node random numbers of its own, so that what one draws, or a further node, shifts nobody else's.
 */
export class NodeRandom {
  #time
  /** @type {Map<number, () => number>} */
  #streams = new Map()
  #seed = 0

  /** @param {Pick<import('./virtual-time.js').VirtualTime, 'node'>} time - tells whose turn it is */
  constructor(time) {
    this.#time = time
  }

  /** restart begins every stream anew. @param {number} seed */
  restart(seed) {
    this.#seed = seed
    this.#streams.clear()
  }

  /** next is the next number of the node whose turn it is. @returns {number} uniform in [0, 1) */
  next() {
    const { node } = this.#time
    let stream = this.#streams.get(node)
    if (stream === undefined) {
      stream = subStream(this.#seed, 'simulated node', node)
      this.#streams.set(node, stream)
    }
    return stream()
  }

  /** fill fills with random bytes. @param {Uint8Array} bytes */
  fill(bytes) {
    for (let i = 0; i < bytes.length; i++) bytes[i] = Math.floor(this.next() * 256)
  }
}
