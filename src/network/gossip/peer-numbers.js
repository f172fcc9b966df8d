/**
 * PeerNumbers tells which node of the network a peer id stands for. Peers are known once the network is: what was noted of a peer
 * before is noted by its id.
 */
export class PeerNumbers {
  /** @type {Map<string, number>} */
  #nodes = new Map()

  /** @param {readonly Pick<import('../node-host.js').Peer, 'node' | 'peerId'>[]} peers */
  add(peers) {
    for (const { peerId, node } of peers) this.#nodes.set(peerId, node)
  }

  /** @param {string} peerId @returns {number | undefined} undefined: not of this network */
  nodeOf(peerId) {
    return this.#nodes.get(peerId)
  }

  /** nodesOf leaves out what is not of this network. @param {string[]} peerIds @returns {number[]} */
  nodesOf(peerIds) {
    return peerIds.flatMap(peerId => this.#nodes.get(peerId) ?? [])
  }
}
