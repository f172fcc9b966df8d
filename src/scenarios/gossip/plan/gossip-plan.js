/**
 * @typedef {import('../../../network/topology/make-topology.js').TopologySpec} EdgesSpec
 * @typedef {import('../../../network/topology/read-topology.js').RendezvousSpec} RendezvousSpec
 * @typedef {(EdgesSpec | RendezvousSpec) & { path?: string }} TopologySpec - `path`: of the file that edges were read from; they are
 *   kept, so that a plan can be run where the file is not
 *
 * @typedef {object} Topic
 * @property {string} name
 * @property {number} chance - that a node subscribes to it, above 0 to 1
 *
 * @typedef {object} Range - both ends belong to it
 * @property {number} min
 * @property {number} max
 *
 * @typedef {object} Validation - by the application
 * @property {number} accept - shares that add up to 1
 * @property {number} ignore
 * @property {number} reject
 *
 * @typedef {object} GossipPlan - the complete, validated, frozen parameters of one run of a gossip network. Keys are the flags'
 *   names, with the unit where a value has one
 * @property {'gossip' | 'profile' | 'rotation'} scenario - `profile`: it is a ProfilePlan; `rotation`: a RotateGossipPlan
 * @property {number} seed
 * @property {'loopback' | 'simulated'} network - what joins the nodes
 * @property {'gossipsub' | 'full'} fidelity - of simulated nodes: gossipsub on simulated streams, or whole libp2p nodes on a simulated
 *   transport
 * @property {number} nodes
 * @property {number} workers - at most nodes
 * @property {TopologySpec} topology
 * @property {readonly Topic[]} topics
 * @property {readonly string[]} stack - generations of libp2p that nodes are of; several are dealt out by the node's number
 * @property {'noise' | 'plaintext'} security
 * @property {'yamux' | 'mplex'} muxer
 * @property {boolean} signing
 * @property {'ed25519' | 'secp256k1'} keyType
 * @property {number} linkLatencyMs - one way, of all links; 0: none is added, or they have `linkLatencies`
 * @property {Readonly<import('../../../network/links/link-latencies.js').LatencySpec> | null} linkLatencies - what each simulated link has of
 *   its own; null: all have `linkLatencyMs`
 * @property {Readonly<import('../../../network/links/jitter.js').JitterSpec> | null} linkJitter - each segment on a simulated link takes up to
 *   so much longer or shorter; null: none does
 * @property {boolean} ideal - simulated: no jitter, no time for processing, the heartbeats of all nodes at the same moment
 * @property {number | null} linkLossShare - of the segments on a simulated link, in each direction; null: none is lost on purpose
 * @property {number | null} linkBandwidthBytesPerSecond - of each direction of a simulated link; null: without a limit
 * @property {number | null} upBandwidthBytesPerSecond - of each simulated node; null: without a limit
 * @property {number | null} downBandwidthBytesPerSecond - of each simulated node; null: without a limit
 * @property {readonly import('../../../network/links/partition-schedule.js').Cut[]} partitions - of a simulated network
 * @property {Readonly<import('../../../load/absences.js').ChurnSpec> | null} churn - of simulated nodes; null: all stay
 * @property {number | null} sendQueue - RPCs that may wait for a peer of a simulated node, beside the one in hand; null: all
 * @property {'random' | 'every'} publishers - random: a random node for each message; every: each node at its own random interval
 * @property {number | null} ratePerSecond - of the whole network; null with publishers `every`, and with autoRate
 * @property {boolean} autoRate - the rate that is carried is to be found: by trials, from `autoFromPerSecond` on, that publish for
 *   `autoDurationMs`; `messages` and `durationMs` are null
 * @property {number} autoFromPerSecond
 * @property {number} autoDurationMs
 * @property {import('../../../plan/arrivals-option.js').Arrivals} arrivals
 * @property {number | null} messages - in all; null: for `durationMs`
 * @property {number | null} durationMs
 * @property {Readonly<Range>} intervalMs - with publishers `every`
 * @property {'open' | 'closed'} loadModel - closed, with publishers `every`: the next interval starts when the publish has returned
 * @property {Readonly<Range>} messageBytes
 * @property {number | null} maxBacklogBytes - of a publisher's write buffers above which it skips messages (open) or waits (closed)
 * @property {number | null} memoryCeilingBytes - of a worker process, above which publishing ends
 * @property {'default' | 'study-2019'} preset - it has been applied to `gossipsub` already
 * @property {Readonly<Record<string, number | boolean>>} gossipsub - parameters other than the library's defaults, by their names
 * @property {Readonly<Record<string, object>> | null} topicScoreParams - by topic, in the library's names
 * @property {boolean} fastMsgId
 * @property {number} validationDelayMs - of the application; 0 with validation of accept only: no validator is installed
 * @property {Readonly<Validation>} validation
 * @property {number} warmupTimeoutMs - for the mesh to form
 * @property {number} cooldownMs - at most, for deliveries still under way
 * @property {boolean} traces - per node, in the trace schema of go-libp2p-pubsub
 * @property {readonly import('../../../plan/threshold.js').Threshold[]} thresholds
 *
 * @typedef {object} Sampling - of a run of the profile scenario; without messages and durationMs it publishes until its user ends it
 * @property {'profile'} scenario
 * @property {import('../../profile/plan/profile-options.js').ProfileWorkers} profileWorkers - whose CPU is sampled
 * @property {number} samplingIntervalMicros
 *
 * @typedef {GossipPlan & Sampling} ProfilePlan
 *
 * @typedef {object} Rotating - of a run of rotate gossip; `nodes` are those of the beginning, `durationMs` is not null
 * @property {'rotation'} scenario
 * @property {number} stable - nodes that stay, and publish: they have the first numbers
 * @property {number} ephemeral - nodes that are killed in turn and replaced by new ones
 * @property {number} rotateEveryMs - from one kill to the next
 * @property {number} downForMs - from a kill to the start of the node that takes the place
 * @property {number} dials - stable nodes that a node dials when it starts; at most `stable`
 * @property {number} settleMs - after its start a node is not expected to receive messages yet
 *
 * @typedef {GossipPlan & Rotating} RotateGossipPlan
 */

export {}
