/**
 * @typedef {import('../result/types.js').Record_} Record_
 * @typedef {import('./scenario.js').RunOptions} RunOptions
 */

/**
 * runScenario runs a plan of any scenario. It never throws for what goes wrong with the run: the last record is always the result,
 * whose `status` and `reason` tell.
 *
 * @param {import('./index.js').FindScenario} find
 * @returns {(plan: import('../plan/plan.js').AnyPlan, options: RunOptions) => AsyncGenerator<Record_>}
 */
export const runScenario = find =>
  async function* (plan, options) {
    const scenario = /** @type {import('./scenario.js').Scenario} */ (await find(plan.scenario))
    const run = await scenario.run()
    yield* run(plan, options)
  }
