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
 * @typedef {object} CarriedRate - what `--rate auto` of an earlier release found
 * @property {number | null} perSecond - the highest rate that was carried; null: none was, or none yet
 * @property {number | null} lowestNotCarried - null: none so far
 * @property {Trial[]} trials - in the order they were made
 *
 * @typedef {object} Trial
 * @property {number} perSecond
 * @property {boolean} carried - in all of its repeats
 * @property {number} repeats - up to the first that failed
 * @property {import('./saturation/carried-words.js').NotCarried[]} reasons - why the last one was not carried
 *
 * @typedef {import('../../result/types.js').Shape<typeof import('./gossip-schema.js').outcome>} Described
 * @typedef {Omit<Described, 'missing' | 'carriedRate'> & { missing: DeliveryResult['missing'], carriedRate?: CarriedRate | null }} GossipOutcome -
 *   `carriedRate`: where there is one the figures are those of the last trial carried, of its last repeat
 * @typedef {Described['cost']} GossipCost - of the publish and cool-down phases
 * @typedef {Described['topology']} TopologyResult
 * @typedef {Described['mesh']} MeshResult
 * @typedef {NonNullable<Described['network']['namespaces']>} NamespaceFigures
 * @typedef {NonNullable<Described['rendezvous']>} RendezvousSteps - of the topology `rendezvous`
 * @typedef {Described['resources'][number]} WorkerResources
 * @typedef {Pick<WorkerResources, 'cpu' | 'memory' | 'traffic'>} Used
 * @typedef {NonNullable<Described['churn']>} Churned - what became of nodes that left, and returned or were replaced, beside the deliveries that were expected:
 *   those of nodes that were there, and had been for long enough
 * @typedef {NonNullable<Described['script']>} ScriptResult
 *
 * @typedef {object} Simulator - what the simulation of a network cost the machine it ran on
 * @property {number | null} cpuMicrosPerDelivery
 * @property {WorkerResources[]} resources
 * @property {Split} [split] - where several processes were asked for
 *
 * @typedef {object} Split - of a simulation over processes
 * @property {number} processes
 * @property {string | null} why - there is one alone; null: there are as many as asked for
 * @property {number | null} lookaheadMs - for so long what nodes send is under way at the least; null: not known
 * @property {number} meetings - of the processes
 * @property {number} events - in all of them
 * @property {number} handedOver - from one process to another
 *
 * @typedef {RendezvousResult['run'] & { simulator?: Simulator }} GossipRun
 * @typedef {Omit<RendezvousResult, 'scenario' | 'plan' | 'outcome' | 'run'> & { scenario: 'gossip',
 *   plan: import('./plan/gossip-plan.js').GossipPlan, outcome: GossipOutcome, run: GossipRun }} GossipResult
 *
 * @typedef {Extract<import('../../result/types.js').AnyResult, { outcome: GossipOutcome }>} NetworkResult - of any network that carries
 *   messages: views of a GossipResult hold for it too
 */

export {}
