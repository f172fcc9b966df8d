// Code that all hosts of gossip nodes share, real or simulated: their interface, node keys, dials, message ids, and
// scheduled disruptions.

import { createHash } from 'node:crypto'
import { privateKeyFromRaw, publicKeyToProtobuf } from '@libp2p/crypto/keys'
import { deriveIdentitySeed, derivePrivateKey } from '../client/identities.js'

/**
 * The seam between the gossip scenario and what carries its nodes. A host runs inside a worker process and holds some of the
 * nodes of the network; the scenario in the main process knows hosts only by these shapes, and sends whole schedules, never
 * single messages. Only types live here.
 *
 * Nodes, topics and messages are numbers: a node is its place in the topology, a topic its place in the plan, a message its
 * place in the schedule. Rows cross processes as columns of typed arrays. Times are ns since `originNs`, a moment of the host's
 * monotonic clock (`process.hrtime.bigint()`, which all processes of a machine share; virtual time in the simulated network).
 *
 * @typedef {object} HostSetup
 * @property {import('../scenarios/gossip/options.js').GossipPlan} plan
 * @property {number} worker - place of the worker
 * @property {readonly number[]} nodes - that this host holds
 * @property {readonly (readonly number[])[]} subscriptions - topics that each node of the whole network subscribes to
 * @property {number} runNonce - 32 bits; stands at the start of every payload, so that a message of another run is told apart
 * @property {bigint} originNs
 * @property {{ folder: string, originUnixNs: bigint } | null} [traces] - where traces of the nodes go, a folder that exists, and
 *   `originNs` as ns since 1970; null: none are kept
 * @property {string} [address] - of this machine, that nodes listen on for those on others; they take connections of nobody else then.
 *   Absent: all nodes are on this one
 * @property {number} [workers] - processes that share the virtual time of a simulated network; absent: this one has it alone
 * @property {boolean} [copies] - every copy of a message that comes to a node is told; absent: none is
 *
 * @typedef {object} Peer - how others reach a node
 * @property {number} node
 * @property {string} peerId
 * @property {string} multiaddr
 *
 * @typedef {object} Dial
 * @property {number} from - a node of the host
 * @property {number} to
 *
 * @typedef {object} DialResult
 * @property {number} from
 * @property {number} to
 * @property {number} ms
 * @property {string | null} error - null: connected
 *
 * @typedef {object} RendezvousMeeting - where nodes find one another
 * @property {string} server - multiaddr of a rendezvous server
 * @property {readonly string[]} namespaces - by topic of the plan; a node registers under those of its topics
 *
 * @typedef {object} RendezvousStep - of one node
 * @property {number} node
 * @property {number} ms
 * @property {string | null} error - null: done
 *
 * @typedef {RendezvousStep & { topic: number, found: number, foreign: number }} Discovery - `found`: others of the network under the topic's
 *   namespace; `foreign`: registrations of whoever is not of it
 *
 * @typedef {object} RegistrationResult
 * @property {RendezvousStep[]} connects - to the server, one of each node
 * @property {(RendezvousStep & { topic: number })[]} registers
 *
 * @typedef {object} MeetingResult
 * @property {Discovery[]} discovers
 * @property {(DialResult & { inbound: boolean })[]} dials - of peers found; `inbound`: they had connected already, and were not dialled
 *
 * @typedef {RendezvousStep & { type: 'REGISTER' | 'DISCOVER' }} RefreshStep - what a node did again at the rendezvous server
 *
 * @typedef {object} MeshState - what the nodes of a host see just now
 * @property {number} atNs
 * @property {number} lastChangeNs - when one of them last grafted or pruned; 0: never
 * @property {{ node: number, subscribers: number[][], mesh: number[][] }[]} nodes - by topic of the plan: connected peers known to
 *   subscribe, and mesh peers; empty for topics the node does not subscribe to
 *
 * @typedef {object} Publications - rows in the order of their due times
 * @property {Uint32Array} message
 * @property {Uint16Array} node
 * @property {Uint8Array} topic
 * @property {Float64Array} offsetNs - due, since the start of the publish phase
 * @property {Uint32Array} bytes - of the payload, at least 8
 *
 * @typedef {object} PublishStart
 * @property {Publications | null} publications - of this host's nodes, `offsetNs` ascending; null: every node publishes in its
 *   own time (plan.publishers `every`)
 * @property {number} startNs
 * @property {number} endNs - nothing is published at or after it; Infinity: until the schedule is through
 *
 * @typedef {object} PublishedRows - what became of publications, in any order
 * @property {Uint32Array} message
 * @property {Uint16Array} node
 * @property {Uint8Array} topic
 * @property {Float64Array} dueNs
 * @property {Float64Array} atNs - when publish was called, or was over
 * @property {Uint32Array} bytes
 * @property {Int32Array} recipients - peers it was sent to; -1: skipped (backlog), -2: publish failed, -3: it was due, and
 *   publishing was over before its turn came
 *
 * @typedef {object} ReceivedRows - first receipts by subscribed nodes other than the publisher, in any order
 * @property {Uint32Array} message
 * @property {Uint16Array} node
 * @property {Uint16Array} from - the peer it came from
 * @property {Float64Array} atNs
 * @property {Float32Array} [waitedUs] - what its bytes waited because this process did other things, or had no core; absent: not
 *   known, as in virtual time, where nothing waits
 *
 * @typedef {object} CopyRows - of messages of the run, first ones and further ones, in any order
 * @property {Uint32Array} message
 * @property {Uint16Array} node - that one came to
 *
 * @typedef {object} NodeBytes - of RPCs of each node since it was provisioned, from the library's own metrics
 * @property {Uint16Array} node
 * @property {Float64Array} sent
 * @property {Float64Array} received
 *
 * @typedef {import('../scenarios/gossip/outcome.js').GossipOutcome['counters']} Counters - sums over the nodes of a host since they were provisioned, from the
 *   library's own metrics
 *
 * @typedef {object} HostInterval - once a second, and at the end of each call that publishes or waits
 * @property {number} seq - from 0
 * @property {number} atNs
 * @property {PublishedRows} published - since the one before
 * @property {ReceivedRows} received - since the one before
 * @property {CopyRows} [copies] - since the one before; absent: nobody asks for them, or floodsub has no way to count them
 * @property {Counters} counters - so far
 * @property {NodeBytes} [nodeBytes] - so far; absent: nodes have no classes and are in no zones
 * @property {Float64Array} [causes] - so far, as `decodeCauses` reads them; absent: not known
 * @property {ScoreStep[]} [scores] - since the one before, where the plan sets any
 * @property {{ min: number, max: number, sum: number, count: number }} meshDegree - over the (node, topic) pairs of the host
 * @property {number} backlogBytes - that wait in write buffers of outbound gossipsub streams
 * @property {number} abortedStreams - outbound gossipsub streams that ended while their connection was open, so far
 * @property {ProcessUsage} usage - of the worker process, since the one before
 * @property {RefreshStep[]} [refreshed] - since the one before, where nodes refresh
 * @property {import('../load/churn.js').LifeChange[]} [changes] - since the one before, once new nodes take the places of others
 * @property {SubscriptionRecord[]} [resubscribed] - since the one before, where a script has nodes subscribe or unsubscribe
 * @property {string[]} [failures] - since the one before: errors of nodes that could not leave or return as they should
 * @property {{ node: number, peers: number }[]} [peers] - that each node is connected to just now, in a network whose nodes leave
 *
 * @typedef {import('../load/network-script.js').SubscriptionChange & { atNs: number, error?: string, isAway?: true }} SubscriptionRecord - a node has
 *   subscribed or unsubscribed; `error`: it could not; `isAway`: it will have when it returns
 *
 * @typedef {object} ScoreStep - scores that nodes gave their peers in a stretch of time: of each node at one heartbeat. A stretch can be
 *   told in parts
 * @property {number} atNs - its beginning
 * @property {number} min
 * @property {number[]} below - how many were below 0, gossipThreshold, publishThreshold and graylistThreshold
 * @property {Int16Array} buckets - of their values
 * @property {Uint32Array} counts - in each bucket
 *
 * @typedef {Pick<ScoreStep, 'min' | 'below'> & { buckets: Map<number, number> }} ScoreCounts - of one step: how many scores are in each bucket
 *
 * @typedef {object} ProcessUsage
 * @property {number} wallMs
 * @property {number} activeMs - of the event loop
 * @property {number} cpuMicros - of the process, user and system
 * @property {number} rssBytes - of the process; of a container what it has in use, without page cache
 * @property {number} heapBytes
 * @property {number} maxTurnMs - longest turn of the event loop, at least: it is true to how often the process looks (`eventLoopCheckMs`)
 * @property {number} [receivedBytes] - by the device of its namespace or container; absent: it has none of its own
 * @property {number} [sentBytes]
 * @property {number} [throttledMs] - that its container was, having used what CPU it may
 *
 * @typedef {object} ChurnStart
 * @property {readonly import('../load/churn.js').Life[]} lives - of nodes of this host. One with a start is a node that
 *   was not provisioned: it is made then, with the identity of its number
 * @property {number} startNs - that the times of lives are since
 * @property {readonly Pick<Peer, 'node' | 'peerId'>[]} peers - nodes of the network that are started later
 *
 * @typedef {object} PublishEnd
 * @property {number} published
 * @property {number} skipped - because --maxBacklog was reached
 * @property {number} failed
 * @property {Record<string, number>} errors - of those that failed: how many by code, or by message where there is no code
 * @property {'schedule' | 'time' | 'memory' | 'abort'} endedBy - the schedule was through, `endNs` came, the process grew above
 *   plan.memoryCeilingBytes, or `abort` was called
 * @property {number} endedNs
 *
 * @typedef {object} Evidence - what a host recorded that can explain a missing delivery
 * @property {{ from: number, to: number, atNs: number }[]} abortedStreams
 * @property {{ node: number, topic: number, fromNs: number, toNs: number | null }[]} withoutMesh - spans in which a subscribed node
 *   had no mesh peer; `toNs` null: until the end
 * @property {{ from: number, to: number, bytes: number }[]} backlog - that still waited at the end
 * @property {{ node: number, peer: number, topic: number }[]} meshWithoutStream - mesh peers without an open outbound stream at the end
 * @property {number[]} [refusedMessages] - of which an RPC found the send queue of its peer full, and was dropped. Simulated networks
 *
 * @typedef {object} HostEnd
 * @property {Evidence} evidence
 * @property {{ node: number, degree: number, connections: number }[]} connections - open at the end; `degree`: peers
 * @property {{ node: number, error: string }[]} [traceErrors] - traces that are not whole
 * @property {{ peer: Uint16Array, score: Float64Array }} [scores] - that each node of the host gives each of its peers, where the plan sets any
 * @property {LookaheadWindows} [windows] - of a simulated network that several processes share
 *
 * @typedef {object} LookaheadWindows - between two of which processes know nothing of one another
 * @property {number} lookaheadMs
 * @property {number} meetings
 * @property {number} events - of this process
 * @property {number} handedOver - to the others
 *
 * @typedef {object} NodeHost
 * @property {() => Promise<Peer[]>} provision - starts the nodes and subscribes them
 * @property {(peers: readonly Pick<Peer, 'peerId'>[]) => Promise<void>} [admit] - real networks: has nodes with others on other machines take their
 *   connections
 * @property {() => Promise<import('../libp2p/node-settings.js').SettingsByKind>} [settings] - real networks: what nodes that were started have
 *   other than what libp2p and gossipsub take by themselves
 * @property {(dials: Dial[], peers: Peer[]) => Promise<DialResult[]>} connect - `peers`: all nodes of the network
 * @property {(meeting: RendezvousMeeting) => Promise<RegistrationResult>} register - in place of `connect`: registers all nodes. All hosts do so before
 *   any of them meets
 * @property {(meeting: RendezvousMeeting & { k: number }, peers: Peer[]) => Promise<MeetingResult>} meet - discovers, and each node dials k of the peers
 *   found for each of its topics, at random
 * @property {(refreshing: RendezvousMeeting & { everyMs: number }) => Promise<void>} [refresh] - real networks: until `endRefreshing` or `abort` each node
 *   registers and discovers again that often in each of its topics; resolves when that has begun
 * @property {() => Promise<void>} [endRefreshing] - real networks
 * @property {(options: { stepMs: number }) => Promise<MeshState>} awaitMesh - lets up to so much time pass, then tells the state
 * @property {(start: PublishStart) => Promise<PublishEnd>} schedule - publishes; resolves when the last publication was handed over
 * @property {(churning: ChurnStart) => Promise<void>} [churn] - real networks: starts and kills nodes when they are due; resolves when the last one was,
 *   or after `abort`
 * @property {(options: { stepMs: number }) => Promise<void>} drain - lets time pass for what is still under way; the rows of that
 *   time have been handed over when it resolves
 * @property {() => Promise<HostInterval>} snapshot - hands over what is known now
 * @property {() => Promise<HostEnd>} collect
 * @property {(reason: string) => Promise<void>} abort - ends a schedule under way, and churn
 * @property {() => Promise<void>} stop
 *
 * @typedef {object} HostComponents
 * @property {(node: number, network: import('../libp2p/layers/node-parts.js').WireListener | undefined) => Promise<import('./real/gossip-node.js').ClientParts>} [clientOf] - real
 *   networks: what a node has besides that is a client of a rendezvous server too; `network` is told of bytes of the others
 * @property {import('../libp2p/node-settings.js').Reasons} [reasons] - why such nodes have other than what libp2p takes by itself
 * @property {(interval: HostInterval) => Promise<void> | void} onInterval
 * @property {(done: number) => void} [onProgress] - of provision and connect
 * @property {(report: import('../simulator/time/processes.js').ProcessReport) => Promise<import('../simulator/time/processes.js').JointReport>} [meet] - of processes that
 *   share a virtual time: resolves when all of them have told
 * @property {(atNs: number) => void} [onAlive] - once a second of real time, whatever goes on: a host that does not tell is stopped
 */

