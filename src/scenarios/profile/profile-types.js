/**
 * What the outcome of a network whose processes are sampled has beside that of any gossip network. Only types live here.
 *
 * @typedef {object} Profiled - what the CPU time of worker processes was spent on while messages were published
 * @property {import('./measure/hot-spots.js').HotSpots} hotSpots
 * @property {import('./measure/folded.js').FoldedCall} folded - for the flame graph
 * @property {string[]} files - `.cpuprofile` files in the folder of the run
 * @property {number[]} workers - that were sampled
 * @property {number} intervalMicros
 *
 * @typedef {import('./measure/allocations.js').Allocations & { files: string[], workers: number[], intervalBytes: number }} Allocated - what
 *   worker processes allocated meanwhile
 *
 * @typedef {import('../gossip/gossip-types.js').GossipOutcome & { profile: Profiled | null, allocations?: Allocated }} ProfileOutcome -
 *   `profile` null: no CPU time was sampled
 * @typedef {Omit<import('../../result/types.js').Result, 'scenario' | 'plan' | 'outcome'> & { scenario: 'profile',
 *   plan: import('./plan/profile-options.js').ProfilePlan, outcome: ProfileOutcome }} ProfileResult
 */

export {}
