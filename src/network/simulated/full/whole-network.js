import { Switchboard } from './switchboard.js'
import { makeWholeNode } from './whole-node.js'

/**
 * @typedef {import('./whole-node.js').WholeNode} WholeNode
 * @typedef {import('./whole-node.js').WholeNodeInit} WholeNodeInit
 */

/** WholeNetwork holds whole nodes, which connect over simulated wires by themselves. */
export class WholeNetwork {
  /** @type {Map<number, WholeNode>} */
  #nodes = new Map()
  #parts

  /**
   * @param {import('../virtual-time.js').VirtualTime} time
   * @param {object} of
   * @param {import('../../links/link-model.js').LinkModel} of.model - whose layers count neither muxer nor encryption: their bytes are
   *   real
   * @param {'noise' | 'plaintext'} of.security
   * @param {'yamux' | 'mplex'} of.muxer
   */
  constructor(time, { model, security, muxer }) {
    this.partitions = model.partitions
    this.#parts = { time, security, muxer, switchboard: new Switchboard(time, model) }
  }

  /** add makes a node. @param {WholeNodeInit} init */
  async add(init) {
    const node = await makeWholeNode(init, this.#parts)
    this.#nodes.set(node.number, node)
    return node
  }

  get nodes() {
    return [...this.#nodes.values()]
  }

  /** @param {number} number @returns {WholeNode} */
  node(number) {
    const node = this.#nodes.get(number)
    if (node === undefined) throw new Error(`the simulated network has no node ${number}`)
    return node
  }

  /** dial connects two nodes, unless they are. @param {number} from @param {number} to */
  dial(from, to) {
    return this.node(from).dial(this.node(to).multiaddr)
  }
}