/**
 * dialSequentially makes the connections of a network: each node dials one peer after the other, and waits for no other node. So it is the same on
 * every network, however its nodes are shared out among processes: who is connected first grafts first.
 *
 * @param {readonly Dial[]} dials - in their order
 * @param {(dial: Dial) => Promise<DialResult>} dial - is called at once for the first one of each node; rejects nothing: what fails is told
 * @returns {Promise<DialResult[]>} by node
 */
export async function dialSequentially(dials, dial) {
  /** @type {Map<number, Dial[]>} */
  const byNode = new Map()
  for (const each of dials) {
    const own = byNode.get(each.from)
    if (own) own.push(each)
    else byNode.set(each.from, [each])
  }
  const dialled = await Promise.all([...byNode.values()].map(own => dialOneByOne(own, dial)))
  return dialled.flat()
}

/** @param {readonly Dial[]} dials @param {(dial: Dial) => Promise<DialResult>} dial */
async function dialOneByOne(dials, dial) {
  const dialled = []
  for (const each of dials) dialled.push(await dial(each))
  return dialled
}

const PURPOSE = 'gossip'

/**
 * deriveGossipKey gives the key of a node, from the plan's seed and the node's number. Any node's can be had by itself, in any process.
 *
 * @param {Pick<import('../scenarios/gossip/options.js').GossipPlan, 'seed' | 'keyType'>} plan
 * @param {number} node
 * @returns {Promise<import('@libp2p/interface').PrivateKey>}
 */
