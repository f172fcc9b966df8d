/**
 * @typedef {import('../plan/plan.js').AnyPlan} AnyPlan
 * @typedef {import('./rendezvous.js').RunOptions} RunOptions
 * @typedef {import('../result/types.js').Record_} Record_
 */

/** Each is imported when it is run: a gossip network needs no rendezvous clients. */
const SCENARIOS = Object.freeze({
  rendezvous: async () => (await import('./rendezvous.js')).runRendezvous,
  gossip: async () => (await import('./gossip.js')).runGossip,
  profile: async () => (await import('./profile.js')).runProfile,
  rotation: async () => (await import('./rotation.js')).runRotation,
  'rotation-rendezvous': async () => (await import('./rotation-rendezvous.js')).runRotationRendezvous
})

/**
 * runScenario runs a plan. It never throws for what goes wrong with the run: the last record is always the result, whose `status`
 * and `reason` tell.
 *
 * @param {Readonly<AnyPlan>} plan
 * @param {RunOptions} options
 * @returns {AsyncGenerator<Record_>}
 */
export async function* runScenario(plan, options) {
  const run = /** @type {(plan: any, options: RunOptions) => AsyncGenerator<Record_>} */ (
    await SCENARIOS[plan.scenario]()
  )
  yield* run(plan, options)
}
