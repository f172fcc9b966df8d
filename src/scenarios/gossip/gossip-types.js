/**
 * The result document of a run of the gossip scenario. Only types live here.
 *
 * @typedef {import('../../result/types.js').Summary} Summary
 * @typedef {import('../../result/types.js').ThresholdResult} ThresholdResult
 * @typedef {import('../../result/types.js').Result} RendezvousResult
 * @typedef {import('./measure/delivery-result.js').DeliveryResult} DeliveryResult
 * @typedef {import('../../network/node-host.js').Counters} Counters
 *
 * @typedef {object} GossipFigures - what thresholds are judged by: known while a run goes on, and part of its outcome
 * @property {DeliveryResult['messages']} messages
 * @property {DeliveryResult['delivery']} delivery
 * @property {{ all: Summary, delivered: Summary }} latency - publish to first receipt, of each delivery
 * @property {{ all: Summary, complete: Summary }} dissemination - publish to the last delivery, of each message
 * @property {GossipCost} cost
 * @property {number} measuredMs
 *
 * @typedef {object} GossipCost - of the publish and cool-down phases
 * @property {number | null} cpuMicrosPerDelivery - of the worker processes; null: nothing was delivered
 * @property {number | null} duplicatesPerDelivery
 * @property {number | null} bytesPerDelivery - sent in RPCs
 * @property {number | null} rpcsPerDelivery
 * @property {number | null} controlPerDelivery - IHAVE, IWANT, GRAFT, PRUNE and IDONTWANT messages
 *
 * @typedef {object} TopologyResult
 * @property {string} kind
 * @property {number} nodes
 * @property {[number, number][]} edges - who dialled whom; empty when there are more than MAX_EDGES_KEPT
 * @property {number} edgeCount
 * @property {import('../../network/topology/graph-measures.js').GraphMeasures | null} measures - null: nothing was connected
 * @property {number} dialsFailed
 * @property {Summary} dialMs
 *
 * @typedef {object} MeshResult
 * @property {number | null} formedAfterMs - null: not within --warmupTimeout
 * @property {string[]} missing - what it still lacked then
 * @property {Record<string, number>} degrees - how many (node, topic) pairs had so many mesh peers when publishing began
 * @property {{ atMs: number, min: number, avg: number, max: number }[]} series
 *
 * @typedef {object} RendezvousSteps - of the topology `rendezvous`
 * @property {Summary} connect - to the server
 * @property {Summary} register - of each node under each of its topics
 * @property {Summary} discover - likewise
 * @property {Summary} dial - of those that made a connection
 * @property {number} failed - steps of all kinds
 * @property {{ min: number | null, avg: number | null, max: number | null }} found - others, by a node for a topic
 * @property {number} bothWays - pairs of nodes in which each chose the other
 * @property {number} alreadyConnected - nodes that were chosen and had connected already
 * @property {number | null} doubled - pairs joined by two connections at the end, because they dialled each other at the same
 *   moment; null: not known
 *
 * @typedef {object} CarriedRate - what `--rate auto` found
 * @property {number | null} perSecond - the highest rate that was carried; null: none was, or none yet
 * @property {number | null} lowestNotCarried - null: none so far
 * @property {Trial[]} trials - in the order they were made
 *
 * @typedef {object} Trial
 * @property {number} perSecond
 * @property {boolean} carried - in all of its repeats
 * @property {number} repeats - up to the first that failed
 * @property {import('./measure/not-carried.js').NotCarried[]} reasons - why the last one was not carried
 *
 * @typedef {object} WorkerResources
 * @property {number} worker
 * @property {{ averagePercent: number | null, maxPercent: number | null }} cpu - 100 % is one core
 * @property {{ averageBytes: number | null, maxBytes: number | null }} memory
 * @property {{ atMs: number, cpuPercent: number, rssBytes: number, heapBytes: number, backlogBytes: number }[]} series - `atMs`
 *   since publishing began
 *
 * @typedef {object} Churned - what became of nodes that left and returned, beside the deliveries that were expected: those of nodes that were
 *   there, and had been for long enough
 * @property {number} departures - up to the end of the run
 * @property {number} returns
 * @property {object} apart - receipts that were not expected; `expected`: messages × nodes in this state
 * @property {{ expected: number, delivered: number }} apart.joining - published less than 5 s after the return of the receiver
 * @property {{ expected: number, delivered: number }} apart.leaving - published less than 1 s before the receiver left
 * @property {{ delivered: number }} apart.away - published while the receiver was away: it asked for it later (IHAVE, IWANT)
 * @property {number} again - second receipts: a node that has returned remembers nothing. They count nowhere else
 *
 * @typedef {object} GossipOutcome
 * @property {{ kind: 'loopback' | 'simulated', settings: Record<string, unknown> }} network - `settings`: what was changed from the library's
 *   defaults, and why
 * @property {string} [digest] - of a simulated network: of every (time, node, message, parent), see DeliveryDigest. The same plan
 *   gives the same one on every machine
 * @property {TopologyResult} topology
 * @property {RendezvousSteps | null} rendezvous
 * @property {Churned | null} [churn] - with --churn; null: nothing was published
 * @property {CarriedRate | null} carriedRate - null unless asked for; else the figures are those of the last trial carried, of its
 *   last repeat
 * @property {MeshResult} mesh
 * @property {DeliveryResult['messages'] & { planned: number | null }} messages
 * @property {DeliveryResult['delivery']} delivery
 * @property {DeliveryResult['latency']} latency
 * @property {DeliveryResult['dissemination']} dissemination
 * @property {DeliveryResult['hops']} hops
 * @property {DeliveryResult['lateness']} lateness
 * @property {DeliveryResult['interArrival']} interArrival
 * @property {DeliveryResult['timeline']} timeline
 * @property {DeliveryResult['perSecond']} perSecond
 * @property {DeliveryResult['topics']} topics
 * @property {DeliveryResult['nodes']} nodes
 * @property {DeliveryResult['missing']} missing
 * @property {DeliveryResult['anomalies']} anomalies
 * @property {Counters} counters - of the publish and cool-down phases
 * @property {GossipCost} cost
 * @property {{ aborted: number, meshPeersWithoutStream: number }} streams
 * @property {WorkerResources[]} resources - empty for a simulated network: `run.simulator` has them
 * @property {number} measuredMs - from the first message that was due to the end of the cool-down
 * @property {ThresholdResult[]} thresholds
 *
 * @typedef {object} Simulator - what the simulation of a network cost the machine it ran on
 * @property {number | null} cpuMicrosPerDelivery
 * @property {WorkerResources[]} resources
 *
 * @typedef {RendezvousResult['run'] & { simulator?: Simulator }} GossipRun
 * @typedef {Omit<RendezvousResult, 'scenario' | 'plan' | 'outcome' | 'run'> & { scenario: 'gossip',
 *   plan: import('./plan/gossip-plan.js').GossipPlan, outcome: GossipOutcome, run: GossipRun }} GossipResult
 *
 * @typedef {object} Profiled - what the CPU time of worker processes was spent on while messages were published
 * @property {import('../profile/measure/hot-spots.js').HotSpots} hotSpots
 * @property {import('../profile/measure/folded.js').FoldedCall} folded - for the flame graph
 * @property {string[]} files - `.cpuprofile` files in the folder of the run
 * @property {number[]} workers - that were sampled
 * @property {number} intervalMicros
 *
 * @typedef {GossipOutcome & { profile: Profiled | null }} ProfileOutcome - `profile` null: nothing was sampled
 * @typedef {Omit<RendezvousResult, 'scenario' | 'plan' | 'outcome'> & { scenario: 'profile',
 *   plan: import('./plan/gossip-plan.js').ProfilePlan, outcome: ProfileOutcome }} ProfileResult - views of a GossipResult
 *   hold for it too
 *
 * @typedef {GossipOutcome & { rotation: import('../rotate-gossip/rotate-gossip-types.js').RotateGossip | null }} RotateGossipOutcome - `rotation` null: nothing was published
 * @typedef {Omit<RendezvousResult, 'scenario' | 'plan' | 'outcome'> & { scenario: 'rotation',
 *   plan: import('./plan/gossip-plan.js').RotateGossipPlan, outcome: RotateGossipOutcome }} RotateGossipResult - views of a GossipResult
 *   hold for it too
 *
 * @typedef {Omit<RendezvousResult, 'scenario' | 'plan' | 'outcome'> & { scenario: 'rotation-rendezvous',
 *   plan: import('../rotate-rendezvous/plan/rotate-rendezvous-plan.js').RotateRendezvousPlan,
 *   outcome: RendezvousResult['outcome'] & { rotation: import('../rotate-rendezvous/rotate-rendezvous-types.js').RotateRendezvous | null }
 *   }} RotateRendezvousResult - `rotation` null: nothing was measured; views of a RendezvousResult hold for it too
 *
 * @typedef {GossipResult | ProfileResult | RotateGossipResult} NetworkResult - of a network that carries messages
 * @typedef {RendezvousResult | RotateRendezvousResult} OperationsResult - of operations at a rendezvous server
 * @typedef {NetworkResult | OperationsResult} AnyResult
 */

export {}