export async function deriveGossipKey({ seed, keyType }, node) {
  if (keyType === 'ed25519') return derivePrivateKey(seed, PURPOSE, node)
  // 32 raw bytes are a secp256k1 key; libp2p tells the two kinds apart by their length
  return privateKeyFromRaw(deriveIdentitySeed(seed, `${PURPOSE}/secp256k1`, node))
}

/**
 * PeerNumbers tells which node of the network a peer id stands for. Peers are known once the network is: what was noted of a peer
 * before is noted by its id.
 */
export class PeerNumbers {
  /** @type {Map<string, number>} */
  #nodes = new Map()

  /** @param {readonly Pick<Peer, 'node' | 'peerId'>[]} peers */
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

/**
 * makeMessageId gives the id that gossipsub gives a message by default, which it keeps to itself where a message is published: key
 * of the author and sequence number of a signed one, SHA-256 of the payload of any other.
 *
 * @param {import('@libp2p/gossipsub').Message} message
 * @returns {Uint8Array}
 */
export function makeMessageId(message) {
  if (message.type !== 'signed') return createHash('sha256').update(message.data).digest()
  const sequenceNumber = Buffer.alloc(8)
  sequenceNumber.writeBigUInt64BE(message.sequenceNumber)
  return Buffer.concat([publicKeyToProtobuf(message.from.publicKey ?? message.key), sequenceNumber])
}

/**
 * formatMessageId gives an id as gossipsub writes it by default: base64 without padding.
 *
 * @param {Uint8Array} id
 * @returns {string}
 */
export const formatMessageId = id =>
  Buffer.from(id.buffer, id.byteOffset, id.length).toString('base64').replace(/=+$/, '')

/**
 * @typedef {import('../load/churn.js').Absence} Absence
 * @typedef {import('./link-properties.js').Reset} Reset
 * @typedef {import('../load/network-script.js').SubscriptionChange} SubscriptionChange
 *
 * @typedef {object} DisruptionClock
 * @property {number} nowNs
 * @property {(atNs: number, node: number | null, happen: () => unknown) => unknown} at - node: where it happens; null: at no node
 *
 * @typedef {object} DisruptedNetwork - a network, or what a host has of one
 * @property {import('./link-properties.js').PartitionSchedule} partitions
 * @property {Iterable<{ local: number, remote: number, cut: (error: Error) => void }>} endpoints - of connections between the nodes
 * @property {(node: number) => boolean} has - it is there
 * @property {(from: number, to: number) => Promise<unknown>} dial
 *
 * @typedef {object} DisruptionParts
 * @property {DisruptionClock} time
 * @property {DisruptedNetwork} network
 * @property {(node: number) => void | Promise<void>} leave
 * @property {(node: number) => Promise<void>} rejoin - resolves when it can dial
 * @property {(error: Error) => void} failed - to leave, or to come back
 * @property {(change: SubscriptionChange) => void} subscribe - or unsubscribe
 */

/**
 * Disruptions are what happens to a network while messages are published: connections are reset, nodes leave and return, subscribe and
 * unsubscribe.
 */
export class Disruptions {
  #parts
  #rejoining

