/**
 * The result document of a run of the gossip scenario. Only types live here.
 *
 * @typedef {import('./types.js').Summary} Summary
 * @typedef {import('./types.js').ThresholdResult} ThresholdResult
 * @typedef {import('./types.js').Result} RendezvousResult
 * @typedef {import('../measure/gossip/delivery-result.js').DeliveryResult} DeliveryResult
 * @typedef {import('../network/node-host.js').Counters} Counters
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
 * @property {import('../network/topology/graph-measures.js').GraphMeasures | null} measures - null: nothing was connected
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
 * @property {Summary} register
 * @property {Summary} discover
 * @property {Summary} dial
 * @property {number} failed
 *
 * @typedef {object} WorkerResources
 * @property {number} worker
 * @property {{ averagePercent: number | null, maxPercent: number | null }} cpu - 100 % is one core
 * @property {{ averageBytes: number | null, maxBytes: number | null }} memory
 * @property {{ atMs: number, cpuPercent: number, rssBytes: number, heapBytes: number, backlogBytes: number }[]} series - `atMs`
 *   since publishing began
 *
 * @typedef {object} GossipOutcome
 * @property {{ kind: 'loopback', settings: Record<string, unknown> }} network - `settings`: what was changed from the library's
 *   defaults, and why
 * @property {TopologyResult} topology
 * @property {RendezvousSteps | null} rendezvous
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
 * @property {WorkerResources[]} resources
 * @property {number} measuredMs - from the first message that was due to the end of the cool-down
 * @property {ThresholdResult[]} thresholds
 *
 * @typedef {Omit<RendezvousResult, 'scenario' | 'plan' | 'outcome'> & { scenario: 'gossip',
 *   plan: import('../plan/gossip/gossip-plan.js').GossipPlan, outcome: GossipOutcome }} GossipResult
 *
 * @typedef {RendezvousResult | GossipResult} AnyResult
 */

export {}
