/**
 * The result document of a run of the gossip scenario. Only types live here.
 *
 * @typedef {import('../../result/types.js').Summary} Summary
 * @typedef {import('../../result/types.js').Result} RendezvousResult
 * @typedef {import('./measure/delivery-result.js').DeliveryResult} DeliveryResult
 *
 * @typedef {object} GossipFigures - what thresholds are judged by: known while a run goes on, and part of its outcome
 * @property {DeliveryResult['messages']} messages
 * @property {DeliveryResult['delivery']} delivery
 * @property {{ all: Summary, delivered: Summary }} latency - publish to first receipt, of each delivery
 * @property {{ all: Summary, complete: Summary }} dissemination - publish to the last delivery, of each message
 * @property {GossipCost} cost
 * @property {number} measuredMs
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
 * @typedef {import('../../result/types.js').Shape<typeof import('./gossip-schema.js').gossipOutcome>} Described
 * @typedef {Omit<Described, 'missing' | 'carriedRate'> & { missing: DeliveryResult['missing'], carriedRate: CarriedRate | null }} GossipOutcome -
 *   `carriedRate`: null unless asked for; else the figures are those of the last trial carried, of its last repeat
 * @typedef {Described['cost']} GossipCost - of the publish and cool-down phases
 * @typedef {Described['topology']} TopologyResult
 * @typedef {Described['mesh']} MeshResult
 * @typedef {NonNullable<Described['rendezvous']>} RendezvousSteps - of the topology `rendezvous`
 * @typedef {Described['resources'][number]} WorkerResources
 * @typedef {NonNullable<Described['churn']>} Churned - what became of nodes that left and returned, beside the deliveries that were expected:
 *   those of nodes that were there, and had been for long enough
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