  /** @param {DisruptionParts} parts */
  constructor(parts) {
    this.#parts = parts
    this.#rejoining = new Reconnection(parts.time, parts.network)
  }

  /** joined tells of the connections that are made again. @param {readonly Dial[]} dials */
  joined(dials) {
    this.#rejoining.add(dials)
  }

  /**
   * begin lets them happen.
   *
   * @param {number} startNs - of the publish phase
   * @param {readonly (readonly Absence[])[]} absences - by node
   * @param {readonly SubscriptionChange[]} changes
   */
  begin(startNs, absences, changes) {
    const { network, time } = this.#parts
    network.partitions.start(startNs)
    for (const reset of network.partitions.resets()) {
      time.at(reset.atNs, null, () => this.#reset(reset))
      time.at(reset.untilNs, null, () => this.#rejoining.pairs(reset.separates))
    }
    for (const [node, own] of absences.entries())
      for (const absence of own) this.#plan(node, absence, startNs)
    for (const change of changes)
      time.at(startNs + Math.round(change.atMs * 1e6), change.node, () => this.#parts.subscribe(change))
  }

  /** @param {number} node @param {Absence} absence @param {number} startNs */
  #plan(node, { leavesNs, returnsNs }, startNs) {
    const { time, leave, rejoin, failed } = this.#parts
    time.at(startNs + leavesNs, node, () => void leave(node)?.catch(failed))
    if (returnsNs === Infinity) return
    time.at(
      startNs + returnsNs,
      node,
      () => void rejoin(node).then(() => this.#rejoining.neighboursOf(node), failed)
    )
  }

  /** Each end notices by itself. @param {Reset} reset */
  #reset({ separates }) {
    const { network, time } = this.#parts
    for (const endpoint of network.endpoints) {
      const { local, remote } = endpoint
      if (separates(local, remote))
        time.at(time.nowNs, local, () => endpoint.cut(new Error('the network was cut')))
    }
  }
}

/** After a dial in vain. */
const BACK_OFF_NS = 1e9

/** Reconnection makes connections of the topology again that were ended: a dial in vain is made again a second later. */
class Reconnection {
  #time
  #network
  /** @type {Dial[]} */
  #topology = []

  /**
   * @param {DisruptionClock} time
   * @param {DisruptedNetwork} network
   */
  constructor(time, network) {
    this.#time = time
    this.#network = network
  }

  /** add tells of connections that there are to be. @param {readonly Dial[]} dials */
  add(dials) {
    this.#topology.push(...dials)
  }

  /** pairs dials, as in the topology. @param {(a: number, b: number) => boolean} are */
  pairs(are) {
    for (const { from, to } of this.#topology) if (are(from, to)) this.#dialSoon(from, to)
  }

  /** neighboursOf has a node dial its own. @param {number} node */
  neighboursOf(node) {
    for (const { from, to } of this.#topology) {
      if (from === node) this.#dialSoon(node, to)
      if (to === node) this.#dialSoon(node, from)
    }
  }

  /** @param {number} from @param {number} to @param {number} [laterNs] */
  #dialSoon(from, to, laterNs = 0) {
    this.#time.at(this.#time.nowNs + laterNs, from, () => this.#dial(from, to))
  }

  /** Who returns dials anew. @param {number} from @param {number} to */
  #dial(from, to) {
    const network = this.#network
    if (!network.has(from) || !network.has(to)) return
    const later = () => this.#dialSoon(from, to, BACK_OFF_NS)
    if (network.partitions.between(from, to)?.(this.#time.nowNs)) return later()
    network.dial(from, to).catch(later)
  }
}
