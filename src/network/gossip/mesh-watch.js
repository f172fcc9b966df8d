/**
 * @typedef {import('@libp2p/gossipsub').GossipSub & { getMeshPeers: (topic: string) => string[] }} GossipSub - the method is one of
 *   the class that the package makes; its interface leaves it out
 * @typedef {import('../node-host.js').Evidence} Evidence
 *
 * @typedef {object} WatchedNode
 * @property {Pick<GossipSub, 'getMeshPeers' | 'getSubscribers'>} gossipsub
 * @property {readonly number[]} topics - it subscribes to just now
 * @property {Map<number, number>} withoutMeshSince - ns, by topic: those without a mesh peer now
 */

/**
 * MeshWatch follows the meshes of nodes. Peers that disconnect leave a mesh without an event, and so do peers whose stream broke:
 * these changes are seen on the next heartbeat.
 */
export class MeshWatch {
  #now
  #peers
  #topics
  /** @type {Map<number, WatchedNode>} */
  #nodes = new Map()
  /** @type {Evidence['withoutMesh']} spans that are over */
  #withoutMesh = []
  #stopped = false
  /** lastChangeNs is when a node last grafted or pruned, or was asked to; 0: never. */
  lastChangeNs = 0

  /**
   * @param {object} components
   * @param {() => number} components.now - ns
   * @param {readonly string[]} components.topics - names, by number
   * @param {import('./peer-numbers.js').PeerNumbers} components.peers
   */
  constructor({ now, topics, peers }) {
    this.#now = now
    this.#topics = topics
    this.#peers = peers
  }

  /**
   * watch begins when a node has subscribed.
   *
   * @param {number} node
   * @param {Pick<GossipSub, 'getMeshPeers' | 'getSubscribers' | 'addEventListener'>} gossipsub
   * @param {readonly number[]} topics - it subscribes to
   */
  watch(node, gossipsub, topics) {
    const watched = { gossipsub, topics, withoutMeshSince: new Map() }
    this.#nodes.set(node, watched)
    const changed = () => {
      this.lastChangeNs = this.#now()
      this.#check(node, watched)
    }
    gossipsub.addEventListener('gossipsub:graft', changed)
    gossipsub.addEventListener('gossipsub:prune', changed)
    gossipsub.addEventListener('gossipsub:heartbeat', () => this.#check(node, watched))
    this.#check(node, watched)
  }

  /** resubscribed follows a node that has subscribed or unsubscribed. @param {number} node @param {readonly number[]} topics - it subscribes to now */
  resubscribed(node, topics) {
    const watched = this.#nodes.get(node)
    if (watched === undefined) return
    watched.topics = topics
    for (const topic of watched.withoutMeshSince.keys())
      if (!topics.includes(topic)) this.#endSpan(node, watched, topic)
    this.#check(node, watched)
  }

  /** forget watches a node no more, which is about to end. @param {number} node */
  forget(node) {
    const watched = this.#nodes.get(node)
    this.#nodes.delete(node)
    for (const topic of watched?.withoutMeshSince.keys() ?? [])
      this.#endSpan(node, /** @type {WatchedNode} */ (watched), topic)
  }

  /** degrees sums the mesh peers of all pairs of node and topic. @returns {import('../node-host.js').HostInterval['meshDegree']} */
  degrees() {
    const degrees = { min: 0, max: 0, sum: 0, count: 0 }
    for (const { gossipsub, topics } of this.#nodes.values()) {
      for (const topic of topics) {
        const degree = gossipsub.getMeshPeers(this.#topics[topic]).length
        degrees.min = degrees.count === 0 ? degree : Math.min(degrees.min, degree)
        degrees.max = Math.max(degrees.max, degree)
        degrees.sum += degree
        degrees.count++
      }
    }
    return degrees
  }

  /** state tells what the nodes see just now. @returns {import('../node-host.js').MeshState} */
  state() {
    const nodes = [...this.#nodes].map(([node, { gossipsub, topics }]) => ({
      node,
      subscribers: this.#topics.map((name, topic) =>
        topics.includes(topic) ? this.#peers.nodesOf(gossipsub.getSubscribers(name).map(String)) : []
      ),
      mesh: this.#topics.map((name, topic) =>
        topics.includes(topic) ? this.#peers.nodesOf(gossipsub.getMeshPeers(name)) : []
      )
    }))
    return { atNs: this.#now(), lastChangeNs: this.lastChangeNs, nodes }
  }

  /** withoutMesh gives the spans without a mesh peer so far. @returns {Evidence['withoutMesh']} */
  withoutMesh() {
    const lasting = [...this.#nodes].flatMap(([node, { withoutMeshSince }]) =>
      [...withoutMeshSince].map(([topic, fromNs]) => ({ node, topic, fromNs, toNs: null }))
    )
    return [...this.#withoutMesh, ...lasting]
  }

  /**
   * withoutStream gives mesh peers that a node cannot send to.
   *
   * @param {(node: number) => Set<number>} peersWithStream
   * @returns {Evidence['meshWithoutStream']}
   */
  withoutStream(peersWithStream) {
    return this.state().nodes.flatMap(({ node, mesh }) => {
      const reached = peersWithStream(node)
      return mesh.flatMap((peers, topic) =>
        peers.filter(peer => !reached.has(peer)).map(peer => ({ node, peer, topic }))
      )
    })
  }

  /** stop follows no more: meshes that the run itself takes down are no evidence. */
  stop() {
    this.#stopped = true
  }

  /** @param {number} node @param {WatchedNode} watched */
  #check(node, watched) {
    const { gossipsub, topics, withoutMeshSince } = watched
    if (this.#stopped || !this.#nodes.has(node)) return
    for (const topic of topics) {
      const fromNs = withoutMeshSince.get(topic)
      const alone = gossipsub.getMeshPeers(this.#topics[topic]).length === 0
      if (alone && fromNs === undefined) withoutMeshSince.set(topic, this.#now())
      if (!alone && fromNs !== undefined) this.#endSpan(node, watched, topic)
    }
  }

  /** @param {number} node @param {WatchedNode} watched @param {number} topic - that it had no mesh peer for */
  #endSpan(node, { withoutMeshSince }, topic) {
    const fromNs = /** @type {number} */ (withoutMeshSince.get(topic))
    withoutMeshSince.delete(topic)
    this.#withoutMesh.push({ node, topic, fromNs, toNs: this.#now() })
  }
}
